"""Open boards: 1,000 sockets that look at a game of 39x32, and how soon a move reaches them all.

`python -m benchmarks.boards [SOCKETS]` prints the figures. The browsers are a process of their own.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp

from bot.cli.tryout import mount_site
from bot.client import use_stand_in
from bot.settings import Hosting
from loopback import Discord
from play.ids import IdempotencyKey, MatchId, Millis, UserId
from play.people.web_session import WebLink
from tests.bot.room import Room
from tests.clock import StoppedClock
from web.access.cookies import Cookie

SOCKETS, MOVES = 1000, 10
FIRST_USER = 1_000_000
MATCH = MatchId(1)


def resident_megabytes() -> float:
    """Returns the memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def p99(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.99)]


async def watch(address: str, cookies: list[str]) -> None:
    """Opens the sockets, and writes when each has seen each version, in seconds since 1970."""
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(cookie_jar=jar, connector=aiohttp.TCPConnector(limit=0)) as http:
        headers = [{"Origin": address.rstrip("/"), "Cookie": each} for each in cookies]
        where = f"{address}live/{MATCH}"
        sockets = [await http.ws_connect(where, headers=each) for each in headers]
        seen: asyncio.Queue[float] = asyncio.Queue()

        async def read(socket: aiohttp.ClientWebSocketResponse) -> None:
            async for frame in socket:
                if frame.data.startswith('{"is":"board"'):
                    seen.put_nowait(time.time())

        tasks = [asyncio.create_task(read(socket)) for socket in sockets]
        for _ in sockets:
            await seen.get()
        print("ready", flush=True)  # noqa: T201
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            began = float(line)
            print(json.dumps([await seen.get() - began for _ in sockets]), flush=True)  # noqa: T201
        for task in tasks:
            task.cancel()


async def open_sessions(room: Room, count: int) -> list[str]:
    """Returns the cookies of so many spectators."""
    cookies = []
    for number in range(count):
        cookie = Cookie.new()
        until = Millis(room.clock() + 1000)
        link = WebLink(str(number), UserId(FIRST_USER + number), MATCH, watches=True, until=until)
        await room.services.web_sessions.exchange(link, cookie.digest)
        cookies.append(f"kropka-{cookie.id}={cookie.secret}")
    return cookies


async def measure(count: int) -> None:
    """Prints the figures."""
    with tempfile.TemporaryDirectory() as folder:
        clock = StoppedClock()
        async with Discord(now=lambda: clock() / 1000) as discord:
            use_stand_in(discord.address)
            hosting = Hosting(web=discord.address.rstrip("/"))
            room = Room(discord, f"sqlite+aiosqlite:///{folder}/kropka.db", clock, hosting=hosting)
            await room.start()
            async with mount_site(discord, room.bot.website):
                await room.client.tree.sync()
                await room.start_match(size="39x32")
                cookies = await open_sessions(room, count)
                before = resident_megabytes()
                await play_moves(room, discord.address, cookies, before)
            await room.stop()


async def play_moves(room: Room, address: str, cookies: list[str], before: float) -> None:
    """Plays moves while browsers look on, and prints how long each took to reach them."""
    program = (sys.executable, "-m", "benchmarks.boards", "watch", address)
    pipe = asyncio.subprocess.PIPE
    browsers = await asyncio.create_subprocess_exec(*program, stdin=pipe, stdout=pipe, limit=2**24)
    assert browsers.stdin is not None
    assert browsers.stdout is not None
    browsers.stdin.write(json.dumps(cookies).encode() + b"\n")
    assert (await browsers.stdout.readline()).strip() == b"ready"
    print(f"memory: {resident_megabytes() - before:.0f} MB for {len(cookies)} sockets")  # noqa: T201
    delays: list[float] = []
    for number in range(MOVES):
        match: Any = await room.services.matches.load(MATCH)
        turn, user = str(next(iter(match.position.moves()))), match.players[match.to_act]
        browsers.stdin.write(f"{time.time()}\n".encode())
        await room.services.matches.move(MATCH, user, turn, room.clock(), IdempotencyKey(number + 1))
        delays += json.loads(await browsers.stdout.readline())
        await room.wait_for_outbox()
    print(f"a move reaches all: {p99(delays) * 1000:.0f} ms at p99, {max(delays) * 1000:.0f} ms at most")  # noqa: T201
    browsers.stdin.close()
    await browsers.wait()


def main() -> None:
    if sys.argv[1:2] == ["watch"]:
        asyncio.run(watch(sys.argv[2], json.loads(sys.stdin.readline())))
    else:
        asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else SOCKETS))


if __name__ == "__main__":
    main()
