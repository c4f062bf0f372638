"""Requests that Discord counts against the bot, as the metrics have them of the last hour."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from bot.telemetry.metrics import RECENT_SECONDS, Metrics
from tests.bot.cli.doctoring import serving


class Refusing:
    """A program that answers with a status of one's choice, and a client whose requests are counted."""

    def __init__(self) -> None:
        self.now = 0.0
        self.metrics = Metrics(clock=lambda: self.now)
        self.address = ""

    async def handle(self, request: web.Request) -> web.Response:
        return web.Response(status=int(request.path[1:]), headers={"X-RateLimit-Scope": request.query["scope"]})

    async def ask(self, status: int, scope: str = "user") -> None:
        async with aiohttp.ClientSession(trace_configs=[self.metrics.trace]) as http:
            await (await http.get(f"{self.address}/{status}?scope={scope}")).read()

    def counted(self, status: int) -> float:
        value = self.metrics.registry.get_sample_value("kropka_invalid_requests", {"status": str(status)})
        assert value is not None
        return value


@pytest.fixture
async def refusing() -> AsyncIterator[Refusing]:
    made = Refusing()
    async with serving(made.handle) as made.address:
        yield made


async def test_requests_that_discord_counts_are_counted_for_an_hour(refusing: Refusing) -> None:
    for status in (200, 400, 403, 429, 500):
        await refusing.ask(status)
    refusing.now = RECENT_SECONDS - 1
    await refusing.ask(403)
    assert [refusing.counted(status) for status in (401, 403, 429)] == [0, 2, 1]
    refusing.now = RECENT_SECONDS + 1
    assert [refusing.counted(status) for status in (401, 403, 429)] == [0, 1, 0]


async def test_a_limit_that_others_share_is_not_counted(refusing: Refusing) -> None:
    await refusing.ask(429, scope="shared")
    assert refusing.counted(429) == 0
