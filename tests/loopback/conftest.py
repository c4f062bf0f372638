"""The stand-in, a clock that tests move, and a bot that is connected."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord as library
import pytest
import yarl

from loopback import HANG_SECONDS, TOKEN, Channel, Discord, Person
from tests.facts import OPENAPI
from tests.loopback.bot import Bot

Json = dict[str, Any]

NAMED = {"User-Agent": "DiscordBot (https://dots.example, 1)"}
"""The name of its sender, which each request to Discord has to have."""

AS_BOT = {**NAMED, "Authorization": f"Bot {TOKEN}"}


class Clock:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


def point(monkeypatch: pytest.MonkeyPatch, discord: Discord) -> None:
    """Points discord.py at the stand-in."""
    monkeypatch.setattr(library.http.Route, "BASE", discord.api)
    monkeypatch.setattr(library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(discord.gateway))
    monkeypatch.setattr(library.asset.Asset, "BASE", discord.cdn)


@pytest.fixture
async def discord(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """A Discord without the bot; a test that wants problems takes them out of the list, since none may be left."""
    async with Discord(now=clock, openapi=OPENAPI) as discord:
        point(monkeypatch, discord)
        yield discord
        assert discord.problems == []


@asynccontextmanager
async def visitor(discord: Discord) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser that has opened the printed address."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(discord.page_address) as answer:
            assert answer.status == 200
        yield session


@pytest.fixture
async def stranger() -> AsyncIterator[aiohttp.ClientSession]:
    """A client that knows neither the key nor the token."""
    async with aiohttp.ClientSession(headers=NAMED, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


@pytest.fixture
async def owner(discord: Discord) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser that has opened the printed address."""
    async with visitor(discord) as session:
        yield session


async def raw(discord: Discord, request: str) -> str:
    """The first line of the answer to bytes that no client would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", yarl.URL(discord.address).port)
    writer.write(request.replace("\n", "\r\n").encode())
    try:
        async with asyncio.timeout(HANG_SECONDS):
            return (await reader.readline()).decode().strip()
    finally:
        writer.close()


@pytest.fixture
def intents() -> library.Intents:
    return library.Intents(guilds=True, guild_messages=True, dm_messages=True)


@asynccontextmanager
async def connected(bot: Bot) -> AsyncIterator[Bot]:
    """The bot, connected and ready, until the end of the block."""
    async with bot:
        running = asyncio.create_task(bot.start(TOKEN))
        ready = asyncio.create_task(bot.wait_until_ready())
        await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        try:
            yield bot
        finally:
            await bot.close()
            await running


@pytest.fixture
async def bot(discord: Discord, intents: library.Intents) -> AsyncIterator[Bot]:
    """The bot, connected to the stand-in."""
    async with connected(Bot(intents)) as bot:
        yield bot


@pytest.fixture
def dots(discord: Discord) -> Channel:
    return discord.channels["dots"]


@pytest.fixture
def ola(discord: Discord) -> Person:
    return discord.people["Ola"]


@pytest.fixture
def maksim(discord: Discord) -> Person:
    return discord.people["Максим"]


class Page:
    """The page's end of the WebSocket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send(self, kind: str, **fields: Any) -> None:
        await self.socket.send_json({"t": kind, **fields})

    async def next(self, kind: str) -> Json:
        """Returns the next frame of a kind."""
        while True:
            frame: Json = await self.socket.receive_json(timeout=HANG_SECONDS)
            if frame["t"] == kind:
                return frame


@pytest.fixture
async def page(discord: Discord, ola: Person) -> AsyncIterator[Page]:
    """Yields Ola's page."""
    async with (
        visitor(discord) as session,
        session.ws_connect(f"{discord.address}page/ws", params={"seat": str(ola.id)}) as socket,
    ):
        yield Page(socket)
