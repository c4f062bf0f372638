"""Ends that a player chooses show their result first, whatever the player uses to ask, and count once."""

from __future__ import annotations

import pytest

from loopback import Channel, Message
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import HOUR

pytestmark = pytest.mark.usefixtures("no_confirmation")

RULES = {"rules": "paper", "size": "7x7", "start": "empty"}
MOVES = ("d4", "c3", "d5", "c5")
"""After these Ola has two dots without a way to the edge."""


async def match_before_stop(room: Room) -> Channel:
    """Returns the thread of a match in which Ola, whose turn it is, loses two dots by STOP."""
    thread = await room.start_match(clock="3d", **RULES)
    await room.play(thread, *MOVES)
    return thread


async def public_prompt(room: Room, thread: Channel) -> Message:
    """Returns the line that the bot posts below a reply."""
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "See the result" in each.labels), None)
    )
    return message


async def test_a_stop_shows_its_result_and_what_is_lost_before_it_counts(room: Room) -> None:
    thread = await match_before_stop(room)
    asked = await private_message(room.ola.command(thread, "stop"))
    assert asked.attachments, "the final position"
    for words in (
        "Say STOP?",
        "**Максим** wins after STOP",
        "A lead of 2: 🔴 **Ola** 0 · 🔵 **Максим** 2",
        "🔴 **Ola** loses 2 dots: D4, D5",
        "These dots have no link to the edge.",
    ):
        assert words in asked.text
    assert await room.version() == 4
    assert "You said **STOP**" in (await room.ola.click(asked, "Yes, STOP").followed()).text
    last = await version_message(room, thread, 5)
    assert "**Ola** says STOP, lost 2 dots. Dots without a link to the edge are lost." in last.content
    assert "**Максим** wins after STOP" in last.content


async def test_every_step_of_a_stop_survives_a_restart(room: Room) -> None:
    thread = await match_before_stop(room)
    board = await version_message(room, thread, 4)
    await room.restart()
    more = await private_message(room.ola.click(board, "More"))
    await room.restart()
    await room.ola.click(more, "STOP").answered()
    await room.restart()
    await room.ola.click(more, "Yes, STOP").answered()
    assert "wins after STOP" in (await version_message(room, thread, 5)).content


async def test_a_typed_stop_is_asked_about_as_well(room: Room) -> None:
    thread = await match_before_stop(room)
    asked = await private_message(room.ola.command(thread, "move", point="stop"))
    assert "Say STOP?" in asked.text
    opened = await room.ola.click(await version_message(room, thread, 4), "Type a move").answered()
    assert opened.modal is not None
    asked = await private_message(room.ola.submit(opened.modal, {"point": "STOP"}))
    assert "Say STOP?" in asked.text
    assert await room.version() == 4


async def test_a_stop_in_a_reply_shows_its_result_to_its_player_alone(room: Room) -> None:
    thread = await match_before_stop(room)
    room.ola.say(thread, "stop", reply_to=await version_message(room, thread, 4))
    prompt = await public_prompt(room, thread)
    assert "**STOP** doesn't count yet" in prompt.text
    assert "loses" not in prompt.text
    assert not prompt.attachments
    assert prompt.mentions == ()
    assert "This question is for another player" in await private_words(room.maksim.click(prompt, "See the result"))
    assert "aren't playing" in await private_words(room.kasia.click(prompt, "See the result"))
    assert room.discord.message(prompt) is not None
    await room.restart()
    asked = await private_message(room.ola.click(prompt, "See the result"))
    assert "Say STOP?" in asked.text
    assert asked.ephemeral
    await room.discord.until(lambda: room.discord.message(prompt) is None)
    await room.ola.click(asked, "Yes, STOP").answered()
    assert "wins after STOP" in (await version_message(room, thread, 5)).content


async def test_a_stop_in_a_reply_that_was_overtaken_shows_nothing_and_vanishes(room: Room) -> None:
    thread = await match_before_stop(room)
    room.ola.say(thread, "stop", reply_to=await version_message(room, thread, 4))
    prompt = await public_prompt(room, thread)
    await room.play(thread, "e5", "a1")
    assert "loses" not in await private_words(room.ola.click(prompt, "See the result"))
    await room.discord.until(lambda: room.discord.message(prompt) is None)
    assert await room.version() == 6


