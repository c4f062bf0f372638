"""Measures what the bot does when more moves are offered than it bears: `python -m benchmarks.overload --help`.

Clicks come at a fixed rate, whatever becomes of those before: a player whose turn it is offers a move, and one who is
turned away offers it again a second later. First comes the knee, the rate that the bot bears, then each multiple of it,
and after each of them half the knee, by which the recovery is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.figure import Figure, latencies, percentile
from benchmarks.fleet import Bot, fleet
from benchmarks.players import Crowd, Game
from benchmarks.program import report_failures, run
from loopback import Discord
from tools.program import argument_parser, say

AGAIN_SECONDS = 1.0
"""From being turned away to the next try."""

RECOVERY_SECONDS = 15.0
"""How long half the knee is offered after an overload."""

GOOD_SECONDS = 0.5
"""A move whose board takes longer, or which is turned away, is one before the recovery."""

GROUPS, PERIOD_MICROS = Path("/sys/fs/cgroup/cpu"), 10_000
"""Control groups, and how often one gets its share of a core: much more often than a player notices."""

MIN_DELIVERED = 0.95
"""The share of what is delivered at the knee that an overloaded bot delivers at least."""


@dataclass(eq=False)
class Phase:
    """The moves that were offered at a rate, and their fates; `late` has by how many seconds the crowd was."""

    rate: float
    seconds: float
    offered: int = 0
    boards: list[float] = field(default_factory=list)
    turned_away: list[float] = field(default_factory=list)
    told_and_played: int = 0
    unoffered: int = 0
    late: list[float] = field(default_factory=list)
    bad: float = 0.0
    """Seconds from its begin to the last offer that was turned away or took long."""
    core: float = 0.0
    counted: int = 0

    @property
    def delivered(self) -> float:
        """Returns the boards a second."""
        return len(self.boards) / self.seconds


class Table:
    """All games, of which those whose players may offer a move come in their turns."""

    def __init__(self, crowd: Crowd, games: Sequence[Game]) -> None:
        self._crowd = crowd
        self._numbers = count()
        self._ready = [(0.0, next(self._numbers), game) for game in games]
        self._refused: dict[Game, int] = {}
        self.failed: Counter[str] = crowd.failed

    async def offer_all(self, phase: Phase) -> None:
        """Offers moves at the rate of a phase, and waits for the last answers."""
        begun = time.perf_counter()
        async with asyncio.TaskGroup() as offers:
            for number in range(round(phase.rate * phase.seconds)):
                due = begun + number / phase.rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                now = time.perf_counter()
                phase.late.append(now - due)
                if not self._ready or self._ready[0][0] > now:
                    phase.unoffered += 1
                    continue
                game = heappop(self._ready)[2]
                offers.create_task(self._offer(game, phase, now - begun))

    async def _offer(self, game: Game, phase: Phase, at: float) -> None:
        if self._refused.pop(game, game.made) != game.made:
            phase.told_and_played += 1
        phase.offered += 1
        click = await self._crowd.offer(game)
        pause = 0.0
        if click.played:
            phase.boards.append(click.seconds)
        else:
            phase.turned_away += [click.seconds] if click.is_turned_away else []
            self._refused[game] = game.made
            pause = AGAIN_SECONDS
        if not click.played or click.seconds > GOOD_SECONDS:
            phase.bad = max(phase.bad, at)
        if game.made < len(game.moves):
            heappush(self._ready, (time.perf_counter() + pause, next(self._numbers), game))


async def play(table: Table, discord: Discord, bots: Sequence[Bot], rate: float, seconds: float) -> Phase:
    """Returns what became of the moves that were offered at `rate` a second."""
    say(f"     offers {rate:g} moves a second for {seconds:g} s")
    phase = Phase(rate, seconds)
    busy, counted = sum(bot.cpu_seconds for bot in bots), discord.counted_requests
    await table.offer_all(phase)
    phase.core = sum(bot.cpu_seconds for bot in bots) - busy
    phase.counted = discord.counted_requests - counted
    return phase


async def measure(arguments: argparse.Namespace, address: str, folder: Path) -> list[Figure]:
    """Returns the figures; raises AssertionError if a process of the bot ends."""
    async with fleet(arguments.processes, address, folder, limits=True) as (discord, bots):
        with held_to(arguments.core, bots):
            crowd = Crowd(discord)
            games = await crowd.begin_all(arguments.matches, arguments.size, arguments.clock)
            table = Table(crowd, games)
            await play(table, discord, bots, min(20.0, arguments.knee), 5.0)  # warms up
            crowd.clear()
            knee = await play(table, discord, bots, arguments.knee, arguments.knee_seconds)
            figures = [*describe("the knee", knee, None)]
            for factor in arguments.factors:
                overload = await play(table, discord, bots, factor * arguments.knee, arguments.seconds)
                after = await play(table, discord, bots, arguments.knee / 2, RECOVERY_SECONDS)
                figures += [
                    *describe(f"{factor:g} times", overload, knee),
                    *describe_recovery(f"{factor:g} times", after),
                ]
            await asyncio.sleep(GOOD_SECONDS)
    report_failures(crowd.failed)
    doubled = sum(times - 1 for game in games for times in game.posts.values())
    return [
        *figures,
        Figure("moves that failed", crowd.failed.total(), "", 0),
        Figure("boards posted twice", doubled, "", 0),
        Figure("requests that Discord would refuse", len(discord.problems), "", 0),
        *await compare(address, games),
    ]


@contextmanager
def held_to(share: float | None, bots: Sequence[Bot]) -> Iterator[None]:
    """Holds the processes to a share of a core together for the block, where the crowd needs more than the other core.

    Raises OSError without a writable hierarchy of control groups (version 1).
    """
    if share is None:
        yield
        return
    group = GROUPS / "kropka-overload"
    group.mkdir(exist_ok=True)
    (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROS), encoding="ascii")
    (group / "cpu.cfs_quota_us").write_text(str(round(share * PERIOD_MICROS)), encoding="ascii")
    for bot in bots:
        (group / "cgroup.procs").write_text(str(bot.pid), encoding="ascii")
    try:
        yield
    finally:
        for bot in bots:
            (GROUPS / "cgroup.procs").write_text(str(bot.pid), encoding="ascii")
        group.rmdir()


def describe(name: str, phase: Phase, knee: Phase | None) -> Iterator[Figure]:
    """Yields the figures of a phase, with the limits of an overload unless it is the knee."""
    least = None if knee is None else MIN_DELIVERED * knee.delivered
    yield Figure(f"{name}: moves offered", phase.offered / phase.seconds, "/s")
    # no limit of the machine: it is what the same run delivered
    yield Figure(f"{name}: delivered a second", phase.delivered, "", least, least=True)
    limit = None if knee is None else 2000
    yield from latencies(f"{name}: click to board", phase.boards, limit)
    if knee is not None:
        yield Figure(f"{name}: turned away", len(phase.turned_away) / phase.seconds, "/s")
        yield from latencies(f"{name}: click to being told so", phase.turned_away, None)
        yield Figure(f"{name}: told so and played", phase.told_and_played, "", 0)
    yield Figure(f"{name}: a core was busy for", phase.core / phase.seconds, "of it")
    yield Figure(f"{name}: requests that count, a move", phase.counted / max(1, len(phase.boards)), "")
    yield Figure(f"{name}: moves that no player was free for", phase.unoffered, "")
    yield Figure(f"{name}: the crowd was late, 99 %", 1000 * percentile(phase.late, 0.99), "ms")


def describe_recovery(name: str, after: Phase) -> Iterator[Figure]:
    """Yields the recovery after a phase."""
    yield Figure(f"after {name}: well again after", after.bad, "s", 5)


async def compare(address: str, games: Sequence[Game]) -> list[Figure]:
    """Returns what the database and the players disagree on."""
    stored: dict[int, list[str]] = {}
    flags = 0
    engine = create_async_engine(address)
    asked = 'SELECT m.channel, e.kind, e.text FROM "match" m JOIN event e ON e."match" = m.id ORDER BY m.id, e.seq'
    async with engine.connect() as connection:
        for channel, kind, move in await connection.execute(text(asked)):
            flags += kind == "time"
            if kind == "move":
                stored.setdefault(channel, []).append(move)
    await engine.dispose()
    lost = unheard = 0
    for game in games:
        moves = stored.get(game.boards[-1].channel_id, [])
        lost += sum(number >= len(moves) or moves[number] != game.moves[number] for number in game.told)
        unheard += max(0, len(moves) - game.made)
    return [
        Figure("moves that were confirmed and are lost", lost, "", 0),
        Figure("moves that were played and not shown", unheard, "", 0),
        Figure("clocks that ran out", flags, "", 0),
    ]


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--knee", type=float, default=60.0, help="moves a second that the bot bears")
    parser.add_argument("--knee-seconds", type=float, default=30.0)
    parser.add_argument("--factors", type=float, nargs="+", default=[1.5, 3.0])
    parser.add_argument("--seconds", type=float, default=60.0, help="of each overload")
    parser.add_argument("--core", type=float, help="the share of a core to which the bots are held together")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--size", default="39x32")
    parser.add_argument("--clock", default="2m+8s")
    return run(parser, measure)


if __name__ == "__main__":
    sys.exit(main())
