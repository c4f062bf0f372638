"""Decisions of moderators about a running game."""

from __future__ import annotations

from tests.bot.room import Room, private_words
from tests.bot.waiting import version_message


async def test_a_moderator_gives_time_and_decides(room: Room) -> None:
    room.make_moderator(room.kasia)
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    extended = room.kasia.command(thread, "moderate extend", player=room.ola, time="1d")
    assert "You gave 1 day of extra time" in await private_words(extended)
    version = await version_message(room, thread, 1)
    assert f"{room.kasia.mention} gives 🔴 **Ola** 1 day of extra time" in version.content
    await private_words(room.kasia.command(thread, "moderate end", winner=room.maksim))
    last = await version_message(room, thread, 2)
    assert f"Decided by {room.kasia.mention}" in last.content
    assert "**Максим** wins by a moderator's decision" in last.content


async def test_a_moderator_annuls(room: Room) -> None:
    room.make_moderator(room.kasia)
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await private_words(room.kasia.command(thread, "moderate annul"))
    assert "A moderator annulled the game" in (await version_message(room, thread, 1)).content


async def test_players_do_not_decide_their_own_match(room: Room) -> None:
    thread = await room.start_match(clock="3d")  # Ola owns the server
    assert "You're a player in this game" in await private_words(room.ola.command(thread, "moderate annul"))
