"""The cost of the computer's search beside the bot: the time to acknowledge a command, and a worker's memory."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.figure import Figure
from bot.client import use_stand_in
from loopback import Discord
from opponent.choice import HARDEST
from opponent.pool import Pool
from play.ids import IdempotencyKey, UserId
from tests.bot.room import Room
from tests.clock import StoppedClock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from play.match.match import Match

COMMANDS = 300
"""Commands while both games go on."""


def figures() -> Iterator[Figure]:
    quiet, thinking, memory = asyncio.run(_measure())
    yield Figure("a command acknowledged, no game thinks, p99", quiet, "ms")
    yield Figure("a command acknowledged, two games think at the strongest level, p99", thinking, "ms", 250)
    yield Figure("memory of a worker", memory, "MB", 400)


async def _measure() -> tuple[float, float, float]:
    clock, pool = StoppedClock(), Pool(2)
    with tempfile.TemporaryDirectory() as folder:
        async with Discord(now=lambda: clock() / 1000) as discord:
            use_stand_in(discord.address)
            room = Room(discord, f"sqlite+aiosqlite:///{folder}/kropka.db", clock)
            room.thinkers = lambda: pool
            await room.start()
            await room.client.tree.sync()
            quiet = await _acknowledge_millis(room)
            await _start_games(room)
            thinking = await _acknowledge_millis(room)
            memory = max(map(_memory, pool.pids))
            await room.stop()
    return quiet, thinking, memory


async def _start_games(room: Room) -> None:
    """Begins two games in which Ola answers the computer at once, and returns when all is compiled."""
    ola, use_cases, begun = UserId(room.ola.id), room.use_cases, asyncio.Event()
    moves: set[asyncio.Task[Match]] = set()

    def answer(match: Match) -> None:
        if match.version >= 4:
            begun.set()
        if match.outcome is None and match.players[match.position.to_act] == ola:
            source, turn = IdempotencyKey(match.id * 10_000 + match.version), str(next(iter(match.position.moves())))
            moves.add(asyncio.create_task(use_cases.matches.move(match.id, ola, turn, room.clock(), source)))

    use_cases.events.match_changed.subscribe(answer)
    for channel in (room.channel, room.general):
        await room.ola.command(channel, "challenge", computer=HARDEST, size="20x20", clock="3d").answered()
    await begun.wait()


async def _acknowledge_millis(room: Room) -> float:
    """Returns the 99th percentile, in milliseconds."""
    taken = []
    for _ in range(COMMANDS):
        begun = perf_counter()
        await room.kasia.command(room.channel, "games").answered()
        taken.append((perf_counter() - begun) * 1000)
    return quantiles(taken, n=100)[98]


def _memory(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(kilobytes) / 1024
