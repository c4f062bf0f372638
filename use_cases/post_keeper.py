"""One answer to a channel in which the bot cannot post any more, whatever is kept there."""

import logging
from typing import Protocol

from play.ids import Millis
from play.posts import KeptPost, PostProblem, PostTrouble
from storage import Database
from use_cases.worker import ChannelClosed, Undeliverable

log = logging.getLogger(__name__)


class KeeperNotices(Protocol):
    """What keepers and players are told; bot/ implements it. The same twice within minutes makes one message."""

    async def tell(self, post: KeptPost, problem: PostProblem) -> None:
        """Tells the keeper in private, or else the log channel of the server, why nothing can be posted, and what to
        do. Nobody, if neither can be reached. Raises RetryLater."""

    async def tell_ended(self, post: KeptPost) -> None:
        """Tells the keeper in the same way that it has ended with its channel, and in private those of its players who
        have asked for direct messages. Raises RetryLater."""


class PostKeeper:
    """Notes what keeps posts from their channels, and has each keeper told of it once.

    Nothing is lost meanwhile: workers try again, and go on by themselves once the channel is open, or another one is
    chosen. What has been without a channel for MAX_GONE_MILLIS ends.
    """

    def __init__(self, store: Database, notices: KeeperNotices) -> None:
        self._store = store
        self._notices = notices

    async def fails(self, post: KeptPost, problem: PostProblem, now: Millis) -> bool:
        """Notes that a post cannot be brought to its channel, and has that told; returns whether it is to end. What is
        over before its channel is gone needs no other one. Raises RetryLater."""
        async with self._store.read() as reader:
            known, post = await reader.kept_posts.trouble(post.key), await reader.kept_posts.with_keeper(post)
        if known is None and post.is_over and problem is PostProblem.CHANNEL:
            return True
        trouble = PostTrouble(problem, now) if known is None else known.renewed(problem, now)
        if trouble != known:
            end = "; it has ended" if trouble.ended else ""
            log.warning("%s %d cannot be posted: %s%s", post.key.kind, post.key.number, problem, end)
            await (self._notices.tell_ended(post) if trouble.ended else self._notices.tell(post, problem))
            async with self._store.write() as tx:
                await tx.kept_posts.note(post.key, trouble)
        return trouble.ended


def problem_of(error: ChannelClosed | Undeliverable) -> PostProblem:
    """Returns why a channel takes nothing: it is closed to the bot, or gone."""
    return PostProblem.CHANNEL if isinstance(error, Undeliverable) else PostProblem.PERMISSION
