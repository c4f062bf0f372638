"""What is lost, doubled or late when things break: `python -m benchmarks.faults [NAME ...]`, or all of them.

Two processes on one PostgreSQL, people who play at full speed, and clocks that fall due all the while. Something
breaks; some time later everything is counted: moves of which a person was told and that are not stored, flags that fell
twice or early, boards posted twice or never. All must be zero; the gap is how long one table stood still at most. Half
of the games are played by `/move`, whose answer is the board, half by replies, to which the board is posted. The rounds
on SQLite kill a process, or take away its power, while it writes as fast as it can; freeze it until all clocks seem to
be over; and put its clock an hour forward for some seconds.
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
from benchmarks.program import DURABLE, explain, options, report, say
from loopback import Discord
from tests.postgres import Postgres

TABLES, DUE, RATE = 24, 24, 12.0
"""Matches that are played on, matches whose clocks fall due, and clicks a second."""

BEFORE, AFTER = 8.0, 12.0
"""Seconds of play before something breaks, and after it is whole again."""

SETTLED = 60.0
"""Seconds for the outbox to be emptied afterwards."""

POSTS = "POST", "/channels/{channel_id}/messages"
ANSWERS = "POST", "/interactions/{interaction_id}/{interaction_token}/callback"
ROUNDS = 10

GAMES, FREEZES, JUMPS = 7, 20, 4
"""Games in a round on SQLite, and rounds of each kind."""

SIDE_BY_SIDE = 4
"""Bots that share those rounds, each with a file of its own."""

FROZEN, JUMPED = 13.5, 7.0
"""Seconds: longer than the 12 after which a flag falls, and a gap is a downtime; and of a wrong clock."""

ROUND = 120.0
"""Seconds that a round may take at most."""

LATE = 0.001
"""Seconds: nothing, but by the program whose clock can be put forward."""


@dataclass
class Scene:
    """What a fault can break."""

    discord: Discord
    postgres: Postgres
    bots: list[Bot]
    spare: Bot

    async def both(self) -> None:
        for bot in self.bots:
            await bot.start()
        await self.whole()

    async def whole(self) -> None:
        """Returns when every shard is kept by some process."""
        await self.discord.until(lambda: self.discord.shards == {0, 1}, timeout=60.0)


Fault = Callable[[Scene], Awaitable[None]]


async def nothing(scene: Scene) -> None:
    await asyncio.sleep(10)


async def killed(scene: Scene) -> None:
    """One of two processes is killed; the other takes its shard over, and gives it back."""
    await scene.bots[0].end(signal.SIGKILL)
    await asyncio.sleep(25)
    await scene.bots[0].start()
    await scene.bots[0].well()


async def answers_lost(scene: Scene) -> None:
    """Boards are posted and answer clicks, but Discord's answers do not arrive; then the process is killed."""
    scene.discord.fault(*POSTS, 502, times=40, applied=True)
    scene.discord.fault(*ANSWERS, 502, times=40, applied=True)
    await asyncio.sleep(0.3)
    await scene.bots[0].end(signal.SIGKILL)
    await scene.bots[0].start()
    await scene.bots[0].well()


async def overlap(scene: Scene) -> None:
    """A new version starts beside the old ones, which are then stopped one by one."""
    await scene.spare.start()
    await scene.spare.well()
    await scene.bots[0].end()
    await asyncio.sleep(5)
    await scene.bots[0].start()
    await scene.bots[0].well()
    await scene.bots[1].end()
    await asyncio.sleep(5)


async def frozen(scene: Scene) -> None:
    """A process stands still for 16 s, and goes on as if nothing had been."""
    scene.bots[0].send(signal.SIGSTOP)
    await asyncio.sleep(16)
    scene.bots[0].send(signal.SIGCONT)


async def no_database(scene: Scene) -> None:
    """The database is stopped at once, and started after 5 s."""
    await asyncio.to_thread(scene.postgres.stop, "immediate")
    await asyncio.sleep(5)
    await asyncio.to_thread(scene.postgres.start)


async def bad_discord(scene: Scene) -> None:
    """Discord answers 429, 500 and 502, closes the gateway, and ends the sessions."""
    for status in (429, 500, 502):
        scene.discord.fault(*POSTS, status, times=10, retry_after=0.5)
        scene.discord.fault(*ANSWERS, status, times=10, retry_after=0.5)
        scene.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", status, times=10, retry_after=0.5)
        await asyncio.sleep(4)
    for trouble in (scene.discord.drop, scene.discord.reconnect, scene.discord.invalidate):
        trouble()
        await asyncio.sleep(12)


