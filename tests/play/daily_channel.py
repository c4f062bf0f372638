"""A stand-in for the channels in which dailies are posted, where the process can be killed."""

from __future__ import annotations

from collections.abc import Callable

from play.community.daily import DailyPost, Recap
from play.ids import GuildId, MessageId
from play.posts import PostProblem
from use_cases.workers.daily_relay import DailyNotPosted


class Killed(BaseException):
    """The end of the process."""


class Channel:
    """A channel of Discord: what is posted with the same nonce is one message."""

    def __init__(self) -> None:
        self.posts: dict[tuple[GuildId, str], MessageId] = {}
        self.recaps: list[tuple[GuildId, Recap]] = []
        self.trouble: PostProblem | None = None
        self.dies: Callable[[str], bool] = lambda _: False

    async def post(self, post: DailyPost) -> MessageId:
        if self.dies("before"):
            raise Killed
        if self.trouble:
            raise DailyNotPosted(self.trouble)
        message = self.posts.setdefault((post.guild, post.day), MessageId(1000 + len(self.posts)))
        if self.dies("after"):
            raise Killed
        return message

    async def tell_recap(self, post: DailyPost, recap: Recap) -> None:
        assert self.posts[post.guild, post.day] == post.message
        self.recaps.append((post.guild, recap))
        if self.dies("recap"):
            raise Killed
