"""Many searches for a stranger beside many moves: `python -m benchmarks.meetings --help`.

One process looks, moves and pairs. On PostgreSQL a second one pairs as well; it is frozen for a third of the time, and
killed and begun anew in the middle of the rest. Chats are left out: a call takes 50 ms, and players answer at once.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import insert, select

from benchmarks.figure import Figure, latencies
from benchmarks.program import run
from benchmarks.seekers import CONTROLS, FLEXIBLE, RULES
from play.challenge.pool import pool_of
from play.challenge.terms import Terms
from play.clock import Speed
from play.community.seek import Seek, SeekCall, SeekState
from play.ids import ChannelId, GuildId, IdempotencyKey, MessageId, Millis, UserId
from play.match.match import Match
from play.refusal import Refused
from rules.registry import GAMES, make_game
from storage import Database, schema
from storage.errors import Stale
from storage.statements import AnyRow
from tests.matches import a_match, add_match
from tools.program import argument_parser
from use_cases import UseCases
from use_cases.limits import Capacity
from use_cases.worker import Timing
from use_cases.workers.matchmaker import SEEK_POLL_SECONDS, Matchmaker, Posted

CALL_SECONDS, ANSWER_SECONDS = 0.05, 0.25
"""How long the chat takes for a call; and between two looks of the players at their calls."""

MAX_DRAIN_SECONDS = 120.0
"""After the last search, until no pair is called any more."""

MOVE_MATCHES, FIRST_USER = 200, 1_000_000
MAX_SECONDS, MAX_MOVES = 15.0, 12.0
"""From search to board for 99 of 100; and how many moves cost as much of the processor's time as a search."""

_seek = schema.seek.c


class Chat:
    """Calls players: a call that is posted twice is one message, by its nonce."""

    def __init__(self) -> None:
        self.posts = Counter[tuple[int, UserId]]()

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        await asyncio.sleep(CALL_SECONDS)
        self.posts[seek.id, opponent] += 1
        return [Posted(seek.channel, MessageId(10_000_000 + seek.id))]

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        return None if seek.call is None else ChannelId(seek.call)

    async def settle(self, call: SeekCall) -> None:
        """Is called by another worker, which does not run here."""


def _matchmaker(store: Database, use_cases: UseCases, chat: Chat) -> Matchmaker:
    capacity = Capacity(max_of_server=1_000_000)
    timing = Timing().polling(SEEK_POLL_SECONDS).for_play
    maker = Matchmaker(store, use_cases.seeks, use_cases.events, capacity, chat, lambda: 4, timing)
    use_cases.events.seeks_changed.subscribe(maker.wake)
    return maker


async def pair_beside(address: str) -> None:
    """Is the second process: pairs until it is killed."""
    async with Database.open(address) as store:
        await _matchmaker(store, UseCases.over(store, lambda: 4), Chat()).run()


