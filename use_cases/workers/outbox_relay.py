"""The relay of the outbox: posts every version of a match to each of its channels, in order, once.

The threads of running games are opened for another week before the chat archives them.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from typing import Final, Protocol

from play.ids import DAY, MatchId, MessageId, Millis, UserId
from play.match.events import Notice, NoticeKind
from play.match.match import Match, MatchPlace
from play.match.outbox_entry import OutboxEntry, awaits_reply, is_reply, time_for_reply
from storage import Database
from storage.unit_of_work import Transaction
from use_cases.match_writer import ANSWERABLE_MILLIS, retry_on_conflict
from use_cases.worker import Timing, Undeliverable, Unsendable, Worker

log = logging.getLogger(__name__)

KEEP_MILLIS: Final = Millis(6 * DAY)
"""Milliseconds after a board, or after the last opening, at which a thread is opened again: the chat archives it after
seven days."""

MAX_ENDED_AT_ONCE = 30
"""Boards of games that are over which are drawn and posted at once. Thousands of clocks may run out together, and their
boards may neither fill the queue of pictures nor make the boards of running games wait."""


class MatchThreads(Protocol):
    """The threads of matches; bot/ implements it."""

    async def keep_open(self, match: Match) -> bool:
        """Opens the thread of a match for another week; returns False where another try would be in vain.

        A match whose thread is closed to its players goes on in the channel. Whatever it raises is tried again.
        """


class ThreadKeeper(Worker[MatchPlace]):
    """Opens the threads that are due. One that cannot be opened waits for the next board."""

    def __init__(self, store: Database, threads: MatchThreads, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._threads = threads

    async def pending(self, limit: int) -> list[MatchPlace]:
        async with self._store.read() as reader:
            now = await reader.clock.now()
            found = [(away, await reader.matches.threads_due(now, limit, away=away)) for away in (False, True)]
        return [MatchPlace(match, away) for away, matches in found for match in matches][:limit]

    async def process(self, key: MatchPlace) -> None:
        async with self._store.read() as reader:
            match = await reader.matches.get(key.match)
        if match is None or match.outcome:
            return
        is_kept = await self._threads.keep_open(match.look_from(away=key.away))
        async with self._store.write() as tx:
            due = Millis(await tx.clock.now() + KEEP_MILLIS) if is_kept else None
            await tx.matches.plan_reopening(key.match, due, away=key.away)


class MatchPublisher(Protocol):
    """Posts what happened in matches; bot/ implements it."""

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        """Posts the board of `match` at its version and takes the buttons off the previous one.

        Posting the same version twice must make one message. If the announcement has an `answer_until`, the answer to a
        click may have brought the board: then the channel is looked through first. The board also tells the version
        `before`, if there is one. Raises Undeliverable and Unsendable; anything else is tried again.
        """

    async def find_answer(self, match: Match) -> MessageId | None:
        """Returns the board of `match` at its version, if the answer to its player's click has brought it."""

    async def notify(self, match: Match, notice: Notice) -> None:
        """Tells one player of `match` in private, or where they want it. Raises as `announce` does."""


