"""Takes the buttons off boards that newer ones have replaced. No match waits for that."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine

import discord
from cachetools import FIFOCache

from bot.services.channels import ChannelMessenger
from play.ids import ChannelId, MessageId

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 0.2
"""Seconds between two requests that count: a tenth of the 50 a second that the whole bot may make."""

MAX_WAITING = 1000
"""Messages. If more wait, the oldest keep their buttons, which answer that they are out of date."""


class ButtonRemover:
    """Edits messages at once by their own tokens, which does not count, and the others one after the other."""

    def __init__(self, channels: ChannelMessenger, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._channels = channels
        self._sleep = sleep
        self._waiting = FIFOCache[MessageId, ChannelId](MAX_WAITING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._working = False

    def remove(self, channel: ChannelId, message: MessageId) -> None:
        """Removes the buttons of a message, now or soon."""
        if self._channels.has_token(message):
            self._start(self._edit(channel, message))
            return
        self._waiting[message] = channel
        if not self._working:
            self._working = True
            self._start(self._work())

    async def close(self) -> None:
        """Stops; messages that still wait keep their buttons."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self) -> None:
        try:
            while self._waiting:
                message, channel = self._waiting.popitem()
                await self._edit(channel, message)
                await self._sleep(INTERVAL_SECONDS)
        finally:
            self._working = False

    async def _edit(self, channel: ChannelId, message: MessageId) -> None:
        try:
            await self._channels.edit(channel, message, view=None)
        except (discord.HTTPException, OSError) as error:
            log.info("message %d keeps its buttons: %s", message, error)
