"""Tells users by a direct message that their link for roles has ended without their doing."""

from __future__ import annotations

import logging

import discord

from bot.services.direct_messages import DirectMessages
from bot.services.discord_errors import describe, is_final
from bot.services.locales import Locales
from bot.services.web_links import WebLinks
from play.ids import UserId
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)


class LinkNotices:
    """Implements use_cases.workers.account_sync.AccountNotices."""

    def __init__(self, direct: DirectMessages, locales: Locales, links: WebLinks | None) -> None:
        self._direct = direct
        self._locales = locales
        self._links = links

    async def tell_ended(self, user: UserId) -> None:
        """See use_cases.workers.account_sync.AccountNotices."""
        assert self._links is not None, "accounts are linked on the site"
        words = await self._locales.for_user(user, None)
        content = words("linked.ended", url=self._links.linking)
        try:
            await self._direct.send(user, content=content, nonce=f"linked:{user:x}")
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("user %d reads only in their settings that their link has ended: %s", user, describe(error))
