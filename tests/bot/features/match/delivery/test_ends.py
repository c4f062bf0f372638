"""The end of a game over days: its last board mentions those who did not bring it about, once."""

from __future__ import annotations

import pytest

from loopback import Channel, Message, Person
from tests.bot.features.match.delivery.test_digests import switch_on
from tests.bot.features.match.delivery.test_lost_channels import direct_message, leave_server
from tests.bot.room import Room, private_message
from tests.bot.waiting import version_message
from tests.clock import DAY, HOUR

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def begin(room: Room, clock: str = "3d") -> Channel:
    """Returns the thread of a game in which both have moved."""
    thread = await room.start_match(clock=clock, size="9x9")
    await room.play(thread, "e5", "d5")
    return thread


async def resign(room: Room, person: Person, thread: Channel) -> Message:
    """Returns the last board."""
    asked = await private_message(person.command(thread, "resign"))
    await person.click(asked, "Yes, resign").followed()
    return await version_message(room, thread, await room.version())


async def test_who_has_not_resigned_is_mentioned(room: Room) -> None:
    board = await resign(room, room.ola, await begin(room))
    assert board.mentions == (room.maksim.id,)
    assert board.content.endswith(f"\n-# {room.maksim.mention}")


async def test_both_are_mentioned_where_a_clock_ends_the_game(room: Room) -> None:
    thread = await begin(room)
    await room.pass_time(3 * DAY + HOUR)
    await room.use_cases.clocks.flag_overdue()
    board = await version_message(room, thread, 3)
    assert set(board.mentions) == {room.ola.id, room.maksim.id}


async def test_a_live_game_mentions_nobody_at_its_end(room: Room) -> None:
    board = await resign(room, room.ola, await begin(room, "10m+30s"))
    assert board.mentions == ()
    assert room.maksim.mention not in board.content


async def test_who_hears_of_ends_in_a_digest_is_not_mentioned(room: Room) -> None:
    await switch_on(room, room.maksim)
    board = await resign(room, room.ola, await begin(room))
    assert board.mentions == ()
    assert room.maksim.mention not in board.content


async def test_who_keeps_a_game_quiet_is_not_mentioned(room: Room) -> None:
    thread = await begin(room)
    await (await room.press_in_menu(room.maksim, thread, "Quiet")).followed()
    assert (await resign(room, room.ola, thread)).mentions == ()


async def test_who_has_left_the_server_gets_the_last_board_directly(room: Room) -> None:
    thread = await begin(room)
    await leave_server(room)
    await resign(room, room.ola, thread)
    assert "**Ola** resigned" in (await direct_message(room, room.maksim, "resigned")).content
