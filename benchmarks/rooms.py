"""Measures how many moves a second Kropka serves on Matrix, each with its board: `python -m benchmarks.rooms --help`.

A Synapse on SQLite, the players and the bot share this machine. Each game has a thread; its players answer each board
at once. Which of the three keeps a core busy is what bounds the rate; with `--limits` it is the homeserver: ten events
of an account at once, then one in five seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import aiohttp

from benchmarks.figure import Figure, latencies
from benchmarks.fleet import ROOT
from benchmarks.players import pattern
from benchmarks.program import report_failures, run
from matrix.places import Spot
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, IdentityKind, Platform, UserId
from play.people.settings import PlayerSettings
from rules.registry import make_game
from storage import Database
from tests.matrix.synapse import Account, Synapse
from tools.program import argument_parser
from use_cases import UseCases

CLIENT: Final = "/_matrix/client/v3"

GAMES_OF_ROOM: Final = 10
"""Games of the same two players, who have a room of their own."""

SYNC_MILLIS: Final = 20_000
FILTER: Final = "%7B%22room%22:%7B%22timeline%22:%7B%22limit%22:500%7D%7D%7D"
"""A sync tells at most ten events of a room otherwise."""

BOARD = re.compile(r"kropka-([0-9]+)-([0-9]+)\.png")
"""The file name of a board, with match and version."""


@dataclass(eq=False)
class Game:
    """A game in the thread `root`: its moves, and when the last of them was typed."""

    players: tuple[Account, Account]
    room: str
    root: str
    moves: list[str]
    made: int = 0
    typed: float = 0.0


@dataclass
class Table:
    """All games, and what is measured: the seconds from a typed move to its board."""

    address: str
    session: aiohttp.ClientSession
    games: dict[str, Game] = field(default_factory=dict)
    boards: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    keys: Iterator[int] = field(default_factory=count)

    async def ask(self, account: Account, method: str, path: str, body: object = None) -> Any:
        """Returns what the homeserver answers to a player; waits where it is told to."""
        headers = {"Authorization": f"Bearer {account.token}"}
        while True:
            async with self.session.request(
                method, f"{self.address}{CLIENT}{path}", json=body, headers=headers
            ) as answer:
                found = await answer.json()
            if answer.status != 429:
                answer.raise_for_status()
                return found
            await asyncio.sleep(found.get("retry_after_ms", 1000) / 1000)

    async def say(self, account: Account, room: str, text: str, root: str | None = None) -> str:
        """Types a line, in a thread if that is given."""
        said: dict[str, Any] = {"msgtype": "m.text", "body": text}
        if root is not None:
            said["m.relates_to"] = {"rel_type": "m.thread", "event_id": root, "is_falling_back": True}
        path = f"/rooms/{room}/send/m.room.message/k{next(self.keys)}"
        return str((await self.ask(account, "PUT", path, said))["event_id"])

    async def watch(self, room: str, account: Account) -> None:
        """Answers each board of a room with the next move, until it is cancelled."""
        since = ""
        while True:
            found = await self.ask(
                account, "GET", f"/sync?filter={FILTER}&timeout={SYNC_MILLIS}{since and f'&since={since}'}"
            )
            since = found["next_batch"]
            told = found.get("rooms", {}).get("join", {}).get(room, {}).get("timeline", {})
            if told.get("limited"):
                self.failed["more boards at once than a sync tells"] += 1
            await asyncio.gather(*map(self._answer, told.get("events", ())))

    async def _answer(self, event: dict[str, Any]) -> None:
        content = event["content"]
        game = self.games.get(content.get("m.relates_to", {}).get("event_id", ""))
        board = BOARD.fullmatch(content.get("filename", ""))
        if game is None or board is None or int(board[2]) != game.made:
            return
        if game.typed:
            self.boards.append(time.perf_counter() - game.typed)
        if game.made < len(game.moves):
            move, player = game.moves[game.made], game.players[game.made % 2]
            game.made, game.typed = game.made + 1, time.perf_counter()
            await self.say(player, game.room, move, game.root)


class Kropka:
    """A process of the bot on a homeserver."""

    def __init__(self, synapse: Synapse, account: Account, database: str, folder: Path) -> None:
        self._folder = folder
        self._environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "KROPKA_MATRIX_HOMESERVER": synapse.address,
            "KROPKA_MATRIX_TOKEN": account.token,
            "KROPKA_DATABASE": database,
            "KROPKA_THINKERS": "0",
            "KROPKA_REQUESTS": "100000",
        }
        self._process: Process | None = None

    async def start(self) -> None:
        log = (self._folder / "bot.log").open("ab")
        program = (sys.executable, "-m", "bot", "run")
        self._process = await asyncio.create_subprocess_exec(
            *program, cwd=self._folder, env=self._environment, stdout=DEVNULL, stderr=log
        )

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was started"
        return self._process.pid

    async def stop(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()


def cpu_seconds(pid: int) -> float:
    """Returns the seconds of a core that a process has used."""
    spent = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")


async def seat(
    table: Table, synapse: Synapse, bot: Account, store: Database, number: int, games: int, size: str
) -> None:
    """Makes a room of two players and the bot, with games that have begun: their first boards are to be posted."""
    players = [await asyncio.to_thread(synapse.register, f"player-{number}-{seat}") for seat in range(2)]
    made = {"preset": "public_chat", "invite": [bot.user]}
    room: str = (await table.ask(players[0], "POST", "/createRoom", made))["room_id"]
    for account in (players[1], bot):
        await table.ask(account, "POST", f"/join/{room}", {})
    use_cases = UseCases.over(store, seeds=lambda: 0)
    take = use_cases.identities.take
    users = [UserId(await take(Platform.MATRIX, IdentityKind.USER, each.user)) for each in players]
    guild = GuildId(await take(Platform.MATRIX, IdentityKind.PLACE, room))
    for user in users:
        async with store.write() as tx:
            await tx.people.save(PlayerSettings(user, confirm_days=False))
    terms = Terms(make_game("zagram", {"size": size, "start": "empty"}), parse_control("3d"), Order.FIRST)
    for _ in range(games):
        root = await table.say(players[0], room, "…")
        place = ChannelId(await take(Platform.MATRIX, IdentityKind.PLACE, Spot(room, root).native))
        async with store.read() as reader:
            now = await reader.clock.now()
        key = IdempotencyKey(next(table.keys))
        offered = await use_cases.challenges.challenge(users[0], users[1], guild, ChannelId(guild), terms, now, key)
        await use_cases.challenges.accept(offered.id, users[1], now, thread=place)
        width, height = map(int, size.split("x"))
        table.games[root] = Game((players[0], players[1]), room, root, pattern(width, height))


async def measure(arguments: argparse.Namespace, database: str, folder: Path) -> list[Figure]:
    """Returns the figures."""
    connector = aiohttp.TCPConnector(limit=0)
    with Synapse(limits=arguments.limits) as synapse:
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(300)) as session:
            table = Table(synapse.address, session)
            bot = await asyncio.to_thread(synapse.register, "kropka")
            rooms = range(0, arguments.games, GAMES_OF_ROOM)
            async with Database.open(database) as store:
                for number in rooms:
                    games = min(GAMES_OF_ROOM, arguments.games - number)
                    await seat(table, synapse, bot, store, number, games, arguments.size)
            return await _play(arguments, table, synapse, Kropka(synapse, bot, database, folder))


async def _play(arguments: argparse.Namespace, table: Table, synapse: Synapse, kropka: Kropka) -> list[Figure]:
    watched = {game.room: game.players[0] for game in table.games.values()}
    watching = [asyncio.create_task(table.watch(room, account)) for room, account in watched.items()]
    try:
        await kropka.start()
        async with asyncio.timeout(arguments.patience):
            while any(not game.made for game in table.games.values()):  # noqa: ASYNC110 - other processes post them
                await asyncio.sleep(0.5)
        table.boards.clear()
        pids = {"Kropka": kropka.pid, "Synapse": synapse.pid, "the players": os.getpid()}
        before, began = {name: cpu_seconds(pid) for name, pid in pids.items()}, time.perf_counter()
        await asyncio.sleep(arguments.seconds)
        spent = time.perf_counter() - began
        busy = {name: cpu_seconds(pid) - before[name] for name, pid in pids.items()}
    finally:
        for task in watching:
            task.cancel()
        ended = await asyncio.gather(*watching, return_exceptions=True)
        await kropka.stop()
    table.failed.update(type(end).__name__ for end in _failures(ended))
    report_failures(table.failed)
    moves = len(table.boards)
    setup = f"{arguments.games} games, {arguments.size}, {'with' if arguments.limits else 'without'} limits"
    return [
        Figure(f"moves with a board, {setup}", moves / spent, "/s"),
        *latencies("typed move to board", table.boards),
        *(Figure(f"of a core, {name}", seconds / spent, "") for name, seconds in busy.items()),
        *(
            Figure(f"a core was busy with a move, {name}", 1000 * seconds / max(1, moves), "ms")
            for name, seconds in busy.items()
        ),
        Figure("what failed", table.failed.total(), "", 0),
    ]


def _failures(ended: Iterable[object]) -> Iterator[BaseException]:
    for end in ended:
        if isinstance(end, BaseException) and not isinstance(end, asyncio.CancelledError):
            yield end


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--size", default="20x20")
    parser.add_argument("--limits", action=argparse.BooleanOptionalAction, default=False, help="Synapse's rate limits")
    parser.add_argument("--patience", type=float, default=600.0, help="seconds for the first boards of all games")
    return run(parser, measure)


if __name__ == "__main__":
    sys.exit(main())
