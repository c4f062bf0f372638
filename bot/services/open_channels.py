"""Which servers and channels are open: where the bot is, and what every member of a server can read."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

import discord
from cachetools import TTLCache

from bot.services.channel_permissions import is_as_wide, permissions_in
from bot.services.keyed_locks import KeyedLocks
from bot.services.names import plain_name
from bot.services.rate_limits import Pace
from play.ids import ChannelId, GuildId
from play.refusal import Reason, Refused

KEPT_SECONDS = 60.0
"""Seconds for which Discord's answers are kept: a channel that was closed to members is closed here a minute later."""

ANSWER_SECONDS = 2.0
"""Seconds that Discord gets to answer, since a reader or a click waits."""

CACHE_SIZE = 4000
"""Servers and channels whose answers are kept, of some kB."""

CHANNEL_FIELDS = ("guild_id", "type", "parent_id", "thread_metadata", "permission_overwrites")
"""What is kept of a channel."""

MAX_SERVER_NAME = 100
"""Characters of a server's name; Discord's limit."""

READ = discord.Permissions(view_channel=True, read_message_history=True)
"""What members need to read a channel's older messages."""

PRIVATE_THREAD = discord.ChannelType.private_thread.value

Json = dict[str, Any]

log = logging.getLogger(__name__)


class Found(NamedTuple):
    """What Discord has said; None of something that the bot cannot see."""

    answer: Json | None


class OpenChannels:
    """An implementation of `play.services.public_games.Channels`, which asks Discord: no server is cached."""

    def __init__(
        self, client: discord.Client, clock: Callable[[], float] = time.monotonic, *, pace: Pace | None = None
    ) -> None:
        """With a `pace` each request waits for its turn: homes are due by the hundred each morning."""
        self._client = client
        self._pace = pace
        self._found: TTLCache[int, Found] = TTLCache(CACHE_SIZE, KEPT_SECONDS, clock)
        self._locks: KeyedLocks[int] = KeyedLocks()

    async def server_name(self, guild: GuildId) -> str | None:
        server = await self._guild(guild)
        return None if server is None else plain_name(server["name"], MAX_SERVER_NAME)

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        found, server = await self._channel_of(guild, channel), await self._guild(guild)
        if server is None or found is None:
            return False
        return permissions_in(server, found, {server["id"]}, None) >= READ

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        if here == channel or await self.is_open(guild, channel):
            return True
        one, other = await self._channel_of(guild, here), await self._channel_of(guild, channel)
        return one is not None and other is not None and is_as_wide(other, one, READ)

    async def _channel_of(self, guild: GuildId, channel: ChannelId) -> Json | None:
        """Returns a channel of a server; of a public thread the channel that it hangs in, whose readers it has."""
        found = await self._channel(channel)
        if found is not None and "thread_metadata" in found:
            found = None if found["type"] == PRIVATE_THREAD else await self._channel(int(found["parent_id"]))
        return found if found is not None and found.get("guild_id") == str(guild) else None

    async def _guild(self, guild: int) -> Json | None:
        """Returns the id and the name of a server, and of its roles @everyone, which has the same id."""

        async def ask() -> Json:
            found = await self._client.http.get_guild(guild, with_counts=False)
            everyone = [role for role in found["roles"] if role["id"] == found["id"]]
            return {"id": found["id"], "name": found["name"], "roles": everyone}

        return await self._keep(guild, ask)

    async def _channel(self, channel: int) -> Json | None:
        async def ask() -> Json:
            found: Mapping[str, Any] = await self._client.http.get_channel(channel)
            return {name: found[name] for name in CHANNEL_FIELDS if name in found}

        return await self._keep(channel, ask)

    async def _keep(self, number: int, ask: Callable[[], Awaitable[Json]]) -> Json | None:
        """Returns what Discord says of something, asked once at a time; None if the bot cannot see it."""
        async with self._locks.of(number):
            found = self._found.get(number)
            if found is None:
                if self._pace is not None:
                    await self._pace.wait_turn()
                found = self._found[number] = Found(await _ask(ask))
        return found.answer


async def _ask(request: Callable[[], Awaitable[Json]]) -> Json | None:
    """Returns the answer to a request; None if the bot cannot see it. Raises Refused (`discord_away`)."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await request()
    except (discord.Forbidden, discord.NotFound):
        return None
    except (discord.HTTPException, OSError, TimeoutError) as error:
        log.warning("Discord does not say who may read a channel: %r", error)
        raise Refused(Reason.DISCORD_AWAY) from error
