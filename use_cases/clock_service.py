"""What happens because time passes: flags, reminders, the credit for downtime, and for time that the bot turned
players away."""

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial, reduce
from operator import or_

from cachetools import LRUCache

from play.clock import Speed
from play.clock.schedule import Span
from play.ids import MINUTE, MatchId, Millis, UserId, is_person
from play.match import moves
from play.match.events import EventKind, Notice, NoticeKind
from play.match.match import Match
from play.people.settings import Reminders
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.events import Event
from use_cases.match_writer import MatchWriter, load_match, retry_on_conflict, save_all
from use_cases.outages import Outages

log = logging.getLogger(__name__)

CACHE_SIZE = 20_000
"""Players who were turned away."""

MAX_GAP_MILLIS = Millis(10_000)
"""Between being turned away and the next try: who takes longer than that has done something else."""

HOLD_MILLIS = Millis(10_000)
"""How long no flag of a user falls after that: as long as the next try may take."""

MAX_LOST_MILLIS = Millis(10 * MINUTE)
"""The most that one turn is given back."""

MAX_JUDGED = 200
"""Matches that are found in one go."""

BATCH_SIZE, BATCH_SECONDS = 25, 0.01
"""Matches judged in one transaction, and the seconds after which it judges no further one: a long game takes some
milliseconds. No other write waits for longer than a few moves take."""

MAX_HEARTBEAT_GAP_MILLIS = Millis(12_000)
"""Heartbeat gaps longer than this are downtime; clocks do not charge it."""

PRESENCE_MILLIS = Millis(10 * MINUTE)
"""Players who have moved within this time are at the board and need no reminder."""

Find = Callable[[Reader, Millis], Awaitable[list[MatchId]]]
Judge = Callable[[Transaction, Sequence[MatchId], Millis], Awaitable[tuple[int, list[Match]]]]
"""Writes what is due at a moment in the first of some matches; returns how many it judged, and the versions to
publish."""


