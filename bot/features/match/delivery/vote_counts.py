"""Keeps the number of votes on boards true: at most one edit a minute of each, however many vote."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord

from bot.features.match.board.message import BoardRenderer
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import FAILURES
from bot.services.locales import Locales
from play.ids import MatchId, MessageId
from play.match.match import Match
from play.refusal import Refused
from storage import Database
from storage.errors import Unavailable

log = logging.getLogger(__name__)

EDIT_SECONDS = 60.0
"""Seconds between two edits of a board: readers of a vote that lasts hours need no more."""

MAX_COUNTED = 1000
"""Boards that wait for an edit. Of more the number stays as it is until their next vote."""


class VoteCounts:
    """Edits the words of boards whose side votes. No vote waits for that, and after a failure the number stays."""

    def __init__(
        self,
        store: Database,
        boards: BoardRenderer,
        locales: Locales,
        channels: ChannelMessenger,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._boards = boards
        self._locales = locales
        self._channels = channels
        self._sleep = sleep
        self._changed: set[MatchId] = set()
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}

    def note_votes(self, match: MatchId) -> None:
        """Has the board of a match edited: at once, or a minute after the last edit."""
        if match in self._tasks or len(self._tasks) < MAX_COUNTED:
            self._changed.add(match)
        if match in self._changed and match not in self._tasks:
            self._tasks[match] = asyncio.create_task(self._work(match))

    async def close(self) -> None:
        """Stops; boards that still wait keep their numbers."""
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, match: MatchId) -> None:
        try:
            while match in self._changed:
                self._changed.discard(match)
                await self._edit(match)
                await self._sleep(EDIT_SECONDS)
        finally:
            self._changed.discard(match)
            del self._tasks[match]

    async def _edit(self, number: MatchId) -> None:
        try:
            async with self._store.read() as reader:
                match = await reader.matches.get(number)
            if match is None or match.to_act is None:
                return
            match = match.at_home_of(match.to_act)
            words = await self._locales.for_match(match)
            view = (await self._boards.render(match, words, pictured=False)).view
            board = await self._board_of(match)
            if board is not None and view.vote is not None:
                none = discord.AllowedMentions.none()
                await self._channels.edit(match.channel, board, content=view.content, allowed_mentions=none)
        except (*FAILURES, Refused, Unavailable) as error:
            log.info("the board of match %d keeps its number of votes: %s", number, error)

    async def _board_of(self, match: Match) -> MessageId | None:
        """Returns the newest board of a match; None if a newer version is still to be posted."""
        async with self._store.read() as reader:
            if await reader.outbox.next_entry(match.id, away=match.place.away) is not None:
                return None
            entries = await reader.matches.open_of(match.players[match.position.to_act])
        return next((entry.board for entry in entries if entry.id == match.id), None)
