"""What keeps the posts of arenas: a message for each arena in each channel that follows them."""

import logging
from dataclasses import replace
from typing import Protocol

from play.competitions.arena import Arena, Follower
from play.ids import GuildId, MessageId, Millis
from play.posts import KeptPost, PostKey
from storage import Database
from use_cases.competitions.director import Director
from use_cases.post_keeper import PostKeeper
from use_cases.worker import Timing, Unshowable

log = logging.getLogger(__name__)


class ArenaDisplay(Protocol):
    """The messages that show arenas; bot/ implements it. Posting the same twice makes one message."""

    async def show(self, follower: Follower, arena: Arena, now: Millis) -> MessageId:
        """Edits the message of the arena in a channel, or posts it. Raises Undeliverable, ChannelClosed, Unshowable and
        RetryLater."""


class ArenaPosts(Director[GuildId]):
    """Shows each channel that follows the arenas the newest one, at most once a minute."""

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        display: ArenaDisplay,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(store, posts, timing, concurrent=True)  # one hour is that of many servers
        self._display = display

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.arenas.behind(await reader.clock.now(), limit)

    async def direct(self, key: GuildId, now: Millis) -> None:
        async with self._store.read() as reader:
            follower, arena = await reader.arenas.follower(key), await reader.arenas.newest()
        if follower is None:
            return  # another channel was chosen, or none
        if arena is not None and (arena.stage.is_open or follower.arena == arena.id):
            if follower.arena != arena.id:
                follower = replace(follower, arena=arena.id, message=None)
            try:
                follower = replace(follower, message=await self._display.show(follower, arena, now))
            except Unshowable as reason:
                log.warning("arena %d is not shown to server %d until it changes: %s", arena.id, key, reason)
        async with self._store.write() as tx:
            await tx.arenas.mark_shown(follower, now)
            await tx.kept_posts.heal(follower.post.key)

    async def place(self, key: GuildId) -> KeptPost:
        async with self._store.read() as reader:
            follower = await reader.arenas.follower(key)
        assert follower is not None, "it was found a moment ago"
        return follower.post

    async def end(self, key: PostKey) -> None:
        async with self._store.write() as tx:
            await tx.arenas.follow(GuildId(key.number), None)
