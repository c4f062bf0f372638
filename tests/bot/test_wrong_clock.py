"""A machine whose clock is wrong: the first move of a live game counts, and the operator can see by how much."""

from __future__ import annotations

import pytest
from aiohttp.test_utils import make_mocked_request

from bot.health import Status
from loopback import Discord
from play.ids import ChannelId, Millis
from tests.bot.room import Room
from tests.clock import StoppedClock


@pytest.mark.parametrize("seconds", [-600, -60, 60, 600])
async def test_the_first_move_counts_though_the_clock_is_wrong(
    discord: Discord, url: str, clock: StoppedClock, seconds: int, caplog: pytest.LogCaptureFixture
) -> None:
    room = Room(discord, url, clock, database_clock=lambda: Millis(clock() + seconds * 1000))
    await room.start()
    thread = await room.start_match(clock="2m+10s")
    await room.play(thread, "c3")
    assert await room.version() == 1
    async with room.services.store.read() as reader:
        match = await reader.matches.in_channel(ChannelId(thread.id))
    assert match is not None
    assert not match.outcome
    assert room.services.discord_clock.skew == seconds * 1000
    side = "ahead of" if seconds > 0 else "behind"
    assert f"the clock is {abs(seconds)} s {side} Discord's" in caplog.text
    status = Status(room.bot, [])
    text = (await status.metrics(make_mocked_request("GET", "/metrics"))).text or ""
    assert f"kropka_clock_skew_seconds {float(seconds)}" in text
    await room.stop()
