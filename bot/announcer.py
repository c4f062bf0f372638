"""Tells a channel what happened: opens the thread, posts the board, takes the buttons off the one before."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord

from bot.buttons import Resign, TypePoint, row
from bot.cards import TITLE_LONGEST
from play.herald import Undeliverable
from play.ids import MatchId, MessageId
from play.match import Match
from play.store import ChannelTaken

if TYPE_CHECKING:
    from bot.boards import Board
    from bot.client import Kropka

log = logging.getLogger(__name__)

THREAD_EXISTS, THREAD_LOCKED = 160004, 50083
WEEK: Final = 10080
"""Minutes without a message after which Discord archives a thread; the next board opens it again."""


class Announcer:
    """Implements play.herald.Announcer."""

    def __init__(self, client: Kropka) -> None:
        self._client = client
        self._awaited: defaultdict[tuple[MatchId, int], list[asyncio.Future[MessageId | None]]] = defaultdict(list)

    async def announce(self, match: Match, previous: MessageId | None) -> MessageId:
        """See play.herald.Announcer: posts `match` at its version, once."""
        message: MessageId | None = None
        try:
            message = await self._delivered(match)
        finally:
            for waiting in self._awaited.pop((match.id, match.version), []):
                if not waiting.done():
                    waiting.set_result(message)
        if previous is not None and previous != message:
            await self._strip(match, previous)
        return message

    async def _delivered(self, match: Match) -> MessageId:
        board = await self._client.boards.of(match, self._client.languages.of())
        try:
            if match.version == 0 and match.parent is not None:
                await self._open_thread(match, board)
            return await self._post(match, board)
        except discord.HTTPException as error:
            if match.parent is None or not _final(error):
                raise
            return await self._post(await self._moved_out(match, error), board)

    async def posted(self, match: Match, within: float) -> MessageId | None:
        """The message of this version of `match` once it stands; None if that fails, or takes longer than `within`
        seconds."""
        key = match.id, match.version
        waiting: asyncio.Future[MessageId | None] = asyncio.get_running_loop().create_future()
        self._awaited[key].append(waiting)
        try:
            async with asyncio.timeout(within):
                return await waiting
        except TimeoutError:
            return None
        finally:
            if waiting in self._awaited.get(key, []):
                self._awaited[key].remove(waiting)
                if not self._awaited[key]:
                    del self._awaited[key]

    async def _open_thread(self, match: Match, board: Board) -> None:
        """The thread hangs on the challenge's card, whose id is the thread's."""
        assert match.parent is not None, "a thread has a channel that it hangs in"
        title = board.scene.words("thread.title", players=" – ".join(board.scene.names))
        try:
            await self._client.http.start_thread_with_message(
                match.parent, match.channel, name=title[:TITLE_LONGEST], auto_archive_duration=WEEK
            )
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                raise

    async def _post(self, match: Match, board: Board) -> MessageId:
        to_act = match.to_act
        users = [] if to_act is None else [discord.Object(match.players[to_act])]
        words = board.scene.words
        try:
            message = await self._client.get_partial_messageable(match.channel).send(
                board.content,
                file=board.file,
                nonce=f"{match.id}:{match.version}",
                allowed_mentions=discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False),
                view=row() if match.outcome else row(TypePoint.to(match, words), Resign.to(match, words)),
            )
        except discord.HTTPException as error:
            if match.parent is None and _final(error):
                raise Undeliverable(str(error)) from error
            raise
        return MessageId(message.id)

    async def _moved_out(self, match: Match, error: discord.HTTPException) -> Match:
        """The match, from now on played in the channel itself, since its thread cannot be made or written to."""
        assert match.parent is not None, "without a thread there is nowhere else to go"
        log.warning("match %d leaves its thread: %s", match.id, error)
        try:
            async with self._client.store.write() as transaction:
                await transaction.relocate(match.id, match.parent)
        except ChannelTaken as taken:
            raise Undeliverable(f"{error}, and another match is open in the channel") from taken
        return replace(match, channel=match.parent, parent=None)

    async def _strip(self, match: Match, message: MessageId) -> None:
        channel = self._client.get_partial_messageable(match.channel)
        try:
            await channel.get_partial_message(message).edit(view=None)
        except discord.HTTPException as error:
            # Its buttons stay, and answer that they are out of date.
            log.info("message %d keeps its buttons: %s", message, error)


def _final(error: discord.HTTPException) -> bool:
    """Whether another try would end the same way."""
    return isinstance(error, discord.Forbidden | discord.NotFound) or error.code == THREAD_LOCKED
