"""What happens because time passes: flags, reminders, and the credit for downtime."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import reduce
from operator import or_

from play.clock import Speed
from play.clock.schedule import Span
from play.ids import MatchId, Millis
from play.match import moves
from play.match.events import EventKind, Notice, NoticeKind
from play.match.match import Match
from play.people.settings import Reminders
from play.services.match_writer import MatchWriter, load_match, save
from play.store import Reader, Stale, Transaction

MAX_JUDGED = 50
"""Matches judged in one go."""

BATCH_SIZE = 10
"""Matches judged in one transaction. It takes as long as a few moves, and no other write waits for longer."""

MAX_HEARTBEAT_GAP_MILLIS = Millis(12_000)
"""Heartbeat gaps longer than this are downtime; clocks do not charge it."""

PRESENCE_MILLIS = Millis(10 * 60_000)
"""Players who have moved within this time are at the board and need no reminder."""

Find = Callable[[Reader, Millis], Awaitable[list[MatchId]]]
Judge = Callable[[Transaction, MatchId, Millis], Awaitable[list[Match]]]
"""Writes what is due in a match at a moment; returns the versions to publish."""

log = logging.getLogger(__name__)


class ClockService:
    """Any process may do any of it for any match; each thing happens once."""

    def __init__(self, writer: MatchWriter) -> None:
        self._writer = writer
        self._has_beaten = False

    async def record_heartbeat(self) -> Span | None:
        """Notes that the bot is at work.

        After a gap without any process, stores that downtime and returns it; clocks do not charge it. Of several
        processes that find it at once, one stores it.
        """
        with suppress(Stale):  # another process was first
            async with self._begin_at_work() as (_, downtime):
                return downtime
        return None

    async def flag_overdue(self) -> int:
        """Judges matches whose time is over, `MAX_JUDGED` at most; returns the count.

        A match that cannot be judged holds up no other. Raises an ExceptionGroup of all failures at the end.
        """

        async def find(reader: Reader, now: Millis) -> list[MatchId]:
            return await reader.deadlines.overdue(Millis(now - moves.FLAG_GRACE), MAX_JUDGED)

        return await self._judge(find, _flag, "flags that did not fall")

    async def remind(self) -> int:
        """Writes due reminders into the outbox, `MAX_JUDGED` at most; returns the count of the matches examined."""

        async def find(reader: Reader, now: Millis) -> list[MatchId]:
            return await reader.deadlines.reminders_due(now, MAX_JUDGED)

        return await self._judge(find, _remind, "reminders that were not written")

    async def _judge(self, find: Find, judge: Judge, failed: str) -> int:
        """Finds matches first, then reads and judges each after a heartbeat, in one transaction."""
        failures: list[Exception] = []
        async with self._writer.store.read() as reader:
            found = await find(reader, await reader.clock.now())
        for first in range(0, len(found), BATCH_SIZE):
            batch = found[first : first + BATCH_SIZE]
            try:
                await self._write(batch, judge)
                continue
            except Exception:
                log.debug("%s: one by one", failed, exc_info=True)
            for match in batch:
                with _collect(match, failures), suppress(Stale):  # a move was first
                    await self._write([match], judge)
        if failures:
            raise ExceptionGroup(failed, failures)
        return len(found)

    async def _write(self, matches: Iterable[MatchId], judge: Judge) -> None:
        async with self._begin_at_work() as (tx, _):
            now = await tx.clock.now()
            versions = [version for match in matches for version in await judge(tx, match, now)]
        self._writer.publish(*versions)

    @asynccontextmanager
    async def _begin_at_work(self) -> AsyncIterator[tuple[Transaction, Span | None]]:
        """Opens a transaction that begins with a heartbeat; yields it with the downtime found.

        So whatever the transaction reads and decides reckons with all downtime, whenever the process was frozen.
        """
        async with self._writer.store.write() as tx:
            yield tx, await tx.clock.record_heartbeat(MAX_HEARTBEAT_GAP_MILLIS, first=not self._has_beaten)
        self._has_beaten = True


@contextmanager
def _collect(match: MatchId, failures: list[Exception]) -> Iterator[None]:
    try:
        yield
    except Exception as failure:
        failure.add_note(f"match {match}")
        failures.append(failure)


async def _flag(tx: Transaction, match: MatchId, now: Millis) -> list[Match]:
    stored = await load_match(tx, match)
    flagged = moves.flag(stored, now)
    if flagged is stored:  # its clock stood for a while, which the row did not know
        await tx.deadlines.reschedule(stored)
        return []
    if not stored.version and await tx.outbox.next_entry(match):  # nobody has seen the board yet
        await tx.matches.begin_clock(stored.begin_clock(now))
        return []
    return await save(tx, flagged)


async def _remind(tx: Transaction, match: MatchId, now: Millis) -> list[Match]:
    stored = await load_match(tx, match)
    seat = stored.position.to_act
    person = await tx.people.get(stored.players[seat])
    wanted = person.steps & ~await tx.deadlines.reminded(stored)
    due = {step: at for at, step in stored.clock.reminders if at <= now and step in wanted}
    if not due:
        await tx.deadlines.reschedule(stored)
        return []
    steps = reduce(or_, due)
    is_news = any(at >= (person.steps_since or at) for at in due.values())
    is_unwanted = person.reminders is Reminders.OFF or seat in await tx.matches.quiet_seats(match)
    if is_unwanted or not is_news or _is_present(stored, now):
        await tx.deadlines.mark_reminded(stored, steps, None)
        return []
    notice = Notice(match, stored.version, person.id, NoticeKind.REMINDER, steps)
    await tx.deadlines.mark_reminded(stored, steps, notice)
    return [stored]


def _is_present(match: Match, now: Millis) -> bool:
    """Whether the player to act is at the board: in a live match, or after a move of their own a moment ago."""
    own = [event.at for event in match.moves if event.seat == match.to_act and event.kind is EventKind.MOVE]
    recently = bool(own) and now - own[-1] < PRESENCE_MILLIS
    return match.clock.control.speed is Speed.LIVE or recently
