"""Open home pages beside open boards: their memory, and how soon a move is acknowledged meanwhile.

`python -m benchmarks.homes [HOMES [BOARDS]]`. The homes are a process of its own, and so are the boards. Each home is
asked for once a minute, as a page does that is looked at. Its player has ten games that go on.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import aiohttp

from benchmarks.boards import Site, open_site
from benchmarks.figure import Figure, latencies
from benchmarks.program import report
from benchmarks.sockets import network, resident_megabytes, watching_browsers
from bot.cli.serving import spare_collector
from play.ids import Millis, UserId
from play.people.web_session import MAX_SESSIONS, SESSION_MILLIS, WebSession
from tests.bot.room import Room
from tests.matches import a_match, add_shown_match
from tests.web.visit import Board, Visit, link_for
from web.access.visitors import Cookie

HOMES, BOARDS = 1000, 1000

GAMES = 10
"""Games of each player that go on."""

MINUTE_SECONDS = 60.0
"""Seconds between two answers to a home."""

MOVES = 60
"""Moves that are measured."""

FIRST_USER = 5_000_000

MEGABYTES, ACKNOWLEDGED = 150, 250
"""The limits of the memory of all homes and boards, and of a move's acknowledgement in milliseconds."""


def figures(count: int = HOMES, boards: int = BOARDS) -> Iterator[Figure]:
    yield from asyncio.run(_measure(count, boards))


async def _measure(count: int, boards: int) -> list[Figure]:
    async with open_site() as site:
        cookies = await _open_homes(site.room, count)
        spare_collector()
        gc.collect()
        before = resident_megabytes()
        async with watching_browsers(site, boards), _homes(site, cookies) as homes:
            played = await _play(site)
            gc.collect()
            memory = resident_megabytes() - before
            assert homes.stdin is not None
            assert homes.stdout is not None
            homes.stdin.write(b"\n")
            asked = json.loads(await homes.stdout.readline())
    return [
        Figure(f"memory of {count} homes and {boards} boards", memory, "MB", MEGABYTES),
        *latencies(f"a move is acknowledged, beside {count} homes", played, ACKNOWLEDGED),
        *latencies("a home is answered meanwhile", asked),
    ]


async def _play(site: Site) -> list[float]:
    """Plays by the sockets of both players; returns the seconds until each move was acknowledged."""
    room, taken = site.room, list[float]()
    async with Visit(site.address) as one, Visit(site.address) as other:
        people = {UserId(person.id): person for person in (room.ola, room.maksim)}
        boards: dict[UserId, Board] = {}
        for visit, (user, person) in zip((one, other), people.items(), strict=True):
            boards[user] = await visit.open(await link_for(room, person, room.boards(site.thread)[-1]))
        for _ in range(MOVES):
            user, turn = await site.game.choose()
            board = boards[user]
            await board.version(site.game.version - 1)
            begun = time.perf_counter()
            answer = await board.play(turn)
            taken.append(time.perf_counter() - begun)
            assert answer["is"] == "done", answer
            await room.wait_for_outbox()
    return taken


async def _open_homes(room: Room, count: int) -> list[str]:
    """Returns the cookies of so many sessions, of players with games that go on."""
    users = [UserId(FIRST_USER + number) for number in range(2 + count // MAX_SESSIONS)]
    for number, (one, other) in enumerate(
        itertools.islice(itertools.cycle(itertools.pairwise(users)), GAMES * len(users))
    ):
        await add_shown_match(room.services.store, a_match(players=(one, other), channel=FIRST_USER + number))
    cookies = []
    for user in itertools.islice(itertools.cycle(users), count):
        cookie = Cookie.new()
        async with room.services.store.write() as tx:
            until = Millis(room.clock() + SESSION_MILLIS)
            await tx.web.add(WebSession(cookie.digest, user, until), MAX_SESSIONS)
        cookies.append(f"kropka-{cookie.id}={cookie.secret}")
    return cookies


@asynccontextmanager
async def _homes(site: Site, cookies: list[str]) -> AsyncIterator[Process]:
    """Yields a process of browsers that have their homes open."""
    program = (sys.executable, "-m", "benchmarks.homes", "ask", site.address)
    homes = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE, limit=2**24)
    assert homes.stdin is not None
    assert homes.stdout is not None
    homes.stdin.write(json.dumps(cookies).encode() + b"\n")
    assert (await homes.stdout.readline()).strip() == b"ready"
    yield homes
    homes.stdin.close()
    await homes.wait()


async def _ask(address: str, cookies: list[str]) -> None:
    """Asks for the homes, each once a minute; for a line on stdin writes how many seconds each answer took."""
    taken = list[float]()
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(cookie_jar=jar, connector=aiohttp.TCPConnector(limit=0)) as http:

        async def ask(number: int, cookie: str) -> None:
            headers = {"Cookie": cookie, **network(number)}
            begun = time.perf_counter()
            async with http.get(f"{address}/home.json", headers=headers) as answer:
                told = await answer.json()
                assert answer.status == 200, told
                assert len(told["games"]) >= GAMES, told
            taken.append(time.perf_counter() - begun)

        async def keep(number: int, cookie: str) -> None:
            await asyncio.sleep(MINUTE_SECONDS * number / len(cookies))
            while True:
                await ask(number, cookie)
                await asyncio.sleep(MINUTE_SECONDS)

        async def ask_all() -> None:
            async with asyncio.TaskGroup() as group:
                for number, cookie in enumerate(cookies):
                    group.create_task(keep(number, cookie))

        reader, loop = asyncio.StreamReader(), asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        asking = asyncio.create_task(ask_all())
        print("ready", flush=True)  # noqa: T201 - to the process that measures
        waiting = asyncio.create_task(reader.readline())
        await asyncio.wait((asking, waiting), return_when=asyncio.FIRST_COMPLETED)
        if asking.done():
            asking.result()
        print(json.dumps(taken), flush=True)  # noqa: T201 - to the process that measures
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)


def main() -> int:
    if sys.argv[1:2] == ["ask"]:
        asyncio.run(_ask(sys.argv[2], json.loads(sys.stdin.readline())))
        return 0
    return report(figures(*map(int, sys.argv[1:])))


if __name__ == "__main__":
    sys.exit(main())