class Reservation:
    """The right to deliver the next version of a match as the answer to its player's click.

    Attributes:
        version: the version to deliver, once it is stored.
        sent: whether the chat may have got the answer.
        delivered: the version whose board is in the channel for certain.
        newest: the newest version of the match that the relay was woken for meanwhile.
        released: set when the right has ended.
    """

    def __init__(
        self, note: Callable[[OutboxEntry, MessageId | None], Awaitable[None]], computer: UserId | None
    ) -> None:
        self._note = note
        self._computer = computer
        self._noted: dict[int, Match] = {}
        self._woken = asyncio.Event()
        self.version: int | None = None
        self.sent = False
        self.delivered: int | None = None
        self.newest = 0
        self.released = asyncio.Event()

    def note_match(self, match: Match) -> None:
        """Notes a version of the match that was stored meanwhile."""
        self._noted[match.version] = match
        self.newest = max(self.newest, match.version)
        self._woken.set()

    def time_for_reply(self, match: Match, now: Millis) -> Millis:
        """Returns how long the board of `match` waits for the computer's reply; 0 if none is expected."""
        expected = self._computer is not None and awaits_reply(match, self._computer)
        return time_for_reply(match, now) if expected else Millis(0)

    def planned_reply(self, match: Match) -> Match | None:
        """Returns the version of the conditional move that has answered `match`, which was stored with it."""
        reply = self._noted.get(match.version + 1)
        return reply if reply and is_reply(reply, None) else None

    async def wait_for_reply(self, match: Match, within: Millis) -> Match | None:
        """Returns the version of the computer's reply to `match`, if it is stored `within` that time."""
        version = match.version + 1
        with suppress(TimeoutError):
            async with asyncio.timeout(within / 1000):
                while version not in self._noted:
                    self._woken.clear()
                    await self._woken.wait()
        reply = self._noted.get(version)
        return reply if reply and is_reply(reply, self._computer) else None

    async def deliver(self, announcement: OutboxEntry, message: MessageId) -> None:
        """Notes that `message` is the board. Raises Refused and Unavailable: then the relay finds it there."""
        self.sent = True
        await self._note(announcement, message)
        self.delivered = announcement.version


