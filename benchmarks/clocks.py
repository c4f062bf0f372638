"""Measures the clocks: a start with very many open matches, and flags while players move, on both engines."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from contextlib import asynccontextmanager
from dataclasses import replace
from statistics import median, quantiles
from time import perf_counter, time
from typing import TYPE_CHECKING

from sqlalchemy import insert, update
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.figure import Figure
from benchmarks.program import report
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.ids import ChallengeId, IdempotencyKey, MessageId, Millis, UserId
from play.match.moves import FLAG_GRACE, move
from play.match.outbox_entry import OutboxEntry
from rules.registry import make_game
from storage import Database, migrate, schema
from storage.match_rows import match_values
from tests.matches import a_match
from tests.postgres import Postgres
from use_cases import UseCases
from use_cases.workers.deadline_scheduler import DeadlineScheduler, Heartbeat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from play.match.match import Match
    from storage.database import Database
    from storage.unit_of_work import Transaction

OPEN_MATCHES = 100_000
FLAGS, OVERDUE, ACTIVE_MATCHES = 300, 2000, 20
PAUSE, LAST = 20, 50
"""A player pauses for so many times as long as one of so many last moves took, at least: so moves hardly wait for each
other, however slow the machine is."""

PLAYERS = 400
"""Players of the rated matches."""

OVERDUE_MILLISECONDS, MAX_RATIO = 5000, 10
"""The limits: of all that are overdue at once, and of a move beside flags as a multiple of the median of such moves."""

ADDED = 50
"""Matches that are stored in one transaction."""

HOUR_MILLISECONDS = 3_600_000


def figures() -> Iterator[Figure]:
    with Postgres() as server:
        for engine in ("SQLite", "PostgreSQL"):
            with tempfile.TemporaryDirectory() as folder:

                async def address(name: str, engine: str = engine, folder: str = folder) -> str:
                    if engine == "SQLite":
                        return f"sqlite+aiosqlite:///{folder}/{name}.db"
                    return await server.create(name)

                empty, full, busy = (asyncio.run(address(name)) for name in ("empty", "full", "busy"))
                yield from _starts(engine, empty, full)
                yield from asyncio.run(_flags(engine, busy))


def _starts(engine: str, empty: str, full: str) -> Iterator[Figure]:
    asyncio.run(migrate(empty))
    asyncio.run(_fill(full))
    _start_process(empty)
    nothing = _start_process(empty)
    asyncio.run(_age_heartbeat(full, 0))
    before = _start_process(full)
    asyncio.run(_age_heartbeat(full, 2 * HOUR_MILLISECONDS))
    after = _start_process(full)
    name = f"{engine}: start with {OPEN_MATCHES:,} open matches"
    yield Figure(f"{name}, beyond an empty one", (before[0] - nothing[0]) * 1000, "ms", 1000)
    yield Figure(f"{name} after a crash, with the credit", (after[0] - nothing[0]) * 1000, "ms", 1000)
    yield Figure(f"{name}, memory", max(before[1], after[1]) - nothing[1], "MB", 50)


def _start_process(url: str) -> tuple[float, float]:
    """Returns the seconds and megabytes of a new process that opens the database and flags what is due."""
    program = [sys.executable, "-m", "benchmarks.clocks", url]
    output = subprocess.run(program, capture_output=True, text=True, check=True).stdout  # noqa: S603
    seconds, megabytes = map(float, output.split())
    return seconds, megabytes


async def start(url: str) -> None:
    """Prints the seconds and megabytes for `_start_process`."""
    import resource

    begun = perf_counter()
    async with Database.open(url) as store:
        use_cases = UseCases.over(store, seeds=lambda: 0)
        await DeadlineScheduler(store, use_cases.clocks, use_cases.challenges).poll()
        taken = perf_counter() - begun
    print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)  # noqa: T201


async def _fill(url: str) -> None:
    """Stores open matches that began an hour ago."""
    await migrate(url)
    async with Database.open(url) as store, store.read() as reader:
        now = await reader.clock.now()
    match = match_values(a_match(control="3d", at=Millis(now - HOUR_MILLISECONDS)))
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for first in range(1, OPEN_MATCHES, 1000):
            numbers = range(first, first + 1000)
            await connection.execute(
                insert(schema.match),
                [
                    {**match, "id": number, "channel": number, "deadline": now + HOUR_MILLISECONDS + 100 * number}
                    for number in numbers
                ],
            )
            seats = [
                {"match": number, "seat": seat, "user": 2 * number + seat} for number in numbers for seat in (0, 1)
            ]
            await connection.execute(insert(schema.seat), seats)
    await engine.dispose()


async def _age_heartbeat(url: str, gap: int) -> None:
    """Sets the last heartbeat to `gap` milliseconds ago."""
    async with Database.open(url) as store, store.write() as tx:
        await tx.clock.record_heartbeat(Millis(0))
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(update(schema.heartbeat).values(at=schema.heartbeat.c.at - gap))
    await engine.dispose()


async def _flags(engine: str, url: str) -> list[Figure]:
    async with Database.open(url) as store:
        use_cases = UseCases.over(store, seeds=lambda: 0)
        scheduler = DeadlineScheduler(store, use_cases.clocks, use_cases.challenges)
        use_cases.events.match_changed.subscribe(scheduler.note_match)
        counter = FlagCounter()
        use_cases.events.match_changed.subscribe(counter.count)
        async with _running(Heartbeat(use_cases.clocks), scheduler), _moves_in_progress(store, use_cases) as moves:
            now = await _now(store)
            await _add_matches(store, [Millis(now + 4000 + 20 * number) for number in range(FLAGS)])
            await counter.wait_for_first()
            moves.clear()
            late = await counter.wait_for(FLAGS)
            beside = quantiles(moves, n=100)
            found = [
                Figure(f"{engine}: {FLAGS} flags while moves run, p99 delay", quantiles(late, n=100)[98], "ms", 250),
                Figure(f"{engine}: the same, the longest delay", max(late), "ms"),
                Figure(
                    f"{engine}: a move meanwhile, p99 to the median",
                    beside[98] / beside[49],
                    "times",
                    MAX_RATIO,
                    tail=True,
                ),
            ]
            for first, kind in ((10_000, "overdue"), (20_000, "rated ones overdue")):
                due = Millis(await _now(store) + 30_000)
                await _add_matches(store, [due] * OVERDUE, first=first, rated=kind != "overdue")
                await counter.wait_for_first()
                moves.clear()
                taken, name = max(await counter.wait_for(OVERDUE)), f"{engine}: {OVERDUE} {kind} at once"
                found.append(Figure(f"{name}, all flagged after", taken, "ms", OVERDUE_MILLISECONDS))
                slowest = Figure(
                    f"{engine}: a move meanwhile, the slowest of {len(moves)}", max(moves) * 1000, "ms", 1000
                )
                found.append(slowest)
    return found


class FlagCounter:
    """A counter of flags, with the delay of each: milliseconds after its first possible moment."""

    def __init__(self) -> None:
        self._late: list[float] = []
        self._one_more = asyncio.Event()

    def count(self, match: Match) -> None:
        if match.outcome and match.outcome.reason in ("abort", "time"):
            self._late.append(time() * 1000 - (match.started + HOUR_MILLISECONDS + FLAG_GRACE + 1))
            self._one_more.set()

    async def wait_for_first(self) -> None:
        while not self._late:
            self._one_more.clear()
            await self._one_more.wait()

    async def wait_for(self, number: int) -> list[float]:
        """Waits for a number of flags, returns their delays, and starts again at zero."""
        while len(self._late) < number:
            self._one_more.clear()
            await self._one_more.wait()
        late, self._late = self._late, []
        return late


def _match_due(channel: int, deadline: Millis, *, rated: bool) -> Match:
    players = UserId(1 + channel % PLAYERS), UserId(1 + (channel * 7 + 1) % PLAYERS)
    at, game = Millis(deadline - HOUR_MILLISECONDS), make_game("zagram", {"size": "10x10"})
    return a_match(channel, players, at=at, game=game) if rated else a_match(channel, at=at)


async def _add_matches(store: Database, deadlines: Sequence[Millis], first: int = 1000, *, rated: bool = False) -> None:
    """Stores matches whose boards are posted: the first turn's time begins with its board. In `rated` ones both players
    have moved."""
    for begin in range(0, len(deadlines), ADDED):
        async with store.write() as tx:
            for channel, deadline in enumerate(deadlines[begin : begin + ADDED], start=first + begin):
                match = await tx.matches.add(_match_due(channel, deadline, rated=rated))
                await tx.outbox.mark_posted(OutboxEntry(match.id, match.version, None), MessageId(channel))
                if rated:
                    await _play_rated(tx, match)


async def _play_rated(tx: Transaction, match: Match) -> None:
    """Stores the challenge with which a match began, and the first move of each player."""
    one, other = match.players
    terms = Terms(match.game, match.clock.control, rated=True)
    offer = Challenge(ChallengeId(0), match.guild, match.channel, one, other, terms, made=match.started)
    await tx.challenges.add(replace(offer, state=ChallengeState.ACCEPTED, joined=(other,), match=match.id))
    for user in match.players:
        text, source = str(next(iter(match.position.moves()))), IdempotencyKey(match.id << 32 | match.version)
        match = move(match, user, text, match.started, source)
        await tx.matches.save(match)
        await tx.outbox.mark_posted(OutboxEntry(match.id, match.version, None), MessageId(match.channel))


async def _now(store: Database) -> Millis:
    async with store.read() as reader:
        return await reader.clock.now()


@asynccontextmanager
async def _running(*work: Heartbeat | DeadlineScheduler) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(each.run()) for each in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


@asynccontextmanager
async def _moves_in_progress(store: Database, use_cases: UseCases) -> AsyncIterator[list[float]]:
    """Runs matches with five moves a second each, or fewer on a slow machine, which moves shall not fill; yields the
    seconds that each move took."""
    taken: list[float] = []

    async def play(channel: int) -> None:
        source = channel * 1_000_000
        while True:
            async with store.write() as tx:
                match = await tx.matches.add(a_match(channel, control="3d", at=await tx.clock.now()))
            while not match.outcome:
                assert match.to_act is not None
                source += 1
                begun = perf_counter()
                text = str(next(iter(match.position.moves())))
                user, at = match.players[match.to_act], await _now(store)
                match = await use_cases.matches.move(match.id, user, text, at, IdempotencyKey(source))
                taken.append(perf_counter() - begun)
                await asyncio.sleep(max(0.2, PAUSE * median(taken[-LAST:])))

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(play(channel)) for channel in range(1, ACTIVE_MATCHES + 1)]
        try:
            yield taken
        finally:
            for task in tasks:
                task.cancel()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(start(sys.argv[1]))
    else:
        sys.exit(report(figures()))
