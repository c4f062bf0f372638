"""Keepers on a chat platform: who has something kept in a group is told when the bot can write there no more."""

from __future__ import annotations

import logging

from chat.messages import Message
from chat.services import Services
from play.ids import is_person
from play.posts import KeptPost, PostProblem
from use_cases.worker import Undeliverable, Unsendable

log = logging.getLogger(__name__)


class ChatKeepers:
    """Implements use_cases.post_keeper.KeeperNotices over a platform."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def tell(self, post: KeptPost, problem: PostProblem) -> None:
        """See use_cases.post_keeper.KeeperNotices."""
        await self._tell(post, problem, "chat.kept")

    async def tell_ended(self, post: KeptPost) -> None:
        """See use_cases.post_keeper.KeeperNotices."""
        await self._tell(post, "ended", "kept.ended")

    async def _tell(self, post: KeptPost, what: str, key: str) -> None:
        if post.keeper is None or not is_person(post.keeper):
            log.info("nobody reads of %s %d of group %d", post.key.kind, post.key.number, post.guild)
            return
        words = await self._services.locales.for_user(post.keeper, post.guild)
        group = words.literal(await self._services.names.of_server(post.guild) or words.plain("team.server"))
        title = words(
            "kept.title", what=words(f"kept.what.{post.key.kind}", name=words.literal(post.name)), server=group
        )
        once = f"k{post.key.kind}{post.key.number:x}.{what}"
        try:
            await self._services.platform.tell(post.keeper, Message(f"{title}\n{words(key)}"), once)
        except (Undeliverable, Unsendable) as error:
            log.info("user %d takes no direct messages: %s", post.keeper, error)
