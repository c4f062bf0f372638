"""Reminders that a player's time is short: in the channel, by direct message, or not at all."""

from __future__ import annotations

import pytest

from loopback import Channel, Message
from play.ids import UserId
from play.people.settings import Reminders
from tests.bot.features.match.delivery.test_lost_channels import leave_server
from tests.bot.room import Room
from tests.clock import DAY, HOUR


async def reminder_in(room: Room, channel: Channel) -> Message:
    """Returns the reminder in the channel, once it is posted."""
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(channel) if "is gone" in each.content), None)
    )
    return message


async def test_a_reminder_comes_once_in_the_channel(room: Room) -> None:
    thread = await room.start_match(clock="5d")
    board = await room.wait_for_board(thread, 0)
    await room.pass_time(4 * DAY + HOUR)
    assert await room.use_cases.clocks.remind() == 1
    assert await room.use_cases.clocks.remind() == 0
    reminder = await reminder_in(room, thread)
    assert reminder.mentions == (room.ola.id,)
    assert f"/{thread.id}/{board.id})" in reminder.content
    assert f"<t:{(room.clock() + DAY - HOUR) // 1000}:R>" in reminder.content


async def test_a_reminder_comes_as_a_direct_message_to_a_player_who_wants_that(room: Room) -> None:
    await room.change_settings(room.ola, reminders=Reminders.DM)
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()
    dm = room.ola.open_dm()
    await room.discord.until(
        lambda: any("against Максим is gone" in each.content for each in room.discord.messages(dm))
    )
    assert not any("is gone" in each.content for each in room.discord.messages(thread))


async def test_who_has_left_the_server_is_reminded_directly_and_mentioned_nowhere(room: Room) -> None:
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await leave_server(room)
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()
    dm = room.ola.open_dm()
    await room.discord.until(lambda: any("is gone" in each.content for each in room.discord.messages(dm)))
    assert not any("is gone" in each.content for each in room.discord.messages(thread))


async def test_closed_direct_messages_fall_back_to_the_channel_and_switch_themselves_off(room: Room) -> None:
    await room.change_settings(room.ola, reminders=Reminders.DM)
    room.ola.close_dms()
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()
    reminder = await reminder_in(room, thread)
    assert "I can't send you direct messages" in reminder.content
    await room.wait_for_outbox()
    async with room.services.store.read() as reader:
        assert (await reader.people.get(UserId(room.ola.id))).reminders is Reminders.CHANNEL


async def test_a_player_who_does_not_want_it_is_not_reminded(room: Room) -> None:
    await room.change_settings(room.ola, reminders=Reminders.OFF)
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()
    await room.wait_for_outbox()
    assert len(room.discord.messages(thread)) == 1


async def remind_by_dm(room: Room, code: int) -> Channel:
    """Lets a reminder by direct message be refused as often as it is tried; returns the match's thread."""
    await room.change_settings(room.ola, reminders=Reminders.DM)
    thread = await room.start_match(clock="5d")
    await room.wait_for_board(thread, 0)
    await room.pass_time(4 * DAY + HOUR)
    room.discord.fault("POST", "/users/@me/channels", 403, code=code, times=100)
    await room.use_cases.clocks.remind()
    return thread


async def test_a_reminder_to_someone_who_shares_no_server_comes_in_the_channel(room: Room) -> None:
    thread = await remind_by_dm(room, 50278)
    assert "I can't send you direct messages" in (await reminder_in(room, thread)).content


@pytest.mark.sample(3)
@pytest.mark.parametrize("code", [40003, 20026, 40062, 20009])
async def test_a_reminder_that_discord_refuses_otherwise_comes_in_the_channel_and_changes_no_setting(
    room: Room, code: int
) -> None:
    thread = await remind_by_dm(room, code)
    assert "direct messages" not in (await reminder_in(room, thread)).content
    await room.wait_for_outbox()
    async with room.services.store.read() as reader:
        assert (await reader.people.get(UserId(room.ola.id))).reminders is Reminders.DM