async def test_a_stop_can_be_thought_better_of(room: Room) -> None:
    thread = await match_before_stop(room)
    asked = await private_message(room.ola.command(thread, "stop"))
    assert (await room.ola.click(asked, "Keep playing").followed()).text == "Game on! You haven't resigned."
    room.ola.say(thread, "stop", reply_to=await version_message(room, thread, 4))
    again = await private_message(room.ola.click(await public_prompt(room, thread), "See the result"))
    assert (await room.ola.click(again, "Keep playing").followed()).text == "Game on! You haven't resigned."
    assert await room.version() == 4


async def test_a_stop_that_was_looked_at_before_a_move_does_not_count_and_is_shown_as_it_is_now(room: Room) -> None:
    thread = await match_before_stop(room)
    asked = await private_message(room.ola.command(thread, "stop"))
    await room.play(thread, "e5", "a1")
    now = await room.ola.click(asked, "Yes, STOP").followed()
    assert now.id == asked.id
    assert "The game has moved on" in now.text
    assert "🔴 **Ola** loses 3 dots: D4, D5, E5" in now.text
    assert await room.version() == 6
    assert "You said **STOP**" in (await room.ola.click(now, "Yes, STOP").followed()).text


async def test_a_stop_that_is_possible_no_more_gives_way_to_what_is(room: Room) -> None:
    thread = await match_before_stop(room)
    asked = await private_message(room.ola.command(thread, "stop"))
    await room.play(thread, "e5")
    now = await room.ola.click(asked, "Yes, STOP").followed()
    assert "The game has moved on" in now.text
    assert {"Clock", "Resign"} <= set(now.labels)
    assert not {"Yes, STOP", "Keypad"} & set(now.labels)


async def test_a_second_click_on_a_stop_is_harmless(room: Room) -> None:
    thread = await match_before_stop(room)
    asked = await private_message(room.ola.command(thread, "stop"))
    first, second = (room.ola.click(asked, "Yes, STOP") for _ in range(2))
    await first.answered()
    await second.answered()
    await version_message(room, thread, 5)
    assert await room.version() == 5


@pytest.mark.parametrize("typed", ["stop", "land"])
async def test_a_call_that_the_rules_refuse_is_refused_at_once(room: Room, typed: str) -> None:
    thread = await room.start_match(clock="3d")
    words = await private_words(room.ola.command(thread, "move", point=typed))
    assert "This game has no" in words
    assert f"\n{typed}\n" in words


async def test_landing_shows_by_how_much_one_wins(room: Room) -> None:
    thread = await room.start_match(rules="sport", size="7x7", start="empty", clock="3d")
    await room.play(thread, "d4", "d5", "c5", "a1", "d6", "g1", "e5", "g2", "d3", "f2", "d2", "f3", "d1", "b6")
    more = await private_message(room.ola.click(await version_message(room, thread, 14), "More"))
    await room.ola.click(more, "Land").answered()
    asked = await private_message(room.ola.command(thread, "stop"))
    assert "**Ola** lands and wins" in asked.text
    await room.ola.click(asked, "Yes, land").answered()
    assert "🏁 🔴 **Ola** lands" in (await version_message(room, thread, 15)).content


