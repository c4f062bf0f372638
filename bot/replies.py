"""Moves written as messages: a reply to a board, `@Kropka k13`, or a line in a DM.

Only text that reads as a move counts; anything else in a thread is conversation and is left alone. Discord lets nobody
answer a message in private. A reaction could not say what to do instead, so a refusal is a short reply that pings
nobody and deletes itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

import discord

from bot import errors
from bot.modals import LONGEST_MOVE
from bot.request import Request
from play.refused import Refused
from rules.game import AnyGame, BadNotation
from rules.registry import DEFAULT, GAMES

if TYPE_CHECKING:
    from bot.client import Kropka

log = logging.getLogger(__name__)

READING_TIME = 20.0
"""Seconds for which a refusal stays."""


class Replies:
    """Reads messages; owns the refusals that wait for their end."""

    def __init__(self, client: Kropka) -> None:
        self._client = client
        self._refusals: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def read(self, message: discord.Message) -> None:
        """Plays the move that the message is, if it is one."""
        text = self._addressed(message)
        if not text or len(text) > LONGEST_MOVE:
            return
        request = Request.of(message)
        self._client.names.remember(message.author, request.guild)
        try:
            match = await self._client.tables.board(request.here)
        except Refused as refused:
            if _reads(GAMES[DEFAULT], text):
                await self._refuse(message, request, refused)
            return
        if not _reads(match.game, text):
            return
        try:
            await self._client.tables.move(match.id, request.user, text, request.at, request.source)
        except Exception as error:
            await self._refuse(message, request, error)

    async def close(self) -> None:
        """Takes back the refusals that still stand."""
        self._closing.set()
        await asyncio.gather(*self._refusals)

    def _addressed(self, message: discord.Message) -> str:
        """What a person says to the bot; nothing if he speaks to somebody else."""
        me = self._client.user
        if message.author.bot or me is None:
            return ""
        if me not in message.mentions and not isinstance(message.channel, discord.DMChannel):
            return ""
        return message.content.replace(f"<@{me.id}>", " ").replace(f"<@!{me.id}>", " ").strip()

    async def _refuse(self, message: discord.Message, request: Request, error: BaseException) -> None:
        words = self._client.languages.of()
        sentence = await errors.explained(self._client, words, request, error)
        try:
            refusal = await message.reply(sentence, mention_author=False)
        except discord.HTTPException:
            log.warning("message %d could not be answered", message.id, exc_info=True)
            return
        task = asyncio.create_task(self._take_back(refusal))
        self._refusals.add(task)
        task.add_done_callback(self._refusals.discard)

    async def _take_back(self, refusal: discord.Message) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READING_TIME):
                await self._closing.wait()
        try:
            await refusal.delete()
        except discord.HTTPException as error:
            log.info("message %d stays: %s", refusal.id, error)


def _reads(game: AnyGame, text: str) -> bool:
    """Whether `text` is meant as a move: a point off the field is one, too."""
    try:
        game.parse(text)
    except BadNotation as error:
        return error.key == "off_field"
    return True
