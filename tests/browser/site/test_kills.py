"""Games of a player at the web board on a phone and one in Discord, while the bot's process is killed."""

from __future__ import annotations

import re
from asyncio.subprocess import Process
from collections import Counter
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from loopback import TOKEN, Discord, Interaction, Message, Person
from play.ids import MatchId
from play.match.match import Match
from storage import Database
from tests.bot.room import private_message
from tests.bot.test_processes import wait_for_shard
from tests.browser.conftest import on_a_phone
from tests.browser.web_board import SIDE, WebBoard
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.program import kropka
from tests.web.processes import begin_game, free_ports, prepare, wait_for_site
from tests.web.visit import link_on

pytestmark = pytest.mark.process

HERS = ("E5", "E6", "F5", "D5", "G3")
HIS = ("D4", "F4", "D6", "F6", "G6")
CLOCK = "10m+30s"
"""A live clock, with which a move in Discord asks for no confirmation."""

REPEAT_SECONDS = 5.0

LONGEST_PAUSE = 20_000
"""Milliseconds after which a page has tried to connect again, however often that has failed."""


class Players:
    """A game of Ola, who is at the page, and Максим, who is in Discord. Each plays the next of their moves."""

    def __init__(self, discord: Discord, first: Message, page: WebBoard) -> None:
        self.discord = discord
        self.page = page
        self.thread = next(each for each in discord.threads if each.id == first.channel_id)
        self.maksim = discord.people["Максим"]
        self.hers, self.his = list(HERS), list(HIS)

    @property
    def versions(self) -> list[int]:
        """The versions whose boards were posted, in their order."""
        files = [file.filename for each in self.discord.messages(self.thread) for file in each.attachments]
        return [int(found[1]) for name in files if (found := re.fullmatch(r"kropka-1-(\d+)\.png", name))]

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return len(HERS) - len(self.hers) + len(HIS) - len(self.his)

    async def lay(self) -> None:
        """Ola taps her next crossing."""
        await self.page.tap(self.hers.pop(0))
        await expect(self.page.ghosts).to_have_count(1)

    async def she_plays(self) -> None:
        await self.lay()
        await self.page.button("Play").tap()
        await self.settle()

    async def he_plays(self) -> None:
        await self.maksim.command(self.thread, "move", point=self.his.pop(0)).answered()
        await self.settle()

    def send_his(self) -> Interaction:
        """Максим sends the next of these moves; returns at once."""
        return self.maksim.command(self.thread, "move", point=self.his[0])

    async def repeat_his(self) -> None:
        """Максим repeats a move until its board is posted, as a player does who got no answer."""
        move = self.his.pop(0)
        while self.moves not in self.versions:
            await self.maksim.command(self.thread, "move", point=move).answered()
            with suppress(TimeoutError):
                await self.discord.until(lambda: self.moves in self.versions, REPEAT_SECONDS)
        await self.settle()

    async def settle(self) -> None:
        """Waits until both see the last move."""
        await expect(self.page.stones).to_have_count(self.moves)
        await expect(self.page.ghosts).to_have_count(0)
        await self.discord.until(lambda: self.moves in self.versions)


async def kill(process: Process, discord: Discord) -> None:
    process.kill()
    await process.wait()
    await discord.until(lambda: not discord.online)


async def stored_match(url: str) -> Match:
    async with Database.open(url) as store, store.read() as reader:
        match = await reader.matches.get(MatchId(1))
    assert match is not None
    return match


async def open_page(discord: Discord, window: Window, first: Message, person: Person) -> WebBoard:
    link = link_on(await private_message(person.click(first, "Browser")))
    return await WebBoard.open(window.page, link, SIDE, narrow=window.narrow)


def expect_each_once(match: Match, players: Players) -> None:
    """Fails if a move was lost or counted twice, or a board posted twice or not at all."""
    assert Counter(event.text for event in match.events) == Counter(HERS + HIS)
    assert sorted(players.versions) == list(range(len(HERS + HIS) + 1))


