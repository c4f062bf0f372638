"""Who reads: a person alone in his own language, everybody in a channel in that of the server."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import discord

from bot.request import Request
from play.ids import GuildId, UserId
from play.store import Unavailable

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.i18n.words import Words
    from play.challenge.challenge import Challenge
    from play.match.match import Match
    from play.people.person import Person

log = logging.getLogger(__name__)

LIFETIME = 3600.0
"""Seconds for which the language that a server has set in Discord is believed."""

CAPACITY = 20_000


class Audience:
    """Settings first, then what Discord says, which is kept for a while and never stored."""

    def __init__(self, client: Kropka, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._locales: OrderedDict[int, tuple[str, float]] = OrderedDict()

    def remember(self, interaction: Interaction) -> None:
        """Discord has just told us what the person and the server speak."""
        self._keep(interaction.user.id, str(interaction.locale))
        if interaction.guild_id and interaction.guild_locale:
            self._keep(interaction.guild_id, str(interaction.guild_locale))

    async def alone(self, interaction: Interaction) -> Words:
        """For what the person who asks reads alone."""
        return await self.person(UserId(interaction.user.id), Request.of(interaction).guild)

    async def person(self, user: UserId, guild: GuildId | None) -> Words:
        """For what one person reads alone; a server speaks for those of whom nothing is known."""
        language = None
        with suppress(Unavailable):  # this very fact may be what he is told
            async with self._client.store.read() as reader:
                language = (await reader.people.get(user)).language
        return await self._speaking(user, language, guild)

    async def known(self, person: Person, guild: GuildId | None) -> Words:
        """As `person`, for somebody whose settings are at hand."""
        return await self._speaking(person.id, person.language, guild)

    async def _speaking(self, user: UserId, language: str | None, guild: GuildId | None) -> Words:
        locale = language or self._known(user)
        return self._client.languages.of(locale) if locale else await self.server(guild)

    async def server(self, guild: GuildId | None) -> Words:
        """For what everybody in a server reads."""
        if guild is None:
            return self._client.languages.of()
        language = None
        with suppress(Unavailable):
            async with self._client.store.read() as reader:
                language = (await reader.servers.get(guild)).language
        return self._client.languages.of(language or self._known(guild) or await self._fetched(guild))

    async def match(self, match: Match) -> Words:
        """For what is said in the channel of a match."""
        return await self._channel(match.guild, match.players)

    async def challenge(self, challenge: Challenge) -> Words:
        """For the card of a challenge."""
        return await self._channel(challenge.guild, (challenge.challenger,))

    async def _channel(self, guild: GuildId | None, people: Iterable[UserId]) -> Words:
        """What a server speaks; in a direct message, what its person does."""
        if guild is not None:
            return await self.server(guild)
        itself = self._client.user and self._client.user.id
        return await self.person(next(user for user in people if user != itself), None)

    def _known(self, id: int) -> str | None:  # noqa: A002 - the field's name
        locale, until = self._locales.get(id, ("", 0.0))
        return locale if until > self._clock() else None

    def _keep(self, id: int, locale: str) -> str:  # noqa: A002 - the field's name
        self._locales[id] = locale, self._clock() + LIFETIME
        self._locales.move_to_end(id)
        if len(self._locales) > CAPACITY:
            self._locales.popitem(last=False)
        return locale

    async def _fetched(self, guild: GuildId) -> str | None:
        try:
            found = await self._client.http.get_guild(guild, with_counts=False)
        except discord.HTTPException as error:
            log.info("the language of server %d is not known: %s", guild, error)
            return None
        return self._keep(guild, found["preferred_locale"])