async def wrong_clock(scene: Scene) -> None:
    """A third of the processes has a clock that is a minute fast, and joins in."""
    await scene.spare.start(late=-60.0)
    await asyncio.sleep(20)


FAULTS: dict[str, Fault] = {
    "nothing": nothing,
    "killed": killed,
    "answers_lost": answers_lost,
    "overlap": overlap,
    "frozen": frozen,
    "no_database": no_database,
    "bad_discord": bad_discord,
    "wrong_clock": wrong_clock,
}


async def play_on(crowd: Crowd, games: Sequence[Game], over: asyncio.Event) -> None:
    """Everybody moves, and tries again what failed, until it is over."""

    async def play(number: int, game: Game) -> None:
        await asyncio.sleep(number / RATE)
        while not over.is_set():
            begun = time.perf_counter()
            await crowd.move(game, within=8.0)
            await asyncio.sleep(max(0.2, begun + len(games) / RATE - time.perf_counter()))

    await asyncio.gather(*(play(number, game) for number, game in enumerate(games)))


async def due(crowd: Crowd, over: asyncio.Event) -> None:
    """Matches in which nobody ever moves, begun one after the other, so that clocks fall due all the while."""
    for number in range(DUE):
        if over.is_set():
            return
        try:
            await crowd.begin(1000 + number, "9x9", "10s")
        except TimeoutError:
            continue  # it was broken just then
        await asyncio.sleep(1.0)


async def broken(fault: Fault, folder: Path) -> list[Figure]:
    """What came of a fault."""
    with Postgres(DURABLE) as postgres:
        address = await postgres.create("kropka")
        async with discord_with_commands() as discord:
            settings = {"shards": 2, "processes": 2}
            bots = [Bot(f"bot{number}", folder, discord, address, **settings) for number in range(3)]
            scene = Scene(discord, postgres, bots[:2], bots[2])
            crowd, over = Crowd(discord, replies=True), asyncio.Event()
            try:
                await scene.both()
                games = await crowd.seat(TABLES, "13x13")
                playing = asyncio.gather(play_on(crowd, games, over), due(crowd, over))
                await asyncio.sleep(BEFORE)
                await fault(scene)
                await asyncio.sleep(AFTER)
                over.set()
                await playing
                await asyncio.sleep(13)  # until the last clock has fallen
                stored = await settled(address)
            finally:
                await asyncio.gather(*(bot.end() for bot in bots))
            if discord.problems:
                say("    ", Counter(discord.problems).most_common(3))
        counted = Counted(stored, crowd)
    explain(crowd.failed)
    return [
        Figure("moves of which a person was told", counted.told, "", 1, least=True),
        Figure("  of them lost", counted.lost, "", 0),
        Figure("flags that fell", counted.flags, "", 1, least=True),
        Figure("  twice in one match", counted.doubled_flags, "", 0),
        Figure("  before their time", counted.early, "", 0),
        Figure("  not at all", counted.missed, "", 0),
        Figure("boards posted", counted.posted, "", 1, least=True),
        Figure("  twice", counted.doubled_posts, "", 0),
        Figure("  never", counted.unposted, "", 0),
        Figure("worst gap at one table", counted.gap, "s"),
    ]


Event = tuple[int, int, str, str, int, int | None]
"""Match, version, kind, text, time, and when the match before it was due."""


async def settled(address: str) -> list[Event]:
    """All events, once nothing waits to be posted any more."""
    engine = create_async_engine(address)
    try:
        async with engine.connect() as connection, asyncio.timeout(SETTLED):
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


class Counted:
    """The books: what is stored beside what people were told and saw."""

    def __init__(self, stored: Sequence[tuple[object, ...]], crowd: Crowd) -> None:
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
            game = crowd.at(channel)
            if game is None:
                continue
            self._moves(game, known)
            self._posts(match, game, known)
            self._flags(known, started, control)

    def _moves(self, game: Game, known: dict[int, tuple[str, str, int]]) -> None:
        self.told += len(game.told)
        self.lost += sum(known.get(number + 1, ("", ""))[:2] != ("move", game.moves[number]) for number in game.told)
        moments = sorted(game.told.values())
        self.gap = max([self.gap, *(after - before for before, after in pairwise(moments))])

    def _posts(self, match: int, game: Game, known: dict[int, tuple[str, str, int]]) -> None:
        posts = [game.posts[f"{match}:{version}"] for version in range(len(known) + 1)]
        self.posted += sum(posts)
        self.doubled_posts += sum(count - 1 for count in posts if count > 1)
        self.unposted += posts.count(0)

    def _flags(self, known: dict[int, tuple[str, str, int]], started: int, control: str) -> None:
        if control != "10s":
            return
        flags = [at for kind, _, at in known.values() if kind == "time"]
        self.flags += len(flags)
        self.doubled_flags += max(0, len(flags) - 1)
        self.early += sum(at < started + 12_000 for at in flags)
        self.missed += not flags


