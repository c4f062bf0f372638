"""Posts the card: to servers that the bot has joined, and to players who mention it or write to it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import discord

from bot.features.welcome.card import draw_welcome, welcome_card
from bot.features.welcome.joins import choose_channel, read_join
from bot.interactions.context import Coach
from bot.request import Request, own_id
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import is_final
from bot.services.locales import Locales
from play.community.greeting import Greeting
from presentation.words.words import Words
from storage.errors import Unavailable
from use_cases.greetings import Greetings
from use_cases.worker import Undeliverable

log = logging.getLogger(__name__)


class Greeter:
    """Implements use_cases.workers.greeting_relay.Greeter."""

    def __init__(
        self,
        client: discord.Client,
        greetings: Greetings,
        channels: ChannelMessenger,
        locales: Locales,
        coach: Coach,
    ) -> None:
        self._client = client
        self._greetings = greetings
        self._channels = channels
        self._locales = locales
        self._coach = coach

    async def note_guild(self, guild: dict[str, Any]) -> None:
        """Notes a server of which the gateway tells, if the bot has joined it lately."""
        join = read_join(guild)
        if join is None:
            return
        try:
            if not await self._greetings.is_due(*join):
                return
            channel = await asyncio.to_thread(choose_channel, guild, own_id(self._client))
            if channel is None:
                log.info("server %d is not greeted: there is no channel for it", join.guild)
                return
            self._locales.remember_guild(guild)
            await self._greetings.add(Greeting(join.guild, channel, join.at))
        except Unavailable as error:
            log.warning("server %d may not be greeted: %s", join.guild, error)

    async def greet(self, greeting: Greeting) -> None:
        """See use_cases.workers.greeting_relay.Greeter."""
        card = await self._card(await self._locales.for_guild(greeting.guild), is_greeting=True)
        try:
            await self._channels.post(greeting.channel, card, f"hi:{greeting.guild}", guild=greeting.guild)
        except discord.HTTPException as error:
            if is_final(error):
                raise Undeliverable(str(error)) from error
            raise

    async def introduce(self, message: discord.Message, request: Request) -> None:
        """Answers a message with the card."""
        in_private = request.guild is None
        locales = self._locales
        words = await (
            locales.for_user(request.user, None) if in_private else locales.for_guild(request.guild, request.user)
        )
        card = (await self._card(words, in_private=in_private))()
        try:
            await message.reply(view=card["view"], files=card["files"], mention_author=False)
        except discord.HTTPException as error:
            log.info("message %d is not answered: %s", message.id, error)

    async def _card(self, words: Words, **options: bool) -> Callable[[], dict[str, Any]]:
        """Returns what makes the card anew for each try, since sending uses it up."""
        await asyncio.to_thread(draw_welcome)
        return partial(welcome_card, words, has_computer=self._coach.has_computer, **options)