@on_a_phone
async def test_a_player_on_a_phone_and_one_in_discord_lose_nothing_when_the_bot_is_killed_again_and_again(
    discord: Discord, window: Window, clock: StoppedClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (port,) = free_ports(1)
    address = f"http://127.0.0.1:{port}"
    await prepare(clock, monkeypatch, address)
    url = f"sqlite+aiosqlite:///{tmp_path}/kropka.db"
    settings: dict[str, Any] = {"token": TOKEN, "database": url, "discord": discord.address}
    settings |= {"web_url": address, "web_port": str(port)}
    ola, maksim = discord.people["Ola"], discord.people["Максим"]
    async with AsyncExitStack() as stack:

        async def start() -> Process:
            bot = await stack.enter_async_context(kropka(tmp_path, "run", **settings))
            await wait_for_site(port)
            await discord.until(lambda: discord.online)
            return bot

        bot = await start()
        first = await begin_game(discord, ola, maksim, discord.channels["dots"], clock=CLOCK)
        players = Players(discord, first, await open_page(discord, window, first, ola))
        if "Максим" in await players.page.status.inner_text():
            await players.he_plays()
        await players.she_plays()
        await players.he_plays()

        async def start_again() -> Process:
            again = await start()
            await players.page.page.clock.fast_forward(LONGEST_PAUSE)
            return again

        # Killed with a ghost on the page: Play is pressed while nothing listens, and counts when something does.
        await players.lay()
        await kill(bot, discord)
        await expect(players.page.page.locator("#trouble")).to_be_visible()
        await expect(players.page.ghosts).to_have_count(1)
        await players.page.button("Play").tap()
        bot = await start_again()
        await players.settle()
        await expect(players.page.page.locator("#trouble")).to_be_hidden()
        await players.he_plays()

        # Killed with a move from the page on its way.
        await players.lay()
        await players.page.button("Play").tap()
        await kill(bot, discord)
        bot = await start_again()
        await players.settle()

        # Killed with a move from Discord on its way.
        players.send_his()
        await kill(bot, discord)
        bot = await start_again()
        await players.repeat_his()
        while players.hers:
            await players.she_plays()
            if players.his:
                await players.he_plays()
        await window.page.close()
        bot.terminate()
        await bot.wait()
    # Takes out what the console says about a server that does not listen.
    window.complaints = [each for each in window.complaints if "WebSocket" not in each]
    expect_each_once(await stored_match(url), players)


@on_a_phone
async def test_a_page_at_one_process_and_a_player_in_discord_at_another_play_on_when_one_is_killed(
    discord: Discord,
    window: Window,
    clock: StoppedClock,
    tmp_path: Path,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = free_ports(2)
    address = f"http://127.0.0.1:{two}"
    await prepare(clock, monkeypatch, address)
    settings = {"token": TOKEN, "database": postgres_url, "discord": discord.address, "web_url": address}
    ola, maksim = discord.people["Ola"], discord.people["Максим"]
    async with kropka(tmp_path, "run", **settings, web_port=str(one)) as for_discord:
        await wait_for_shard(discord, for_discord)
        async with kropka(tmp_path, "run", **settings, web_port=str(two)) as for_the_page:
            await wait_for_site(two)
            first = await begin_game(discord, ola, maksim, discord.channels["dots"], clock=CLOCK)
            players = Players(discord, first, await open_page(discord, window, first, ola))
            if "Максим" in await players.page.status.inner_text():
                await players.he_plays()
            await players.she_plays()
            await players.he_plays()
            await players.lay()
            await kill(for_discord, discord)
            await players.page.button("Play").tap()  # the page's own process was not killed
            await wait_for_shard(discord, for_the_page)
            await players.settle()
            await players.he_plays()
            while players.hers:
                await players.she_plays()
                if players.his:
                    await players.he_plays()
            await window.page.close()
    expect_each_once(await stored_match(postgres_url), players)
