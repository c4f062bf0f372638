"""A vacation: days from the bank, in every game that allows them."""

from __future__ import annotations

import pytest

from play.ids import UserId
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import DAY

DAYS = ("1 day", "3 days", "7 days", "14 days")

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def test_a_vacation_stops_the_clock_and_is_told(room: Room) -> None:
    thread = await room.start_match(clock="1d", breaks="all")
    shown = await private_message(room.ola.command(thread, "vacation"))
    assert "**30 days** left" in shown.text
    await room.restart()
    taken = await room.ola.click(shown, "Take 3 days").followed()
    assert "Your clock is stopped in 1 game" in taken.text
    away = await version_message(room, thread, 1)
    until = (room.clock() + 3 * DAY) // 1000
    assert f"**Ola** is on vacation until <t:{until}:f>" in away.content
    assert f"The clock is stopped: 🔴 **Ola** is on vacation until <t:{until}:f>" in away.content
    await room.pass_time(DAY)
    words = await private_words(room.ola.command(thread, "vacation", days=0))
    assert "You have 29 days of vacation left" in words
    back = await version_message(room, thread, 2)
    assert "**Ola** is back from vacation" in back.content


@pytest.mark.parametrize("typed", [True, False])
async def test_days_that_stop_no_clock_are_taken_only_after_a_warning(room: Room, typed: bool) -> None:
    thread = await room.start_match(clock="1d")
    asked = await private_message(room.ola.command(thread, "vacation", **({"days": 7} if typed else {})))
    assert "None of your current games stops its clock" in asked.text
    assert "does **not** stop in 1 of your games" in asked.text
    assert "▶️ **Максим**, 5×5" in asked.text
    assert asked.labels == [f"Take {days} anyway" for days in (["7 days"] if typed else DAYS)]
    assert (await room.use_cases.actions.load_vacation(UserId(room.ola.id)))[0] is None
    taken = await room.ola.click(asked, "Take 7 days anyway").followed()
    assert "You're on vacation until" in taken.text
    assert "does **not** stop in 1 of your games" in taken.text


async def test_a_button_from_before_the_last_game_ended_asks_first(room: Room) -> None:
    thread = await room.start_match(clock="1d", breaks="all")
    shown = await private_message(room.ola.command(thread, "vacation"))
    await room.cancel_match(room.ola, thread)
    asked = await room.ola.click(shown, "Take 3 days").followed()
    assert "None of your current games stops its clock" in asked.text
    assert asked.labels == ["Take 3 days anyway"]


async def test_beside_a_game_with_vacations_those_that_go_on_are_listed(room: Room) -> None:
    await room.start_match(clock="1d", breaks="all")
    await room.start_match(clock="1d", size="9x9")
    taken = await private_message(room.ola.command(room.channel, "vacation", days=3))
    assert "Your clock is stopped in 1 game" in taken.text
    assert "9×9" in taken.text
    assert "5×5" not in taken.text
