"""Open boards of one process: their memory, and how soon a move, a click in Discord and a ghost are answered meanwhile.

`python -m benchmarks.sockets [SOCKETS]`. The browsers are a process of its own. They look at one game of 39x32 with
300 dots in six languages and two themes, and offer to inflate what they get, as browsers do.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import re
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp

from benchmarks.boards import MATCH, Site, open_site
from benchmarks.figure import Figure, latencies
from benchmarks.program import report
from bot.cli.serving import spare_collector
from loopback.model import User
from play.ids import Millis, UserId
from play.people.web_session import WebLink
from presentation.words.words import languages
from tests.bot.room import Room
from tests.web.visit import Visit, link_for
from web.access.visitors import Cookie

SOCKETS, OTHERS = 1000, 200
"""Boards that are open while a move is made, and beside one on which a player tries turns."""

MOVES, TRIES = 40, 300
"""Moves that are measured, and turns that are tried."""

TAP_SECONDS = 0.1
"""Seconds between two taps, which no finger makes faster."""

FIRST_USER = 1_000_000
LANGUAGES, THEMES = tuple(languages().names), ("paper", "dark")

BOARD = re.compile(r'\{"is":"board","version":([0-9]+),')
"""How a board on the wire begins."""

DEFLATE_BITS = 15
"""The window in which a browser offers to inflate."""


def figures(count: int = SOCKETS) -> Iterator[Figure]:
    yield from asyncio.run(_measure(count))


async def _measure(count: int) -> list[Figure]:
    async with open_site() as site:
        spare_collector()
        tried = await _try_turns(site)
        found = await _play_moves(site, count)
    return [*latencies(f"a ghost, beside {OTHERS} boards", tried, 50), *found]


async def _try_turns(site: Site) -> list[float]:
    """Returns the seconds from a tap to its ghost, each; after ten of them all boards get a move."""
    taken, room, game = [], site.room, site.game
    link = await link_for(room, room.ola, room.boards(site.thread)[-1])
    async with Visit(site.address) as visit, watching_browsers(site, OTHERS):
        board = await visit.open(link)
        crossings = itertools.cycle(board.board["view"]["coordinates"]["columns"][1:-1])
        for number in range(TRIES):
            await asyncio.sleep(TAP_SECONDS)
            if number % 10 == 0:
                await game.move()
                await game.move()
                await board.version(game.version)
            begun = time.perf_counter()
            answer = await board.attempt(f"{next(crossings)}2")
            taken.append(time.perf_counter() - begun)
            assert answer["is"] == "ghost", answer
    return taken


async def _play_moves(site: Site, count: int) -> list[Figure]:
    """Returns the figures of many open boards, which get moves while a player in Discord clicks."""
    gc.collect()
    before, reached, clicks = resident_megabytes(), list[float](), list[float]()
    async with watching_browsers(site, count) as browsers:
        gc.collect()
        memory = resident_megabytes() - before
        clicking = asyncio.create_task(_click(site.room, clicks))
        for _ in range(MOVES):
            reached += await _show_move(site, browsers)
        clicking.cancel()
        await asyncio.gather(clicking, return_exceptions=True)
        await site.room.wait_for_outbox()
        busy = time.process_time()
        for _ in range(MOVES):
            await _show_move(site, browsers)
            await site.room.wait_for_outbox()
        busy = (time.process_time() - busy) / MOVES
        grown = resident_megabytes() - before
    return [
        Figure(f"memory on top of {count} open boards", memory, "MB", 100),
        Figure(f"the same after {MOVES} moves", grown, "MB", 100),
        *latencies(f"a move reaches {count} boards", reached, 250),
        Figure("a core was busy with a move, its boards and its picture for", 1000 * busy, "ms"),
        *latencies("a click in Discord is acknowledged meanwhile", clicks, 250),
    ]


async def _show_move(site: Site, browsers: Process) -> list[float]:
    """Plays a move; returns after how many seconds each browser had it."""
    assert browsers.stdin is not None
    assert browsers.stdout is not None
    browsers.stdin.write(json.dumps([site.game.version + 1, time.time()]).encode() + b"\n")
    await site.game.move()
    reached: list[float] = json.loads(await browsers.stdout.readline())
    return reached


async def _click(room: Room, taken: list[float]) -> None:
    """Notes the seconds until a command is acknowledged, again and again."""
    while True:
        begun = time.perf_counter()
        await room.kasia.command(room.general, "games").answered()
        taken.append(time.perf_counter() - begun)
        await asyncio.sleep(0.005)


@asynccontextmanager
async def watching_browsers(site: Site, count: int) -> AsyncIterator[Process]:
    """Yields a process of browsers that have the board of the game open."""
    program = (sys.executable, "-m", "benchmarks.sockets", "watch", site.address)
    browsers = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE, limit=2**24)
    assert browsers.stdin is not None
    assert browsers.stdout is not None
    browsers.stdin.write(json.dumps(await open_sessions(site.room, count)).encode() + b"\n")
    assert (await browsers.stdout.readline()).strip() == b"ready"
    yield browsers
    browsers.stdin.close()
    await browsers.wait()


async def open_sessions(room: Room, count: int) -> list[str]:
    """Returns the cookies of so many who watch the game."""
    cookies, seen = [], (await room.use_cases.matches.load(MATCH)).channel
    readers = itertools.product(THEMES, LANGUAGES)
    for number, (theme, language) in zip(range(count), itertools.cycle(readers), strict=False):
        user, cookie = UserId(FIRST_USER + number), Cookie.new()
        async with room.services.store.write() as tx:
            settings = await tx.people.get(user)
            await tx.people.save(replace(settings, language=language, theme=theme))
        room.discord.world.enrol(User(user, f"reader{number}", f"Reader {number}"))
        key = await room.services.web_sessions.link_key(user)
        link = WebLink(cookie.id, user, MATCH, Millis(room.clock() + 1000), key, seen)
        await room.services.web_sessions.exchange(link, cookie.digest)
        cookies.append(f"kropka-{cookie.id}={cookie.secret}")
    return cookies


async def _watch(address: str, cookies: list[str]) -> None:
    """Opens the boards; for each version and moment on stdin writes after how many seconds each of them had it."""
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(cookie_jar=jar, connector=aiohttp.TCPConnector(limit=0)) as http:
        headers = [{"Origin": address, "Cookie": each, **network(number)} for number, each in enumerate(cookies)]
        sockets = [await _open_board(http, f"{address}/live/{MATCH}", each) for each in headers]
        seen: asyncio.Queue[tuple[int, float]] = asyncio.Queue()

        async def read(socket: aiohttp.ClientWebSocketResponse, newest: int) -> None:
            async for frame in socket:
                found = BOARD.match(frame.data)
                if found and int(found[1]) > newest:  # the same version may come again
                    newest = int(found[1])
                    seen.put_nowait((newest, time.time()))

        tasks = [asyncio.create_task(read(*opened)) for opened in sockets]
        _say("ready")
        reader, loop = asyncio.StreamReader(), asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            version, began = json.loads(line)
            arrivals = [await seen.get() for _ in sockets]
            assert {number for number, _ in arrivals} == {version}
            _say(json.dumps([at - began for _, at in arrivals]))
        for task in tasks:
            task.cancel()


async def _open_board(
    http: aiohttp.ClientSession, address: str, headers: dict[str, str]
) -> tuple[aiohttp.ClientWebSocketResponse, int]:
    """Returns a socket that has got its first board, and its version. It comes back as browsers do while Discord does
    not say in time who may watch."""
    while True:
        socket = await http.ws_connect(address, headers=headers, compress=DEFLATE_BITS, max_msg_size=0)
        first = await socket.receive()
        if first.type is aiohttp.WSMsgType.TEXT and (board := BOARD.match(first.data)):
            return socket, int(board[1])
        await socket.close()


def network(number: int) -> dict[str, str]:
    """Returns the header by which a reverse proxy tells one browser's network from others, which have limits."""
    return {"X-Forwarded-For": f"9.{number >> 8}.{number & 255}.9"}


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - to the process that measures


def resident_megabytes() -> float:
    """Returns the memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> int:
    if sys.argv[1:2] == ["watch"]:
        asyncio.run(_watch(sys.argv[2], json.loads(sys.stdin.readline())))
        return 0
    return report(figures(*map(int, sys.argv[1:])))


if __name__ == "__main__":
    sys.exit(main())
