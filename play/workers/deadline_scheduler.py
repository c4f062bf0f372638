"""The keeper of deadlines: one task that judges what is due, and sleeps until the next."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from play.ids import Millis
from play.match.match import Match
from play.match.moves import GRACE
from play.services.clock_service import AT_ONCE
from play.services.matches import Tables
from play.store.store import Store
from play.workers.loop import Rounds

LONGEST_SLEEP = 5.0
"""Seconds; another process may have stored a deadline of which this one was not told, and challenges expire."""


class Keeper(Rounds):
    """`late` hears of the seconds by which it is late for a flag."""

    def __init__(self, store: Store, tables: Tables, late: Callable[[float], None] = lambda seconds: None) -> None:
        super().__init__()
        self._store = store
        self._tables = tables
        self._late = late
        self._rest = LONGEST_SLEEP
        self._next: Millis | None = None
        self._expired: Millis | None = None

    def wake(self, match: Match) -> None:
        """A deadline has changed: it looks again, unless it will do so before that anyway."""
        deadline = match.clock.deadline
        if self._next is None or (deadline is not None and deadline + GRACE < self._next):
            self._woken.set()

    def pause(self) -> float:
        return self._rest

    async def round(self) -> None:
        """Judges what is due."""
        self._next, self._rest = None, LONGEST_SLEEP
        now, flag, reminder = await self._due()
        found = []
        if self._expired is None or abs(now - self._expired) >= LONGEST_SLEEP * 1000:  # a clock may go back
            self._expired = now
            found.append(await self._tables.expire())
        if flag <= now:
            self._late((now - flag) / 1000)
            found.append(await self._tables.flag())
        if reminder <= now:
            found.append(await self._tables.remind())
        if AT_ONCE in found:
            self._rest = 0.0
            return
        if found:
            now, flag, reminder = await self._due()
        self._next = Millis(int(min(flag, reminder, now + LONGEST_SLEEP * 1000)))
        self._rest = max(0.0, (self._next - now) / 1000)

    async def _due(self) -> tuple[Millis, float, float]:
        """What time it is, and when the next flag falls and the next reminder is due, if ever."""
        async with self._store.read() as reader:
            now, deadline, reminder = await reader.now(), await reader.next_deadline(), await reader.next_reminder()
        return now, inf if deadline is None else deadline + GRACE + 1, inf if reminder is None else reminder
