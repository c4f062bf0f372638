"""The keeper of deadlines: one task that flags what is due and sleeps until the next deadline."""

from __future__ import annotations

import asyncio
import logging

from play.match import GRACE, Match
from play.store import Store
from play.tables import FLAGS_AT_ONCE, Tables

log = logging.getLogger(__name__)

LONGEST_SLEEP = 15.0
"""Seconds; another process may have stored a deadline of which this one was not told."""


class Keeper:
    """Runs until it is cancelled; a failure of the store is logged and tried again."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._woken = asyncio.Event()

    def wake(self, match: Match) -> None:
        """A deadline has changed."""
        self._woken.set()

    async def run(self) -> None:
        while True:
            self._woken.clear()
            try:
                pause = await self.round()
            except Exception:
                log.exception("deadlines could not be judged")
                pause = LONGEST_SLEEP
            try:
                async with asyncio.timeout(pause):
                    await self._woken.wait()
            except TimeoutError:
                pass

    async def round(self) -> float:
        """Flags what is due; returns the seconds until the next deadline, 15 at most."""
        if await self._tables.flag() == FLAGS_AT_ONCE:
            return 0.0
        async with self._store.read() as reader:
            deadline = await reader.next_deadline()
            now = await reader.now()
        if deadline is None:
            return LONGEST_SLEEP
        return min(LONGEST_SLEEP, max(0.0, (deadline + GRACE + 1 - now) / 1000))
