"""The calls of players for whom a stranger was found, and what comes of them."""

from contextlib import suppress

import discord

from bot.addresses import game_link
from bot.features.strangers import Ready
from bot.interactions import custom_ids as ids
from bot.interactions.layout import button, layout, row
from bot.services.channels import ChannelMessenger, Post, ServerPosts
from bot.services.discord_errors import delivery_problem
from bot.services.locales import Locales
from bot.services.messages import mentions_of
from bot.services.names import Names
from play.community.seek import Seek, SeekCall
from play.ids import SECOND, ChannelId, Millis, UserId
from presentation.strangers import call_text, settled_text
from presentation.words.words import Words
from storage import Database
from use_cases.worker import RetryLater
from use_cases.workers.matchmaker import Posted

BOARD_MILLIS = Millis(10 * SECOND)
"""How long a call waits for the first board; its thread may never open."""


class StrangerCalls:
    """Implements use_cases.workers.matchmaker.SeekDisplay."""

    def __init__(
        self,
        posts: ServerPosts,
        channels: ChannelMessenger,
        store: Database,
        locales: Locales,
        names: Names,
    ) -> None:
        self._posts = posts
        self._channels = channels
        self._store = store
        self._locales = locales
        self._names = names

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        """See use_cases.workers.matchmaker.SeekDisplay."""
        words = await self._words(seek)
        text = call_text(seek, words.mention(seek.user, ""), await self._names.of(opponent, seek.guild), words)
        ready = [Ready.make(words("seek.button.ready"), seek=seek.id)] if seek.call_ends and not seek.ready else []
        post, nonce = Post(text, row(*ready), pinged=[seek.user]), f"s{seek.id}:{seek.version}"
        if seek.guild is not None:
            return [Posted(seek.channel, await self._posts.call(seek.guild, seek.channel, nonce, post))]
        message = {"content": post.content, "view": post.buttons, "allowed_mentions": mentions_of([seek.user])}
        try:
            return [Posted(seek.channel, await self._channels.post(seek.channel, lambda: message, nonce, guild=None))]
        except discord.HTTPException as error:
            raise delivery_problem(error) from error

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        """See use_cases.workers.matchmaker.SeekDisplay. On a server a thread opens from the call, with the first board;
        in direct messages there is none."""
        return ChannelId(seek.call) if seek.guild is not None and seek.call is not None else None

    async def settle(self, call: SeekCall) -> None:
        """See use_cases.workers.matchmaker.SeekDisplay."""
        words, url = await self._words(call), await self._game(call)
        text = settled_text(call, words.mention(call.user, ""), url, words)
        try:
            await self._channels.edit(call.channel, call.message, content=text, view=None)
        except discord.HTTPException as error:
            raise delivery_problem(error) from error
        if call.told is not None and not call.told.goes_on:
            await self._close_panels(call, url)

    async def _close_panels(self, call: SeekCall, url: str) -> None:
        """Says in the private panels that still show the search what came of it, as long as their tokens live."""
        words = await self._locales.for_user(call.user, call.guild)
        text = settled_text(call, words.mention(call.user, ""), url, words)
        view = layout([text, [button(ids.PLAY_PANEL(flexible=1), words("seek.door"))]])
        for panel in self._channels.panels_of_searches(call.user):
            with suppress(discord.HTTPException):
                await self._channels.edit(call.channel, panel, view=view)

    async def _game(self, call: SeekCall) -> str:
        """Returns the address of the board of the game that a call has led to; empty without one. Raises RetryLater
        while the board is on its way: until then the thread's address is that of the call itself."""
        if call.match is None:
            return ""
        async with self._store.read() as reader:
            now, match = await reader.clock.now(), await reader.matches.get(call.match)
            boards = [each.board for each in await reader.matches.open_of(call.user) if each.id == call.match]
        if boards == [None] and call.at is not None and now < call.at + BOARD_MILLIS:
            raise RetryLater(f"the first board of match {call.match} is on its way")
        return game_link(match.for_reader(call.user, call.guild), next(iter(boards), None)) if match is not None else ""

    async def _words(self, call: Seek | SeekCall) -> Words:
        if call.guild is None:
            return await self._locales.for_user(call.user, None)
        return await self._locales.for_guild(call.guild)
