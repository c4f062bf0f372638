"""The threads of running games stay open, with their players in them."""

from __future__ import annotations

from loopback import Silence
from play.people.settings import Reminders
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.room import Room
from tests.bot.waiting import version_message
from tests.clock import DAY, HOUR


async def test_both_players_are_in_the_thread_from_the_start(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    assert {room.ola.id, room.maksim.id} <= {*room.discord.world.channels[thread.id].members}


async def test_a_thread_that_takes_no_members_has_its_board_all_the_same(room: Room) -> None:
    room.discord.fault("PUT", "/channels/{channel_id}/thread-members/{user_id}", 403, code=50013, times=None)
    assert room.boards(await room.start_match(clock="3d"))


async def test_a_board_is_posted_once_where_its_players_cannot_be_added(room: Room) -> None:
    room.discord.fault("PUT", "/channels/{channel_id}/thread-members/{user_id}", Silence.CLOSED, times=None)
    thread = await room.start_match(clock="3d")
    assert len(room.boards(thread)) == 1


async def test_a_reminder_by_direct_message_opens_the_archived_thread(room: Room) -> None:
    await room.change_settings(room.ola, reminders=Reminders.DM)
    thread = await room.start_match(clock="5d")
    await room.pass_time(4 * DAY + HOUR)
    room.discord.archive(thread)
    await room.use_cases.clocks.remind()
    await direct_message(room, room.ola, "is gone")
    assert not room.discord.world.channels[thread.id].archived


async def pass_days(room: Room, days: int) -> None:
    """Lets days pass one by one, on which Discord archives idle threads and the bot looks for those that are due."""
    for _ in range(days):
        await room.pass_time(DAY)
        room.discord.tick()
        for match in await room.bot.workers.threads.pending(50):
            await room.bot.workers.threads.process(match)


async def test_a_game_without_a_move_for_a_month_is_played_from_its_thread(room: Room) -> None:
    thread = await room.start_match(clock="30d")
    await pass_days(room, 29)
    await room.move(room.ola, thread, "c3")
    await pass_days(room, 29)
    await room.move(room.maksim, thread, "c4")


async def test_an_idle_game_costs_three_requests_in_six_days(room: Room) -> None:
    await room.start_match(clock="30d")
    before = len(room.discord.requests)
    await pass_days(room, 29)
    assert len(room.discord.requests) - before == 4 * 3


async def test_a_game_that_has_left_its_thread_is_not_tried_again(room: Room) -> None:
    thread = await room.start_match(clock="30d")
    room.discord.lock(thread)
    await version_message(room, room.channel, 0)
    before = len(room.discord.requests)
    await pass_days(room, 29)
    assert len(room.discord.requests) - before <= 1
