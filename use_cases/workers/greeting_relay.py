"""The relay of greetings: posts each to its channel once, also after a restart."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Protocol

from play.community.greeting import Greeting
from play.ids import GuildId
from storage import Database
from use_cases.worker import Timing, Undeliverable, Worker

log = logging.getLogger(__name__)


class Greeter(Protocol):
    """Posts greetings; bot/ implements it."""

    async def greet(self, greeting: Greeting) -> None:
        """Posts a greeting; posting twice makes one message. Raises Undeliverable."""


class GreetingRelay(Worker[GuildId]):
    """Posts greetings in their order. One that cannot be posted is never tried again: silence is polite, too."""

    def __init__(self, store: Database, greeter: Greeter, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._greeter = greeter

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.greetings.pending(limit)

    async def process(self, key: GuildId) -> None:
        async with self._store.read() as reader:
            greeting, now = await reader.greetings.get(key), await reader.clock.now()
        if greeting is None or greeting.posted:
            return  # another process was faster
        if greeting.is_too_old(now):
            log.info("server %d is not greeted: that took too long", key)
        else:
            try:
                await self._greeter.greet(greeting)
            except Undeliverable as reason:
                log.info("server %d is not greeted: %s", key, reason)
        async with self._store.write() as tx:
            await tx.greetings.put(replace(greeting, posted=True))
