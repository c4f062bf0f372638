"""Measures what is lost, doubled or late when a component fails: `python -m benchmarks.faults [NAME ...]`, or all.

Two processes share one PostgreSQL, players move at full speed, and clocks run out all the time. Then one component
fails. Afterwards all is counted: moves that a player read of but that are not stored, flags that fell twice or
early, boards posted twice or never. All must be zero; the gap is the longest pause of one match. Half of the games are
played by `/move`, whose response is the board, half by replies, after which the bot posts the board.

The rounds on SQLite kill a process, or cut its power, while it writes as fast as it can. Others freeze it until all
clocks seem to have run out, or put its clock an hour forward for some seconds.
"""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.figure import Figure
from benchmarks.fleet import Bot, discord_with_commands
from benchmarks.players import Crowd, Game
from benchmarks.program import DURABLE, report, report_failures
from loopback import Discord
from tests.postgres import Postgres
from tools.program import argument_parser, say

LONG_MATCHES, SHORT_MATCHES, CLICKS_PER_SECOND = 24, 24, 12.0
"""Matches in which players move, and matches whose clocks run out."""

SECONDS_BEFORE, SECONDS_AFTER = 8.0, 12.0
"""Play before the fault, and after the recovery."""

OUTBOX_SECONDS = 60.0
"""The longest wait until the outbox is empty afterwards."""

POSTS = "POST", "/channels/{channel_id}/messages"
CALLBACKS = "POST", "/interactions/{interaction_id}/{interaction_token}/callback"
ROUNDS = 10

GAMES_PER_ROUND, FREEZE_ROUNDS, JUMP_ROUNDS = 7, 20, 4
"""Games in a round on SQLite, and rounds of each kind."""

PARALLEL_BOTS = 4
"""Bots that share those rounds, each with a database file of its own."""

FREEZE_SECONDS, JUMP_SECONDS = 13.5, 7.0
"""A freeze exceeds the 12 s after which a flag falls and a gap is a downtime; a jump is the time of a wrong clock."""

MAX_ROUND_SECONDS = 120.0

CLOCK_DELAY_SECONDS = 0.001
"""Practically none, but it starts the program whose clock can be put forward."""


@dataclass
class System:
    """The components that a fault can break."""

    discord: Discord
    postgres: Postgres
    bots: list[Bot]
    spare: Bot

    async def start(self) -> None:
        for bot in self.bots:
            await bot.start()
        await self.wait_until_complete()

    async def wait_until_complete(self) -> None:
        """Waits until every shard has a process."""
        await self.discord.until(lambda: self.discord.shards == {0, 1}, timeout=60.0)


Fault = Callable[[System], Awaitable[None]]


async def do_nothing(system: System) -> None:
    """Waits, for comparison."""
    await asyncio.sleep(10)


async def kill_process(system: System) -> None:
    """Kills one of two processes; the other takes over its shard, and gives it back."""
    await system.bots[0].stop(signal.SIGKILL)
    await asyncio.sleep(25)
    await system.bots[0].start()
    await system.bots[0].wait_until_healthy()


async def lose_responses(system: System) -> None:
    """Loses Discord's responses to posts and callbacks that take effect; then kills the process."""
    system.discord.fault(*POSTS, 502, times=40, applied=True)
    system.discord.fault(*CALLBACKS, 502, times=40, applied=True)
    await asyncio.sleep(0.3)
    await system.bots[0].stop(signal.SIGKILL)
    await system.bots[0].start()
    await system.bots[0].wait_until_healthy()


async def overlap_versions(system: System) -> None:
    """Starts a new version beside the old ones, and stops these one by one."""
    await system.spare.start()
    await system.spare.wait_until_healthy()
    await system.bots[0].stop()
    await asyncio.sleep(5)
    await system.bots[0].start()
    await system.bots[0].wait_until_healthy()
    await system.bots[1].stop()
    await asyncio.sleep(5)


async def freeze_process(system: System) -> None:
    """Freezes a process for 16 s."""
    system.bots[0].send(signal.SIGSTOP)
    await asyncio.sleep(16)
    system.bots[0].send(signal.SIGCONT)


