"""The keeper of deadlines: one task that judges what is due, and sleeps until the next."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from math import inf

from play.ids import Millis
from play.match import Match
from play.store import Store
from play.tables import Tables
from play.timekeeping import AT_ONCE
from play.turns import GRACE

log = logging.getLogger(__name__)

LONGEST_SLEEP = 5.0
"""Seconds; another process may have stored a deadline of which this one was not told, and challenges expire."""


class Keeper:
    """Runs until it is told to stop; a failure of the store is logged and tried again. `late` hears of the seconds by
    which it is late for a flag."""

    def __init__(self, store: Store, tables: Tables, late: Callable[[float], None] = lambda seconds: None) -> None:
        self._store = store
        self._tables = tables
        self._late = late
        self._woken = asyncio.Event()
        self._stopping = False
        self._next: Millis | None = None
        self._expired: Millis | None = None

    def wake(self, match: Match) -> None:
        """A deadline has changed: it looks again, unless it will do so before that anyway."""
        deadline = match.clock.deadline
        if self._next is None or (deadline is not None and deadline + GRACE < self._next):
            self._woken.set()

    def stop(self) -> None:
        """Lets the round that may be running be the last."""
        self._stopping = True
        self._woken.set()

    async def run(self) -> None:
        while not self._stopping:
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
        """Judges what is due; returns the seconds until there is something to do, 5 at most."""
        self._next = None
        now, flag, reminder = await self._due()
        found = []
        if self._expired is None or now - self._expired >= LONGEST_SLEEP * 1000:
            self._expired = now
            found.append(await self._tables.expire())
        if flag <= now:
            self._late((now - flag) / 1000)
            found.append(await self._tables.flag())
        if reminder <= now:
            found.append(await self._tables.remind())
        if AT_ONCE in found:
            return 0.0
        if found:
            now, flag, reminder = await self._due()
        self._next = Millis(int(min(flag, reminder, now + LONGEST_SLEEP * 1000)))
        return max(0.0, (self._next - now) / 1000)

    async def _due(self) -> tuple[Millis, float, float]:
        """What time it is, and when the next flag falls and the next reminder is due, if ever."""
        async with self._store.read() as reader:
            now, deadline, reminder = await reader.now(), await reader.next_deadline(), await reader.next_reminder()
        return now, inf if deadline is None else deadline + GRACE + 1, inf if reminder is None else reminder
