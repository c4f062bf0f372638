"""What Discord says of the languages of its people and servers.

It says nothing of a server's language unless the server is a Community.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

import discord
from cachetools import TTLCache

from bot.request import Interaction
from bot.services.discord_errors import FAILURES
from chat import locales
from chat.locales import CACHE_SIZE
from play.ids import GuildId, Platform, UserId, platform_of
from presentation.words.words import Languages
from storage import Database
from use_cases.keyed_locks import KeyedLocks

log = logging.getLogger(__name__)

LOCALE_SECONDS = 3600.0
"""Seconds for which a server's language that Discord has named is kept."""

UNKNOWN_SECONDS = 60.0
"""Seconds for which Discord is not asked again about a server of which it has told nothing: each page would ask."""

ANSWER_SECONDS = 5.0
"""Seconds that Discord gets for a language or a name, since pages and boards wait: each comes later by itself."""

COMMUNITY = "COMMUNITY"
"""The feature of servers that can choose a language. Discord says `en-US` of all others, whatever they speak.

Source: https://docs.discord.com/developers/resources/guild (preferred_locale)
"""


class Locales(locales.Locales):
    """The languages of readers on Discord."""

    def __init__(
        self,
        client: discord.Client,
        store: Database,
        languages: Languages,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(store, languages, lambda: client.user.id if client.user else None)
        self._client = client
        self._servers: TTLCache[GuildId, str] = TTLCache(CACHE_SIZE, LOCALE_SECONDS, clock)  # empty for those without
        self._unknown: TTLCache[GuildId, bool] = TTLCache(CACHE_SIZE, UNKNOWN_SECONDS, clock)
        self._locks: KeyedLocks[GuildId] = KeyedLocks()

    def remember(self, interaction: Interaction) -> None:
        """Keeps the languages that Discord names with an interaction: those of the player and of the server."""
        self.remember_person(UserId(interaction.user.id), str(interaction.locale))
        server = interaction.guild
        if server is not None and interaction.guild_locale and not server.unavailable:
            self._keep(GuildId(server.id), server.features, str(interaction.guild_locale))

    def remember_guild(self, server: dict[str, Any]) -> None:
        """Keeps the language of a server that Discord has described."""
        self._keep(GuildId(int(server["id"])), server["features"], server["preferred_locale"])

    async def _locale_of(self, guild: GuildId) -> str | None:
        if platform_of(guild) is not Platform.DISCORD:
            return None
        if (locale := self._servers.get(guild)) is None:
            locale = await self._fetch_once(guild)
        return locale

    def _keep(self, guild: GuildId, features: Iterable[str], preferred: str) -> str:
        locale = self._servers[guild] = preferred if COMMUNITY in features else ""
        return locale

    async def _fetch_once(self, guild: GuildId) -> str | None:
        """Asks Discord, once however many wait for the answer."""
        async with self._locks.of(guild):
            if guild not in self._servers and guild not in self._unknown:
                await self._fetch(guild)
        return self._servers.get(guild)

    async def _fetch(self, guild: GuildId) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                found = await self._client.http.get_guild(guild, with_counts=False)
        except FAILURES as error:
            log.info("the language of server %d is not known: %r", guild, error)
            self._unknown[guild] = True
        else:
            self._keep(guild, found["features"], found["preferred_locale"])
