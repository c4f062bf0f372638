"""Health of the bot: `/healthz` and `/metrics`."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from aiohttp import web

from bot.app import Bot
from bot.settings import BadSettings

log = logging.getLogger(__name__)

ANSWER_SECONDS = 2.0
"""Seconds that the database gets to answer."""


class Status:
    """The health of a running bot, part by part."""

    def __init__(
        self,
        bot: Bot,
        work: Sequence[asyncio.Task[None]],
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._bot = bot
        self._work = work
        self._answer_seconds = answer_seconds
        self._examination: asyncio.Task[bool] | None = None

    async def checks(self) -> dict[str, bool]:
        """Returns each part, and whether it works."""
        return {
            "database": await self._database(),
            "gateway": self._bot.client.connected,
            "tasks": not any(task.done() for task in self._work),
        }

    async def close(self) -> None:
        """Cancels a check that the database has not answered yet."""
        if self._examination is not None:
            self._examination.cancel()
            await asyncio.gather(self._examination, return_exceptions=True)

    async def _database(self) -> bool:
        """Returns whether the database works; at most one question waits for a database that hangs."""
        if self._examination is None or self._examination.done():
            self._examination = asyncio.create_task(self._examine())
        done, _ = await asyncio.wait([self._examination], timeout=self._answer_seconds)
        if not done:
            log.warning("the database has not answered for %.0f s", self._answer_seconds)
            return False
        return self._examination.result()

    async def _examine(self) -> bool:
        try:
            await self._bot.store.examine()
        except Exception as error:
            log.warning("the database fails its examination: %s", error)
            return False
        return True

    async def health(self, _: web.Request) -> web.Response:
        checks = await self.checks()
        # To be seen, not judged: boards wait for no lane, and another start sets no clock.
        seen = {
            "lane_waiting": self._bot.services.jobs.waiting,
            "clock_skew_seconds": self._bot.services.discord_clock.skew / 1000,
            "pause_seconds": self._bot.breaker.seconds,
        }
        return web.json_response(checks | seen, status=200 if all(checks.values()) else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        metrics = self._bot.metrics
        metrics.clock_skew.set(self._bot.services.discord_clock.skew / 1000)
        try:
            async with asyncio.timeout(self._answer_seconds), self._bot.store.read() as reader:
                metrics.open_matches.set(await reader.matches.count_open())
                metrics.outbox.set(len(await reader.outbox.pending_matches()))
        except Exception as error:
            log.warning("the database was not counted: %s", error)
        for state, shards in self._bot.client.states.items():
            metrics.shards.labels(state).set(len(shards))
        return web.Response(body=metrics.text(), content_type="text/plain", charset="utf-8")


@asynccontextmanager
async def serve_health(status: Status, host: str, port: int | None) -> AsyncIterator[int | None]:
    """Serves the pages until the block ends, and yields their port; None without one. Raises BadSettings."""
    if port is None:
        yield None
        return
    site = web.Application()
    site.add_routes([web.get("/healthz", status.health), web.get("/metrics", status.metrics)])
    runner = web.AppRunner(site, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise BadSettings(
                f"KROPKA_STATUS_PORT and KROPKA_STATUS_HOST: {host}:{port} can't be used"
                f" ({os.strerror(error.errno or 0)}). Choose others."
            ) from error
        taken: int = runner.addresses[0][1]
        log.info("status at http://%s:%d/healthz and /metrics", host, taken)
        yield taken
    finally:
        await runner.cleanup()
        await status.close()