async def stop_database(system: System) -> None:
    """Stops the database at once, and starts it after 5 s."""
    await asyncio.to_thread(system.postgres.stop, "immediate")
    await asyncio.sleep(5)
    await asyncio.to_thread(system.postgres.start)


async def disturb_discord(system: System) -> None:
    """Makes Discord respond with 429, 500 and 502, close the gateway, and end the sessions."""
    for status in (429, 500, 502):
        system.discord.fault(*POSTS, status, times=10, retry_after=0.5)
        system.discord.fault(*CALLBACKS, status, times=10, retry_after=0.5)
        system.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", status, times=10, retry_after=0.5)
        await asyncio.sleep(4)
    for disturb in (system.discord.drop, system.discord.reconnect, system.discord.invalidate):
        disturb()
        await asyncio.sleep(12)


async def add_fast_clock(system: System) -> None:
    """Adds a third process, whose clock is a minute fast."""
    await system.spare.start(late=-60.0)
    await asyncio.sleep(20)


FAULTS: dict[str, Fault] = {
    "nothing": do_nothing,
    "killed": kill_process,
    "answers_lost": lose_responses,
    "overlap": overlap_versions,
    "frozen": freeze_process,
    "no_database": stop_database,
    "bad_discord": disturb_discord,
    "wrong_clock": add_fast_clock,
}


async def keep_playing(crowd: Crowd, games: Sequence[Game], over: asyncio.Event) -> None:
    """Makes moves in all games, and retries failed ones, until it is over."""

    async def play(number: int, game: Game) -> None:
        await asyncio.sleep(number / CLICKS_PER_SECOND)
        while not over.is_set():
            begun = time.perf_counter()
            await crowd.move(game, within=8.0)
            await asyncio.sleep(max(0.2, begun + len(games) / CLICKS_PER_SECOND - time.perf_counter()))

    await asyncio.gather(*(play(number, game) for number, game in enumerate(games)))


async def begin_short_matches(crowd: Crowd, over: asyncio.Event) -> None:
    """Begins matches without moves, one after the other, so that clocks run out all the time."""
    for number in range(SHORT_MATCHES):
        if over.is_set():
            return
        try:
            await crowd.begin(1000 + number, "9x9", "10s")
        except TimeoutError:
            continue  # the fault hit its beginning
        await asyncio.sleep(1.0)


async def measure_fault(fault: Fault, folder: Path) -> list[Figure]:
    """Returns the figures of a fault."""
    with Postgres(DURABLE) as postgres:
        address = await postgres.create("kropka")
        async with discord_with_commands() as discord:
            settings = {"shards": 2, "processes": 2}
            bots = [Bot(f"bot{number}", folder, discord, address, **settings) for number in range(3)]
            system = System(discord, postgres, bots[:2], bots[2])
            crowd, over = Crowd(discord, replies=True), asyncio.Event()
            try:
                await system.start()
                games = await crowd.begin_all(LONG_MATCHES, "13x13")
                playing = asyncio.gather(keep_playing(crowd, games, over), begin_short_matches(crowd, over))
                await asyncio.sleep(SECONDS_BEFORE)
                await fault(system)
                await asyncio.sleep(SECONDS_AFTER)
                over.set()
                await playing
                await asyncio.sleep(13)  # until the last clock has fallen
                stored = await load_events(address)
            finally:
                await asyncio.gather(*(bot.stop() for bot in bots))
            if discord.problems:
                say("    ", Counter(discord.problems).most_common(3))
        tally = Tally(stored, crowd)
    report_failures(crowd.failed)
    return [
        Figure("moves that a player read of", tally.told, "", 1, least=True),
        Figure("  of them lost", tally.lost, "", 0),
        Figure("flags that fell", tally.flags, "", 1, least=True),
        Figure("  twice in one match", tally.doubled_flags, "", 0),
        Figure("  too early", tally.early, "", 0),
        Figure("  never", tally.missed, "", 0),
        Figure("boards posted", tally.posted, "", 1, least=True),
        Figure("  twice", tally.doubled_posts, "", 0),
        Figure("  never", tally.unposted, "", 0),
        Figure("longest pause of one match", tally.gap, "s"),
    ]


