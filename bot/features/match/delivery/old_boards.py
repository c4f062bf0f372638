"""Keeps boards true once they are posted. No match waits for that.

Those that newer ones have replaced are folded to what happened, *Undo* goes when its time is over, and a count of
votes is edited once a minute at most, however many vote.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import discord
from cachetools import FIFOCache, LRUCache

from bot.features.match.board import BoardMessage, BoardRenderer
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import FAILURES, is_final
from bot.services.locales import Locales
from play.ids import MatchId, MessageId, Millis
from play.match.match import Match
from play.match.offers import TAKEBACK_GRACE
from play.match.outbox_entry import OutboxEntry, is_reply
from play.refusal import Refused
from presentation.match.match_view import MatchView
from storage import Database
from storage.errors import Unavailable

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 0.2
"""Seconds between two requests that count: a tenth of the 50 a second that the whole bot may make."""

MAX_WAITING = 1000
"""Messages. If more wait, the oldest keep their buttons, which answer that they are out of date."""

PAST_CACHE_SIZE = 4000
"""Boards whose past is remembered: the newest of as many matches."""

EDIT_SECONDS = 60.0
"""Seconds between two edits of a board: readers of a vote that lasts hours need no more."""

MAX_COUNTED = 1000
"""Boards that wait for an edit. Of more the number stays as it is until their next vote."""


class _Fold(NamedTuple):
    """A board to fold: the `version` of its match that it shows."""

    match: Match
    version: int


class OldBoards:
    """Edits messages at once by their own tokens, which does not count, and the others one after the other."""

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
        self._past = LRUCache[MessageId, str](PAST_CACHE_SIZE)
        self._waiting = FIFOCache[MessageId, _Fold](MAX_WAITING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._undos: dict[MessageId, asyncio.Task[None]] = {}
        self._working = False

    def note_posted(self, view: MatchView, message: MessageId) -> None:
        """Notes a board that was posted as it is: what stays of it, and until when its last move can be undone."""
        self._past[message] = view.past
        if view.can_undo:
            task = self._undos[message] = self._start(self._end_undo(view, message))
            task.add_done_callback(lambda _: self._undos.pop(message, None))

    def replace(self, match: Match, entry: OutboxEntry, message: MessageId) -> None:
        """Folds the board before `message`, which shows `entry`, now or soon."""
        previous = entry.previous
        if previous is None or previous == message:
            return
        if undo := self._undos.pop(previous, None):
            undo.cancel()
        fold = _Fold(match, entry.first - 1)
        if self._channels.has_token(previous):
            self._start(self._fold(previous, fold))
            return
        self._waiting[previous] = fold
        if not self._working:
            self._working = True
            self._start(self._work())

    async def close(self) -> None:
        """Stops; messages that still wait stay as they are."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _end_undo(self, view: MatchView, message: MessageId) -> None:
        """Shows the buttons of a board without *Undo* once that is over."""
        over = Millis(view.match.events[-1].at + TAKEBACK_GRACE + 1)
        await self._sleep((over - view.now) / 1000)
        board = await asyncio.to_thread(BoardMessage.draw, replace(view, now=over), pictured=False)
        try:
            await self._channels.edit(view.match.channel, message, view=board.buttons)
        except (discord.HTTPException, OSError) as error:
            log.info("message %d keeps its buttons: %s", message, error)

    async def _work(self) -> None:
        try:
            while self._waiting:
                await self._fold(*self._waiting.popitem())
                await self._sleep(INTERVAL_SECONDS)
        finally:
            self._working = False

    async def _fold(self, message: MessageId, fold: _Fold) -> None:
        edit = partial(self._channels.edit, fold.match.channel, message, view=None)
        try:
            past = self._past.pop(message, None) or await self._read_past(fold)
            try:
                await edit(content=past)
            except discord.HTTPException as error:
                if not is_final(error):
                    raise
                log.info("message %d keeps its words: %s", message, error)  # a filter may have refused them
                await edit()
        except (discord.HTTPException, OSError, Unavailable) as error:
            log.info("message %d stays as it is: %s", message, error)

    async def _read_past(self, fold: _Fold) -> str:
        """Returns what stays of a board that another process has posted, or this one before it was restarted."""
        words = await self._locales.for_match(fold.match)
        async with self._store.read() as reader:
            shown = await reader.matches.get(fold.match.id, fold.version)
            before = await reader.matches.get(fold.match.id, fold.version - 1) if fold.version else None
        assert shown is not None, "a stored match has its whole history"
        shown = shown.look_from(away=fold.match.is_turned)
        view = (await self._boards.render(shown, words, pictured=False)).view
        if before is not None and is_reply(shown, view.computer):  # the board has told both
            view = (await self._boards.render(shown, words, pictured=False, before=before)).view
        return view.past


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
