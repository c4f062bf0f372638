"""The herald: empties the outbox, so that every version of a match is told to its channel, in order, once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from play.deciding import undisturbed
from play.ids import MatchId, MessageId
from play.match import Match
from play.notice import Notice, NoticeKind
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

    async def notify(self, match: Match, notice: Notice) -> None:
        """Tells one player of `match` in private, or where he wants it. Raises as `announce` does."""


class Herald:
    """One task a match that has something to tell, so that one slow channel holds up no other."""

    def __init__(self, store: Store, announcer: Announcer, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep):
        self._store = store
        self._announcer = announcer
        self._sleep = sleep
        self._group: asyncio.TaskGroup | None = None
        self._busy: set[MatchId] = set()
        self._woken: set[MatchId] = set()
        self._stopping = asyncio.Event()

    def wake(self, match: Match) -> None:
        """A new version of `match` stands in the outbox. While nothing runs it waits there."""
        self._start(match.id)

    async def run(self) -> None:
        """Looks at the whole outbox, at once and from time to time, until it is told to stop."""
        async with asyncio.TaskGroup() as self._group:
            try:
                while not self._stopping.is_set():
                    try:
                        async with self._store.read() as reader:
                            untold = await reader.untold()
                        for match in untold:
                            self._start(match)
                    except Exception:
                        log.exception("the outbox could not be read")
                    await self._rest(RESCAN)
            finally:
                self._group = None

    def stop(self) -> None:
        """Ends `run` when what was woken is told, or has failed once more: then it waits in the outbox."""
        self._stopping.set()

    async def _rest(self, seconds: float) -> None:
        """Sleeps, but not past the wish to stop."""
        resting = [asyncio.ensure_future(self._sleep(seconds)), asyncio.ensure_future(self._stopping.wait())]
        try:
            await asyncio.wait(resting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in resting:
                each.cancel()

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
                    if self._stopping.is_set():
                        break
                    self._woken.add(match)
                    await self._rest(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
        finally:
            self._busy.remove(match)

    async def _told(self, match: MatchId) -> bool:
        """Tells the earliest version that has not been told, or else a notice; False if nothing more waited then."""
        async with self._store.read() as reader:
            announcement, notice = await reader.unannounced(match), await reader.notice(match)
            if announcement is None and notice is None:
                return False
            stored = await reader.match(match, announcement.version if announcement else None)
        if announcement is None:
            assert notice is not None, "there is something to tell"
            assert stored is not None, "a notice is of a stored match"
            await self._notified(stored, notice)
            return True
        assert stored is not None, "the outbox refers to a stored match"
        message: MessageId | None
        try:
            message = await self._announcer.announce(stored, announcement.previous)
        except Undeliverable as reason:
            log.warning("match %d, version %d: %s", match, announcement.version, reason)
            message = None
        await undisturbed(partial(self._note, announcement, message))
        return message is None or notice is not None or not announcement.last

    async def _note(self, announcement: Announcement, message: MessageId | None) -> None:
        async with self._store.write() as transaction:
            await transaction.announced(announcement, message)

    async def _notified(self, match: Match, notice: Notice) -> None:
        """Delivers a notice, unless a reminder has come too late."""
        try:
            if notice.kind is NoticeKind.LOST or notice.version == match.version:
                await self._announcer.notify(match, notice)
        except Undeliverable as reason:
            log.warning("match %d, notice to %d: %s", match.id, notice.user, reason)
        async with self._store.write() as transaction:
            await transaction.notified(notice)
