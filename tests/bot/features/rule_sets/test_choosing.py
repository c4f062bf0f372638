"""An own rule set is in every menu of rules, and its name goes with the challenge and the game."""

from __future__ import annotations

import pytest

from loopback import Message, Person
from play.ids import ChallengeId, MatchId, UserId
from rules.registry import GAMES
from tests.bot.features.rule_sets.test_panels import EXTRA, keep, name, names, owner_of
from tests.bot.panels import choose, chosen, open_terms, wait_for_card
from tests.bot.room import Room, private_words
from use_cases.challenges import Challenges

NAMED = "Rules: “Grandpa's rules” (Sport Dots)"


async def suggestions(room: Room, person: Person, command: str = "challenge", typed: str = "") -> dict[str, str]:
    found = await person.complete(room.channel, command, focused="rules", rules=typed)
    return {choice["name"].partition(":")[0]: choice["value"] for choice in found}


async def offer(room: Room, rules: str, **options: object) -> Message:
    return await room.challenge(rules=rules, size=None, start=None, **options)


def challenges(room: Room) -> Challenges:
    return room.use_cases.challenges


async def test_rule_sets_of_the_player_and_the_server_are_suggested_before_the_presets(room: Room) -> None:
    await keep(room, "server", "Club rules")
    await keep(room, room.ola)
    labels = list(await suggestions(room, room.ola))
    assert labels[:2] == ["“Grandpa's rules” (Sport Dots)", "“Club rules” (Sport Dots)"]
    assert "Zagram" in labels
    assert next(iter(await suggestions(room, room.maksim))) == "“Club rules” (Sport Dots)"
    assert list(await suggestions(room, room.ola, typed="GRANDPA")) == ["“Grandpa's rules” (Sport Dots)"]


async def test_a_suggestion_says_what_a_rule_set_changes(room: Room) -> None:
    await keep(room, room.ola)
    (found,) = await room.ola.complete(room.channel, "challenge", focused="rules", rules="grandpa")
    assert found["name"] == "“Grandpa's rules” (Sport Dots): 20×20, extra move, 10 ahead"


async def test_a_challenge_has_the_name_and_what_departs_from_the_preset(room: Room) -> None:
    own = await keep(room, room.ola)
    card = await offer(room, f"own.{own.id}")
    for line in (NAMED, "20×20", "a capture earns another move", "a lead of 10"):
        assert line in card.content
    terms = (await challenges(room).load(ChallengeId(1))).terms
    assert (terms.game, terms.rule_set) == (EXTRA, "Grandpa's rules")


async def test_the_name_of_a_rule_set_can_be_typed(room: Room) -> None:
    await keep(room, room.ola)
    assert NAMED in (await offer(room, " grandpa's RULES ")).content


async def test_a_rule_set_of_the_server_is_for_all(room: Room) -> None:
    await keep(room, "server", "Club rules")
    value = (await suggestions(room, room.maksim))["“Club rules” (Sport Dots)"]
    await room.maksim.command(room.channel, "challenge", rules=value, clock="1d").answered()
    assert "“Club rules”" in room.discord.messages(room.channel)[-1].content


async def test_nobody_plays_by_the_number_of_a_rule_set_of_another_person(room: Room) -> None:
    own = await keep(room, room.ola)
    words = await private_words(room.maksim.command(room.channel, "challenge", rules=f"own.{own.id}"))
    assert "That rule set no longer exists" in words
    assert "Grandpa" not in words
    shown = await private_words(room.maksim.command(room.channel, "rules", rules=f"own.{own.id}"))
    assert "That rule set no longer exists" in shown


async def test_a_deleted_rule_set_changes_no_challenge_and_no_game(room: Room) -> None:
    own = await keep(room, room.ola)
    card = await offer(room, f"own.{own.id}", opponent=room.maksim)
    await room.use_cases.rule_sets.delete(own.id, own.owner, UserId(1))
    await room.maksim.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    assert "Grandpa's rules 20×20" in thread.name
    assert NAMED.removeprefix("Rules: ") in (await wait_for_card(room, card, "Accepted")).content
    match = await room.use_cases.matches.load(MatchId(1))
    assert (match.rule_set, match.game) == ("Grandpa's rules", EXTRA)


async def test_a_board_of_another_size_keeps_the_name_and_another_option_drops_it(room: Room) -> None:
    own = await keep(room, room.ola)
    assert NAMED in (await room.challenge(rules=f"own.{own.id}", size="15x15", start=None)).content
    other = await room.challenge(rules=f"own.{own.id}", size=None, start="empty")
    assert "Rules: Sport Dots" in other.content


