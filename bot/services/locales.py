"""The language of a reader: a player alone reads in their own, everybody in a channel in that of the server."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import discord
from cachetools import TTLCache

from bot.i18n.words import Languages, Words
from bot.request import Interaction
from bot.services.keyed_locks import KeyedLocks
from play.challenge.challenge import Challenge
from play.ids import GuildId, UserId
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.store import Store, Unavailable

log = logging.getLogger(__name__)

LOCALE_SECONDS = 3600.0
"""Seconds for which a language that Discord has named is kept."""

UNKNOWN_SECONDS = 60.0
"""Seconds for which Discord is not asked again about a server of which it has told nothing: each page would ask."""

CACHE_SIZE = 20_000
"""Players and servers whose language is kept."""


class Locales:
    """Settings first, then what Discord says, which is kept for a while and never stored."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        languages: Languages,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._store = store
        self._languages = languages
        self._locales: TTLCache[int, str] = TTLCache(CACHE_SIZE, LOCALE_SECONDS, clock)
        self._unknown: TTLCache[int, bool] = TTLCache(CACHE_SIZE, UNKNOWN_SECONDS, clock)
        self._locks: KeyedLocks[int] = KeyedLocks()

    def remember(self, interaction: Interaction) -> None:
        """Keeps the languages that Discord names with an interaction: those of the player and of the server."""
        self._locales[interaction.user.id] = str(interaction.locale)
        if interaction.guild_id and interaction.guild_locale:
            self._locales[interaction.guild_id] = str(interaction.guild_locale)

    def remember_guild(self, guild: GuildId, locale: str) -> None:
        """Keeps the language that Discord names for a server."""
        self._locales[guild] = locale

    async def for_user(self, user: UserId, guild: GuildId | None) -> Words:
        """Returns the words for a player alone; of those whose language is not known their server tells."""
        language = None
        with suppress(Unavailable):  # this very fact may be what the player is told
            async with self._store.read() as reader:
                language = (await reader.people.get(user)).language
        return await self._words_for(user, language, guild)

    async def for_settings(self, person: PlayerSettings, guild: GuildId | None) -> Words:
        """Returns the words for a player whose settings are at hand."""
        return await self._words_for(person.id, person.language, guild)

    async def for_guild(self, guild: GuildId | None) -> Words:
        """Returns the words for everybody in a server."""
        if guild is None:
            return self._languages.of()
        language = None
        with suppress(Unavailable):
            async with self._store.read() as reader:
                language = (await reader.servers.get(guild)).language
        return self._languages.of(language or self._locales.get(guild) or await self._fetch_once(guild))

    async def for_match(self, match: Match) -> Words:
        """Returns the words for the channel of a match."""
        return await self._for_channel(match.guild, match.players)

    async def for_challenge(self, challenge: Challenge) -> Words:
        """Returns the words for the card of a challenge."""
        return await self._for_channel(challenge.guild, (challenge.challenger,))

    async def _words_for(self, user: UserId, language: str | None, guild: GuildId | None) -> Words:
        locale = language or self._locales.get(user)
        return self._languages.of(locale) if locale else await self.for_guild(guild)

    async def _for_channel(self, guild: GuildId | None, people: Iterable[UserId]) -> Words:
        """Returns the words of the server; in a direct message, those of its player."""
        if guild is not None:
            return await self.for_guild(guild)
        own = self._client.user and self._client.user.id
        return await self.for_user(next(user for user in people if user != own), None)

    async def _fetch_once(self, guild: GuildId) -> str | None:
        """Asks Discord, once however many wait for the answer."""
        async with self._locks.of(guild):
            if guild not in self._locales and guild not in self._unknown:
                await self._fetch(guild)
        return self._locales.get(guild)

    async def _fetch(self, guild: GuildId) -> None:
        try:
            found = await self._client.http.get_guild(guild, with_counts=False)
        except discord.HTTPException as error:
            log.info("the language of server %d is not known: %s", guild, error)
            self._unknown[guild] = True
        else:
            self._locales[guild] = found["preferred_locale"]
