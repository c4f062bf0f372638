"""One answer to a channel in which the bot cannot post any more, whatever is kept there."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from play.ids import Millis, UserId
from play.posts import KeptPost, PostProblem, PostTrouble
from storage import Database
from use_cases.worker import ChannelClosed, Undeliverable

log = logging.getLogger(__name__)


class KeeperNotices(Protocol):
    """What keepers and players are told; bot/ implements it. The same twice within minutes makes one message."""

    async def tell(self, post: KeptPost, problem: PostProblem) -> None:
        """Tells the keeper in private, or else the log channel of the server, why nothing can be posted, and what to
        do. Nobody, if neither can be reached. Raises RetryLater."""

    async def tell_ended(self, post: KeptPost, players: Sequence[UserId]) -> None:
        """Tells the keeper in the same way that it has ended with its channel, and in private those of its `players`
        who have asked for direct messages. Raises RetryLater."""


class PostKeeper:
    """Notes what keeps posts from their channels, and has each keeper told of it once.

    Nothing is lost meanwhile: workers try again, and go on by themselves once the channel is open, or another one is
    chosen. What has been without a channel for MAX_GONE_MILLIS ends.
    """

    def __init__(self, store: Database, notices: KeeperNotices) -> None:
        self._store = store
        self._notices = notices

    async def fails(self, post: KeptPost, problem: PostProblem, now: Millis) -> bool:
        """Notes that a post cannot be brought to its channel; returns whether it is to end. Raises RetryLater."""
        async with self._store.read() as reader:
            known = await reader.kept_posts.trouble(post.key)
        trouble = PostTrouble(problem, now) if known is None else known.renewed(problem, now)
        if trouble != known:
            log.warning("%s %d cannot be posted: %s", post.key.kind, post.key.number, problem)
            await self._notices.tell(await self._with_keeper(post), problem)
            async with self._store.write() as tx:
                await tx.kept_posts.note(post.key, trouble)
        return trouble.is_over(now)

    async def end(self, post: KeptPost, players: Sequence[UserId]) -> None:
        """Tells that a post has ended with its channel. Raises RetryLater."""
        log.warning("%s %d has ended, since its channel is gone", post.key.kind, post.key.number)
        await self._notices.tell_ended(await self._with_keeper(post), players)

    async def _with_keeper(self, post: KeptPost) -> KeptPost:
        """Returns the post with the one who has chosen its channel last."""
        async with self._store.read() as reader:
            return replace(post, keeper=await reader.kept_posts.keeper(post.key) or post.keeper)


def problem_of(error: ChannelClosed | Undeliverable) -> PostProblem:
    """Returns why a channel takes nothing: it is closed to the bot, or gone."""
    return PostProblem.CHANNEL if isinstance(error, Undeliverable) else PostProblem.PERMISSION
