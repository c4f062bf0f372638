"""The memory of one process with 100,000 open games and of its workers while each of them works.

`python -m benchmarks.memory`. A player asks for the film of a record, then another plays the strongest level of the
computer. Memory is that of the whole tree of processes by PSS: pages that several of them share count once.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from sqlalchemy import update

from benchmarks.figure import Figure
from benchmarks.films import import_record, press
from benchmarks.fleet import fleet
from benchmarks.players import pattern
from benchmarks.program import report
from benchmarks.stock import fill
from bot.services.job_pool import PICTURE_NICENESS, start_process
from opponent.choice import HARDEST, Budget
from opponent.process import WorkerProcess, load_answer
from opponent.worker import encode_frame
from renderer.board import draw
from rules.registry import make_game
from storage import Database, schema

if TYPE_CHECKING:
    from loopback import Discord

OPEN_GAMES, SIZE = 100_000, (39, 32)

MOVES, ANSWER_SECONDS = 5, 60.0
"""Moves that the computer answers, and the longest wait for one answer."""

DAY_MILLISECONDS = 24 * 3_600_000

LOOK_SECONDS = 0.2
"""Seconds between two looks at the memory."""

STARTS = 5
"""Starts of a worker; the median counts."""

HOST_MEGABYTES, BACK_MILLISECONDS = 512, 1500
"""The limits: what a small host has, and after how long a worker that has ended is back."""


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measure(Path(folder)))
    yield from asyncio.run(_start_workers())


async def _measure(folder: Path) -> list[Figure]:
    address = f"sqlite+aiosqlite:///{folder}/kropka.db"
    await fill(address, OPEN_GAMES, all_open=True)
    await _postpone_flags(address)
    async with fleet(1, address, folder, thinkers=1) as (discord, (bot,)):
        begun = tree_megabytes(bot.pid)
        async with _watching(bot.pid) as peak:
            await _make_film(discord)  # whose workers keep their memory
            await _play_computer(discord, hints=False)
        async with _watching(bot.pid) as helped:
            await _play_computer(discord, hints=True)
    return [
        Figure(f"a process with {OPEN_GAMES:,} open games", begun["bot run"], "MB"),
        Figure("  with a computer's worker and two job workers, all at work", sum(peak.values()), "MB", HOST_MEGABYTES),
        *(Figure(f"    {process}", megabytes, "MB") for process, megabytes in peak.items()),
        Figure("  the same later, beside the computer's worker for hints", sum(helped.values()), "MB"),
    ]


async def _postpone_flags(address: str) -> None:
    """Lets no clock run out while the memory is measured."""
    async with Database.open(address) as store, store.write() as tx:
        later = await tx.clock.now() + DAY_MILLISECONDS
        await tx.connection.execute(update(schema.match).values(deadline=later + schema.match.c.id, reminder=None))


def tree_megabytes(root: int) -> dict[str, float]:
    """Returns the megabytes (PSS) of a process and of those that it has started, each by its module and arguments."""
    found: dict[str, float] = {}
    with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        process = Path(f"/proc/{root}")
        name = process.joinpath("cmdline").read_text().rstrip("\0").replace("\0", " ").rpartition(" -m ")[2]
        rollup = process.joinpath("smaps_rollup").read_text(encoding="ascii")
        kilobytes = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
        found[name] = kilobytes * 1024 / 1e6
        for thread in process.joinpath("task").iterdir():
            for child in thread.joinpath("children").read_text(encoding="ascii").split():
                found |= tree_megabytes(int(child))
    return found


@asynccontextmanager
async def _watching(root: int) -> AsyncIterator[dict[str, float]]:
    """Yields the memory of a tree of processes, which at the end of the block is that of the moment with the most."""
    peak: dict[str, float] = {}

    async def watch() -> None:
        while True:
            now = await asyncio.to_thread(tree_megabytes, root)
            if sum(now.values()) > sum(peak.values()):
                peak.clear()
                peak.update(now)
            await asyncio.sleep(LOOK_SECONDS)

    watching = asyncio.create_task(watch())
    try:
        yield peak
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _make_film(discord: Discord) -> None:
    """Imports the largest record, and has its film made."""
    refusals = Counter[str]()
    assert await press(discord, *await import_record(discord, 1), refusals) is not None, refusals


async def _play_computer(discord: Discord, *, hints: bool) -> None:
    """Plays a game against the strongest level; with `hints`, asks for one before each move."""
    name = "hints" if hints else "moves"
    ola, channel = discord.invite(f"Ola {name}"), discord.open_channel(name)
    width, height = SIZE
    terms = {"size": f"{width}x{height}", "start": "empty", "colour": "first", "clock": "30m+1m"}
    await ola.command(channel, "challenge", computer=HARDEST, **terms).answered()
    thread = discord.messages(channel)[-1].id  # which has the number of the card
    await discord.until(lambda: discord.messages(thread))
    made = 0
    for point in pattern(width, height)[::2]:
        if made == MOVES:
            break
        if hints:
            await ola.command(thread, "hint").followed()
        response = (await ola.command(thread, "move", point=point).answered()).message
        if response is None or response.ephemeral:
            continue  # the computer was there first
        made += 1
        await discord.until(partial(_has_board, discord, thread, 2 * made), timeout=ANSWER_SECONDS)


def _has_board(discord: Discord, thread: int, version: int) -> bool:
    name = f"-{version}.png"
    return any(file.filename.endswith(name) for each in discord.messages(thread) for file in each.attachments)


async def _start_workers() -> list[Figure]:
    """Starts a worker of each kind several times, as after a pause, and has it do something small."""
    position = make_game("zagram", {"size": f"{SIZE[0]}x{SIZE[1]}"}).start(0)
    moves = partial(WorkerProcess.start, "opponent.worker", "1", within=ANSWER_SECONDS)
    kinds = (
        ("a computer's worker", moves, (position, Budget(nodes=1), 0, HARDEST)),
        ("a job worker", partial(start_process, PICTURE_NICENESS), (10.0, 60, draw, (position.picture(), None))),
    )
    return [
        Figure(
            f"{name} that had ended has answered after",
            median([await _answer_seconds(start, request) * 1000 for _ in range(STARTS)]),
            "ms",
            BACK_MILLISECONDS,
            processor=True,
        )
        for name, start, request in kinds
    ]


async def _answer_seconds(start: Callable[[], Awaitable[WorkerProcess]], request: tuple[Any, ...]) -> float:
    """Returns the seconds of the processor that a worker takes from its start to its first answer."""
    begun = _children_seconds()
    worker = await start()
    answer = load_answer(await worker.ask(encode_frame(request), ANSWER_SECONDS))
    assert not isinstance(answer, Exception), answer
    await worker.end()
    return _children_seconds() - begun


def _children_seconds() -> float:
    """Returns the seconds of the processor that processes which have ended took."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def main() -> int:
    return report(figures())


if __name__ == "__main__":
    sys.exit(main())
