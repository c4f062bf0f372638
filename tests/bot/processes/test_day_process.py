"""The clock that processes of the bot share with a test."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path

import pytest

from loopback import HANG_SECONDS, Attempt
from storage import sqlite
from tests.bot.bots import Bots, take_over
from tests.bot.day_process import SharedClock
from tests.bot.features.competitions.contests.test_contests import Fair
from tests.bot.room import Room
from tests.clock import DAY


@pytest.fixture
def url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.mark.process
async def test_time_passes_when_no_request_is_on_its_way(
    room: Room, url: str, clock: SharedClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fair, bots, asked = Fair(room), Bots(room.discord, url, clock, tmp_path), asyncio.Event()
    await fair.accept()
    await fair.sign_up()
    monkeypatch.setattr(sqlite, "exclusive", lambda _: nullcontext())  # the test has the database, too

    def freeze(_: Attempt) -> bool:
        bots.freeze(bots.running[0])
        asked.set()
        return False

    async with take_over(room, bots):
        call = room.discord.fault("POST", "/channels/{channel_id}/messages", 500, predicate=freeze)
        bots.pass_to(clock() + 2 * DAY)
        async with asyncio.timeout(HANG_SECONDS):
            await asked.wait()
        call.end()
        next_day = clock() + DAY
        passing = asyncio.create_task(bots.pass_between_requests(next_day))
        await asyncio.wait([passing], timeout=0.1)
        assert not passing.done()
        bots.wake(bots.running[0])
        await passing
        assert clock() == next_day