Event = tuple[object, ...]
"""Match, version, kind, text, time, and the match's start, channel and time control."""


async def load_events(address: str) -> list[Event]:
    """Waits until the outbox is empty; returns all events."""
    engine = create_async_engine(address)
    try:
        async with engine.connect() as connection, asyncio.timeout(OUTBOX_SECONDS):
            empty = text("SELECT NOT EXISTS (SELECT FROM outbox)")
            while not (await connection.execute(empty)).scalar_one():  # noqa: ASYNC110 - others empty it
                await asyncio.sleep(0.5)
            asked = text(
                'SELECT m.id, e.seq, e.kind, e.text, e.at, m.started, m.channel, m.control FROM "match" m'
                ' LEFT JOIN event e ON e."match" = m.id ORDER BY m.id, e.seq'
            )
            return [tuple(row) for row in await connection.execute(asked)]
    finally:
        await engine.dispose()


class Tally:
    """The counts: stored events against the responses and posts that players saw."""

    def __init__(self, stored: Sequence[Event], crowd: Crowd) -> None:
        events: dict[int, dict[int, tuple[str, str, int]]] = {}
        places: dict[int, tuple[int, int, str]] = {}
        for match, version, kind, move, at, started, channel, control in stored:
            places[int(str(match))] = int(str(channel)), int(str(started)), str(control)
            known = events.setdefault(int(str(match)), {})
            if version is not None:
                known[int(str(version))] = str(kind), str(move), int(str(at))
        self.told = self.lost = self.posted = self.doubled_posts = self.unposted = 0
        self.flags = self.doubled_flags = self.early = self.missed = 0
        self.gap = 0.0
        for match, known in events.items():
            channel, started, control = places[match]
            game = crowd.game_in(channel)
            if game is None:
                continue
            self._count_moves(game, known)
            self._count_posts(match, game, known)
            self._count_flags(known, started, control)

    def _count_moves(self, game: Game, known: dict[int, tuple[str, str, int]]) -> None:
        self.told += len(game.told)
        self.lost += sum(known.get(number + 1, ("", ""))[:2] != ("move", game.moves[number]) for number in game.told)
        moments = sorted(game.told.values())
        self.gap = max([self.gap, *(after - before for before, after in pairwise(moments))])

    def _count_posts(self, match: int, game: Game, known: dict[int, tuple[str, str, int]]) -> None:
        posts = [game.posts[f"{match}:{version}"] for version in range(len(known) + 1)]
        self.posted += sum(posts)
        self.doubled_posts += sum(count - 1 for count in posts if count > 1)
        self.unposted += posts.count(0)

    def _count_flags(self, known: dict[int, tuple[str, str, int]], started: int, control: str) -> None:
        if control != "10s":
            return
        flags = [at for kind, _, at in known.values() if kind == "time"]
        self.flags += len(flags)
        self.doubled_flags += max(0, len(flags) - 1)
        self.early += sum(at < started + 12_000 for at in flags)
        self.missed += not flags


def crash_rounds(name: str, crash: Callable[[Path], tuple[Path, list[str]]], folder: Path) -> list[Figure]:
    """Crashes a writer on SQLite in some rounds, each under full load; returns the figures."""
    lost = damaged = acknowledged = 0
    for number in range(ROUNDS):
        place = folder / f"{name}-{number}"
        place.mkdir()
        file, lines = crash(place)
        newest = Counter[int]()
        for match, version in (map(int, line.split()) for line in lines):
            newest[match] = max(newest[match], version)
        acknowledged += len(lines)
        with closing(sqlite3.connect(file)) as connection:
            damaged += connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]
            stored = dict(connection.execute('SELECT id, version FROM "match"'))
        lost += sum(max(0, version - stored.get(match, 0)) for match, version in newest.items())
        shutil.rmtree(place)
    return [
        Figure(f"{name}: acknowledged moves in {ROUNDS} rounds", acknowledged, "", 1, least=True),
        Figure(f"{name}: lost", lost, "", 0),
        Figure(f"{name}: damaged files", damaged, "", 0),
    ]


