"""The herald: empties the outbox, so that every version of a match is told to its channel, in order, once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from play.attending import Attending
from play.deciding import undisturbed
from play.ids import MatchId, MessageId
from play.match import Match
from play.notice import Notice, NoticeKind
from play.store import Announcement, Store

log = logging.getLogger(__name__)


class Undeliverable(Exception):
    """No try will ever bring this to its channel: it is gone, or the bot may not write there."""


class Announcer(Protocol):
    """Tells a channel what happened; bot/ implements it."""

    async def announce(self, match: Match, announcement: Announcement) -> MessageId:
        """Posts the board of `match` at its version and takes the buttons off the previous one.

        Posting the same version twice must make one message. Raises Undeliverable; anything else is tried again.
        """

    async def notify(self, match: Match, notice: Notice) -> None:
        """Tells one player of `match` in private, or where he wants it. Raises as `announce` does."""


class Herald(Attending):
    """Attends to what every channel has to be told."""

    def __init__(self, store: Store, announcer: Announcer, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep):
        super().__init__(sleep)
        self._store = store
        self._announcer = announcer

    def wake(self, match: Match) -> None:
        """A new version of `match` stands in the outbox. While nothing runs it waits there."""
        self._start(match.id)

    async def waiting(self) -> list[MatchId]:
        async with self._store.read() as reader:
            return await reader.untold()

    async def attend(self, match: MatchId) -> bool:
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
            message = await self._announcer.announce(stored, announcement)
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
