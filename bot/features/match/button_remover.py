"""Takes the buttons off boards that newer ones have replaced: no match waits for it, so boards go first."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING

import discord

from play.ids import ChannelId, MessageId

if TYPE_CHECKING:
    from bot.services.channels import ChannelMessenger

log = logging.getLogger(__name__)

SECONDS_BETWEEN = 0.2
"""Between two requests that count: a tenth of the 50 a second that the whole bot may make."""

MAX_WAITING = 1000
"""Messages. If more wait, the oldest keep their buttons, which answer that they are out of date."""


class ButtonRemover:
    """Edits by a message's own token at once, since that does not count, and by the bot's right one after the other."""

    def __init__(self, doors: ChannelMessenger, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._doors = doors
        self._sleep = sleep
        self._waiting: OrderedDict[MessageId, ChannelId] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._working = False

    def remove(self, channel: ChannelId, message: MessageId) -> None:
        """Removes the buttons of a message, now or soon."""
        if self._doors.has_token(message):
            self._start(self._edit(channel, message))
            return
        self._waiting[message] = channel
        if len(self._waiting) > MAX_WAITING:
            self._waiting.popitem(last=False)
        if not self._working:
            self._working = True
            self._start(self._work())

    async def close(self) -> None:
        """Stops; what still waits keeps its buttons."""
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
                message, channel = self._waiting.popitem(last=False)
                await self._edit(channel, message)
                await self._sleep(SECONDS_BETWEEN)
        finally:
            self._working = False

    async def _edit(self, channel: ChannelId, message: MessageId) -> None:
        try:
            await self._doors.edit(channel, message, view=None)
        except (discord.HTTPException, OSError) as error:
            log.info("message %d keeps its buttons: %s", message, error)
