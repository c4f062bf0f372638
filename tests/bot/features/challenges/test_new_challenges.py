"""New challenges: options that are typed, the panel before the card is posted, and the clock of the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from loopback import Message
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, GuildId, UserId
from rules.registry import GAMES
from tests.bot.panels import chosen
from tests.bot.room import Room, private_words


async def panel_of(room: Room, **options: Any) -> Message:
    shown = (await room.ola.command(room.channel, "challenge", **options).answered()).message
    assert shown is not None
    return shown


async def choose(room: Room, panel: Message, field: str, value: str) -> Message:
    part = next(part for part in panel.controls if part["custom_id"].endswith(f":{field}"))
    changed: Message = await room.ola.click(panel, part["custom_id"], [value]).followed()
    return changed


async def terms_of(room: Room, number: int = 1) -> Terms:
    return (await room.use_cases.challenges.load(ChallengeId(number))).terms


def cards(room: Room) -> list[Message]:
    return [message for message in room.discord.messages(room.channel) if "Accept" in message.labels]


async def test_typed_options_are_those_of_the_game(room: Room) -> None:
    card = await room.challenge(
        opponent=room.maksim, rules="sport", size=None, start=None, options="extra move, 10 ahead, 3 random crosses"
    )
    game = (await terms_of(room)).game
    assert {key: game.options[key] for key in ("extra-move", "win", "start", "crosses")} == {
        "extra-move": "on",
        "win": "10 ahead",
        "start": "random",
        "crosses": "3",
    }
    for words in (
        "Extra move: a capture earns another move",
        "a lead of 10",
        "Start: crosses in random places",
        "Crosses: 3",
    ):
        assert words in card.content


async def test_options_are_typed_in_the_language_of_the_player(room: Room) -> None:
    room.ola.speak("pl")
    await room.challenge(size="20x20", options="Dodatkowy  ruch, przewaga 10")
    options = (await terms_of(room)).game.options
    assert (options["extra-move"], options["win"]) == ("on", "10 ahead")


async def test_what_is_no_option_is_named_with_what_there_is_and_nothing_is_lost(room: Room) -> None:
    panel = await panel_of(room, rules="sport", size="20", options="extra move, flying dots")
    assert "“flying dots”" in panel.text
    assert "`extra move`" in panel.text
    assert "Rules: Sport Dots" in chosen(panel)
    assert cards(room) == []


async def test_options_that_do_not_go_with_the_rules_are_explained_and_put_right_by_one_button(room: Room) -> None:
    panel = await panel_of(room, rules="sport", options="far links")
    assert "Far links need drawn chains" in panel.text
    panel = await room.ola.click(panel, "Change all").followed()
    assert any("Links: far ones too" in str(part) for part in panel.controls)
    await room.ola.click(panel, "Post challenge").followed()
    options = (await terms_of(room)).game.options
    assert (options["links"], options["closing"], options["landing"]) == ("far", "drawn", "off")


async def test_options_are_suggested_one_after_another(room: Room) -> None:
    first = await room.ola.complete(room.channel, "challenge", focused="options", options="")
    assert first[0] == {"name": "Choose everything in a panel…", "value": "panel"}
    second = await room.ola.complete(room.channel, "challenge", focused="options", options="extra move, 12")
    assert {"name": "extra move, 12 ahead", "value": "extra move, 12 ahead"} in second


async def test_rules_are_suggested_by_their_name(room: Room) -> None:
    found = await room.ola.complete(room.channel, "challenge", focused="rules", rules="blitz")
    assert [each["value"] for each in found] == ["sport-blitz"]
    assert found[0]["name"].startswith("Sport Dots blitz: Five seconds per move")


async def test_a_command_without_options_shows_the_panel_before_the_card_is_posted(room: Room) -> None:
    panel = await panel_of(room)
    assert cards(room) == []
    await room.restart()
    posted = await room.ola.click(await choose(room, panel, "rules", "quick"), "Post challenge").followed()
    assert "Quick" in cards(room)[0].content
    assert "Save as my default" in posted.labels


async def test_the_panel_keeps_the_opponent(room: Room) -> None:
    panel = await panel_of(room, opponent=room.maksim, options="panel")
    await room.ola.click(panel, "Post challenge").followed()
    assert (await room.use_cases.challenges.load(ChallengeId(1))).opponent == UserId(room.maksim.id)


async def test_a_panel_is_posted_once_by_each_press_and_only_where_challenges_are_made(room: Room) -> None:
    panel = await panel_of(room)
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, channels=frozenset([ChannelId(room.general.id)])))
    shown = await room.ola.click(panel, "Post challenge").followed()
    assert "challenges belong in" in shown.text
    assert cards(room) == []


async def test_the_size_39_is_first_completed_to_the_squared_page(room: Room) -> None:
    found = await room.ola.complete(room.channel, "challenge", focused="size", size="39")
    assert [choice["value"] for choice in found] == ["39x32", "39x39"]


async def test_a_clock_is_typed_in_the_letters_of_any_language(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, clock="10хв + 30с")
    assert "10 minutes in total, plus 30 seconds per move" in card.text


@pytest.mark.parametrize("where", ["challenge", "panel", "tournament"])
async def test_the_clock_that_belongs_to_the_rules_comes_with_them_everywhere(room: Room, where: str) -> None:
    if where == "challenge":
        await room.challenge(rules="sport-blitz", clock=None)
        found = await terms_of(room)
    elif where == "panel":
        panel = await choose(room, await panel_of(room), "rules", "sport-blitz")
        await room.ola.click(panel, "Post challenge").followed()
        found = await terms_of(room)
    else:
        room.make_moderator(room.ola)
        asked = {"name": "Blitz", "format": "swiss", "rules": "sport-blitz"}
        await private_words(room.ola.command(room.channel, "tournament create", **asked))
        found = (await room.use_cases.tournaments.load_newest(ChannelId(room.channel.id))).terms
    assert found.control == parse_control("5s random")


def test_the_clock_of_the_rules_before_does_not_stay() -> None:
    blitz = Terms(GAMES["zagram"], parse_control("10m+30s")).by_rules(GAMES["sport-blitz"])
    assert blitz.by_rules(GAMES["classic"]).control == parse_control("3d")
    assert Terms(GAMES["zagram"], parse_control("1d")).by_rules(GAMES["classic"]).control == parse_control("1d")


async def test_the_card_says_in_words_which_option_keeps_it_from_being_rated(room: Room) -> None:
    card = await room.challenge(rules="sport", size="20", start=None, rated=True, options="extra move")
    assert "Not rated, because this option differs from the usual rules: extra move" in card.content


async def test_a_counter_offer_strikes_the_option_through_that_it_changes(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, rules="sport", size="20", start=None, options="extra move")
    panel = (await room.maksim.click(card, "Change terms").answered()).message
    assert panel is not None
    panel = await room.maksim.click(panel, "More options…").followed()
    part = next(part for part in panel.controls if part["custom_id"].endswith(":extra-move"))
    panel = await room.maksim.click(panel, part["custom_id"], ["off"]).followed()
    await room.maksim.click(panel, "Send offer").followed()
    struck = "~~Extra move: a capture earns another move~~"
    await room.discord.until(lambda: struck in getattr(room.discord.message(card), "content", ""))


async def test_the_blurb_of_the_rules_names_the_board_in_force(room: Room) -> None:
    card = await room.challenge(rules="sport", size="20", start="empty")
    assert "20×20" in card.content
    assert "39×32" not in card.content


async def test_a_host_changes_the_terms_of_a_tournament_until_it_begins(room: Room) -> None:
    room.make_moderator(room.ola)
    await private_words(room.ola.command(room.channel, "tournament create", name="Cup", format="swiss", size="9"))
    message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if "Change terms" in each.labels), None)
    )
    assert "Only the host" in await private_words(room.kasia.click(message, "Change terms"))
    panel = (await room.ola.click(message, "Change terms").answered()).message
    assert panel is not None
    assert "First move" not in panel.text
    panel = await room.ola.click(panel, "More options…").followed()
    panel = await choose(room, panel, "extra-move", "on")
    await room.ola.click(panel, "Save for tournament").followed()
    stored = await room.use_cases.tournaments.load_newest(ChannelId(room.channel.id))
    assert stored.terms.game.options["extra-move"] == "on"
    changed = await room.discord.until(lambda: room.discord.message(message))
    await room.discord.until(lambda: "Extra move" in (room.discord.message(message) or changed).content)


async def test_moderators_change_the_terms_of_the_ladder(room: Room) -> None:
    room.make_moderator(room.ola)
    shown = (await room.ola.command(room.channel, "ladder create").answered()).message
    assert shown is not None
    panel = (await room.ola.click(shown, "Change terms").answered()).message
    assert panel is not None
    panel = await choose(room, panel, "rules", "quick")
    await room.ola.click(panel, "Save for ladder").followed()
    assert "Rules: Quick" in await private_words(room.kasia.command(room.channel, "ladder show"))


async def test_another_start_has_as_many_crosses_as_it_allows(room: Room) -> None:
    panel = await panel_of(room, size="13", start="random", options="panel")
    panel = await choose(room, panel, "crosses", "3")
    panel = await choose(room, panel, "start", "random-double")
    assert "Start: double crosses in random places" in chosen(panel)
    panel = await choose(room, panel, "start", "empty")
    assert "Start: an empty board, first dots in its middle third" in chosen(panel)


async def test_another_instant_win_is_typed_in_the_words_of_the_player(room: Room) -> None:
    room.ola.speak("pl")
    panel = await panel_of(room, size="20", options="panel")
    panel = await room.ola.click(panel, "Więcej opcji…").followed()
    panel = await room.ola.click(panel, "Punkty i koniec…").followed()
    part = next(part for part in panel.controls if part["custom_id"].endswith(":win"))
    form = (await room.ola.click(panel, part["custom_id"], ["other"]).answered()).modal
    assert form is not None
    panel = await room.ola.submit(form, {"value": "przewaga 25"}).followed()
    part = next(part for part in panel.controls if part["custom_id"].endswith(":win"))
    assert [each["value"] for each in part["options"] if each.get("default")] == ["25 ahead"]
