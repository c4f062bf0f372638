"""Feedback on its way to the operator: into a channel, or to a webhook."""

import asyncio
import logging
from typing import Final

import aiohttp
import discord
from pydantic import SecretStr

from bot.settings import WEBHOOK

log = logging.getLogger(__name__)

DELIVERY_SECONDS: Final = 30.0
"""Seconds that Discord gets to take it, repeated tries included."""


class FeedbackInbox:
    """The place that the operator has set; its address is a secret, and no log has it."""

    def __init__(self, client: discord.Client, target: SecretStr, seconds: float = DELIVERY_SECONDS) -> None:
        self._client = client
        self._target = target
        self._seconds = seconds

    async def deliver(self, embed: discord.Embed) -> bool:
        """Returns whether the feedback has arrived. It mentions nobody, whatever its writer has typed."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._send(embed)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:  # a TimeoutError is an OSError
            log.warning("feedback cannot be delivered; look at KROPKA_FEEDBACK: %s", type(error).__name__)
            return False
        return True

    async def _send(self, embed: discord.Embed) -> None:
        target, nobody = self._target.get_secret_value(), discord.AllowedMentions.none()
        if found := WEBHOOK.fullmatch(target):
            webhook = discord.Webhook.partial(int(found["id"]), found["token"], client=self._client)
            await webhook.send(embed=embed, allowed_mentions=nobody, wait=True)
        else:
            channel = self._client.get_partial_messageable(int(target))
            await channel.send(embed=embed, allowed_mentions=nobody)
