"""The heartbeat: one task that notes every few seconds that the bot is at work, however busy its other tasks are."""

from __future__ import annotations

import asyncio
import logging

from play.tables import Tables

log = logging.getLogger(__name__)

INTERVAL = 4.0
"""Seconds; two heartbeats may fail before `timekeeping.AWAY` makes a downtime of the gap."""


class Heartbeat:
    """Runs until it is told to stop; a failure of the store is logged and tried again."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        self._stopping.set()

    async def run(self) -> None:
        while not self._stopping.is_set():
            try:
                await self._tables.beat()
            except Exception:
                log.exception("the heartbeat could not be noted")
            try:
                async with asyncio.timeout(INTERVAL):
                    await self._stopping.wait()
            except TimeoutError:
                pass