def _run_writer(file: Path, seconds: float, end: Callable[[subprocess.Popen[str]], None]) -> list[str]:
    """Runs a writer until ``end``; returns the lines that it printed for its commits."""
    command = [sys.executable, "-m", "tests.storage.bot", f"sqlite+aiosqlite:///{file}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        end(process)
        process.kill()
        return [line for line in (first, *process.stdout) if line.endswith("\n")]


def kill_writer(place: Path) -> tuple[Path, list[str]]:
    file = place / "kropka.db"
    return file, _run_writer(file, 1.0, lambda process: None)


def cut_power(place: Path) -> tuple[Path, list[str]]:
    """Runs a writer on a file system in a file, and copies that file at one moment.

    The copy lacks what was not yet flushed to the device, as after a power cut.
    """
    device, copy, mounted = place / "device", place / "copy", place / "mounted"
    mounted.mkdir()
    with _mount(device, mounted, make=True):

        def cut(process: subprocess.Popen[str]) -> None:
            process.send_signal(signal.SIGSTOP)
            shutil.copyfile(device, copy)

        lines = _run_writer(mounted / "kropka.db", 1.0, cut)
    with _mount(copy, mounted):
        file = place / "kropka.db"
        for name in ("kropka.db", "kropka.db-wal"):
            if (mounted / name).exists():
                shutil.copyfile(mounted / name, place / name)
    return file, lines


@contextmanager
def _mount(device: Path, at: Path, *, make: bool = False) -> Iterator[None]:
    if make:
        with device.open("wb") as file:
            file.truncate(64 << 20)
        subprocess.run(["/sbin/mkfs.ext4", "-q", device], check=True)  # noqa: S603
    subprocess.run(["/bin/mount", "-o", "loop", device, at], check=True)  # noqa: S603
    try:
        yield
    finally:
        subprocess.run(["/bin/umount", at], check=True)  # noqa: S603


def fill_disk(folder: Path) -> list[Figure]:
    """Fills the disk for a while: acknowledged moves must stay, others be refused, and play go on afterwards."""
    place = folder / "full"
    place.mkdir()
    subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], check=True)  # noqa: S603
    try:
        ballast = place / "ballast"
        command = [sys.executable, "-m", "benchmarks.stubborn", f"sqlite+aiosqlite:///{place}/kropka.db", str(ballast)]
        process = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        output = json.loads(process.stdout)
        with closing(sqlite3.connect(place / "kropka.db")) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            stored = dict(connection.execute('SELECT id, version FROM "match"'))
    finally:
        subprocess.run(["/bin/umount", place], check=True)  # noqa: S603
    lost = sum(max(0, version - stored.get(int(match), 0)) for match, version in output["told"].items())
    return [
        Figure("full disk: moves refused meanwhile", output["refused"], "", 1, least=True),
        Figure("full disk: acknowledged moves lost", lost, "", 0),
        Figure("full disk: moves stored after space was free again", output["after"], "", 1, least=True),
        Figure("full disk: damaged files", not whole, "", 0),
    ]


Round = Callable[[Bot, Crowd], Awaitable[tuple[int, int]]]
"""Runs a round; returns two numbers to add up."""


async def _run_rounds(rounds: int, folder: Path, play_round: Round) -> tuple[int, int]:
    """Shares rounds between parallel bots, since a round mostly waits; returns the sums of their numbers."""
    async with AsyncExitStack() as stack:
        places = []
        for number in range(PARALLEL_BOTS):  # in sequence: discord.py has one address at a time
            place = folder / f"bot{number}"
            place.mkdir()
            discord = await stack.enter_async_context(discord_with_commands())
            places.append((discord, Bot("bot", place, discord, f"sqlite+aiosqlite:///{place}/kropka.db")))
        async with asyncio.TaskGroup() as group:
            each = rounds // PARALLEL_BOTS
            tasks = [group.create_task(_run_bot(bot, Crowd(discord), each, play_round)) for discord, bot in places]
    found = [task.result() for task in tasks]
    return sum(first for first, _ in found), sum(second for _, second in found)


