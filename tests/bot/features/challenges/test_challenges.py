"""A challenge from its card to the game: terms, counter-offers, seats, and a card that is always up to date."""

from __future__ import annotations

from loopback import Message
from play.ids import ChallengeId, MatchId, UserId
from tests.bot.panels import choose, open_terms, wait_for_card
from tests.bot.room import Room, answering_board, private_words
from tests.clock import DAY, HOUR
from use_cases import UseCases

DAYS = "3d"


def selected(shown: Message, field: str) -> list[str]:
    """Returns the values of a select that are chosen."""
    part = next(part for part in shown.controls if part["custom_id"].endswith(f":{field}"))
    return [option["value"] for option in part["options"] if option.get("default")]


async def test_the_card_says_every_setting(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, rules="quick", size=None, start=None, clock="10m+30s")
    for words in (
        f"{room.maksim.mention}, **Ola** challenges you",
        "Rules: Quick",
        "15×15",
        "Start: a cross",
        "10 minutes in total, plus 30 seconds per move",
        "First move: random",
        "This challenge expires <t:",
    ):
        assert words in card.content
    assert card.labels == ["Accept", "Change terms", "Decline"]
    assert card.mentions == (room.maksim.id,)


async def test_who_takes_the_first_move_has_it(room: Room) -> None:
    for colour, first in (("first", room.ola), ("last", room.maksim)):
        card = await room.challenge(opponent=room.maksim, colour=colour)
        await room.maksim.click(card, "Accept").followed()
        board = await room.wait_for_board(await room.wait_for_thread(card), 0)
        assert board.mentions == (first.id,)


async def test_the_panel_shows_the_terms_of_the_card(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, size="13x13", start="double", clock="2d", colour="last")
    shown = await open_terms(room.maksim, card)
    assert shown.ephemeral
    assert {field: selected(shown, field) for field in ("rules", "size", "start", "clock", "order", "agreed")} == {
        "rules": ["zagram"],
        "size": ["13x13"],
        "start": ["double"],
        "clock": ["2d"],
        "order": ["last"],
        "agreed": [],
    }


async def test_a_counter_offer_goes_from_the_panel_over_the_card_to_the_match(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, size="13x13", start="cross", clock=DAYS)
    shown = await open_terms(room.maksim, card)
    await room.restart()
    shown = await choose(room.maksim, shown, "Board size", "9x9")
    await room.restart()
    shown = await choose(room.maksim, shown, "Clock", "1d")
    shown = await choose(room.maksim, shown, "When clocks stop (default: never)", "weekends")
    assert "~~Board: 13×13~~ **Board: 9×9**" in shown.text
    await room.restart()
    done = await room.maksim.click(shown, "Send offer").followed()
    assert "It applies once it's accepted" in done.text
    card = await wait_for_card(room, card, f"{room.ola.mention}, **Максим** suggests other terms")
    assert "✏️ ~~Clock: 3 days per move~~ **Clock: 1 day per move**" in card.content
    assert "✏️ **Weekends: clocks stop" in card.content
    assert "These are your own terms" in await private_words(room.maksim.click(card, "Accept"))
    await room.restart()
    await room.ola.click(card, "Accept").followed()
    board = await room.wait_for_board(await room.wait_for_thread(card), 0)
    assert "9" in (board.attachments[0].description or "")


