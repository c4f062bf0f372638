"""Rematches that are offered in a browser: their cards are posted in the channel of the match."""

from __future__ import annotations

import logging

import discord

from bot.interactions.context import Services
from play.ids import IdempotencyKey, Millis, UserId
from play.match.match import Match
from play.refusal import Reason, Refused

log = logging.getLogger(__name__)


class WebRematches:
    """A `web.ports.Rematches`."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def offer(self, match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> None:
        """Offers it. Raises Refused (`not_posted` where the card cannot be posted)."""
        self._services.gate.count_card(match.channel)
        challenge = await self._services.challenges.rematch(match.id, user, at, key)
        if challenge.message is not None:
            return  # the browser has sent it twice
        try:
            await self._services.cards.post(challenge)
        except discord.HTTPException as error:
            log.info("the card of a rematch was not posted: %s", error)
            raise Refused(Reason.NOT_POSTED) from error