class OutboxRelay(Worker[MatchPlace]):
    """Posts what waits in the outbox, each place of a match in a task of its own, so that a slow channel holds up no
    other.

    `replier` finds the account by which this process plays at once, if it does. The board of a move to which it replies
    waits a little for that reply, and tells both.
    """

    def __init__(
        self,
        store: Database,
        publisher: MatchPublisher,
        timing: Timing = Timing().for_play,  # noqa: B008 - frozen
        match_shown: Callable[[], None] = lambda: None,
        replier: Callable[[], UserId | None] = lambda: None,
    ) -> None:
        """`match_shown` is called when the first board of a match is posted, or can be posted nowhere."""
        super().__init__(timing, concurrent=True)
        self._match_shown = match_shown
        self._store = store
        self._publisher = publisher
        self._replier = replier
        self._ended = asyncio.Semaphore(MAX_ENDED_AT_ONCE)
        self._reserved: dict[MatchPlace, Reservation] = {}
        self._unsent: set[tuple[MatchPlace, int]] = set()  # of those that an answer might have brought

    def note_match(self, match: Match) -> None:
        """Starts on a new version of `match` in each of its places that no click has reserved."""
        for place in match.places:
            reservation = self._reserved.get(place)
            if reservation is None:
                self.wake(place)
            else:
                reservation.note_match(match.look_from(away=place.away))

    @asynccontextmanager
    async def reserve(self, place: MatchPlace, patience: float) -> AsyncIterator[Reservation | None]:
        """Leaves the next version of a match in one of its places to the caller.

        Yields None if another click has had it for `patience` seconds.
        """
        if place in self._reserved:
            with suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    while place in self._reserved:
                        await self._reserved[place].released.wait()
        if place in self._reserved:
            yield None
            return
        reservation = self._reserved[place] = Reservation(self._note, self._replier())
        try:
            yield reservation
        finally:
            del self._reserved[place]
            reservation.released.set()
            if reservation.version is not None and not reservation.sent:
                self._unsent.add((place, reservation.version))
            if reservation.delivered is None or reservation.newest > reservation.delivered:
                self.wake(place)

    async def pending(self, limit: int) -> list[MatchPlace]:
        """Returns all places of the outbox; each has its own task."""
        async with self._store.read() as reader:
            found = [(away, await reader.outbox.pending_matches(away=away)) for away in (False, True)]
        return [MatchPlace(match, away) for away, matches in found for match in matches]

    async def process(self, key: MatchPlace) -> bool:
        """Posts the earliest version in the outbox, or else a notice, which is left to the first place of a match;
        returns False if nothing more waited then."""
        if key in self._reserved:
            return False
        async with self._store.read() as reader:
            announcement = await reader.outbox.next_entry(key.match, away=key.away)
            notice = None if key.away else await reader.outbox.next_notice(key.match)
            if announcement is None and notice is None:
                return False
            stored = await reader.matches.get(key.match, announcement.version if announcement else None)
            now = await reader.clock.now()
        if announcement is None:
            assert notice is not None, "there is something to tell"
            assert stored is not None, "a notice is of a stored match"
            await self._notify(stored, notice)
            return True
        assert stored is not None, "the outbox refers to a stored match"
        stored = stored.look_from(away=key.away)
        if (key, announcement.version) in self._unsent:
            announcement = replace(announcement, answer_until=None)
        if announcement.answer_until is not None:
            wait = announcement.answer_until - now
            if 0 < wait <= ANSWERABLE_MILLIS:  # a longer one is the work of a clock that has jumped
                return await self.rest(wait / 1000)
        computer = self._replier()
        if computer is None or not awaits_reply(stored, computer):
            computer = None
        elif announcement.last and (wait := time_for_reply(stored, now)):
            self._poll_by(self._timing.clock() + wait / 1000)
            return False  # the reply wakes the relay
        if computer is not None or not announcement.last:
            stored, announcement = await self._join_reply(stored, announcement, computer)
        message = await self._announce(stored, announcement)
        if message is None and key.away:
            self.wake(MatchPlace(key.match))  # which has the notice of that
        return message is None or notice is not None or not announcement.last

    async def _announce(self, match: Match, entry: OutboxEntry) -> MessageId | None:
        message: MessageId | None
        try:
            async with self._ended if match.outcome else nullcontext():
                message = await self._publisher.announce(match, entry)
        except Undeliverable as reason:
            log.warning("match %d, version %d: %s", match.id, entry.version, reason)
            message = None
        except Unsendable as reason:
            log.warning("match %d, version %d: %s", match.id, entry.version, reason)
            await self._note(entry, None, is_left_out=True)
            return None
        await self._note(entry, message)
        return message

    async def _join_reply(self, match: Match, entry: OutboxEntry, computer: UserId | None) -> tuple[Match, OutboxEntry]:
        """Returns what is to be posted next: a conditional move or the `computer`'s reply, with the move before it.

        An answer to the player's click may have brought the move alone.
        """
        async with self._store.read() as reader:
            reply, newest = await reader.matches.get(match.id, match.version + 1), await reader.matches.get(match.id)
        if reply is None or newest is None or not is_reply(reply, computer):
            return match, entry
        reply = reply.look_from(away=entry.away)
        if entry.answer_until is not None and await self._publisher.find_answer(match) is not None:
            return match, entry
        return reply, entry.with_reply(match, last=newest.version == reply.version)

    async def _note(self, announcement: OutboxEntry, message: MessageId | None, *, is_left_out: bool = False) -> None:
        """Notes where a board is: in a message, nowhere ever, or nowhere while others may come (`is_left_out`)."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                due = Millis(await tx.clock.now() + KEEP_MILLIS) if message else None
                if is_left_out:
                    await tx.outbox.leave_out(announcement)
                else:
                    await tx.outbox.mark_posted(announcement, message, due)
                if not announcement.first:
                    await _begin_clock(tx, announcement.match)

        await retry_on_conflict(attempt)
        self._unsent.discard((MatchPlace(announcement.match, announcement.away), announcement.first))
        if not announcement.first:
            self._match_shown()

    async def _notify(self, match: Match, notice: Notice) -> None:
        """Delivers a notice where its player is at home, unless it is a reminder that has come too late."""
        try:
            if notice.kind is not NoticeKind.REMINDER or notice.version == match.version:
                await self._publisher.notify(match.for_reader(notice.user, None), notice)
        except Undeliverable as reason:
            log.warning("match %d, notice to %d: %s", match.id, notice.user, reason)
        async with self._store.write() as tx:
            await tx.outbox.remove_notice(notice)


async def _begin_clock(tx: Transaction, match: MatchId) -> None:
    """Lets the first turn of a match begin now that its board is there, unless it was made already. Of a match in two
    places, the later board counts."""
    stored = await tx.matches.get(match)
    assert stored is not None, "the outbox refers to a stored match"
    if not stored.events:
        await tx.matches.begin_clock(stored.begin_clock(await tx.clock.now()))
