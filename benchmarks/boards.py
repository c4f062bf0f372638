"""The page of a board in Chromium: its weight, and how soon the first board is drawn. `python -m benchmarks.boards`."""

from __future__ import annotations

import asyncio
import gc
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from playwright.async_api import Browser, async_playwright
from pydantic import SecretStr

from benchmarks.figure import Figure, percentile
from benchmarks.players import pattern
from benchmarks.program import report
from bot.cli.serving import spare_collector
from bot.client import use_stand_in
from bot.services.job_pool import JobPool
from bot.services.rate_limits import Rate, RateLimits
from bot.settings import Hosting
from bot.website import serve_site
from loopback import Channel, Discord
from play.ids import IdempotencyKey, MatchId, UserId
from play.match import moves
from play.match.match import Match
from tests.bot.conftest import YEAR_SECONDS
from tests.bot.room import Room
from tests.browser.chromium import MISSING, find_chromium
from tests.clock import MINUTE, StoppedClock
from tests.web.processes import free_ports
from tests.web.visit import Board, link_for
from tools.program import say

MATCH = MatchId(1)
SIZE = (39, 32)
BEGUN, VISITS = 300, 15
"""Dots on the board, and how often its page is opened, each time by a browser that has nothing of it."""

FREE = Rate(10**9, 1e-9)

DRAWN = """
window.drawn = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (document.querySelectorAll('#field .stones > *').length < DOTS) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, { childList: true, subtree: true });
});
"""
"""Promises the milliseconds from the start of a page until all dots are painted."""


class Site(NamedTuple):
    """A running bot whose site is at `address`, with a game of 39x32 in a thread."""

    room: Room
    thread: Channel
    game: OpenGame
    address: str


class OpenGame:
    """A game that goes on by the turns of `pattern`."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._turns = iter(pattern(*SIZE))
        self.version = 0

    async def begin(self, count: int) -> None:
        """Plays turns of which Discord sees only the last, since to draw them all takes a minute."""
        match = await self._room.services.use_cases.matches.load(MATCH)
        async with self._room.services.store.write() as tx:
            for number in range(count):
                key, user = IdempotencyKey(number + 1), match.players[match.to_act or 0]
                match = moves.move(match, user, self._next_turn(match), self._room.clock(), key)
                await tx.matches.save(match)
            await tx.matches.move_to_channel(match.id, match.guild, match.channel)  # where only the last is posted

    async def move(self) -> None:
        """Plays the next turn."""
        user, turn = await self.choose()
        key = IdempotencyKey(self.version)
        await self._room.services.use_cases.matches.move(MATCH, user, turn, self._room.clock(), key)

    async def choose(self) -> tuple[UserId, str]:
        """Returns the next turn and its player, who has to play it."""
        match = await self._room.services.use_cases.matches.load(MATCH)
        self.version = match.version + 1
        return match.players[match.to_act or 0], self._next_turn(match)

    def _next_turn(self, match: Match) -> str:
        possible = {str(turn) for turn in match.position.moves()}
        return next(turn for turn in self._turns if turn in possible)


@asynccontextmanager
async def open_site(**options: Any) -> AsyncIterator[Site]:
    """Runs a bot with a site, and a game of so many dots as `BEGUN`. `options` are arguments of bot.parts.Setup.

    Pictures and records are made by processes, as in a running bot.
    """
    clock, (port,) = StoppedClock(), free_ports(1)
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        async with Discord(now=lambda: clock() / 1000) as discord:
            discord.world.bot_joined -= YEAR_SECONDS
            use_stand_in(discord.address)
            store = f"sqlite+aiosqlite:///{folder}/kropka.db"
            limits = RateLimits(person=FREE, server=FREE, typing=FREE)  # new ones, since each site's clock begins anew
            hosting = Hosting(web=address, client_secret=SecretStr(discord.client_secret))
            room = Room(discord, store, clock, hosting=hosting, limits=limits)
            room.options |= {"job_pool": JobPool, **options}
            await room.start()
            await room.client.tree.sync()
            thread = await room.start_match(size=f"{SIZE[0]}x{SIZE[1]}", start="empty")
            async with serve_site(room.bot.website, "127.0.0.1", port):
                game = OpenGame(room)
                await game.begin(BEGUN)
                await room.wait_for_outbox()
                spare_collector()
                yield Site(room, thread, game, address)
            await room.stop()


async def ghost_seconds(board: Board, taps: int, pause: float) -> list[float]:
    """Returns the seconds from each of so many taps on different crossings to its ghost, with a pause before each."""
    gc.collect()
    taken, columns = list[float](), itertools.cycle(board.board["view"]["coordinates"]["columns"][1:-1])
    for _ in range(taps):
        await asyncio.sleep(pause)
        begun = time.perf_counter()
        answer = await board.attempt(f"{next(columns)}2")
        taken.append(time.perf_counter() - begun)
        assert answer["is"] == "ghost", answer
    return taken


def figures() -> Iterator[Figure]:
    chromium = find_chromium()
    if chromium is None:
        say(MISSING)
        return
    yield from asyncio.run(_measure(chromium))


async def _measure(chromium: str) -> list[Figure]:
    async with (
        open_site() as site,
        async_playwright() as playwright,
        await playwright.chromium.launch(executable_path=chromium) as browser,
    ):
        spare_collector()
        board = site.room.boards(site.thread)[-1]
        found = []
        for _ in range(VISITS):
            site.room.clock.advance(MINUTE)  # by a stopped one the site would turn the later visits away
            found.append(await _visit(browser, await link_for(site.room, site.room.ola, board)))
    drawn, weights = [each[0] for each in found], [each[1] for each in found]
    name = f"the first board, {SIZE[0]}x{SIZE[1]} with {BEGUN} dots"
    return [
        Figure(f"{name}, half", percentile(drawn, 0.5), "ms", 300),
        Figure(f"{name}, worst", max(drawn), "ms"),
        Figure("the page of a board and its first board weigh", max(weights) / 1000, "kB", 150),
    ]


async def _visit(browser: Browser, link: str) -> tuple[float, int]:
    """Opens a board by a link; returns the milliseconds until its page has drawn it, and the bytes that came for it."""
    sizes: list[int] = []
    async with await browser.new_context() as context:
        page = await context.new_page()
        await page.goto(link)
        await page.wait_for_url("**/board/*")
        address = page.url
        await page.close()  # the cookie is there, and nothing else counts
        page = await context.new_page()
        client = await context.new_cdp_session(page)
        await client.send("Network.enable")
        await client.send("Network.setCacheDisabled", {"cacheDisabled": True})

        def note_response(event: Any) -> None:
            sizes.append(int(event["encodedDataLength"]))

        def note_frame(event: Any) -> None:
            sizes.append(len(event["response"]["payloadData"].encode()))

        client.on("Network.loadingFinished", note_response)
        client.on("Network.webSocketFrameReceived", note_frame)
        await page.add_init_script(DRAWN.replace("DOTS", str(BEGUN)))
        answer = await page.goto(address)
        assert answer is not None, "the page is loaded anew"
        assert answer.ok, f"the site answered {answer.status}"
        return float(await page.evaluate("() => window.drawn")), sum(sizes)


def main() -> int:
    return report(figures())


if __name__ == "__main__":
    sys.exit(main())
