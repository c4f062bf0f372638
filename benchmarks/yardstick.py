"""The yardstick: how fast this machine is now, by a fixed mix of plain Python, memory and SQLite.

Limits of time are those of a certain machine, whose times for the mix are `ALONE` and `TOGETHER`. On a slower one, or
beside other programs, the mix takes longer, and each limit is as much longer: a verdict tells what the program costs,
and not the machine.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from random import Random
from statistics import fmean, geometric_mean, median
from typing import NamedTuple

ROUNDS = 5
"""Rounds of a measurement, of which the median counts."""

STEPS, WORDS = 20_000, 2_000
"""Of the plain Python."""

CELLS, HOPS = 4_000_000, 60_000
"""Integers in memory, more than caches hold, and the jumps from one to another."""

ROWS, COMMITS = 500, 5
"""Of SQLite: rows that are written and read in as many transactions, as durable as the bot's."""


class Spent(NamedTuple):
    """Seconds of a machine for each part of the mix: `python`, `memory`, `sqlite`."""

    python: float
    memory: float
    sqlite: float


ALONE = Spent(0.0033, 0.0115, 0.0019)
"""The mix on the machine for which the limits were set, by the time of its processor, while nothing else works: half of
what it took on one that played half as many playouts a second as docs/computer.md has."""

TOGETHER = Spent(0.0034, 0.0105, 0.0028)
"""The same by the clock, while each of its processors does the mix."""


class Pace(NamedTuple):
    """How many times longer than on the machine of the limits work takes now: one program's by the time of the
    `processor` that it has, and by the `clock` that of as many programs as there are processors."""

    processor: float
    clock: float

    def mean(self, other: Pace) -> Pace:
        """Returns the pace of a time that begins at this one and ends at another."""
        return Pace(*map(fmean, zip(self, other, strict=True)))

    def __str__(self) -> str:
        return f"{self.processor:.2f} times by the processor's time, {self.clock:.2f} by the clock"


class Yardstick:
    """Measures the pace of the machine. Within its block it keeps one process for each processor."""

    def __init__(self, pool: Pool, processes: int) -> None:
        self._pool = pool
        self._processes = processes

    def measure(self) -> Pace:
        """Returns the pace now; takes about a third of a second on the machine of the limits."""
        alone = [processor for processor, _ in self._rounds(1)]
        together = [clock for _, clock in self._rounds(self._processes)]
        return Pace(_times_longer(alone, ALONE), _times_longer(together, TOGETHER))

    def _rounds(self, processes: int) -> list[tuple[Spent, Spent]]:
        """Returns what each of so many processes takes for the mix, in several rounds."""
        return [each for _ in range(ROUNDS) for each in self._pool.map(_take_round, range(processes), chunksize=1)]


@contextmanager
def yardstick() -> Iterator[Yardstick]:
    """Yields a yardstick for the block."""
    processes = len(os.sched_getaffinity(0))
    with get_context("spawn").Pool(processes) as pool:
        found = Yardstick(pool, processes)
        found.measure()  # everything is loaded
        yield found


def _times_longer(rounds: Sequence[Spent], reference: Spent) -> float:
    """Returns the geometric mean, over the parts, of the median of the rounds to the reference."""
    return geometric_mean(
        median(part) / usual for part, usual in zip(zip(*rounds, strict=True), reference, strict=True)
    )


def _take_round(_: int) -> tuple[Spent, Spent]:
    """Does the mix once; returns what it took of the processor and by the clock."""
    taken = [_timed(part) for part in (_use_python, _use_memory, _use_sqlite)]
    return Spent(*(processor for processor, _ in taken)), Spent(*(clock for _, clock in taken))


def _timed(part: Callable[[], None]) -> tuple[float, float]:
    processor, clock = time.process_time(), time.perf_counter()
    part()
    return time.process_time() - processor, time.perf_counter() - clock


def _use_python() -> None:
    """Calls functions, makes objects, and looks up, sorts and joins words."""
    counts: dict[str, int] = {}
    for step in range(STEPS):
        word = _name(step)
        counts[word] = counts.get(word, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    assert len(",".join(word for word, _ in ordered)) > WORDS


def _name(step: int) -> str:
    return f"w{step * 7919 % WORDS}"


def _use_memory() -> None:
    """Goes from one integer to another that is far away."""
    cells, at = _cells(), 0
    for _ in range(HOPS):
        at = cells[at]


@cache
def _cells() -> list[int]:
    cells = [*range(CELLS)]
    Random(1).shuffle(cells)  # noqa: S311 - no secret
    return cells


def _use_sqlite() -> None:
    """Writes rows into a new file, in transactions, and reads them one by one."""
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(Path(folder) / "yardstick.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)")
        for commit in range(COMMITS):
            connection.execute("BEGIN IMMEDIATE")
            for row in range(commit, ROWS, COMMITS):
                connection.execute("INSERT INTO row VALUES (?, ?)", (row, _name(row)))
            connection.execute("COMMIT")
        for row in range(ROWS):
            connection.execute("SELECT text FROM row WHERE id = ?", (row,)).fetchone()
        connection.close()