class Second:
    """The second process, which is frozen, killed and begun anew."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "benchmarks.meetings", "--beside", self._address])  # noqa: S603

    async def suffer(self, seconds: float) -> None:
        """Freezes it for a third of the time, wakes it, kills it, and starts it again."""
        try:
            await asyncio.sleep(seconds / 3)
            self._process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(seconds / 3)
            self._process.send_signal(signal.SIGCONT)
            await asyncio.sleep(seconds / 6)
            self._process.kill()
            self._process.wait()
            self._process = self._start()
            await asyncio.sleep(seconds / 6)
        finally:
            self._process.kill()
            self._process.wait()


class Players:
    """Players who look for a stranger at a rate, answer their calls, and note when their board is there."""

    def __init__(self, store: Database, use_cases: UseCases) -> None:
        self._store, self._use_cases = store, use_cases
        self._chance = random.Random(5)  # noqa: S311 - the same each time
        self.began: dict[UserId, float] = {}
        self.boards: dict[UserId, float] = {}

    async def rate(self, number: int) -> None:
        pools = {str(pool_of(GAMES[key], CONTROLS[Speed.LIVE])) for key in RULES}
        rows = [
            {"user": FIRST_USER + place, "pool": pool, "value": self._chance.gauss(1500, 250), "deviation": 80.0}
            | {"volatility": 0.06, "at": 0, "games": 30}
            for place in range(number)
            for pool in pools
        ]
        async with self._store.write() as tx:
            await tx.connection.execute(insert(schema.rating), rows)

    async def look(self, number: int, rate: float) -> None:
        begun = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for place in range(number):
                await asyncio.sleep(max(0.0, begun + place / rate - time.perf_counter()))
                group.create_task(self._look(UserId(FIRST_USER + place)))

    async def _look(self, user: UserId) -> None:
        rules = self._chance.choices([*RULES], [*RULES.values()])[0]
        terms = Terms(GAMES[rules], CONTROLS[Speed.LIVE], rated=True)
        now = await _time(self._store)
        self.began[user] = time.perf_counter()
        await self._use_cases.seeks.look(
            user, GuildId(user % 200), ChannelId(user), terms, now, flexible=self._chance.random() < FLEXIBLE
        )

    async def answer(self) -> None:
        """Answers calls, and notes boards, until it is cancelled."""
        called = _seek.state == SeekState.CALLED.value, _seek.call.is_not(None), ~_seek.ready
        asked = select(_seek.id, _seek.user).where(*called)
        played = select(_seek.user).where(_seek.match.is_not(None))
        while True:
            await asyncio.sleep(ANSWER_SECONDS)
            async with self._store.read() as reader:
                now = await reader.clock.now()
                calls = (await reader.connection.execute(asked)).all()
                done = (await reader.connection.execute(played)).all()
            seen = time.perf_counter()
            for row in done:
                self.boards.setdefault(row.user, seen - self.began[row.user])
            for row in calls:
                with suppress(Refused, Stale):
                    await self._use_cases.seeks.answer(row.id, row.user, now)


class Movers:
    """Games in which players move all the time."""

    def __init__(self, store: Database, use_cases: UseCases) -> None:
        self._store, self._use_cases = store, use_cases
        self._games: list[Match] = []

    async def begin(self) -> None:
        game, now = make_game("zagram", {"size": "39x32"}), await _time(self._store)
        for place in range(MOVE_MATCHES):
            match = a_match(500_000 + place, game=game, at=now)
            self._games.append(await add_match(self._store, match))

    async def move(self, rate: float, is_over: Callable[[], bool]) -> int:
        """Moves at a rate until it is over; returns how many moves were made."""
        begun, made = time.perf_counter(), 0
        while not is_over():
            await asyncio.sleep(max(0.0, begun + made / rate - time.perf_counter()))
            match = self._games[made % MOVE_MATCHES]
            assert match.to_act is not None, "it goes on"
            player, point = match.players[match.to_act], str(next(iter(match.position.moves())))
            key, now = IdempotencyKey(-match.id * 1_000_000 - match.version), await _time(self._store)
            moved = await self._use_cases.matches.move(match.id, player, point, now, key, version=match.version)
            self._games[made % MOVE_MATCHES] = moved
            made += 1
        return made


async def _drain(store: Database) -> None:
    """Waits until each pair has its game, or no longer than a while."""
    end = time.perf_counter() + MAX_DRAIN_SECONDS
    while time.perf_counter() < end:
        await asyncio.sleep(1)
        async with store.read() as reader:
            if not await reader.seeks.called(await reader.clock.now(), 1):
                return


async def _time(store: Database) -> Millis:
    async with store.read() as reader:
        return await reader.clock.now()


@asynccontextmanager
async def _running(maker: Matchmaker) -> AsyncIterator[None]:
    task = asyncio.create_task(maker.run())
    try:
        yield
    finally:
        maker.stop()
        await task


async def measure(arguments: argparse.Namespace, address: str, _: Path) -> list[Figure]:
    """Measures moves alone, then searches beside moves."""
    number = round(arguments.rate * arguments.seconds)
    async with Database.open(address) as store:
        use_cases, chat = UseCases.over(store, lambda: random.getrandbits(50)), Chat()
        players = Players(store, use_cases)
        await players.rate(number)
        movers = Movers(store, use_cases)
        await movers.begin()
        end, busy = time.perf_counter() + arguments.seconds / 4, time.process_time()
        alone = await movers.move(arguments.moves, lambda: time.perf_counter() > end)
        of_move = (time.process_time() - busy) / alone
        second = Second(address) if arguments.database == "postgres" else None
        beside = asyncio.create_task(second.suffer(arguments.seconds)) if second else None
        busy, begun = time.process_time(), time.perf_counter()
        async with _running(_matchmaker(store, use_cases, chat)):
            answering = asyncio.create_task(players.answer())
            looking = asyncio.create_task(players.look(number, arguments.rate))
            made = await movers.move(arguments.moves, looking.done)
            await looking
            spent = time.perf_counter() - begun
            of_search = (time.process_time() - busy - made * of_move) / number
            if beside:
                await beside
            await _drain(store)
            answering.cancel()
        async with store.read() as reader:
            rows = (await reader.connection.execute(schema.seek.select())).all()
    return [
        *_figures(rows, players, chat, number),
        *[
            Figure("moves beside", made / spent, "/s"),
            Figure("moves alone", alone / (arguments.seconds / 4), "/s"),
            Figure("processor's time of a search, with its pair and game", 1000 * of_search, "ms of a core"),
            Figure("as much as this many moves", of_search / of_move, "", MAX_MOVES),
        ],
    ]


def _figures(rows: Sequence[AnyRow], players: Players, chat: Chat, number: int) -> Iterator[Figure]:
    states = Counter(row.state for row in rows)
    games = Counter(row.match for row in rows if row.match is not None)
    playing = {row.user for row in rows if row.match is not None}
    yield Figure("searches", len(rows), "", number, least=True)
    yield from (Figure(f"searches {state}", states[state], "") for state in sorted(states))
    yield Figure("pairs that have no game yet", states[SeekState.CALLED.value], "", 0)
    yield Figure("games without two searches", sum(count != 2 for count in games.values()), "", 0)
    yield Figure("players with two games", games.total() - len(playing), "", 0)
    yield Figure("calls posted twice, which are one message", sum(count - 1 for count in chat.posts.values()), "")
    yield from latencies("search to board", [*players.boards.values()], 1000 * MAX_SECONDS)


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--beside", metavar="ADDRESS", help="pair as a second process")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rate", type=float, default=5000 / 600, help="searches a second")
    parser.add_argument("--moves", type=float, default=60.0, help="moves a second")
    if (known := parser.parse_known_args()[0]).beside:
        asyncio.run(pair_beside(known.beside))
        return 0
    return run(parser, measure)


if __name__ == "__main__":
    sys.exit(main())
