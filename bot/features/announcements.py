"""The operator's announcements in servers: each gets one message, in its language, in a channel of its choice."""

import asyncio
from collections.abc import Awaitable, Callable

import discord

from bot.features.welcome import choose_channel
from bot.request import own_id
from bot.services.channels import Post, ServerPosts
from bot.services.discord_errors import delivery_problem
from bot.services.locales import Locales
from bot.services.rate_limits import Pace
from play.community.operator import Announcement
from play.ids import ChannelId, GuildId
from presentation.words.words import SOURCE, Words
from storage import Database
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable, Unshowable

MAX_PAGE = 200
"""Servers that Discord tells at once."""


def announcement_text(announcement: Announcement, words: Words) -> str:
    """Returns what a server reads; in English where its language is missing."""
    text = announcement.texts.get(words.tag) or announcement.texts[SOURCE]
    return f"{text}\n-# {words('about.announced')}"


class ServerAnnouncer:
    """Implements use_cases.workers.announcement_relay.Announcer."""

    def __init__(
        self, client: discord.Client, store: Database, posts: ServerPosts, locales: Locales, pace: Pace
    ) -> None:
        self._client = client
        self._store = store
        self._posts = posts
        self._locales = locales
        self._pace = pace

    async def servers(self, after: GuildId) -> tuple[list[GuildId], bool]:
        """See use_cases.workers.announcement_relay.Announcer."""
        await self._pace.wait_turn()
        try:
            found = await self._client.http.get_guilds(MAX_PAGE, after=after, with_counts=False)
        except discord.HTTPException as error:
            raise RetryLater(str(error)) from error
        return sorted(GuildId(int(each["id"])) for each in found), len(found) < MAX_PAGE

    async def announce(self, announcement: Announcement, guild: GuildId, begin: Callable[[], Awaitable[bool]]) -> bool:
        """See use_cases.workers.announcement_relay.Announcer."""
        await self._pace.wait_turn()
        try:
            channels = await self._channels(guild)
        except discord.HTTPException as error:
            raise delivery_problem(error) from error
        post = Post(announcement_text(announcement, await self._locales.for_guild(guild)))
        if not await begin():
            return False
        refused: Exception = Undeliverable("there is no channel for it")
        for channel in channels:
            try:
                await self._posts.post(guild, channel, f"op{announcement.id}:{guild:x}", post)
            except (ChannelClosed, Undeliverable, Unshowable) as error:
                refused = error
            else:
                return True
        raise refused

    async def _channels(self, guild: GuildId) -> list[ChannelId]:
        """Returns the channels to try, the best first: what managers have chosen for the bot, else where a greeting
        goes. Raises discord.HTTPException."""
        async with self._store.read() as reader:
            home, server = await reader.homes.get(guild), await reader.servers.get(guild)
        chosen = (None if home is None else home.channel, server.log_channel, *sorted(server.channels))
        if known := [channel for channel in dict.fromkeys(chosen) if channel is not None]:
            return known
        http, account = self._client.http, own_id(self._client)
        found = await http.get_guild(guild, with_counts=False)
        channels, member = await http.get_all_guild_channels(guild), await http.get_member(guild, account)
        there = {**found, "channels": channels, "members": [member]}
        channel = await asyncio.to_thread(choose_channel, there, account)
        return [] if channel is None else [channel]
