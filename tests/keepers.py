"""Keepers of tests, who note what they are told."""

from __future__ import annotations

from play.ids import UserId
from play.posts import KeptPost, PostProblem
from storage import Database
from use_cases.post_keeper import PostKeeper


class NotingKeepers:
    """Implements use_cases.post_keeper.KeeperNotices: `told` has who was told of which trouble, and `ended` the posts
    that have ended. Nothing can be told while one of them `fails`."""

    def __init__(self) -> None:
        self.told: list[tuple[UserId | None, PostProblem]] = []
        self.ended: list[KeptPost] = []
        self.fails: Exception | None = None

    async def tell(self, post: KeptPost, problem: PostProblem) -> None:
        self.told.append((post.keeper, problem))

    async def tell_ended(self, post: KeptPost) -> None:
        if self.fails is not None:
            raise self.fails
        self.ended.append(post)


def kept_posts(store: Database, keepers: NotingKeepers | None = None) -> PostKeeper:
    """Returns what tells keepers of tests."""
    return PostKeeper(store, keepers or NotingKeepers())