async def test_an_agreed_end_shows_its_result_to_both_before_it_counts(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    asked = await private_message(room.ola.command(thread, "stop"))
    assert "Offer to end the game now?" in asked.text
    assert "A draw: the players agreed to end the game" in asked.text
    await room.ola.click(asked, "Offer to end").answered()
    offer = await version_message(room, thread, 3)
    assert "offers to end the game now" in offer.content
    assert offer.mentions == (room.maksim.id,)
    looked = await private_message(room.maksim.click(offer, "Look and agree (Максим)"))
    assert "Agree with Ola" in looked.text
    assert await room.version() == 3
    await room.restart()
    await room.maksim.click(looked, "End the game").answered()
    assert "A draw: the players agreed to end the game" in (await version_message(room, thread, 4)).content


async def test_a_resignation_shows_the_board_and_is_asked_twice(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    asked = await private_message(room.ola.command(thread, "resign"))
    assert asked.attachments
    assert "Resign against **Максим**? You can't undo this." in asked.text
    assert (await room.ola.click(asked, "Yes, resign").followed()).text == "You resigned."
    assert "**Ola** resigned" in (await version_message(room, thread, 2)).content


async def test_after_a_stop_the_other_side_goes_on_alone_until_its_time_is_over(room: Room) -> None:
    thread = await room.start_match(rules="zagram-no-territory", clock="10m+30s")
    await room.play(thread, "c3", "c2")
    asked = await private_message(room.ola.command(thread, "stop"))
    assert "Максим may play on alone for 4 minutes" in asked.text
    await room.ola.click(asked, "Yes, STOP").answered()
    stopped = await version_message(room, thread, 3)
    assert "**Ola** says STOP" in stopped.content
    assert "now you play alone" in stopped.content
    await room.pass_time(HOUR)
    await room.use_cases.clocks.flag_overdue()
    last = await version_message(room, thread, 4)
    assert "🔵 **Максим** has no time left to play on alone" in last.content
    assert "both players said STOP" in last.content


async def stop_in_the_middle(room: Room) -> Channel:
    """Returns the thread of a game that is played out, in which Ola waits for the move of Максим."""
    thread = await room.start_match(rules="zagram-no-territory", clock="10m+30s")
    await room.play(thread, "c3", "c2", "d3")
    return thread


async def test_stop_can_be_said_on_the_opponents_turn(room: Room) -> None:
    thread = await stop_in_the_middle(room)
    more = await private_message(room.ola.click(await version_message(room, thread, 3), "More"))
    assert "STOP" in more.labels
    asked = await room.ola.click(more, "STOP").followed()
    assert "Максим may play on alone for 4 minutes" in asked.text
    assert "These dots can be captured without a dot in a closed area." in asked.text
    await room.restart()
    await room.ola.click(asked, "Yes, STOP").answered()
    stopped = await version_message(room, thread, 4)
    assert "**Ola** says STOP, lost 2 dots. Dots that could be captured" in stopped.content
    assert "now you play alone" in stopped.content
    await room.maksim.command(thread, "move", point="a1").answered()
    await version_message(room, thread, 5)
    assert "It's Максим's turn" in await private_words(room.ola.command(thread, "move", point="stop"))


@pytest.mark.parametrize("way", ["command", "typed", "reply"])
async def test_stop_on_the_opponents_turn_is_asked_about_however_it_is_said(room: Room, way: str) -> None:
    thread = await stop_in_the_middle(room)
    if way == "reply":
        room.ola.say(thread, "stop", reply_to=await version_message(room, thread, 3))
        asked = await private_message(room.ola.click(await public_prompt(room, thread), "See the result"))
    else:
        command = room.ola.command(thread, "stop")
        asked = await private_message(
            command if way == "command" else room.ola.command(thread, "move", point="stop-waiting")
        )
    assert "Say STOP?" in asked.text
    assert await room.version() == 3
    await room.ola.click(asked, "Yes, STOP").answered()
    assert "**Ola** says STOP" in (await version_message(room, thread, 4)).content


async def test_a_stop_on_the_opponents_turn_that_their_move_overtakes_is_shown_anew(room: Room) -> None:
    thread = await stop_in_the_middle(room)
    asked = await private_message(room.ola.command(thread, "stop"))
    await room.move(room.maksim, thread, "b4")
    now = await room.ola.click(asked, "Yes, STOP").followed()
    assert "The game has moved on" in now.text
    assert await room.version() == 4
    await room.ola.click(now, "Yes, STOP").answered()
    assert "**Ola** says STOP" in (await version_message(room, thread, 5)).content


async def test_on_paper_nobody_stops_on_the_opponents_turn(room: Room) -> None:
    thread = await match_before_stop(room)
    await room.play(thread, "e5")
    assert "STOP" not in (await private_message(room.ola.click(await version_message(room, thread, 5), "More"))).labels
    refused = await private_words(room.ola.command(thread, "move", point="stop"))
    assert "It's Максим's turn" in refused


async def test_in_classic_only_the_games_clock_limits_playing_out(room: Room) -> None:
    thread = await room.start_match(rules="classic", clock="10m+30s")
    await room.play(thread, "c3", "c2")
    asked = await private_message(room.ola.command(thread, "stop"))
    assert "Максим may play on alone, or stop as well" in asked.text
    await room.ola.click(asked, "Yes, STOP").answered()
    await version_message(room, thread, 3)
    await room.pass_time(HOUR // 12)
    await room.use_cases.clocks.flag_overdue()
    assert await room.version() == 3, "five of ten minutes"
