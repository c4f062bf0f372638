"""The herald: empties the outbox, so that every version of a match is told to its channel, in order, once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Protocol

from play.ids import MatchId, MessageId
from play.match import Match
from play.store import Announcement, Store

log = logging.getLogger(__name__)

RESCAN = 15.0
"""Seconds between two looks at the whole outbox, for what another process left behind."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds between two tries to post."""


class Undeliverable(Exception):
    """No try will ever bring this to its channel: it is gone, or the bot may not write there."""


class Announcer(Protocol):
    """Tells a channel what happened; bot/ implements it."""

    async def announce(self, match: Match, previous: MessageId | None) -> MessageId:
        """Posts the board of `match` at its version and takes the buttons off the `previous` one.

        Posting the same version twice must make one message. Raises Undeliverable; anything else is tried again.
        """


class Herald:
    """One task a match that has something to tell, so that one slow channel holds up no other."""

    def __init__(self, store: Store, announcer: Announcer) -> None:
        self._store = store
        self._announcer = announcer
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}
        self._woken: set[MatchId] = set()

    def wake(self, match: Match) -> None:
        """A new version of `match` stands in the outbox."""
        self._woken.add(match.id)
        self._start((match.id,))

    async def run(self) -> None:
        """Looks at the whole outbox, at once and from time to time, until it is cancelled."""
        try:
            while True:
                try:
                    async with self._store.read() as reader:
                        self._start(announcement.match for announcement in await reader.unannounced())
                except Exception:
                    log.exception("the outbox could not be read")
                await asyncio.sleep(RESCAN)
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _start(self, matches: Iterable[MatchId]) -> None:
        for match in matches:
            if match not in self._tasks:
                self._tasks[match] = asyncio.create_task(self._tell(match))

    async def _tell(self, match: MatchId) -> None:
        pause = FIRST_PAUSE
        while True:
            self._woken.discard(match)
            try:
                async with self._store.read() as reader:
                    waiting = await reader.unannounced(match, limit=1)
                if waiting:
                    await self._post(waiting[0])
                    pause = FIRST_PAUSE
                elif match not in self._woken:  # woken while it looked, it looks again
                    del self._tasks[match]
                    return
            except Exception:
                log.exception("match %d could not be announced", match)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _post(self, announcement: Announcement) -> None:
        async with self._store.read() as reader:
            match = await reader.match(announcement.match, announcement.version)
        assert match is not None, "the outbox refers to a stored match"
        message: MessageId | None
        try:
            message = await self._announcer.announce(match, announcement.previous)
        except Undeliverable as reason:
            log.warning("match %d, version %d: %s", match.id, match.version, reason)
            message = None
        async with self._store.write() as transaction:
            await transaction.announced(announcement, message)