async def test_a_counter_offer_tells_the_challenger(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    shown = await choose(room.maksim, await open_terms(room.maksim, card), "Clock", "7d")
    await room.maksim.click(shown, "Send offer").followed()
    told = next(each for each in room.discord.messages(room.channel) if each.reference)
    assert (
        told.content
        == f"{room.ola.mention}, **Максим** changed the terms of this challenge. Do you still want to play?"
    )
    assert told.mentions == (room.ola.id,)
    assert told.reference is not None
    assert told.reference.message_id == card.id


async def test_a_challenger_whose_offer_is_declined_is_mentioned(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    await room.maksim.click(card, "Decline").followed()
    told = next(each for each in room.discord.messages(room.channel) if each.reference)
    assert told.content == f"{room.ola.mention}, **Максим** declined your challenge."
    assert told.mentions == (room.ola.id,)


async def test_a_player_whose_counter_offer_is_declined_is_mentioned(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    shown = await choose(room.maksim, await open_terms(room.maksim, card), "Clock", "7d")
    await room.maksim.click(shown, "Send offer").followed()
    card = await wait_for_card(room, card, "7 days")
    await room.ola.click(card, "Decline").followed()
    assert room.discord.messages(room.channel)[-1].mentions == (room.maksim.id,)


async def test_who_withdraws_a_challenge_of_their_own_mentions_nobody(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    await room.ola.click(card, "Decline").followed()
    assert [each.id for each in room.discord.messages(room.channel)] == [card.id]


async def test_accepting_a_card_that_was_changed_meanwhile_is_refused(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    shown = await choose(room.ola, await open_terms(room.ola, card), "Clock", "7d")
    old = room.discord.message(card)
    assert old is not None
    accepted = old.control("Accept")["custom_id"]
    await room.ola.click(shown, "Send offer").followed()
    new = await wait_for_card(room, card, "7 days")
    assert new.control("Accept")["custom_id"] != accepted
    challenges = room.use_cases.challenges
    assert (await challenges.load(ChallengeId(1))).changes == 1


async def test_the_challenger_changes_an_open_challenge(room: Room) -> None:
    card = await room.challenge()
    shown = await choose(room.ola, await open_terms(room.ola, card), "Board size", "20x20")
    await room.ola.click(shown, "Send offer").followed()
    await wait_for_card(room, card, "**Board: 20×20**")
    assert len(room.discord.messages(room.channel)) == 1


async def test_other_terms_for_an_open_challenge_are_a_card_of_their_own(room: Room) -> None:
    card = await room.challenge()
    shown = await choose(room.kasia, await open_terms(room.kasia, card), "First move", "first")
    await room.kasia.click(shown, "Send offer").followed()
    answer = room.discord.messages(room.channel)[-1]
    assert (
        f"{room.ola.mention}, **Kasia Wiśniewska** wants to play your open challenge on other terms" in answer.content
    )
    assert "**First move: Kasia Wiśniewska**" in answer.content
    await room.ola.click(answer, "Accept").followed()
    await room.wait_for_thread(answer)
    card = await wait_for_card(room, card, "Withdrawn")
    assert card.labels == []


async def test_a_panel_whose_challenge_has_changed_shows_the_newest_terms(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    early = await choose(room.maksim, await open_terms(room.maksim, card), "Clock", "7d")
    late = await choose(room.ola, await open_terms(room.ola, card), "Clock", "1d")
    await room.ola.click(late, "Send offer").followed()
    shown = await room.maksim.click(early, "Send offer").followed()
    assert "⚠️ The terms have changed." in shown.text
    assert "~~Clock: 1 day per move~~ **Clock: 7 days per move**" in shown.text
    done = await room.maksim.click(shown, "Send offer").followed()
    assert "It applies once it's accepted" in done.text


async def test_a_choice_that_makes_no_game_is_explained_and_the_draft_stays(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, size="20x20", start="four")
    shown = await open_terms(room.maksim, card)
    opened = await room.maksim.click(shown, "Custom size…").answered()
    assert opened.modal is not None
    refused = await room.maksim.submit(opened.modal, {"value": "4"}).followed()
    assert "⚠️ That board size isn't valid." in refused.text
    assert selected(shown, "size") == ["20x20"]
    opened = await room.maksim.click(shown, "Custom clock…").answered()
    assert opened.modal is not None
    shown = await room.maksim.submit(opened.modal, {"value": "36h"}).followed()
    assert selected(shown, "clock") == ["36h"]


async def test_rules_bring_their_own_field(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    shown = await choose(room.maksim, await open_terms(room.maksim, card), "Rules", "dot-dash")
    assert selected(shown, "size") == ["13x13"]
    assert not [part for part in shown.controls if part["custom_id"].endswith(":start")]
    assert "✏️ ~~Start: an empty board" in shown.text


async def test_only_rules_for_as_many_players_are_offered(room: Room) -> None:
    shown = await open_terms(room.ola, await room.challenge(rules="three", size=None, start=None))
    rules = next(part for part in shown.controls if part["custom_id"].endswith(":rules"))
    offered = [option["value"] for option in rules["options"]]
    assert {"three", "sport", "classic"} <= set(offered)
    assert not {"four", "dot-dash"} & set(offered)


async def test_strangers_do_not_change_a_challenge_to_one_person(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    assert "Only Ola can change the terms" in await private_words(room.kasia.click(card, "Change terms"))


async def test_an_unchanged_offer_is_none(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    shown = await room.maksim.click(await open_terms(room.maksim, card), "Send offer").followed()
    assert "⚠️ These are already the terms." in shown.text


async def test_three_join_leave_and_play(room: Room) -> None:
    card = await room.challenge(players=3, size=None, start=None)
    assert card.labels == ["Join", "Leave", "Change terms", "Withdraw"]
    assert "The game begins when 2 more players join." in card.content
    await room.maksim.click(card, "Join").followed()
    card = await wait_for_card(room, card, "Joined: **Максим**")
    assert "when 1 more player joins" in card.content
    await room.restart()
    assert "You've already joined" in await private_words(room.maksim.click(card, "Join"))
    await room.maksim.click(card, "Leave").followed()
    card = await wait_for_card(room, card, "when 2 more players")
    assert "You haven't joined" in await private_words(room.maksim.click(card, "Leave"))
    await room.maksim.click(card, "Join").followed()
    await room.restart()
    await room.kasia.click(card, "Join").followed()
    card = await wait_for_card(room, card, "Accepted: [go to the game](")
    assert card.labels == []
    board = await room.wait_for_board(await room.wait_for_thread(card), 0)
    for name in ("Ola", "Максим", "Kasia"):
        assert name in board.content


async def test_a_challenge_that_nobody_accepts_loses_its_buttons_also_after_a_restart(room: Room) -> None:
    days, live = await room.challenge(clock=DAYS), await room.challenge(clock="5m+10s")
    await room.stop()
    room.clock.advance(3 * HOUR)
    await room.start()
    live = await wait_for_card(room, live, "Expired: nobody accepted in time.")
    assert live.labels == []
    seen = room.discord.message(days)
    assert seen is not None
    assert seen.labels == ["Accept", "Change terms", "Withdraw"]
    await room.stop()
    room.clock.advance(7 * DAY)
    await room.start()
    assert (await wait_for_card(room, days, "nobody accepted in time")).labels == []


async def test_a_card_that_was_not_written_before_a_crash_is_written_after_it(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    await UseCases.over(room.bot.store, seeds=int).challenges.decline(  # in a process that dies then
        ChallengeId(1), UserId(room.maksim.id), room.clock()
    )
    await room.restart()
    assert (await wait_for_card(room, card, "Declined.")).labels == []


async def test_what_was_chosen_can_be_offered_every_time(room: Room) -> None:
    posted = (await room.ola.command(room.channel, "challenge", rules="quick", clock="1d").answered()).message
    assert posted is not None
    await room.restart()
    kept = await room.ola.click(posted, "Save as my default").followed()
    assert "Rules: Quick" in kept.text
    await room.ola.command(room.general, "challenge", colour="drawn").answered()
    card = room.discord.messages(room.general)[-1]
    assert "Rules: Quick" in card.content
    assert "1 day per move" in card.content


async def test_a_challenge_by_default_terms_offers_nothing_to_keep(room: Room) -> None:
    posted = (await room.ola.command(room.channel, "challenge", colour="drawn").answered()).message
    assert posted is not None
    assert posted.labels == ["Withdraw"]


async def test_players_that_the_rules_have_no_seats_for_are_refused(room: Room) -> None:
    for rules in ("dot-dash", "zagram", "two-squares"):
        words = await private_words(room.ola.command(room.channel, "challenge", players=4, rules=rules))
        assert "These rules are for two players." in words


async def test_three_play_by_the_rules_of_sport_without_what_needs_two(room: Room) -> None:
    card = await room.challenge(rules="sport", players=3, size=None, start=None, rated=True)
    assert "Rules: Sport Dots" in card.content
    assert "Players: 3" in card.content
    assert "Landing" in card.content
    assert "Rated: Dots for three or four (live)" in card.content
    for player in (room.maksim, room.kasia):
        await player.click(card, "Join").followed()
    thread = await room.wait_for_thread(card)
    board = await room.wait_for_board(thread, 0)
    assert board.attachments
    assert (await room.use_cases.matches.load(MatchId(1))).game.seats == 3


async def test_an_invitation_keeps_a_seat_among_three(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, players=3, size=None, start=None)
    await room.kasia.click(card, "Join").followed()
    await wait_for_card(room, card, "when 1 more player joins")
    await room.maksim.click(card, "Join").followed()
    await room.wait_for_thread(card)


async def test_dot_dash_goes_from_the_card_to_its_set_up_and_choice(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, rules="dot-dash", size="9", start=None, colour="last")
    await room.maksim.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    assert (await room.wait_for_board(thread, 0)).mentions == (room.maksim.id,)
    await answering_board(room.maksim.command(thread, "move", point="set D4 E5/G7"))
    assert (await room.wait_for_board(thread, 1)).mentions == (room.ola.id,)
    await answering_board(room.ola.command(thread, "move", point="take single"))
    assert "took the single stone" in (await room.wait_for_board(thread, 2)).content