class LostTime:
    """What each player has lost since their last move, from each click that was turned away to their next one.

    It is kept in memory: a restart is a downtime, which no clock charges either. `clock` is in seconds.
    """

    def __init__(self, store: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._since: LRUCache[UserId, float] = LRUCache(CACHE_SIZE)
        self._lost: LRUCache[UserId, float] = LRUCache(CACHE_SIZE)
        self._held: set[UserId] = set()
        self.flags_held = Event[[]]()
        """The first user was turned away since `hold_flags` was called."""

    def note_turned_away(self, user: UserId) -> None:
        """Notes that a click of a user was not worked on."""
        self._end_gap(user)
        self._since[user] = self._clock()
        self.hold(user)

    def hold(self, user: UserId) -> None:
        """Keeps the flags of a user from falling for a while."""
        if not self._held:
            self.flags_held()
        self._held.add(user)

    def note_let_in(self, user: UserId) -> None:
        """Notes that a click of a user is worked on."""
        if user in self._since:
            self._end_gap(user)

    def note_wait(self, user: UserId, seconds: float) -> None:
        """Notes that a user waited for the bot so long."""
        self._lost[user] = self._lost.get(user, 0.0) + seconds

    def of(self, user: UserId) -> Millis:
        """Returns what a user has lost since their last move."""
        return Millis(min(round(1000 * self._lost.get(user, 0.0)), MAX_LOST_MILLIS))

    def note_match(self, match: Match) -> None:
        """Begins anew with the players of a match in which one has moved."""
        if match.events and match.events[-1].is_move:
            for player in match.players:
                self._lost.pop(player, None)

    async def hold_flags(self) -> None:
        """Has every process look later at the deadlines of those who were turned away since the last call."""
        held, self._held = self._held, set()

        async def attempt() -> None:
            async with self._store.write() as tx:
                await tx.deadlines.hold(held, Millis(await tx.clock.now() + HOLD_MILLIS))

        if held:
            await retry_on_conflict(attempt)

    def _end_gap(self, user: UserId) -> None:
        since = self._since.pop(user, None)
        if since is not None:
            gap = min(self._clock() - since, MAX_GAP_MILLIS / 1000)
            self.note_wait(user, gap)


class ClockService:
    """Any process may do any of it for any match; each thing happens once."""

    def __init__(self, writer: MatchWriter, outages: Outages, seconds: Callable[[], float] = time.perf_counter) -> None:
        """`seconds` is the clock by which a transaction gives way to others."""
        self._writer = writer
        self._outages = outages
        self._seconds = seconds
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

        return await self._judge(find, self._flag, "flags that did not fall")

    async def remind(self) -> int:
        """Writes due reminders into the outbox, `MAX_JUDGED` at most; returns the count of the matches examined."""

        async def find(reader: Reader, now: Millis) -> list[MatchId]:
            return await reader.deadlines.reminders_due(now, MAX_JUDGED)

        return await self._judge(find, self._remind, "reminders that were not written")

    async def _judge(self, find: Find, judge: Judge, failed: str) -> int:
        """Finds matches first, then reads and judges them after a heartbeat, in transactions of several.

        They come in the order of their ids, by which games that end in the same moment are rated.
        """
        failures: list[Exception] = []
        async with self._writer.store.read() as reader:
            found = sorted(await find(reader, await reader.clock.now()))
        judged = 0
        while judged < len(found):
            batch = found[judged : judged + BATCH_SIZE]
            try:
                judged += await retry_on_conflict(partial(self._write, batch, judge))
                continue
            except Exception:
                log.debug("%s: one by one", failed, exc_info=True)
            for match in batch:
                with _collect(match, failures), suppress(Stale):  # a move was first
                    await self._write([match], judge)
            judged += len(batch)
        if failures:
            raise ExceptionGroup(failed, failures)
        return len(found)

    async def _write(self, matches: Sequence[MatchId], judge: Judge) -> int:
        """Judges the first of some matches in one transaction, one at least; returns how many."""
        async with self._writer.store.read() as reader:
            await reader.matches.of_ids(matches)  # replays them while others can still write
        async with self._begin_at_work() as (tx, _):
            judged, versions = await judge(tx, matches, await tx.clock.now())
        self._writer.publish(*versions)
        return judged

    async def _flag(self, tx: Transaction, matches: Sequence[MatchId], now: Millis) -> tuple[int, list[Match]]:
        before = Millis(now - moves.FLAG_GRACE)
        overdue = set(await tx.deadlines.overdue(before, len(matches), matches))  # a deadline may have been moved
        stored = await tx.matches.of_ids(overdue)
        unseen = await tx.outbox.waiting([match.id for match in stored.values() if not match.version])
        end = self._seconds() + BATCH_SECONDS
        judged, flagged, postponed, late = 0, list[Match](), list[Match](), dict[MatchId, Millis]()
        for each in matches:
            judged += 1
            if (match := stored.get(each)) is None:
                continue
            if (after := moves.flag(match, now)) is match:  # its clock stood for a while, which the row did not know
                postponed.append(match)
            elif match.id in unseen:  # nobody has seen the board yet
                await tx.matches.begin_clock(match.begin_clock(now))
            elif (lost := self._outages.lost(match, now)) and not moves.is_flag_due(match, Millis(now - lost)):
                late[match.id] = lost
            else:
                flagged.append(after)
            if self._seconds() > end:
                break
        if postponed:
            await tx.deadlines.reschedule_all(postponed)
        for put_off, lost in late.items():
            await tx.deadlines.put_off(stored[put_off], lost)
        return judged, await save_all(tx, flagged) if flagged else []

    async def _remind(self, tx: Transaction, matches: Sequence[MatchId], now: Millis) -> tuple[int, list[Match]]:
        end = self._seconds() + BATCH_SECONDS
        judged, versions = 0, list[Match]()
        for match in matches:
            judged += 1
            versions += await _remind(tx, match, now)
            if self._seconds() > end:
                break
        return judged, versions

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
    is_told = is_person(person.id) and person.reminders is not Reminders.OFF
    is_unwanted = not is_told or seat in await tx.matches.quiet_seats(match)
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
