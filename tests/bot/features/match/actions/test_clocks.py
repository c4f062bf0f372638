"""Clocks on the board and in the private panel, time as a gift, random moves, downtime."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from play.clock.schedule import Night
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import DAY, HOUR, MINUTE, SECOND

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def test_a_board_shows_both_clocks_where_they_differ_from_move_to_move(room: Room) -> None:
    thread = await room.start_match(clock="10m+30s")
    await room.pass_time(90 * SECOND)
    board = await room.play(thread, "c3")
    deadline = (room.clock() + 10 * MINUTE) // 1000
    assert f"⏱️ 🔴 **Ola** 9:00 · 🔵 **Максим** <t:{deadline}:R>" in board.content


async def test_a_match_without_a_clock_is_told_and_listed_without_one(room: Room) -> None:
    thread = await room.start_match(clock="none")
    board = await room.play(thread, "c3")
    assert f"{room.maksim.mention}, your turn (move 2)." in board.content
    assert "<t:" not in board.content
    assert "<t:" not in await private_words(room.maksim.command(thread, "games"))
    assert "no clock" in (await private_message(room.maksim.command(thread, "clock"))).text


async def test_the_clock_panel_shows_everybodys_time_and_gives_some(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    more = await private_message(room.ola.click(await room.wait_for_board(thread, 0), "More"))
    await room.restart()
    shown = await room.ola.click(more, "Clock").followed()
    assert "3 days per move" in shown.text
    assert f"**Ola**: time runs out <t:{(room.clock() + 3 * DAY) // 1000}:R>" in shown.text
    assert "**Максим**: 3 days left" in shown.text
    await room.restart()
    await room.ola.click(more, "Give 1 day").answered()
    given = await version_message(room, thread, 1)
    assert "🎁 🔴 **Ola** gives 1 day of extra time" in given.content
    assert "🔵 **Максим** 4 days" in given.content
    assert given.mentions == ()


async def test_any_length_of_time_can_be_given_by_the_command(room: Room) -> None:
    thread = await room.start_match(clock="10m+30s")
    assert "You gave 2 minutes of extra time" in await private_words(room.ola.command(thread, "clock", give="2m"))
    assert "🔵 **Максим** 12:00" in (await version_message(room, thread, 1)).content
    assert "That time isn't valid" in await private_words(room.ola.command(thread, "clock", give="soon"))


async def test_lengths_of_time_are_suggested_by_the_speed_of_the_clock(room: Room) -> None:
    thread = await room.start_match(clock="10m+30s")
    assert {"name": "5 minutes", "value": "5m"} in await room.ola.complete(thread, "clock", focused="give")
    typed = await room.ola.complete(thread, "clock", focused="give", give="90 s")
    assert typed[0] == {"name": "90 seconds", "value": "90s"}


async def test_a_stranger_sees_the_clocks_and_gets_no_buttons(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    shown = await private_message(room.kasia.command(thread, "clock"))
    assert "time runs out" in shown.text
    assert shown.labels == []


async def test_a_clock_that_is_stopped_at_night_says_so(room: Room) -> None:
    await room.change_settings(room.ola, night=Night(16 * 60, 23 * 60), zone=ZoneInfo("UTC"))  # it is 15:06
    thread = await room.start_match(clock="1d", breaks="nights")
    await room.pass_time(HOUR)
    shown = await private_message(room.ola.command(thread, "clock"))
    assert "local time 4:06\u202fPM (UTC) · quiet hours 16:00-23:00" in shown.text
    assert "The clock is stopped: **Ola** has quiet hours" in shown.text
    await room.maksim.command(thread, "draw").answered()
    assert (
        "🌙 The clock is stopped: 🔴 **Ola** has quiet hours until <t:"
        in (await version_message(room, thread, 1)).content
    )


async def test_a_dot_that_chance_placed_is_shown_as_such(room: Room) -> None:
    thread = await room.start_match(clock="5s random")
    await room.play(thread, "c3", "c2")
    await room.pass_time(20 * SECOND)
    await room.use_cases.clocks.flag_overdue()
    board = await version_message(room, thread, 3)
    assert "🎲 🔴 **Ola** ran out of time, so I played **" in board.content
    assert board.attachments
    assert "Ola ran out of time, so I played" in (board.attachments[0].description or "")


async def test_in_a_blitz_the_first_turn_too_has_five_seconds_from_its_board_on(room: Room) -> None:
    thread = await room.start_match(clock="5s random")
    begun = await room.wait_for_board(thread, 0)
    assert f"<t:{(room.clock() + 5 * SECOND) // 1000}:R>" in begun.content
    await room.pass_time(5 * SECOND + 500)
    assert "Your time for this move ran out" in await private_words(room.ola.command(thread, "move", point="c3"))
    await room.pass_time(2 * SECOND)
    await room.use_cases.clocks.flag_overdue()
    board = await version_message(room, thread, 1)
    assert "🎲 🔴 **Ola** ran out of time, so I played **" in board.content
    assert f"{room.maksim.mention}, your turn (move 2)" in board.content


async def test_time_while_the_bot_was_away_is_credited_and_told(room: Room) -> None:
    thread = await room.start_match(clock="1h")
    await room.use_cases.clocks.record_heartbeat()
    room.clock.advance(5 * HOUR)
    await room.use_cases.clocks.record_heartbeat()
    await room.use_cases.clocks.flag_overdue()
    assert await room.version() == 0
    board = await room.play(thread, "c3")
    assert "I was offline for a while (5:00:00)" in board.content
    assert "No clock" not in (await room.play(thread, "c2")).content
