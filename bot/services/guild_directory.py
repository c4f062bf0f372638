"""The channels and roles of servers: whether a number that was sent or stored belongs to a server."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any, TypeVar

import discord
from cachetools import LRUCache

from play.ids import ChannelId, GuildId, RoleId, UserId
from play.refusal import Reason, Refused

CACHE_SIZE = 20_000
"""Channels whose server is remembered, of 100 bytes: it never changes."""

ANSWER_SECONDS = 2.0
"""Seconds that Discord gets to answer, since a click has to be acknowledged within three."""

T = TypeVar("T")


class ForeignChannel(discord.NotFound):
    """A channel that is stored for a server and is not of that server. There it does not exist."""

    def __init__(self, guild: GuildId, channel: ChannelId) -> None:
        response: Any = SimpleNamespace(status=404, reason="Not Found")
        super().__init__(response, f"channel {channel} is not of server {guild}")


class GuildDirectory:
    """The channels and roles of servers, by what Discord says: no server is cached."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._guilds: LRUCache[ChannelId, GuildId | None] = LRUCache(CACHE_SIZE)

    def remember(self, channel: ChannelId, guild: GuildId | None) -> None:
        """Remembers the server of a channel, as Discord has told it."""
        self._guilds[channel] = guild

    async def messageable(self, guild: GuildId | None, channel: ChannelId) -> discord.PartialMessageable:
        """Returns a channel to post into for a server, or outside of servers without one.

        Every post of the bot by its own right passes here. Discord is asked once about each channel. Raises
        ForeignChannel and discord.HTTPException.
        """
        if guild is not None:
            if channel not in self._guilds:
                found: Any = await self._client.http.get_channel(channel)
                self.remember(channel, GuildId(int(found["guild_id"])) if "guild_id" in found else None)
            if self._guilds[channel] != guild:
                raise ForeignChannel(guild, channel)
        return self._client.get_partial_messageable(channel)

    async def channels(self, guild: GuildId) -> dict[ChannelId, int]:
        """Returns the channels of a server with their types, threads excepted.

        Raises Refused (`discord_away`) and discord.HTTPException.
        """
        found = await _answer(self._client.http.get_all_guild_channels(guild))
        return {ChannelId(int(each["id"])): each["type"] for each in found}

    async def roles(self, guild: GuildId) -> set[RoleId]:
        """Returns the roles of a server. Raises Refused (`discord_away`) and discord.HTTPException."""
        return {RoleId(int(each["id"])) for each in await _answer(self._client.http.get_roles(guild))}

    async def require_member(self, guild: GuildId, user: UserId) -> None:
        """Raises discord.NotFound for a user who is no member of a server.

        Raises Refused (`discord_away`) and discord.HTTPException.
        """
        await _answer(self._client.http.get_member(guild, user))


async def _answer(request: Coroutine[Any, Any, T]) -> T:
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await request
    except TimeoutError as error:
        raise Refused(Reason.DISCORD_AWAY) from error
