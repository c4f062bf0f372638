"""Two browsers draw in one study for an hour, a stroke every three seconds, while connections are cut and the process
of the site is killed: both have the same tree, and each stroke is made once."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import AsyncExitStack, suppress
from random import Random

import aiohttp
import pytest

from tests.web import pen
from tests.web.pen import Pen
from tests.web.processes import free_ports, wait_for_site
from tests.web.visit import Visit

pytestmark = [pytest.mark.process, pytest.mark.contest]

STROKES = 1200
"""An hour of a stroke every three seconds."""

KILLS, CUT = 3, 0.05
COLUMNS = "ABCDEFGHIJKLMNOPQRST"


class Site:
    """The process of the site."""

    def __init__(self, url: str) -> None:
        self.url = url
        (self.port,) = free_ports(1)
        self.links: list[str] = []
        self._process: Process | None = None

    async def start(self) -> None:
        run = sys.executable, "-m", "tests.web.study_process", self.url, str(self.port), "2"
        self._process = await asyncio.create_subprocess_exec(*run, stdout=PIPE)
        assert self._process.stdout is not None
        self.links = [(await self._process.stdout.readline()).decode().strip() for _ in range(2)]
        await wait_for_site(self.port)

    async def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            await self._process.wait()


class Hour:
    """The deeds of the two."""

    def __init__(self, site: Site, pens: list[Pen], random: Random) -> None:
        self.site = site
        self.pens = pens
        self.random = random
        self.laid = dict[str, str]()
        self._tried = set[tuple[int | None, str]]()

    async def pass_by(self) -> None:
        """Lets the hour pass."""
        kills = set(self.random.sample(range(50, STROKES), KILLS))
        for number in range(STROKES):
            one = self.random.choice(self.pens)
            await self._draw(one, number)
            if number in kills:
                await self.site.kill()
                for each in self.pens:
                    await each.cut()
                await self.site.start()
            elif self.random.random() < CUT:
                await one.cut()
            elif self.random.random() < 0.2:
                await self.come_back(one)
                await one.settle()
        for each in self.pens:
            await self.come_back(each)
            await each.settle()

    async def come_back(self, one: Pen) -> None:
        """Opens the socket of a pen again, if it is cut."""
        if not one.is_open:
            with suppress(aiohttp.ClientError):
                await one.connect()

    async def _draw(self, one: Pen, number: int) -> None:
        turn = self.random.choice([None, *one.board["turns"]])
        text = f"{self.random.choice(COLUMNS)}{self.random.randint(1, 20)}"
        if self.random.random() < 0.3:
            await one.begin("note", turn=turn, note=f"note {number}")
        elif (turn, text) not in self._tried:
            self._tried.add((turn, text))
            self.laid[await one.begin("lay", turn=turn, text=text)] = text


@pytest.mark.parametrize("seed", range(3))
async def test_both_have_the_same_tree_and_each_stroke_is_made_once(sqlite_url: str, seed: int) -> None:
    site = Site(sqlite_url)
    await site.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(site.kill)
        browsers = [await stack.enter_async_context(Visit(f"http://127.0.0.1:{site.port}/")) for _ in range(2)]
        for browser, link in zip(browsers, site.links, strict=True):
            await browser.enter(link)
        anna = await (await pen.begin(browsers[0], size="20x20")).connect()
        boris = await (await pen.join(browsers[1], anna)).connect()
        hour = Hour(site, [anna, boris], Random(seed))
        await hour.pass_by()
        answers = {**anna.answers, **boris.answers}
        made = [key for key, answer in answers.items() if answer["is"] == "done"]
        newest = max(anna.board["version"], boris.board["version"])
        for each in hour.pens:
            await each.reach(newest)
        assert anna.tree == boris.tree
        assert len(answers) > 0.9 * STROKES
        assert newest == 1 + len(made)
        turns = anna.board["turns"]
        for key in made:
            if key in hour.laid:
                assert turns[answers[key]["turn"]]["text"] == hour.laid[key]
