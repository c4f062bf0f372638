"""Decisions of moderators about a running game."""

from __future__ import annotations

from play.ids import MatchId
from tests.bot.forging import click
from tests.bot.panels import confirm
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import MINUTE


async def test_a_moderator_gives_time_and_decides(room: Room) -> None:
    room.make_moderator(room.kasia)
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    extended = room.kasia.command(thread, "moderate extend", player=room.ola, time="1d")
    assert "You gave 1 day of extra time" in await private_words(extended)
    version = await version_message(room, thread, 1)
    assert f"{room.kasia.mention} gives 🔴 **Ola** 1 day of extra time" in version.content
    asked = room.kasia.command(thread, "moderate end", winner=room.maksim)
    assert "**Максим** wins, and the game counts" in (await private_message(asked)).text
    assert await room.version() == 1
    await confirm(room.kasia, asked, "End game")
    last = await version_message(room, thread, 2)
    assert f"Decided by {room.kasia.mention}" in last.content
    assert "**Максим** wins by a moderator's decision" in last.content


async def test_a_moderator_annuls(room: Room) -> None:
    room.make_moderator(room.kasia)
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await confirm(room.kasia, room.kasia.command(thread, "moderate annul"), "Annul game")
    assert "A moderator annulled the game" in (await version_message(room, thread, 1)).content


async def test_players_do_not_decide_their_own_match(room: Room) -> None:
    thread = await room.start_match(clock="3d")  # Ola owns the server
    assert "You're a player in this game" in await private_words(room.ola.command(thread, "moderate annul"))


async def test_only_the_moderator_who_was_asked_answers_once_and_soon(room: Room) -> None:
    room.make_moderator(room.kasia)
    thread = await room.start_match(clock="3d")
    question = await private_message(room.kasia.command(thread, "moderate annul"))
    (number,) = (part["custom_id"] for part in question.controls if part["custom_id"].startswith("moderate:"))
    assert "no longer works" in await private_words(click(room, room.maksim, thread, number))
    await room.pass_time(16 * MINUTE)
    assert "no longer works" in (await room.kasia.click(question, "Annul game").followed()).text
    assert (await room.use_cases.matches.load(MatchId(1))).outcome is None


async def test_a_restart_closes_the_question_of_a_moderator(room: Room) -> None:
    room.make_moderator(room.kasia)
    thread = await room.start_match(clock="3d")
    question = await private_message(room.kasia.command(thread, "moderate annul"))
    await room.restart()
    assert "repeat the command" in (await room.kasia.click(question, "Annul game").followed()).text
    assert (await room.use_cases.matches.load(MatchId(1))).outcome is None
