"""Keepers: those who have something in a channel are told when the bot can post there no more, and what to press."""

import logging
from collections.abc import Awaitable, Callable
from hashlib import blake2s

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.layout import button, row
from bot.interactions.permissions import BOARD_PERMISSIONS, THREAD_PERMISSIONS, missing, permission_names
from bot.markup import escape
from bot.services.channels import Post, ServerPosts
from bot.services.discord_errors import describe, is_final
from bot.services.locales import Locales
from bot.services.members import DiscordMembers, OwnTimeOuts
from bot.services.messages import DirectMessages
from bot.services.names import Names
from play.ids import ChannelId, GuildId, UserId, is_person
from play.posts import KeptPost, PostProblem
from play.refusal import Refused
from presentation.text import plain_name
from presentation.tournaments import MAX_NAME
from presentation.words.words import Words
from storage import Database
from use_cases.worker import ChannelClosed, RetryLater, Undeliverable, Unshowable

log = logging.getLogger(__name__)

NEEDED = (*BOARD_PERMISSIONS, *THREAD_PERMISSIONS)
"""What the bot needs in a channel in which something is kept."""


class Keepers:
    """Implements use_cases.post_keeper.KeeperNotices."""

    def __init__(
        self,
        store: Database,
        posts: ServerPosts,
        direct: DirectMessages,
        locales: Locales,
        names: Names,
        members: DiscordMembers,
        time_outs: OwnTimeOuts,
        own_id: Callable[[], UserId],
    ) -> None:
        self._store = store
        self._posts = posts
        self._direct = direct
        self._locales = locales
        self._names = names
        self._members = members
        self._time_outs = time_outs
        self._own_id = own_id

    async def tell(self, post: KeptPost, problem: PostProblem) -> None:
        """See use_cases.post_keeper.KeeperNotices."""

        async def trouble(words: Words) -> str:
            return await self._describe(post, problem, words)

        await self._reach(post, _nonce(post, problem), trouble)

    async def tell_ended(self, post: KeptPost) -> None:
        """See use_cases.post_keeper.KeeperNotices."""

        async def end(words: Words) -> str:
            return words("kept.ended")

        nonce = _nonce(post, "ended")
        await self._reach(post, nonce, end, choosable=False)
        async with self._store.read() as reader:
            others = [user for user in post.players if is_person(user) and user != post.keeper]
            known = [user for user in others if (await reader.people.get(user)).dm is not None]
        for user in known:
            await self._write_to(user, post, nonce, end)

    async def _reach(
        self, post: KeptPost, nonce: str, write: Callable[[Words], Awaitable[str]], *, choosable: bool = True
    ) -> None:
        """Writes to the keeper or, if they read nothing, to the log channel. Raises RetryLater."""
        if post.keeper is not None and is_person(post.keeper):
            told = await self._write_to(post.keeper, post, nonce, write, choosable=choosable)
            if told:
                return
        async with self._store.read() as reader:
            channel = (await reader.servers.get(post.guild)).log_channel
        if channel is None:
            log.info("nobody reads of %s %d of server %d", post.key.kind, post.key.number, post.guild)
            return
        words = await self._locales.for_guild(post.guild)
        content, buttons = await self._message(post, words, write, choosable=choosable)
        try:
            await self._posts.post(post.guild, channel, nonce, Post(content, buttons))
        except (ChannelClosed, Undeliverable, Unshowable) as error:
            log.info("the log of server %d takes nothing: %s", post.guild, error)

    async def _write_to(
        self,
        user: UserId,
        post: KeptPost,
        nonce: str,
        write: Callable[[Words], Awaitable[str]],
        *,
        choosable: bool = False,
    ) -> bool:
        """Writes to a user in private; returns False for one who takes no direct messages. Raises RetryLater."""
        words = await self._locales.for_user(user, post.guild)
        content, buttons = await self._message(post, words, write, choosable=choosable)
        try:
            await self._direct.send(user, content=content, view=buttons, nonce=nonce)
        except discord.HTTPException as error:
            if not is_final(error):
                raise RetryLater(describe(error)) from error
            log.info("user %d takes no direct messages: %s", user, describe(error))
            return False
        return True

    async def _message(
        self, post: KeptPost, words: Words, write: Callable[[Words], Awaitable[str]], *, choosable: bool
    ) -> tuple[str, discord.ui.View | None]:
        what = words(f"kept.what.{post.key.kind}", name=escape(plain_name(post.name, MAX_NAME)))
        server = escape(await self._names.of_server(post.guild) or words("team.server"))
        content = f"{words('kept.title', what=what, server=server)}\n{await write(words)}"
        choose = button(ids.CHOOSE_CHANNEL(post=post.key), words("kept.choose"), discord.ButtonStyle.primary)
        return content, row(choose) if choosable else None

    async def _describe(self, post: KeptPost, problem: PostProblem, words: Words) -> str:
        channel = words.channel(post.channel)
        if problem is not PostProblem.PERMISSION:
            return words(f"kept.trouble.{problem}", channel=channel, permissions="")
        if (end := await self._time_outs.end(post.guild)) is not None:
            return words("check.timed_out", channel=channel, until=words.moment(end))
        lacking = await self._lacking(post.guild, post.channel)
        return words("kept.trouble.permission", channel=channel, permissions=permission_names(lacking, words))

    async def _lacking(self, guild: GuildId, channel: ChannelId) -> list[str]:
        """Returns the permissions that the bot lacks in a channel; all that it needs, where Discord does not say."""
        try:
            own = await self._members.standing(guild, channel, self._own_id())
        except Refused as away:
            log.info("what the bot may do in channel %d is not known: %s", channel, away)
            own = None
        return (own and missing(own.may, NEEDED, in_thread=False)) or list(NEEDED)


def _nonce(post: KeptPost, told: str) -> str:
    """Returns what makes one message of what is told twice within minutes."""
    return blake2s(f"{post.key}:{post.channel}:{told}".encode(), digest_size=12).hexdigest()
