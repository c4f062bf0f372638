"""How the bot is, for whoever watches over it: `/healthz` and `/metrics`."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from bot.settings import BadSettings

if TYPE_CHECKING:
    from bot.app import Work
    from bot.client import Kropka

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds that the database gets to answer."""


class Status:
    """Asks the parts of a running bot how they are."""

    def __init__(self, client: Kropka, work: Work) -> None:
        self._client = client
        self._work = work
        self._examination: asyncio.Task[bool] | None = None

    async def checks(self) -> dict[str, bool]:
        """Each part, and whether it works."""
        return {
            "database": await self._database(),
            "gateway": self._client.connected,
            "tasks": not any(task.done() for task in self._work),
        }

    async def close(self) -> None:
        """Ends an examination that the database has not answered yet."""
        if self._examination is not None:
            self._examination.cancel()
            await asyncio.gather(self._examination, return_exceptions=True)

    async def _database(self) -> bool:
        """One that hangs is not asked again: however often we are asked, one question waits there."""
        if self._examination is None or self._examination.done():
            self._examination = asyncio.create_task(self._examine())
        done, _ = await asyncio.wait([self._examination], timeout=PATIENCE)
        if not done:
            log.warning("the database has not answered for %.0f s", PATIENCE)
            return False
        return self._examination.result()

    async def _examine(self) -> bool:
        try:
            await self._client.store.examine()
        except Exception as error:
            log.warning("the database fails its examination: %s", error)
            return False
        return True

    async def health(self, _: web.Request) -> web.Response:
        checks = await self.checks()
        waiting = {"lane_waiting": self._client.lane.waiting}  # to be seen, not judged: boards wait for nothing there
        return web.json_response(checks | waiting, status=200 if all(checks.values()) else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        meters, client = self._client.meters, self._client
        try:
            async with asyncio.timeout(PATIENCE), client.store.read() as reader:
                meters.open_matches.set(await reader.matches.count_open())
                meters.outbox.set(len(await reader.outbox.pending_matches()))
        except Exception as error:
            log.warning("the database was not counted: %s", error)
        for state, shards in client.states.items():
            meters.shards.labels(state).set(len(shards))
        return web.Response(body=meters.text(), content_type="text/plain", charset="utf-8")


@asynccontextmanager
async def served(status: Status, host: str, port: int | None) -> AsyncIterator[int | None]:
    """Serves the pages until the block ends, and says on which port; on none without a port. Raises BadSettings."""
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
            raise BadSettings(f"KROPKA_STATUS_PORT: {host}:{port} cannot be used ({error.strerror}).") from error
        taken: int = runner.addresses[0][1]
        log.info("status at http://%s:%d/healthz and /metrics", host, taken)
        yield taken
    finally:
        await runner.cleanup()
        await status.close()


async def asked(port: int) -> tuple[bool, str]:
    """How the bot on this machine is, as its status says."""
    try:
        async with (
            ClientSession(timeout=ClientTimeout(total=2 * PATIENCE)) as session,
            session.get(f"http://127.0.0.1:{port}/healthz") as answer,
        ):
            checks: dict[str, bool] = json.loads(await answer.text())
    except (ClientError, TimeoutError, ValueError) as error:
        return False, f"no answer: {error or type(error).__name__}"
    failing = [name for name, works in checks.items() if works is False]
    return not failing, f"not working: {', '.join(failing)}" if failing else "all is well"
