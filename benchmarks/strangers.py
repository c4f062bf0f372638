"""Strangers who read public pages, and a player who tries turns on another board meanwhile.

`python -m benchmarks.strangers`. The game of the pages has 500 moves on 39x32, and both players have published a sheet
of 500 turns, each with a note. The strangers are a process of its own, each in a network of its own. Those who have the
page ask whether it has changed; others read pages that nobody has read before. The limits are those of a running bot.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from sqlalchemy import insert, select

from benchmarks.boards import Site, ghost_seconds, open_site
from benchmarks.figure import Figure, latencies, percentile
from benchmarks.players import pattern
from benchmarks.program import report
from bot.cli.serving import spare_collector
from play.ids import GuildId, MatchId, UserId
from play.match.sheet import MAX_SHEETS, MAX_TURNS, Sheet
from play.match.turn_tree import TriedTurn
from rules.game import Point, Seat, point_name
from rules.registry import make_game
from storage import schema
from tests.web.finished import store_game, switch_pages
from tests.web.visit import Visit, link_for

SIZE, MOVES = (39, 32), 500

READERS = (1, 5, 20)
"""Strangers who have the page already."""

READ_SECONDS = 1 / 30
"""Seconds between two requests of a stranger: as often as one network may ask."""

COLD_GAMES, COLD_READERS = 300, 1
"""Games whose pages nobody has read, and the strangers who read them."""

TRIES, TAP_SECONDS = 120, 0.05
"""Turns that the player tries beside each crowd, and the seconds between two."""

MAX_RATIO, MAX_MILLISECONDS = 3.0, 250.0
"""The slowdown of the median, and the 99th percentile, that a crowd of strangers may cause."""


def figures() -> Iterator[Figure]:
    yield from asyncio.run(_measure())


async def _measure() -> list[Figure]:
    async with open_site(clock=time.monotonic) as site, Visit(site.address) as visit:
        pages = await publish(site, COLD_GAMES)
        board = await visit.open(await link_for(site.room, site.room.ola, site.room.boards(site.thread)[-1]))
        spare_collector()
        async with aiohttp.ClientSession() as http, http.get(pages[0]) as got:
            assert got.status == 200, got.status
        crowds = {
            **{f"{count} who have the page": (pages[:1], count) for count in READERS},
            "readers of cold pages": (pages[1:], COLD_READERS),
            "readers of a profile": ([await _profile(site)], COLD_READERS),
        }
        await ghost_seconds(board, TRIES, TAP_SECONDS)  # warms up
        found = list[Figure]()
        for name, (paths, count) in crowds.items():
            idle = await ghost_seconds(board, TRIES, TAP_SECONDS)  # just before, since other programs may come and go
            found += latencies(f"a ghost, before {name}", idle)
            async with _strangers(paths, count) as answers:
                found += _compare(name, idle, await ghost_seconds(board, TRIES, TAP_SECONDS))
            found += (Figure(f"answers {status}, {name}", count, "") for status, count in sorted(answers.items()))
            found.append(Figure(f"errors, {name}", answers.get("500", 0), "", 0))
    return found


def _compare(name: str, idle: Sequence[float], beside: Sequence[float]) -> Iterator[Figure]:
    yield from latencies(f"a ghost, {name}", beside, MAX_MILLISECONDS)
    yield Figure(f"times idle, {name}", percentile(beside, 0.5) / percentile(idle, 0.5), "", MAX_RATIO)


async def publish(site: Site, copies: int) -> list[str]:
    """Stores a finished game with notes, and so many copies without; returns the addresses of their pages."""
    room, (width, height) = site.room, SIZE
    await switch_pages(room, on=True)
    game = make_game("zagram", {"size": f"{width}x{height}", "start": "empty"})
    match = await store_game(room, room.channel, game, pattern(*SIZE)[:MOVES])
    tried = [point_name(Point(number % width, number // width)) for number in range(MAX_TURNS)]
    turns = tuple(TriedTurn(n + 1, n or None, 0, Seat(n % 2), text, "x") for n, text in enumerate(tried))
    async with room.services.store.write() as tx:
        for user in match.players:
            await tx.sheets.save(
                Sheet(match.id, UserId(user), turns, MAX_TURNS + 1, (), 1, published=True), room.clock(), MAX_SHEETS
            )
    links = room.services.web_links
    assert links is not None
    return [links.page(number) for number in (match.id, *await _copy_games(site, match.id, copies))]


async def _profile(site: Site) -> str:
    """Returns the address of the page of a player who has finished all of these games."""
    room, links = site.room, site.room.services.web_links
    assert links is not None
    return links.place(lambda paths: paths.player(GuildId(room.discord.guild.id), UserId(room.ola.id)))


async def _copy_games(site: Site, game: MatchId, count: int) -> list[MatchId]:
    """Stores so many copies of a game; returns their numbers."""
    copies = [MatchId(game + number) for number in range(1, count + 1)]
    async with site.room.services.store.write() as tx:
        connection: Any = tx.connection
        for table, key in ((schema.match, "id"), (schema.seat, "match"), (schema.event, "match")):
            found = await connection.execute(select(table).where(table.c[key] == game))
            rows = [row._asdict() for row in found]
            for copy in copies:
                await connection.execute(insert(table), [_copied(row, key, copy) for row in rows])
    return copies


def _copied(row: Mapping[str, Any], key: str, copy: MatchId) -> dict[str, Any]:
    """Returns a row of another match; an event has an idempotency key of its own."""
    own = {"source": row["source"] + copy * 10**7} if "source" in row else {}
    return {**row, key: copy, **own}


@asynccontextmanager
async def _strangers(pages: Sequence[str], count: int) -> AsyncIterator[dict[str, int]]:
    """Has strangers read pages in a process of their own; after the block its value has their answers by status."""
    program = (sys.executable, "-m", "benchmarks.strangers", "read", str(count))
    process = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(pages).encode() + b"\n")
    await process.stdout.readline()  # they have begun
    answers: dict[str, int] = {}
    yield answers
    process.stdin.close()
    answers |= json.loads(await process.stdout.readline())
    await process.wait()


async def _read(pages: Sequence[str], count: int) -> None:
    """Reads pages until stdin is closed; then writes how many answers had which status."""
    answers, left, tags = dict[str, int](), itertools.cycle(pages), dict[str, str]()
    begun = time.perf_counter()

    async def read(http: aiohttp.ClientSession, network: str) -> None:
        for number in itertools.count():
            await asyncio.sleep(max(0.0, begun + number * READ_SECONDS - time.perf_counter()))
            page = next(left)
            known = {"If-None-Match": tags[page]} if page in tags else {}
            async with http.get(page, headers={"X-Forwarded-For": network, **known}) as got:
                await got.read()
            answers[str(got.status)] = answers.get(str(got.status), 0) + 1
            if len(pages) == 1 and "Etag" in got.headers:
                tags[page] = got.headers["Etag"]

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:
        tasks = [asyncio.create_task(read(http, f"203.0.113.{number + 1}")) for number in range(count)]
        print(flush=True)  # noqa: T201 - to the process that measures
        await asyncio.to_thread(sys.stdin.read)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(answers), flush=True)  # noqa: T201 - to the process that measures


def main() -> int:
    if sys.argv[1:2] == ["read"]:
        asyncio.run(_read(json.loads(sys.stdin.readline()), int(sys.argv[2])))
        return 0
    return report(figures())


if __name__ == "__main__":
    sys.exit(main())