async def _run_bot(bot: Bot, crowd: Crowd, rounds: int, play_round: Round) -> tuple[int, int]:
    first = second = 0
    try:
        await bot.start(late=CLOCK_DELAY_SECONDS)
        await bot.wait_until_healthy()
        for _ in range(rounds):
            async with asyncio.timeout(MAX_ROUND_SECONDS):
                found = await play_round(bot, crowd)
            first, second = first + found[0], second + found[1]
    finally:
        if bot.is_running:
            bot.send(signal.SIGCONT)
        await bot.stop()
    report_failures(crowd.failed)
    return first, second


async def _begin_games(crowd: Crowd, clock: str, games: int = GAMES_PER_ROUND) -> list[Game]:
    numbers = range(games)
    return list(await asyncio.gather(*(crowd.begin(number, "13x13", clock) for number in numbers)))


async def _move_all(crowd: Crowd, games: Sequence[Game]) -> int:
    """Makes a move in each game; returns how many the bot confirmed."""
    return sum(await asyncio.gather(*(crowd.move(game, within=8.0) for game in games)))


async def freeze_round(bot: Bot, crowd: Crowd) -> tuple[int, int]:
    """Freezes the bot for longer than any player has left; a second later a move is made in every game."""
    games = await _begin_games(crowd, "10s")
    await asyncio.sleep(random.uniform(0.5, 3.0))  # noqa: S311 - at any time between two heartbeats
    bot.send(signal.SIGSTOP)
    await asyncio.sleep(FREEZE_SECONDS)
    bot.send(signal.SIGCONT)
    await asyncio.sleep(1.0)
    moved = await _move_all(crowd, games)
    return len(games), len(games) - moved


def measure_freezes(folder: Path) -> list[Figure]:
    games, lost = asyncio.run(_run_rounds(FREEZE_ROUNDS, folder, freeze_round))
    least = FREEZE_ROUNDS * GAMES_PER_ROUND
    return [
        Figure(f"frozen: games in {FREEZE_ROUNDS} rounds of {FREEZE_SECONDS:g} s", games, "", least, least=True),
        Figure("frozen: lost by the freeze", lost, "", 0),
    ]


async def jump_round(bot: Bot, crowd: Crowd) -> tuple[int, int]:
    """Puts the bot's clock an hour forward, and back after 7 s.

    Games must go on meanwhile, and the clock of a later game must run out in time.
    """
    games = await _begin_games(crowd, "1m")
    bot.send(signal.SIGUSR1)
    await asyncio.sleep(JUMP_SECONDS)
    moved = await _move_all(crowd, games)
    bot.send(signal.SIGUSR1)
    later = await crowd.begin(GAMES_PER_ROUND, "13x13", "10s")
    moved += await _move_all(crowd, games)
    later.board_posted.clear()
    try:
        await asyncio.wait_for(later.board_posted.wait(), 20.0)
        stopped = 0
    except TimeoutError:
        stopped = 1
    return 2 * len(games) - moved, stopped


def measure_clock_jumps(folder: Path) -> list[Figure]:
    lost, stopped = asyncio.run(_run_rounds(JUMP_ROUNDS, folder, jump_round))
    return [
        Figure(f"jump: moves refused in {JUMP_ROUNDS} rounds of an hour for {JUMP_SECONDS:g} s", lost, "", 0),
        Figure("jump: clocks of later games that stopped", stopped, "", 0),
    ]


LOCAL: dict[str, Callable[[Path], list[Figure]]] = {
    "sqlite_killed": lambda folder: crash_rounds("kill -9", kill_writer, folder),
    "sqlite_power": lambda folder: crash_rounds("power loss", cut_power, folder),
    "sqlite_full": fill_disk,
    "sqlite_frozen": measure_freezes,
    "sqlite_clock": measure_clock_jumps,
}


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join([*FAULTS, *LOCAL])}")
    parser.add_argument("--folder", type=Path, help="the folder that keeps the logs")
    arguments = parser.parse_args()
    failed = False
    for name in arguments.names or [*FAULTS, *LOCAL]:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (arguments.folder or Path(temporary)) / name
            folder.mkdir(parents=True)
            say(name)
            figures = asyncio.run(measure_fault(FAULTS[name], folder)) if name in FAULTS else LOCAL[name](folder)
        failed |= report(figures)
    return failed


if __name__ == "__main__":
    sys.exit(main())
