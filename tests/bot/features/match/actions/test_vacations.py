"""A vacation: days from the bank, in every game that allows them."""

from __future__ import annotations

import pytest

from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import DAY

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