async def test_the_opponent_keeps_the_name_where_only_the_clock_is_changed(room: Room) -> None:
    own = await keep(room, room.ola)
    card = await offer(room, f"own.{own.id}", opponent=room.maksim)
    panel = await open_terms(room.maksim, card)
    assert NAMED in panel.text, "no menu of theirs has it"
    await room.maksim.click(await choose(room.maksim, panel, "Clock", "7d"), "Send offer").followed()
    assert NAMED in (await wait_for_card(room, card, "7 days")).content


async def test_the_menu_of_rules_has_them_and_a_deleted_one_is_explained_there(room: Room) -> None:
    own = await keep(room, room.ola)
    panel = await open_terms(room.ola, await room.challenge(opponent=room.maksim, clock="3d"))
    assert NAMED in chosen(await choose(room.ola, panel, "Rules", f"own.{own.id}"))
    await room.use_cases.rule_sets.delete(own.id, own.owner, UserId(1))
    stale = await choose(room.ola, panel, "Rules", f"own.{own.id}")
    assert "That rule set no longer exists" in stale.text
    assert "Rules: Sport Dots" in chosen(stale), "its name is gone, its rules stay chosen"


async def test_more_rule_sets_than_a_menu_holds_have_a_menu_of_their_own(room: Room) -> None:
    for whose in (room.ola, "server"):
        for number in range(12):
            sized = EXTRA.with_options({"size": f"{10 + number}x20"})
            await room.use_cases.rule_sets.make(owner_of(room, whose), UserId(1), f"Set {number}", sized, None)
    panel = await open_terms(room.ola, await room.challenge(opponent=room.maksim))
    menus = {part.get("placeholder"): part["options"] for part in panel.controls if part.get("options")}
    assert len(menus["Saved rule sets"]) == 24
    rules = {each["value"] for each in menus["Rules"]}
    assert rules < set(room.services.presets)
    assert {"zagram", "sport"} <= rules
    assert len(await room.ola.complete(room.channel, "challenge", focused="rules")) == 25
    now = chosen(await choose(room.ola, panel, "Saved rule sets", menus["Saved rule sets"][3]["value"]))
    assert "Rules: “Set 3” (Sport Dots)" in now
    assert "Board: 13×20" in now


@pytest.mark.smoke
async def test_the_rules_of_a_panel_are_saved_as_a_rule_set(room: Room) -> None:
    panel = await open_terms(room.ola, await room.challenge(opponent=room.maksim, rules="sport", size="20x20"))
    options = await room.ola.click(panel, "More options…").followed()
    refused = await name(room.ola, options, "Save as rule set", "<@1>")
    assert "can't contain a mention" in refused.text
    saved = await name(room.ola, options, "Save as rule set", "Grandpa's rules")
    assert "Saved as **Grandpa's rules**" in saved.text
    assert NAMED in chosen(saved)
    (own,) = await room.use_cases.rule_sets.of(owner_of(room, room.ola))
    assert (own.game.key, own.game.options["size"], own.control) == ("sport", "20x20", None)
    assert await names(room, room.maksim) == []


async def test_the_rulebook_shows_an_own_rule_set(room: Room) -> None:
    own = await keep(room, room.ola)
    shown = (await room.ola.command(room.channel, "rules", rules=f"own.{own.id}").answered()).message
    assert shown is not None
    for line in ("## Grandpa's rules", "Rules: Sport Dots", "a capture earns another move", "a lead of 10"):
        assert line in shown.text
    assert shown.attachments
    preset = await room.ola.click(shown, next(label for label in shown.labels if "Sport" in label)).followed()
    assert "## Sport Dots" in preset.text


@pytest.mark.parametrize("command", ["challenge", "rules"])
async def test_a_renamed_rule_set_is_offered_by_its_new_name(room: Room, command: str) -> None:
    own = await keep(room, room.ola)
    await room.use_cases.rule_sets.rename(own.id, own.owner, UserId(1), "Oma")
    assert "“Oma” (Sport Dots)" in await suggestions(room, room.ola, command)


async def test_a_rule_set_of_a_preset_as_it_is_has_the_name_of_that_preset_in_view(room: Room) -> None:
    await room.use_cases.rule_sets.make(owner_of(room, room.ola), UserId(1), "Zagram", GAMES["sport"], None)
    assert "“Zagram” (Sport Dots)" in await suggestions(room, room.ola)
