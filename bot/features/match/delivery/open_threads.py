"""The threads of running games: their players are in them, and they stay open.

Discord archives a thread after a week without activity, and takes no click and no command of its players then. Activity
is a message, opening an archived thread, and a change of the time after which it is archived.

Source: https://discord.com/developers/docs/topics/threads#active--archived-threads
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final

import discord

from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import FAILURES, ErrorCode, describe, is_final
from bot.services.names import Names
from play.ids import ChannelId, is_person
from play.match.listed import OpenMatch
from play.match.match import Match
from play.match.place import MatchPlace
from use_cases.worker import RetryLater

ARCHIVE_MINUTES: Final = 10080
"""Minutes without activity after which Discord archives a thread: a week, the longest that it offers."""

ADDING_SECONDS: Final = 5.0
"""Seconds that Discord gets to add a player: the board that is posted already waits for it to be noted as posted."""

OTHER_MINUTES: Final = 4320
"""Another time that Discord offers: a change to it and back is activity."""

PUBLIC_THREADS: Final = (discord.ChannelType.news_thread.value, discord.ChannelType.public_thread.value)
THREADS: Final = (*PUBLIC_THREADS, discord.ChannelType.private_thread.value)

log = logging.getLogger(__name__)


class LockedThread(discord.Forbidden):
    """A thread that a moderator has locked. It takes nothing of its players, even if it takes boards of the bot."""

    def __init__(self, channel: ChannelId) -> None:
        response: Any = SimpleNamespace(status=403, reason="Forbidden")
        super().__init__(response, {"code": ErrorCode.THREAD_LOCKED, "message": f"thread {channel} is locked"})


def is_own_thread(there: Mapping[str, Any], own_id: int | None) -> bool:
    """Returns whether what Discord says of a channel is about a thread that the bot has opened."""
    return there["type"] in THREADS and there.get("owner_id") == str(own_id)


class OpenThreads:
    """Keeps threads open, and adds players to them.

    `leave` has the newest board of a match posted again, which finds another place if its thread is closed; it returns
    False for a match that is over or lost.
    """

    def __init__(
        self, channels: ChannelMessenger, names: Names, leave: Callable[[MatchPlace], Awaitable[bool]]
    ) -> None:
        self._channels = channels
        self._names = names
        self._leave = leave

    async def add_players(self, match: Match) -> None:
        """Adds the players of a match to the thread that it is played in; whatever fails is left alone."""
        for user in (match.players[seat] for seat in match.hosts):
            if not is_person(user) or user == self._names.own_id:
                continue
            try:
                async with asyncio.timeout(ADDING_SECONDS):
                    await self._channels.add_to_thread(match.channel, user)
            except FAILURES as error:
                log.info("match %d, user %d is not in its thread: %r", match.id, user, error)

    async def find_parent(self, match: Match) -> ChannelId | None:
        """Returns the channel in which a match can go on without its thread; None if only that thread is its place.

        Those who read the channel also read the bot's threads, but for private ones.
        """
        if match.parent is not None or match.guild is None:
            return match.parent
        try:
            there = await self._channels.fetch(match.channel)
        except discord.HTTPException as error:
            log.info("match %d, nothing is known of its thread: %s", match.id, describe(error))
            return None
        is_own = is_own_thread(there, self._names.own_id) and there["type"] in PUBLIC_THREADS
        return ChannelId(int(there["parent_id"])) if is_own else None

    async def open(self, match: Match | OpenMatch, *, for_a_week: bool = False) -> bool:
        """Opens the thread of a match if it is archived; `for_a_week` without a message, if it is not.

        Returns whether the match is in a thread to which players can be added: only its members say who is in a private
        one. A thread that is not the match's own stays as it is. Raises discord.HTTPException: where the thread is
        closed to the players (LockedThread, too), and where another try may help.
        """
        if match.guild is None or self._channels.is_user_install(match.channel):
            return False
        try:
            there = await self._channels.fetch(match.channel)
        except discord.HTTPException as error:
            if match.parent is not None or not is_final(error):
                raise
            log.info("match %d, nothing is known of its channel: %s", match.id, describe(error))
            return False
        is_own = is_own_thread(there, self._names.own_id)
        if is_own or match.parent is not None:
            if there["thread_metadata"]["locked"]:
                raise LockedThread(match.channel)
            if there["thread_metadata"]["archived"]:
                await self._channels.reopen_thread(match.channel)
            elif for_a_week and is_own:
                await self._channels.change_thread(match.channel, minutes=OTHER_MINUTES)
                await self._channels.change_thread(match.channel, minutes=ARCHIVE_MINUTES)
        return there["type"] in PUBLIC_THREADS

    async def keep_open(self, match: Match) -> bool:
        """See use_cases.workers.thread_keeper.MatchThreads. Raises discord.HTTPException."""
        try:
            return await self.open(match, for_a_week=True)
        except discord.HTTPException as error:
            if not is_final(error):
                raise
            log.info("match %d, its thread stays closed: %s", match.id, describe(error))
            await self._leave(match.place)
            return False

    async def prepare_link(self, match: Match | OpenMatch) -> None:
        """Opens the thread of a match for players who get a link to it.

        Raises RetryLater where it stays closed, until the match has its board in the channel.
        """
        try:
            await self.open(match)
        except discord.HTTPException as error:
            if is_final(error) and await self._leave(match.place):
                raise RetryLater(f"match {match.id} leaves its thread: {describe(error)}") from error