def rounds(what: str, cut: Callable[[Path], tuple[Path, list[str]]], folder: Path) -> list[Figure]:
    """Some rounds of a sudden end on SQLite, each under full load."""
    lost = damaged = acknowledged = 0
    for number in range(ROUNDS):
        place = folder / f"{what}-{number}"
        place.mkdir()
        file, lines = cut(place)
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
        Figure(f"{what}: acknowledged moves in {ROUNDS} rounds", acknowledged, "", 1, least=True),
        Figure(f"{what}: lost", lost, "", 0),
        Figure(f"{what}: damaged files", damaged, "", 0),
    ]


def _written(file: Path, seconds: float, end: Callable[[subprocess.Popen[str]], None]) -> list[str]:
    """What a writer said was committed until it ended."""
    command = [sys.executable, "-m", "tests.storage.bot", f"sqlite+aiosqlite:///{file}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(seconds)
        end(process)
        process.kill()
        return [line for line in (first, *process.stdout) if line.endswith("\n")]


def kill(place: Path) -> tuple[Path, list[str]]:
    file = place / "kropka.db"
    return file, _written(file, 1.0, lambda process: None)


def power(place: Path) -> tuple[Path, list[str]]:
    """The file system lies on a device of its own, in a file. The device is copied as it is at the moment: what had not
    been written through to it is gone, as when the power goes."""
    device, copy, mounted = place / "device", place / "copy", place / "mounted"
    mounted.mkdir()
    with _mounted(device, mounted, make=True):

        def cut(process: subprocess.Popen[str]) -> None:
            process.send_signal(signal.SIGSTOP)
            shutil.copyfile(device, copy)

        lines = _written(mounted / "kropka.db", 1.0, cut)
    with _mounted(copy, mounted):
        file = place / "kropka.db"
        for name in ("kropka.db", "kropka.db-wal"):
            if (mounted / name).exists():
                shutil.copyfile(mounted / name, place / name)
    return file, lines


@contextmanager
def _mounted(device: Path, at: Path, *, make: bool = False) -> Iterator[None]:
    if make:
        with device.open("wb") as file:
            file.truncate(64 << 20)
        subprocess.run(["/sbin/mkfs.ext4", "-q", device], check=True)  # noqa: S603
    subprocess.run(["/bin/mount", "-o", "loop", device, at], check=True)  # noqa: S603
    try:
        yield
    finally:
        subprocess.run(["/bin/umount", at], check=True)  # noqa: S603


def full_disk(folder: Path) -> list[Figure]:
    """The disk is full for a while: what was acknowledged stays, what cannot be stored is refused, and it goes on."""
    place = folder / "full"
    place.mkdir()
    subprocess.run(["/bin/mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], check=True)  # noqa: S603
    try:
        ballast = place / "ballast"
        command = [sys.executable, "-m", "benchmarks.stubborn", f"sqlite+aiosqlite:///{place}/kropka.db", str(ballast)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        said = json.loads(done.stdout)
        with closing(sqlite3.connect(place / "kropka.db")) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            stored = dict(connection.execute('SELECT id, version FROM "match"'))
    finally:
        subprocess.run(["/bin/umount", place], check=True)  # noqa: S603
    lost = sum(max(0, version - stored.get(int(match), 0)) for match, version in said["told"].items())
    return [
        Figure("full disk: moves refused meanwhile", said["refused"], "", 1, least=True),
        Figure("full disk: acknowledged moves lost", lost, "", 0),
        Figure("full disk: moves stored after it had room again", said["after"], "", 1, least=True),
        Figure("full disk: damaged files", not whole, "", 0),
    ]


Disturb = Callable[[Bot, Crowd], Awaitable[tuple[int, int]]]
"""A round; returns two numbers to be summed up."""


async def _side_by_side(rounds: int, folder: Path, disturb: Disturb) -> tuple[int, int]:
    """What comes of so many rounds, shared by some bots with a file of their own each: most of a round is waiting."""
    async with AsyncExitStack() as stack:
        places = []
        for number in range(SIDE_BY_SIDE):  # one after the other: discord.py knows one address at a time
            place = folder / f"bot{number}"
            place.mkdir()
            discord = await stack.enter_async_context(discord_with_commands())
            places.append((discord, Bot("bot", place, discord, f"sqlite+aiosqlite:///{place}/kropka.db")))
        async with asyncio.TaskGroup() as group:
            each = rounds // SIDE_BY_SIDE
            tasks = [group.create_task(_alone(bot, Crowd(discord), each, disturb)) for discord, bot in places]
    found = [task.result() for task in tasks]
    return sum(first for first, _ in found), sum(second for _, second in found)


async def _alone(bot: Bot, crowd: Crowd, rounds: int, disturb: Disturb) -> tuple[int, int]:
    first = second = 0
    try:
        await bot.start(late=LATE)
        await bot.well()
        for _ in range(rounds):
            async with asyncio.timeout(ROUND):
                found = await disturb(bot, crowd)
            first, second = first + found[0], second + found[1]
    finally:
        if bot.runs:
            bot.send(signal.SIGCONT)
        await bot.end()
    explain(crowd.failed)
    return first, second


async def _seated(crowd: Crowd, clock: str, games: int = GAMES) -> list[Game]:
    numbers = range(games)
    return list(await asyncio.gather(*(crowd.begin(number, "13x13", clock) for number in numbers)))


async def _moved(crowd: Crowd, games: Sequence[Game]) -> int:
    """In how many of the games the player to move is told that he has moved."""
    return sum(await asyncio.gather(*(crowd.move(game, within=8.0) for game in games)))


async def freeze(bot: Bot, crowd: Crowd) -> tuple[int, int]:
    """The bot stands still for longer than any player has left; a second later everybody moves."""
    games = await _seated(crowd, "10s")
    await asyncio.sleep(random.uniform(0.5, 3.0))  # noqa: S311 - at any time between two heartbeats
    bot.send(signal.SIGSTOP)
    await asyncio.sleep(FROZEN)
    bot.send(signal.SIGCONT)
    await asyncio.sleep(1.0)
    moved = await _moved(crowd, games)
    return len(games), len(games) - moved


def frozen_alone(folder: Path) -> list[Figure]:
    games, lost = asyncio.run(_side_by_side(FREEZES, folder, freeze))
    return [
        Figure(
            f"frozen: games in {FREEZES} rounds of SIGSTOP for {FROZEN:g} s", games, "", FREEZES * GAMES, least=True
        ),
        Figure("frozen: lost by it", lost, "", 0),
    ]


async def jump(bot: Bot, crowd: Crowd) -> tuple[int, int]:
    """The bot's clock is put an hour forward, and back after 7 s. Games go on meanwhile, and one that begins after it
    is over when its time is."""
    games = await _seated(crowd, "1m")
    bot.send(signal.SIGUSR1)
    await asyncio.sleep(JUMPED)
    moved = await _moved(crowd, games)
    bot.send(signal.SIGUSR1)
    later = await crowd.begin(GAMES, "13x13", "10s")
    moved += await _moved(crowd, games)
    later.stands.clear()
    try:
        await asyncio.wait_for(later.stands.wait(), 20.0)
        stood = 0
    except TimeoutError:
        stood = 1
    return 2 * len(games) - moved, stood


def jumped_alone(folder: Path) -> list[Figure]:
    lost, stood = asyncio.run(_side_by_side(JUMPS, folder, jump))
    return [
        Figure(f"jump: moves refused in {JUMPS} rounds of an hour for {JUMPED:g} s", lost, "", 0),
        Figure("jump: clocks of later games that stood", stood, "", 0),
    ]


LOCAL: dict[str, Callable[[Path], list[Figure]]] = {
    "sqlite_killed": lambda folder: rounds("kill -9", kill, folder),
    "sqlite_power": lambda folder: rounds("power loss", power, folder),
    "sqlite_full": full_disk,
    "sqlite_frozen": frozen_alone,
    "sqlite_clock": jumped_alone,
}


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join([*FAULTS, *LOCAL])}")
    parser.add_argument("--folder", type=Path, help="where the logs stay")
    arguments = parser.parse_args()
    failed = False
    for name in arguments.names or [*FAULTS, *LOCAL]:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (arguments.folder or Path(temporary)) / name
            folder.mkdir(parents=True)
            say(name)
            figures = asyncio.run(broken(FAULTS[name], folder)) if name in FAULTS else LOCAL[name](folder)
        failed |= report(figures)
    return failed


if __name__ == "__main__":
    sys.exit(main())
