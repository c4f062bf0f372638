"""The herald: empties the outbox, so that every version of a match is told to its channel, in order, once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from play.ids import MatchId, MessageId
from play.match import Match
from play.store import Store

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

    def __init__(self, store: Store, announcer: Announcer, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep):
        self._store = store
        self._announcer = announcer
        self._sleep = sleep
        self._group: asyncio.TaskGroup | None = None
        self._busy: set[MatchId] = set()
        self._woken: set[MatchId] = set()

    def wake(self, match: Match) -> None:
        """A new version of `match` stands in the outbox. While nothing runs it waits there."""
        self._start(match.id)

    async def run(self) -> None:
        """Looks at the whole outbox, at once and from time to time, until it is cancelled."""
        async with asyncio.TaskGroup() as self._group:
            try:
                while True:
                    try:
                        async with self._store.read() as reader:
                            untold = await reader.untold()
                        for match in untold:
                            self._start(match)
                    except Exception:
                        log.exception("the outbox could not be read")
                    await self._sleep(RESCAN)
            finally:
                self._group = None

    def _start(self, match: MatchId) -> None:
        if self._group is None:
            return
        self._woken.add(match)
        if match not in self._busy:
            self._busy.add(match)
            self._group.create_task(self._tell(match))

    async def _tell(self, match: MatchId) -> None:
        pause = FIRST_PAUSE
        try:
            while match in self._woken:  # woken while it was at it, it looks again
                self._woken.remove(match)
                try:
                    while await self._told(match):
                        pause = FIRST_PAUSE
                except Exception:
                    log.exception("match %d could not be announced", match)
                    self._woken.add(match)
                    await self._sleep(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            self._busy.remove(match)

    async def _told(self, match: MatchId) -> bool:
        """Tells the earliest version that has not been told; False if there is none."""
        async with self._store.read() as reader:
            announcement = await reader.unannounced(match)
            if announcement is None:
                return False
            stored = await reader.match(match, announcement.version)
        assert stored is not None, "the outbox refers to a stored match"
        message: MessageId | None
        try:
            message = await self._announcer.announce(stored, announcement.previous)
        except Undeliverable as reason:
            log.warning("match %d, version %d: %s", match, announcement.version, reason)
            message = None
        async with self._store.write() as transaction:
            await transaction.announced(announcement, message)
        return True
