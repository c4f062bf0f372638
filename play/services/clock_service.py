"""What happens because time passes: flags, reminders, and the credit for the time in which nobody kept it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

from play.clock import Speed
from play.clock.calendar import Span
from play.ids import MatchId, Millis
from play.match import moves
from play.match.events import EventKind
from play.match.match import Match
from play.match.notice import Notice, NoticeKind
from play.people.person import Reminders
from play.services.match_writer import Deciding, match_at, saved
from play.store.store import Reader, Stale, Store, Transaction

AT_ONCE = 50
"""Matches judged in one go."""

TOGETHER = 10
"""Matches that are written in one transaction: it takes as long as a few moves, and nobody waits for longer."""

AWAY = Millis(12_000)
"""A gap between two heartbeats that is longer was a downtime, which is nobody's thinking time."""

BURST = Millis(10 * 60_000)
"""Whoever has moved so recently sits at the board and needs no reminder."""

Find = Callable[[Reader, Millis], Awaitable[list[MatchId]]]
Judge = Callable[[Transaction, MatchId, Millis], Awaitable[list[Match]]]
"""Writes what is due of a match at a moment; returns the versions to be told."""

log = logging.getLogger(__name__)


class Timekeeping(Deciding):
    """Any process may do any of it for any match; each thing happens once."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._has_beaten = False

    async def beat(self) -> Span | None:
        """Notes that the bot is at work. If nobody was for a while, that downtime is from now on nobody's time, and
        returned; of several processes that find it out at once, one stores it."""
        with suppress(Stale):  # another process was first
            async with self._at_work() as (_, downtime):
                return downtime
        return None

    async def flag(self) -> int:
        """Judges the matches whose time is over, a bounded number at once; says how many.

        One match that cannot be judged keeps no other from it: what went wrong is raised when all have had their turn,
        as an ExceptionGroup.
        """

        async def overdue(reader: Reader, now: Millis) -> list[MatchId]:
            return await reader.overdue(Millis(now - moves.GRACE), AT_ONCE)

        return await self._judge(overdue, _flagged, "flags that did not fall")

    async def remind(self) -> int:
        """Writes the reminders that are due into the outbox, a bounded number at once; says how many were looked at."""

        async def due(reader: Reader, now: Millis) -> list[MatchId]:
            return await reader.to_remind(now, AT_ONCE)

        return await self._judge(due, _reminded, "reminders that were not written")

    async def _judge(self, find: Find, judge: Judge, failed: str) -> int:
        """What is found is only where to look: each match is read and judged after a heartbeat, in its transaction."""
        failures: list[Exception] = []
        async with self._store.read() as reader:
            found = await find(reader, await reader.now())
        for first in range(0, len(found), TOGETHER):
            group = found[first : first + TOGETHER]
            try:
                await self._write(group, judge)
                continue
            except Exception:
                log.debug("%s: one by one", failed, exc_info=True)
            for match in group:
                with _noting(match, failures), suppress(Stale):  # a move was first
                    await self._write([match], judge)
        if failures:
            raise ExceptionGroup(failed, failures)
        return len(found)

    async def _write(self, matches: Iterable[MatchId], judge: Judge) -> None:
        async with self._at_work() as (transaction, _):
            now = await transaction.now()
            versions = [version for match in matches for version in await judge(transaction, match, now)]
        self._tell(*versions)

    @asynccontextmanager
    async def _at_work(self) -> AsyncIterator[tuple[Transaction, Span | None]]:
        """A transaction that begins with a heartbeat, and the downtime that it found: what is read and decided in it
        reckons with all the time in which nobody was here, whenever the process was frozen."""
        async with self._store.write() as transaction:
            yield transaction, await transaction.beat(AWAY, first=not self._has_beaten)
        self._has_beaten = True


@contextmanager
def _noting(match: MatchId, failures: list[Exception]) -> Iterator[None]:
    try:
        yield
    except Exception as failure:
        failure.add_note(f"match {match}")
        failures.append(failure)


async def _flagged(transaction: Transaction, match: MatchId, now: Millis) -> list[Match]:
    stored = await match_at(transaction, match)
    flagged = moves.flag(stored, now)
    if flagged is stored:  # its clock stood for a while, which the row did not know
        await transaction.reschedule(stored)
        return []
    return await saved(transaction, flagged)


async def _reminded(transaction: Transaction, match: MatchId, now: Millis) -> list[Match]:
    stored = await match_at(transaction, match)
    due = stored.clock.reminder
    if due is None or due > now:
        await transaction.reschedule(stored)
        return []
    user = stored.players[stored.position.to_act]
    person = await transaction.person(user)
    if person.reminders is Reminders.OFF or _sits_there(stored, now):
        await transaction.reminded(stored, None)
        return []
    await transaction.reminded(stored, Notice(match, stored.version, user, NoticeKind.REMINDER))
    return [stored]


def _sits_there(match: Match, now: Millis) -> bool:
    """In the middle of a burst of live moves nobody is reminded."""
    own = [event.at for event in match.moves if event.seat == match.to_act and event.kind is EventKind.MOVE]
    recently = bool(own) and now - own[-1] < BURST
    return match.clock.control.speed is Speed.LIVE or recently
