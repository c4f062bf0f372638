"""The refresher of ladders: keeps the standing in the channel of each ladder up to date."""

import logging
from typing import Protocol

from play.competitions.ladder import Ladder, remove_idle
from play.ids import GuildId, MessageId, Millis
from play.posts import KeptPost, PostKey
from storage import Database
from use_cases.competitions.director import Director
from use_cases.competitions.ladders import load_ladder
from use_cases.match_writer import retry_on_conflict
from use_cases.post_keeper import PostKeeper
from use_cases.worker import Timing, Unshowable

log = logging.getLogger(__name__)


class LadderDisplay(Protocol):
    """Shows the standing of a ladder; bot/ implements it."""

    async def show(self, ladder: Ladder) -> MessageId:
        """Brings the standing up to date, or posts it; posting twice makes one message. Returns the message.

        Raises Undeliverable, ChannelClosed, Unshowable and RetryLater.
        """


class LadderRefresher(Director[GuildId]):
    """Shows each ladder that has changed, without the players who have been idle for too long."""

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        display: LadderDisplay,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(store, posts, timing)
        self._display = display

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.ladders.to_update(await reader.clock.now(), limit)

    async def direct(self, key: GuildId, now: Millis) -> None:
        async def without_idle() -> Ladder:
            async with self._store.write() as tx:
                stored = await load_ladder(tx, key)
                active = remove_idle(stored, now)
                return stored if active is stored else await tx.ladders.save(active, stored)

        ladder = await retry_on_conflict(without_idle)
        message = ladder.message
        try:
            message = await self._display.show(ladder)
        except Unshowable as reason:
            log.warning("the ladder of server %d is not shown until it changes: %s", key, reason)
        async with self._store.write() as tx:
            await tx.kept_posts.mark_shown(ladder.post.key, ladder.version, message)
            await tx.kept_posts.heal(ladder.post.key)

    async def place(self, key: GuildId) -> KeptPost:
        async with self._store.read() as reader:
            return (await load_ladder(reader, key)).post

    async def end(self, key: PostKey) -> None:
        """Ends the standing in the channel; the ladder itself stays, and its players read it by command."""
        async with self._store.write() as tx:
            ladder = await load_ladder(tx, GuildId(key.number))
            await tx.kept_posts.mark_shown(key, ladder.version, None)
