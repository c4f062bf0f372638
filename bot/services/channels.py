"""Posts and edits in channels: by the bot's own right or, in user installs, by the tokens of interactions.

Users who have installed the bot for themselves can use it in private channels, and on servers that it is not in.
There Discord lets it answer each interaction by its token, for 15 minutes and with five messages, and nothing else:
it refuses what the bot posts by itself (50001), and the bot reads nothing. The tokens are secrets, neither stored
nor logged, so after a restart such a channel is closed until the next interaction.

The same tokens change and delete what was posted with them, also where the bot is a member, and those requests do
not count towards the 50 a second of the whole bot.

What workers post in channels of servers is posted once, plainer where Discord refuses it, and some of it is kept up
to date.

Source: https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import discord
from cachetools import LRUCache

from bot.request import Interaction, Request, can_answer_publicly, is_user_install, needs_token, time_of
from bot.services.discord_errors import (
    ErrorCode,
    delivery_problem,
    describe,
    is_about_content,
    is_about_rights,
    send_plainest,
)
from bot.services.guild_directory import GuildDirectory
from bot.services.messages import fit, fit_message, mentions_of
from bot.services.rate_limits import Pace, ThreadBudget
from play.ids import ChannelId, GuildId, MessageId, UserId
from storage.errors import Unavailable
from use_cases.worker import RetryLater, Unshowable

TOKEN_SECONDS = 14 * 60.0
"""Seconds for which a token is used; Discord ends it a minute later."""

MAX_CHANNELS, TOKENS_PER_CHANNEL = 2000, 8
"""Channels that are remembered, and interactions in each."""

MAX_TOKENS = 4000
"""Messages whose tokens are remembered: the boards of as many matches, and the panels in front of them."""

Picture = Callable[[], discord.File]
"""Makes the file of a picture anew for each try, since sending uses it up."""


@dataclass(eq=False, slots=True)
class ResponseToken:
    """The token of an interaction, by which its channel can be answered."""

    webhook: discord.Webhook
    expires: float
    """Seconds on the clock."""
    is_full: bool = False
    """Whether it has brought its five messages."""
    searches: UserId | None = None
    """Whose searches for a stranger its private panel shows."""


class ChannelMessenger:
    """Posts and edits in channels. In a user install it tries the tokens of the newest interactions first."""

    def __init__(
        self,
        client: discord.Client,
        directory: GuildDirectory,
        pace: Pace,
        repost: Callable[[ChannelId], Awaitable[None]],
        threads: ThreadBudget,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`repost` puts what could not be posted in a channel into the outbox again."""
        self._client = client
        self._directory = directory
        self._pace = pace
        self._repost = repost
        self._threads = threads
        self._clock = clock
        self._tokens: LRUCache[ChannelId, deque[ResponseToken]] = LRUCache(MAX_CHANNELS)
        self._installs: LRUCache[ChannelId, None] = LRUCache(MAX_CHANNELS)
        self._tokens_by_message: LRUCache[int, ResponseToken] = LRUCache(MAX_TOKENS)

    async def open_channel(self, interaction: Interaction) -> None:
        """Posts what waits for the channel, if the interaction lets the bot answer there.

        The interaction is acknowledged, and no answer is to be replaced.
        """
        request = Request.of(interaction, time_of)
        channel = request.channel
        self._directory.remember(channel, request.guild)
        if is_user_install(interaction):
            self._installs[channel] = None
        else:
            self._installs.pop(channel, None)  # the bot may have been added since
        if not needs_token(interaction):
            self._tokens.pop(channel, None)
            return
        if not can_answer_publicly(interaction):
            return
        self._tokens.setdefault(channel, deque(maxlen=TOKENS_PER_CHANNEL)).appendleft(self._token(interaction))
        with suppress(Unavailable):  # what the player asks for says so
            await self._repost(channel)

    def is_user_install(self, channel: ChannelId) -> bool:
        """Returns whether the bot knows that only a user's installation brings it to a channel."""
        return channel in self._installs

    def is_open(self, channel: ChannelId) -> bool:
        """Returns whether a token lets the bot post in a channel of a user install, as far as it knows."""
        return bool(self._free_tokens(channel))

    async def post(
        self,
        channel: ChannelId,
        message: Callable[[], dict[str, Any]],
        once: str,
        *,
        guild: GuildId | None,
        reference: discord.MessageReference | None = None,
    ) -> MessageId:
        """Posts what `message` makes anew for every try, since sending uses pictures up; for a server only into its own
        channels.

        By the bot's own right a message with the nonce `once` is posted once. An answer to an interaction can have no
        nonce and be no reply: after a crash between post and note, or where only Discord's answer was lost, such a
        channel may get the same message twice. Raises discord.HTTPException and RetryLater.
        """
        for token in self._free_tokens(channel):
            try:
                sent = await token.webhook.send(**fit_message(message()), wait=True)
            except discord.HTTPException as error:
                if not _note_refusal(token, error):
                    raise
            else:
                self._tokens_by_message[sent.id] = token
                return MessageId(sent.id)
        await self._pace.wait_turn()
        if self._client.is_closed():  # Discord has ended the session for good, and the program is about to end
            raise RetryLater("the connection to Discord is closed")
        there = await self._directory.messageable(guild, channel)
        posted = await there.send(**fit_message(message()), nonce=once, reference=reference)  # type: ignore[arg-type]
        return MessageId(posted.id)

    def remember_token(self, interaction: Interaction, message: int, searches: UserId | None = None) -> None:
        """Remembers that the token of an interaction made a message, or changed it last; it shows the `searches` of a
        user, if any."""
        self._tokens_by_message[message] = self._token(interaction)
        self._tokens_by_message[message].searches = searches

    def has_token(self, message: int) -> bool:
        """Returns whether a message can be changed without a request that counts, as far as the bot knows."""
        return self._token_of(message) is not None

    def panels_of_searches(self, user: UserId) -> list[MessageId]:
        """Returns the private panels that show the searches of a user and can still be changed."""
        shown = [message for message, token in self._tokens_by_message.items() if token.searches == user]
        return [MessageId(message) for message in shown if self.has_token(message)]

    async def edit(self, channel: ChannelId, message: MessageId, **changes: Any) -> None:
        """Changes a message of the bot, by the token that made it as long as that lives.

        Raises discord.HTTPException.
        """
        if token := self._token_of(message):
            try:
                await token.webhook.edit_message(message, **fit_message(changes))
            except discord.HTTPException as error:
                if not _note_refusal(token, error):
                    raise
            else:
                return
        await self._pace.wait_turn()
        await self._client.get_partial_messageable(channel).get_partial_message(message).edit(**fit_message(changes))

    async def delete(self, channel: ChannelId, message: MessageId) -> None:
        """Deletes a message of the bot. Raises discord.HTTPException."""
        await self._pace.wait_turn()
        await self._client.get_partial_messageable(channel).get_partial_message(message).delete()

    async def fetch(self, channel: ChannelId) -> Any:
        """Returns what Discord says about a channel. Raises discord.HTTPException."""
        await self._pace.wait_turn()
        return await self._client.http.get_channel(channel)

    async def open_thread(self, channel: ChannelId, message: int, *, name: str, minutes: int) -> None:
        """Opens a thread on a message, archived after so many minutes without another one.

        Raises discord.HTTPException and ThreadsLimited.
        """
        async with self._threads.opening(channel):
            opened: Any = await self._client.http.start_thread_with_message(
                channel,
                message,
                name=name,
                auto_archive_duration=minutes,  # type: ignore[arg-type]
                rate_limit_per_user=0,
            )
        self._directory.remember(ChannelId(int(opened["id"])), GuildId(int(opened["guild_id"])))

    async def add_to_thread(self, thread: ChannelId, user: UserId) -> None:
        """Adds a user to a thread, which tells nobody. Raises discord.HTTPException."""
        await self._pace.wait_turn()
        await self._client.http.add_user_to_thread(thread, user)

    async def reopen_thread(self, thread: ChannelId) -> None:
        """Opens an archived thread again. Raises discord.HTTPException."""
        await self._pace.wait_turn()
        await self._client.http.edit_channel(thread, archived=False)

    async def change_thread(self, thread: ChannelId, *, minutes: int) -> None:
        """Has a thread archived after so many minutes without a message. Raises discord.HTTPException."""
        await self._pace.wait_turn()
        await self._client.http.edit_channel(thread, auto_archive_duration=minutes)

    async def rename(self, channel: ChannelId, name: str) -> None:
        """Gives a channel a name. Discord allows that twice in ten minutes. Raises discord.HTTPException."""
        await self._pace.wait_turn()
        await self._client.http.edit_channel(channel, name=name)

    async def end_panel(
        self, panel: int, left: discord.ui.LayoutView | None = None, pictures: Sequence[discord.File] = ()
    ) -> None:
        """Deletes a private panel, or leaves something else in it with its `pictures`, if its token still lives;
        otherwise it stays as it is, and its buttons explain themselves."""
        if token := self._token_of(panel):
            with suppress(discord.HTTPException):
                if left is None:
                    await token.webhook.delete_message(panel)
                else:
                    await token.webhook.edit_message(panel, view=left, attachments=pictures)

    def _token(self, interaction: Interaction) -> ResponseToken:
        return ResponseToken(interaction.followup, self._clock() + TOKEN_SECONDS)

    def _token_of(self, message: int) -> ResponseToken | None:
        """Returns the token that made a message, if it can still be used."""
        token = self._tokens_by_message.get(message)
        return token if token is not None and token.expires > self._clock() else None

    def _free_tokens(self, channel: ChannelId) -> Sequence[ResponseToken]:
        """Returns the tokens by which more can be posted in a channel, the newest first."""
        now = self._clock()
        return [token for token in self._tokens.get(channel, ()) if token.expires > now and not token.is_full]


def _note_refusal(token: ResponseToken, error: discord.HTTPException) -> bool:
    """Returns whether Discord refused the token, and not the message; it is not used for that again."""
    if error.code == ErrorCode.TOO_MANY_FOLLOW_UPS:
        token.is_full = True
    elif error.code in (ErrorCode.INVALID_WEBHOOK_TOKEN, ErrorCode.UNKNOWN_WEBHOOK):
        token.expires = float("-inf")
    else:
        return False
    return True


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
