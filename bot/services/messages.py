"""Messages: Discord's limits of their texts, whom they may ping, what forwarded ones show; and direct messages.

Every text is cut to the limits, so that no answer is lost for its length. Forwarded messages are empty themselves:
what they show is in their snapshot.

Discord lets a bot open direct messages only slowly: "You should not use this endpoint to DM everyone in a server
about something. […] If you open a significant amount of DMs too quickly, your bot may be rate limited or blocked
from opening new ones." So a player's direct messages are opened when the player asks for a digest or for reminders
there, and are known from then on.

Source: https://discord.com/developers/docs/resources/user#create-dm
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final, TypeAlias

import discord
from cachetools import LRUCache

from bot.services.discord_errors import FAILURES, PAUSING, describe
from play.ids import ChannelId, UserId, is_person
from play.people.settings import Reminders
from storage import Database
from storage.errors import Unavailable
from use_cases.match_writer import retry_on_conflict
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)

MAX_CONTENT: Final = 2000
"""Characters of a message."""

MAX_PANEL_TEXT: Final = 4000
"""Characters of all texts of a panel (Components V2) together."""

ELLIPSIS: Final = "…"

Shown: TypeAlias = discord.Message | discord.MessageSnapshot
"""What has the text, the files and the components that readers of a message see."""

PAUSE_SECONDS = 600.0
"""Seconds in which no direct messages are opened after Discord has refused to open some."""

MAX_KNOWN = 10_000
"""Players whose direct messages are remembered without a row of the database."""


def fit(text: str, most: int = MAX_CONTENT) -> str:
    """Returns the text, or as many of its lines as fit, or the beginning of its only line."""
    if len(text) <= most:
        return text
    cut = text[: most - len(ELLIPSIS)]
    lines, _, _ = cut.rpartition("\n")
    return (lines or cut.rstrip("\\")) + ELLIPSIS


def fit_message(message: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that send or change a message, with a content that fits."""
    content = message.get("content")
    return message if content is None else {**message, "content": fit(content)}


def mentions_of(users: Iterable[UserId]) -> discord.AllowedMentions:
    """Returns the permission to ping these users and nobody else, whatever the text says.

    Sides and deleted users have no account that Discord could ping.
    """
    pinged = [discord.Object(user) for user in users if is_person(user)]
    return discord.AllowedMentions(users=pinged, everyone=False, roles=False, replied_user=False)


def is_forward(message: discord.Message) -> bool:
    """Returns whether a message is one that its author has forwarded, from wherever they read it."""
    return bool(message.message_snapshots)


def shown_in(message: discord.Message) -> Shown:
    """Returns what a message shows: itself, or the message that was forwarded, whose author Discord doesn't tell."""
    return next(iter(message.message_snapshots), message)


class DirectMessages:
    """Opens direct messages and sends them. `clock` has seconds."""

    def __init__(self, client: discord.Client, store: Database, clock: Callable[[], float]) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._known: LRUCache[UserId, ChannelId] = LRUCache(MAX_KNOWN)
        self._paused_until = float("-inf")

    async def send(self, user: UserId, **message: Any) -> None:
        """Sends a message, with the arguments of discord.py. Discord takes its `nonce` only once.

        Raises discord.HTTPException, and RetryLater while Discord lets the bot open none.
        """
        channel = await self.channel_of(user)
        try:
            await self._client.get_partial_messageable(channel).send(**fit_message(message))
        except discord.HTTPException as error:
            self._raise_if_paused(error)
            raise

    async def open(self, user: UserId) -> None:
        """Opens the direct messages of a player who has just asked for some; what fails now is made up for later."""
        try:
            await self.channel_of(user)
        except (RetryLater, Unavailable, *FAILURES) as error:
            log.info("the direct messages of user %d are opened when there are some: %r", user, error)

    async def channel_of(self, user: UserId) -> ChannelId:
        """Returns the channel of a user's direct messages, which the user has just asked for something.

        Raises discord.HTTPException, and RetryLater while Discord lets the bot open none.
        """
        async with self._store.read() as reader:
            stored = (await reader.people.get(user)).dm
        known = stored or self._known.get(user)
        if known is not None:
            return known
        if self._clock() < self._paused_until:
            raise RetryLater("Discord lets the bot open no direct messages for a while")
        try:
            opened = await self._client.http.start_private_message(user)
        except discord.HTTPException as error:
            self._raise_if_paused(error)
            raise
        channel = self._known[user] = ChannelId(int(opened["id"]))
        await self._note(user, channel)
        return channel

    async def _note(self, user: UserId, channel: ChannelId) -> None:
        """Stores the channel of a player who wants direct messages regularly."""

        async def note() -> None:
            async with self._store.write() as tx:
                settings = await tx.people.get(user)
                if settings.digest is not None or settings.reminders is Reminders.DM:
                    await tx.people.save(replace(settings, dm=channel))

        await retry_on_conflict(note)

    def _raise_if_paused(self, error: discord.HTTPException) -> None:
        if error.code in PAUSING:
            self._paused_until = self._clock() + PAUSE_SECONDS
            raise RetryLater(f"Discord refuses direct messages of the bot for a while: {describe(error)}") from error
