"""Clocks in public and in private, time as a gift, vacations, chance that plays, reminders, moderators."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Permission
from play.clock.night import Night, parse_zone
from play.ids import UserId
from play.people.settings import Person, Reminders
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import at_once, told
from tests.clock import DAY, HOUR, MINUTE, SECOND


@pytest.fixture(autouse=True)
async def _unasked(room: Room) -> None:
    await at_once(room)


async def changed(room: Room, user: int, **settings: object) -> Person:
    async with room.services.store.write() as transaction:
        person = await transaction.person(UserId(user))
        return await transaction.save_person(replace(person, **settings))  # type: ignore[arg-type]


def moderate(room: Room) -> None:
    """Kasia is one of those who may."""
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.kasia)


async def test_a_board_shows_both_clocks_where_they_differ_from_move_to_move(room: Room) -> None:
    thread = await room.match(clock="10m+30s")
    await room.passes(90 * SECOND)
    board = await room.play(thread, "c3")
    deadline = (room.clock() + 10 * MINUTE) // 1000
    assert f"⏱️ 🔴 **Ola** 9:00 · 🔵 **Максим** <t:{deadline}:R>" in board.content


async def test_a_match_without_a_clock_is_told_and_listed_without_one(room: Room) -> None:
    thread = await room.match(clock="none")
    board = await room.play(thread, "c3")
    assert f"{room.maksim.mention}, move 2 is yours." in board.content
    assert "<t:" not in board.content
    assert "no clock" in await private_words(room.maksim.command(thread, "games"))
    assert "no clock" in (await private_message(room.maksim.command(thread, "clock"))).text


async def test_the_clock_panel_shows_everybodys_time_and_gives_some(room: Room) -> None:
    thread = await room.match(clock="3d")
    more = await private_message(room.ola.click(await room.board(thread, 0), "More"))
    await room.restart()
    shown = await room.ola.click(more, "Clock").followed()
    assert "3 days for each move" in shown.text
    assert f"**Ola**: time is up <t:{(room.clock() + 3 * DAY) // 1000}:R>" in shown.text
    assert "**Максим**: 3 days left" in shown.text
    await room.restart()
    await room.ola.click(more, "Give 1 day").answered()
    given = await told(room, thread, 1)
    assert "🎁 🔴 **Ola** gives 1 day more to think" in given.content
    assert "🔵 **Максим** 4 days" in given.content
    assert given.mentions == ()


async def test_any_length_of_time_can_be_given_by_the_command(room: Room) -> None:
    thread = await room.match(clock="10m+30s")
    assert "You have given 2 minutes" in await private_words(room.ola.command(thread, "clock", give="2m"))
    assert "🔵 **Максим** 12:00" in (await told(room, thread, 1)).content
    assert "I cannot read that time" in await private_words(room.ola.command(thread, "clock", give="soon"))


async def test_lengths_of_time_are_suggested_by_the_speed_of_the_clock(room: Room) -> None:
    thread = await room.match(clock="10m+30s")
    assert {"name": "5 minutes", "value": "5m"} in await room.ola.complete(thread, "clock", focused="give")
    typed = await room.ola.complete(thread, "clock", focused="give", give="90 s")
    assert typed[0] == {"name": "90 seconds", "value": "90s"}


async def test_a_stranger_sees_the_clocks_and_gets_no_buttons(room: Room) -> None:
    thread = await room.match(clock="3d")
    shown = await private_message(room.kasia.command(thread, "clock"))
    assert "time is up" in shown.text
    assert shown.labels == []


async def test_a_clock_that_stands_at_night_says_so(room: Room) -> None:
    await changed(room, room.ola.id, night=Night(16 * 60, 23 * 60), zone=parse_zone("UTC"))  # it is 15:06
    thread = await room.match(clock="1d", breaks="nights")
    await room.passes(HOUR)
    shown = await private_message(room.ola.command(thread, "clock"))
    assert "it is 4:06\u202fPM there (UTC) · night 16:00-23:00" in shown.text
    assert "The clock stands in the night of **Ola**" in shown.text
    await room.maksim.command(thread, "draw").answered()
    assert "🌙 The clock stands in the night of 🔴 **Ola**, until <t:" in (await told(room, thread, 1)).content


async def test_a_vacation_stops_the_clock_and_is_told(room: Room) -> None:
    thread = await room.match(clock="1d", breaks="all")
    shown = await private_message(room.ola.command(thread, "vacation"))
    assert "**30 days** are left" in shown.text
    await room.restart()
    taken = await room.ola.click(shown, "Take 3 days").followed()
    assert "Your clock stands in 1 game" in taken.text
    away = await told(room, thread, 1)
    until = (room.clock() + 3 * DAY) // 1000
    assert f"**Ola** is on vacation until <t:{until}:f>" in away.content
    assert f"The clock stands: 🔴 **Ola** is on vacation until <t:{until}:f>" in away.content
    await room.passes(DAY)
    words = await private_words(room.ola.command(thread, "vacation", days=0))
    assert "You have 29 days of vacation left" in words
    back = await told(room, thread, 2)
    assert "**Ola** is back from vacation" in back.content


async def test_a_dot_that_chance_placed_is_shown_as_such(room: Room) -> None:
    thread = await room.match(clock="5s random")
    await room.play(thread, "c3", "c2")
    await room.passes(20 * SECOND)
    await room.services.tables.flag()
    board = await told(room, thread, 3)
    assert "🎲 🔴 **Ola** was late, and chance played **" in board.content
    assert board.attachments
    assert "Ola was late, and chance played" in (board.attachments[0].description or "")


async def test_time_while_the_bot_was_away_is_credited_and_told(room: Room) -> None:
    thread = await room.match(clock="1h")
    await room.services.tables.beat()
    room.clock.move(5 * HOUR)
    await room.services.tables.beat()
    await room.services.tables.flag()
    assert await room.version() == 0
    board = await room.play(thread, "c3")
    assert "No clock has counted that time (5:00:00)" in board.content
    assert "No clock" not in (await room.play(thread, "c2")).content


async def test_a_reminder_comes_once_in_the_channel(room: Room) -> None:
    thread = await room.match(clock="5d")
    board = await room.board(thread, 0)
    await room.passes(4 * DAY + HOUR)
    assert await room.services.tables.remind() == 1
    assert await room.services.tables.remind() == 0
    reminder = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "is gone" in each.content), None)
    )
    assert reminder.mentions == (room.ola.id,)
    assert f"/{thread.id}/{board.id})" in reminder.content
    assert f"<t:{(room.clock() + DAY - HOUR) // 1000}:R>" in reminder.content


async def test_a_reminder_comes_as_a_direct_message_to_whoever_wants_that(room: Room) -> None:
    await changed(room, room.ola.id, reminders=Reminders.DM)
    thread = await room.match(clock="5d")
    await room.board(thread, 0)
    await room.passes(4 * DAY + HOUR)
    await room.services.tables.remind()
    dm = room.ola.open_dm()
    await room.discord.until(
        lambda: any("against Максим is gone" in each.content for each in room.discord.messages(dm))
    )
    assert not any("is gone" in each.content for each in room.discord.messages(thread))


async def test_closed_direct_messages_fall_back_to_the_channel_and_switch_themselves_off(room: Room) -> None:
    await changed(room, room.ola.id, reminders=Reminders.DM)
    room.ola.close_dms()
    thread = await room.match(clock="5d")
    await room.board(thread, 0)
    await room.passes(4 * DAY + HOUR)
    await room.services.tables.remind()
    reminder = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "is gone" in each.content), None)
    )
    assert "Your direct messages are closed to me" in reminder.content
    await room.noted()
    async with room.services.store.read() as reader:
        assert (await reader.person(UserId(room.ola.id))).reminders is Reminders.CHANNEL


async def test_nobody_is_reminded_who_does_not_want_it(room: Room) -> None:
    await changed(room, room.ola.id, reminders=Reminders.OFF)
    thread = await room.match(clock="5d")
    await room.board(thread, 0)
    await room.passes(4 * DAY + HOUR)
    await room.services.tables.remind()
    await room.noted()
    assert len(room.discord.messages(thread)) == 1


async def test_a_moderator_gives_time_and_decides(room: Room) -> None:
    moderate(room)
    thread = await room.match(clock="3d")
    await room.board(thread, 0)
    extended = room.kasia.command(thread, "moderate extend", player=room.ola, time="1d")
    assert "1 day more are given" in await private_words(extended)
    version = await told(room, thread, 1)
    assert f"{room.kasia.mention} gives 🔴 **Ola** 1 day more" in version.content
    await private_words(room.kasia.command(thread, "moderate end", winner=room.maksim))
    last = await told(room, thread, 2)
    assert f"Decided by {room.kasia.mention}" in last.content
    assert "**Максим** wins by decision of a moderator" in last.content


async def test_a_moderator_annuls(room: Room) -> None:
    moderate(room)
    thread = await room.match(clock="3d")
    await room.board(thread, 0)
    await private_words(room.kasia.command(thread, "moderate annul"))
    assert "A moderator has annulled the game" in (await told(room, thread, 1)).content


async def test_a_player_does_not_decide_his_own_match(room: Room) -> None:
    thread = await room.match(clock="3d")  # Ola owns the server
    assert "You play in this game yourself" in await private_words(room.ola.command(thread, "moderate annul"))
