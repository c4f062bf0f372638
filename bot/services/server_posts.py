"""What workers post in channels of servers: once, plainer where Discord refuses it, and some of it kept up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.services.discord_errors import (
    ErrorCode,
    delivery_problem,
    describe,
    is_about_content,
    is_about_rights,
    send_plainest,
)
from bot.services.guild_directory import GuildDirectory
from bot.services.messages import fit, mentions_of
from bot.services.thread_budget import ThreadBudget
from play.ids import ChannelId, GuildId, MessageId, UserId
from use_cases.worker import RetryLater, Unshowable

Picture = Callable[[], discord.File]
"""Makes the file of a picture anew for each try, since sending uses it up."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message that pings the `pinged` players and nobody else. Without its picture it still says all that matters."""

    content: str
    buttons: discord.ui.View | None = None
    picture: Picture | None = None
    pinged: Sequence[UserId] = ()

    @property
    def forms(self) -> Iterator[Post]:
        """Yields the message as it is to be, and without its picture."""
        yield self
        if self.picture is not None:
            yield replace(self, picture=None)

    def arguments(self, files: str) -> dict[str, Any]:
        """Returns what discord.py sends, its text fitted, with the pictures as its argument `files`."""
        return {
            "content": fit(self.content),
            "view": self.buttons,
            files: [] if self.picture is None else [self.picture()],
            "allowed_mentions": mentions_of(self.pinged),
        }


class ServerPosts:
    """Posts and keeps messages in channels of servers. A `nonce` of at most 25 characters makes one message.

    All methods raise Undeliverable if the channel is gone, ChannelClosed while the bot may not post there, and
    RetryLater where another try may help.
    """

    def __init__(self, directory: GuildDirectory, threads: ThreadBudget) -> None:
        self._directory = directory
        self._threads = threads

    async def post(self, guild: GuildId, channel: ChannelId, nonce: str, *posts: Post) -> MessageId:
        """Posts the first of `posts` that Discord takes; each is plainer than the one before. Raises Unshowable if it
        takes none."""
        with _problems_of_workers():
            there = await self._directory.messageable(guild, channel)
            return MessageId((await _send(there, nonce, *posts)).id)

    async def call(self, guild: GuildId, channel: ChannelId, nonce: str, *posts: Post) -> MessageId:
        """Posts what a thread is to open from: there is no game without it, so what Discord refuses is tried again.
        Raises RetryLater while the channel has had its threads."""
        self._threads.count_call(channel)
        try:
            return await self.post(guild, channel, nonce, *posts)
        except Unshowable as refused:
            raise RetryLater(str(refused)) from refused

    async def keep(
        self, guild: GuildId, channel: ChannelId, kept: MessageId | None, nonce: str, post: Post
    ) -> MessageId:
        """Edits the message `kept`; one that is lost, or not there yet, is posted. Returns the message.

        The `nonce` has to be another one once a message is lost. Raises Unshowable if Discord takes it in no form.
        """
        with _problems_of_workers():
            there = await self._directory.messageable(guild, channel)
            if kept is not None and await _edit(there, kept, post):
                return kept
            sent = await _send(there, nonce, post)
            # That of an earlier try, whose answer was lost, may say what is no longer true.
            if sent.content != fit(post.content) and not await _edit(there, sent.id, post):
                raise RetryLater(f"message {sent.id} was deleted as soon as it was posted")
            return MessageId(sent.id)


async def _send(channel: discord.PartialMessageable, nonce: str, *posts: Post) -> discord.Message:
    async def send(form: Post) -> discord.Message:
        fitted = form.arguments("files")
        return await channel.send(nonce=nonce, **fitted)

    return await send_plainest(send, (form for post in posts for form in post.forms))


async def _edit(channel: discord.PartialMessageable, message: int, post: Post) -> bool:
    """Returns False if the message is lost."""

    async def edit(form: Post) -> None:
        fitted = form.arguments("attachments")
        await channel.get_partial_message(message).edit(**fitted)

    try:
        await send_plainest(edit, post.forms)
    except discord.HTTPException as error:
        if error.code != ErrorCode.UNKNOWN_MESSAGE:
            raise
        return False
    return True


@contextmanager
def _problems_of_workers() -> Iterator[None]:
    """Raises what a worker should know of Discord's refusals within the block."""
    try:
        yield
    except discord.HTTPException as error:
        raise _problem(error) from error


def _problem(error: discord.HTTPException) -> Exception:
    if error.code == ErrorCode.UNKNOWN_MESSAGE:  # of a new one: the nonce is that of a message which was just deleted
        return RetryLater(describe(error))
    is_refused = is_about_content(error) and not is_about_rights(error)
    return Unshowable(describe(error)) if is_refused else delivery_problem(error)
