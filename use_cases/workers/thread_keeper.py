"""The keeper of threads: opens those of running games for another week before Discord archives them."""

from __future__ import annotations

from typing import Final, Protocol

from play.ids import DAY, Millis
from play.match.match import Match
from play.match.place import MatchPlace
from storage import Database
from use_cases.worker import Timing, Worker

KEEP_MILLIS: Final = Millis(6 * DAY)
"""Milliseconds after a board, or after the last opening, at which a thread is opened again: Discord archives it after
seven days."""


class MatchThreads(Protocol):
    """The threads of matches; bot/ implements it."""

    async def keep_open(self, match: Match) -> bool:
        """Opens the thread of a match for another week; returns False where another try would be in vain.

        A match whose thread is closed to its players goes on in the channel. Whatever it raises is tried again.
        """


class ThreadKeeper(Worker[MatchPlace]):
    """Opens the threads that are due. One that cannot be opened waits for the next board."""

    def __init__(self, store: Database, threads: MatchThreads, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._threads = threads

    async def pending(self, limit: int) -> list[MatchPlace]:
        async with self._store.read() as reader:
            now = await reader.clock.now()
            found = [(away, await reader.matches.threads_due(now, limit, away=away)) for away in (False, True)]
        return [MatchPlace(match, away) for away, matches in found for match in matches][:limit]

    async def process(self, key: MatchPlace) -> None:
        async with self._store.read() as reader:
            match = await reader.matches.get(key.match)
        if match is None or match.outcome:
            return
        is_kept = await self._threads.keep_open(match.look_from(away=key.away))
        async with self._store.write() as tx:
            due = Millis(await tx.clock.now() + KEEP_MILLIS) if is_kept else None
            await tx.matches.plan_reopening(key.match, due, away=key.away)
