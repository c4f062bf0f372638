"""The refresher of open seats: keeps the post of each server that has one up to date."""

import logging
from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol

from play.community.seats_post import EDIT_PAUSE_MILLIS, SeatsPost
from play.ids import GuildId, MessageId, Millis
from play.posts import KeptPost, PostKey
from play.refusal import Reason, Refused
from storage import Database
from use_cases.competitions.director import Director
from use_cases.open_seats import OpenSeat, OpenSeats
from use_cases.post_keeper import PostKeeper
from use_cases.worker import Timing, Unshowable

log = logging.getLogger(__name__)


class SeatsDisplay(Protocol):
    """Posts of open seats in the chat; bot/ implements it."""

    async def keep(self, post: SeatsPost, seats: Sequence[OpenSeat]) -> MessageId:
        """Brings the post up to date, or posts it; posting twice makes one message. Returns the message.

        Raises Undeliverable, ChannelClosed, Unshowable and RetryLater.
        """


class SeatsRefresher(Director[GuildId]):
    """Shows who looks for an opponent in each server that wants it, with a pause between two edits."""

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        seats: OpenSeats,
        display: SeatsDisplay,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(store, posts, timing)
        self._seats = seats
        self._display = display

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            if not await reader.seats_posts.is_any():
                return []
        fingerprint = fingerprint_of(await self._seats.everywhere())
        async with self._store.read() as reader:
            return await reader.seats_posts.due(fingerprint, await reader.clock.now(), limit)

    async def direct(self, key: GuildId, now: Millis) -> None:
        async with self._store.read() as reader:
            post = await reader.seats_posts.get(key)
        if post is None:
            return
        seats, message = await self._seats.everywhere(), post.message
        try:
            message = await self._display.keep(post, seats)
        except Unshowable as reason:
            log.warning("the open seats of server %d are not shown until they change: %s", key, reason)
        async with self._store.write() as tx:
            pause = Millis(now + EDIT_PAUSE_MILLIS)
            shown = fingerprint_of(seats)
            await tx.kept_posts.mark_shown(post.post.key, post.version + 1, message, pause, told=shown)
            await tx.kept_posts.heal(post.post.key)

    async def place(self, key: GuildId) -> KeptPost:
        async with self._store.read() as reader:
            post = await reader.seats_posts.get(key)
        if post is None:
            raise Refused(Reason.OLD_BUTTON)
        return post.post

    async def end(self, key: PostKey) -> None:
        async with self._store.write() as tx:
            await tx.seats_posts.move(GuildId(key.number), None)


def fingerprint_of(seats: Sequence[OpenSeat]) -> str:
    """Returns a short text that changes with what posts show."""
    shown = [(each.seek.id, each.seek.version, round(each.rating.value)) for each in seats]
    return sha256(repr(shown).encode()).hexdigest()[:16]
