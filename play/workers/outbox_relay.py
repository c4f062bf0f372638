"""The herald: empties the outbox, so that every version of a match is told to its channel, in order, once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Protocol

from play.ids import MatchId, MessageId
from play.match.match import Match
from play.match.notice import Notice, NoticeKind
from play.services.match_writer import ANSWERABLE, undisturbed
from play.store.store import Announcement, Store
from play.workers.worker import Attending

log = logging.getLogger(__name__)


class Undeliverable(Exception):
    """No try will ever bring this to its channel: it is gone, or the bot may not write there."""


class Announcer(Protocol):
    """Tells a channel what happened; bot/ implements it."""

    async def announce(self, match: Match, announcement: Announcement) -> MessageId:
        """Posts the board of `match` at its version and takes the buttons off the previous one.

        Posting the same version twice must make one message. If the announcement has an `answer_until`, the answer to a
        click may have brought the board: then the channel is looked through first. Raises Undeliverable; anything else
        is tried again.
        """

    async def notify(self, match: Match, notice: Notice) -> None:
        """Tells one player of `match` in private, or where he wants it. Raises as `announce` does."""


class Reservation:
    """The right to deliver the next version of a match as the answer to its player's click.

    Attributes:
        version: the version to deliver, once it is stored.
        sent: whether Discord may have got the answer.
        delivered: whether it stands in the channel for certain.
        woken: the newest version of the match that the herald was woken for meanwhile.
        released: set when the right has ended.
    """

    def __init__(self, note: Callable[[Announcement, MessageId | None], Awaitable[None]]) -> None:
        self._note = note
        self.version: int | None = None
        self.sent = False
        self.delivered = False
        self.woken = 0
        self.released = asyncio.Event()

    async def deliver(self, announcement: Announcement, message: MessageId) -> None:
        """Notes that the board stands in `message`. Raises Refused and Unavailable: then the herald finds it there."""
        self.sent = True
        await self._note(announcement, message)
        self.delivered = True


class Herald(Attending):
    """Attends to what every channel has to be told."""

    def __init__(self, store: Store, announcer: Announcer, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep):
        super().__init__(sleep)
        self._store = store
        self._announcer = announcer
        self._reserved: dict[MatchId, Reservation] = {}
        self._unsent: set[tuple[MatchId, int]] = set()  # of those that an answer might have brought

    def wake(self, match: Match) -> None:
        """A new version of `match` stands in the outbox. While nothing runs it waits there."""
        reservation = self._reserved.get(match.id)
        if reservation is None:
            self._start(match.id)
        else:
            reservation.woken = max(reservation.woken, match.version)

    @asynccontextmanager
    async def reserve(self, match: MatchId, patience: float) -> AsyncIterator[Reservation | None]:
        """Leaves the next version of a match to the caller; None if another click has had it for `patience` seconds."""
        if match in self._reserved:
            with suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    while match in self._reserved:
                        await self._reserved[match].released.wait()
        if match in self._reserved:
            yield None
            return
        reservation = self._reserved[match] = Reservation(self._note)
        try:
            yield reservation
        finally:
            del self._reserved[match]
            reservation.released.set()
            if reservation.version is not None and not reservation.sent:
                self._unsent.add((match, reservation.version))
            if not reservation.delivered or reservation.woken > (reservation.version or 0):
                self._start(match)

    async def waiting(self) -> list[MatchId]:
        async with self._store.read() as reader:
            return await reader.untold()

    async def attend(self, match: MatchId) -> bool:
        """Tells the earliest version that has not been told, or else a notice; False if nothing more waited then."""
        if match in self._reserved:
            return False
        async with self._store.read() as reader:
            announcement, notice = await reader.unannounced(match), await reader.notice(match)
            if announcement is None and notice is None:
                return False
            stored = await reader.match(match, announcement.version if announcement else None)
            now = await reader.now()
        if announcement is None:
            assert notice is not None, "there is something to tell"
            assert stored is not None, "a notice is of a stored match"
            await self._notified(stored, notice)
            return True
        assert stored is not None, "the outbox refers to a stored match"
        if (match, announcement.version) in self._unsent:
            announcement = replace(announcement, answer_until=None)
        if announcement.answer_until is not None:
            wait = announcement.answer_until - now
            if 0 < wait <= ANSWERABLE:  # a longer one is the work of a clock that has jumped
                await self._rest(wait / 1000)
                return not self._stopping.is_set()
        message: MessageId | None
        try:
            message = await self._announcer.announce(stored, announcement)
        except Undeliverable as reason:
            log.warning("match %d, version %d: %s", match, announcement.version, reason)
            message = None
        await self._note(announcement, message)
        return message is None or notice is not None or not announcement.last

    async def _note(self, announcement: Announcement, message: MessageId | None) -> None:
        async def attempt() -> None:
            async with self._store.write() as transaction:
                await transaction.announced(announcement, message)

        await undisturbed(attempt)
        self._unsent.discard((announcement.match, announcement.version))

    async def _notified(self, match: Match, notice: Notice) -> None:
        """Delivers a notice, unless a reminder has come too late."""
        try:
            if notice.kind is NoticeKind.LOST or notice.version == match.version:
                await self._announcer.notify(match, notice)
        except Undeliverable as reason:
            log.warning("match %d, notice to %d: %s", match.id, notice.user, reason)
        async with self._store.write() as transaction:
            await transaction.notified(notice)
