"""The adapter alone: what it hears is noted, and what is to be said is said through its platform."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self
from uuid import uuid4

import aiohttp

from chat.port import Press, Typed
from matrix.connection import Connection
from matrix.markup import spoken
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from presentation.words.words import Words
from storage import Database
from tests.matrix.synapse import Account, Synapse
from use_cases import UseCases
from use_cases.worker import Timing

WAIT_SECONDS = 0.5
"""How long the server waits for something to tell."""


class Notes:
    """Implements matrix.listener.Hearer."""

    def __init__(self) -> None:
        self.lines: list[Typed] = []
        self.presses: list[Press] = []
        self.lost: list[MessageId] = []
        self.outages: list[Millis] = []
        self.parted: list[tuple[UserId, GuildId]] = []
        self.slow = asyncio.Event()
        """Set when the answer to `/slow` is ready."""
        self._news = asyncio.Event()

    async def read(self, line: Typed) -> None:
        self.lines.append(line)
        self._news.set()
        if line.text == "/slow":
            await self.slow.wait()

    async def press(self, press: Press) -> None:
        self.presses.append(press)
        self._news.set()

    async def lose(self, channel: ChannelId, message: MessageId) -> bool:
        self.lost.append(message)
        return True

    async def come_back(self, end: Millis) -> None:
        self.outages.append(end)

    async def part(self, user: UserId, guild: GuildId) -> None:
        self.parted.append((user, guild))

    async def line(self, text: str) -> Typed:
        """Returns the line of that text, once it is heard."""
        async with asyncio.timeout(60):
            while not (found := [line for line in self.lines if line.text == text]):
                self._news.clear()
                await self._news.wait()
        return found[0]

    async def pressed(self) -> Press:
        """Returns the newest press, once there is one."""
        async with asyncio.timeout(60):
            while not self.presses:
                self._news.clear()
                await self._news.wait()
        return self.presses.pop()


async def words_for(user: UserId | None, guild: GuildId | None) -> Words:
    return spoken().of("en")


class Bot:
    """The adapter of an account of its own, at work for the block."""

    def __init__(
        self,
        synapse: Synapse,
        store: Database,
        account: Account | None = None,
        address: str | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.account = account or synapse.register(f"kropka-{uuid4().hex[:8]}")
        self.user, self.notes = self.account.user, Notes()
        self.use_cases = UseCases.over(store, seeds=lambda: 4)
        self._address, self._timing = address or synapse.address, timing or Timing()

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        parts = self._address, self.account.token, self._session, self.use_cases, self._timing
        self.connection = Connection.build(*parts)
        self.platform, self.places = self.connection.platform, self.connection.places
        self.task = asyncio.create_task(self.connection.run(self.notes, words_for, WAIT_SECONDS))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
        await self._session.close()
