"""Tells people in direct messages what became of their account on another platform."""

import logging

import discord

from bot.services.locales import Locales
from bot.services.messages import DirectMessages
from bot.services.names import Names
from play.ids import UserId
from presentation.own_accounts import platform_name
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)


class OwnAccountNotices:
    """Implements use_cases.own_accounts.AccountNotices for the people of Discord."""

    def __init__(self, direct: DirectMessages, locales: Locales, names: Names) -> None:
        self._direct = direct
        self._locales = locales
        self._names = names

    async def tell_joined(self, user: UserId, other: UserId) -> None:
        """See use_cases.own_accounts.AccountNotices."""
        await self._tell("joined", user, other)

    async def tell_parted(self, user: UserId, other: UserId) -> None:
        """See use_cases.own_accounts.AccountNotices."""
        await self._tell("parted", user, other)

    async def _tell(self, what: str, user: UserId, other: UserId) -> None:
        words = await self._locales.for_user(user, None)
        name = words.literal(await self._names.of(other, None))
        try:
            content = words(f"own.told.{what}", name=name, platform=platform_name(other, words))
            await self._direct.send(user, content=content)
        except (discord.HTTPException, RetryLater) as error:
            log.info("user %d is not told that their account was %s: %s", user, what, type(error).__name__)
