"""Direct messages, which Discord lets a bot open only slowly.

"You should not use this endpoint to DM everyone in a server about something. […] If you open a significant amount of
DMs too quickly, your bot may be rate limited or blocked from opening new ones." So a player's direct messages are
opened when the player asks for a digest or for reminders there, and are known from then on.

Source: https://discord.com/developers/docs/resources/user#create-dm
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord
from cachetools import LRUCache

from bot.services.discord_errors import FAILURES, PAUSING, describe
from bot.services.messages import fit_message
from play.ids import ChannelId, UserId
from play.people.settings import Reminders
from storage import Database
from storage.errors import Unavailable
from use_cases.match_writer import retry_on_conflict
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)

PAUSE_SECONDS = 600.0
"""Seconds in which no direct messages are opened after Discord has refused to open some."""

MAX_KNOWN = 10_000
"""Players whose direct messages are remembered without a row of the database."""


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
