"""Moves written as messages: a reply to a board, `@Kropka k13`, or a line in a DM.

Only text that reads as a move counts; anything else in a thread is conversation and is left alone. Discord lets nobody
answer a message in private. A reaction could not say what to do instead, so a refusal is a short reply that pings
nobody and deletes itself. Whoever likes to look at a move before it counts gets a reply with the look and its buttons.

Discord gives a bot the text of a reply only if the reply pings it. To interaction responses, which boards may be, old
clients send no pings (discord-api-docs#5395); a player whose reply comes without its text is told so, once a match.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections import OrderedDict
from collections.abc import Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.endings import end_question, parse_call
from bot.features.match.button import MATCH
from bot.features.match.turn.keypad import panel
from bot.features.match.turn.play import wants_confirmation
from bot.features.match.turn.point_form import MAX_MOVE
from bot.features.match.turn.typed_moves import crop_around, encode_for_confirmation, mentioned_point
from bot.interactions import errors
from bot.interactions.context import Services
from bot.interactions.layout import Part, layout
from bot.request import Request, own_id
from bot.services.text_limits import fit
from bot.telemetry import logs
from play.ids import MatchId, UserId
from play.people.settings import Person
from play.refusal import Reason, Refused
from play.store import Unavailable
from rules.game import AnyGame, BadNotation, RuleError
from rules.registry import DEFAULT, GAMES

if TYPE_CHECKING:
    from play.match.match import Match

log = logging.getLogger(__name__)

REFUSAL_SECONDS = 20.0
"""Seconds for which a refusal stays."""

LOOK_SECONDS = 600.0
"""Seconds for which a look stays that nobody plays; its buttons work as long."""


MAX_TOLD = 1000
"""Matches of which it is remembered that their players know about replies without text."""


class Replies:
    """Reads messages; owns the answers that wait for their end."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._told: OrderedDict[MatchId, None] = OrderedDict()
        self._answers: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def read_message(self, message: discord.Message) -> None:
        """Plays the move that the message is, if it is one."""
        if (board := self._board_of_empty_reply(message)) is not None:
            await self._explain(message, board)
            return
        text = self._addressed_text(message)
        if not text or len(text) > MAX_MOVE:
            return
        request = Request.of(message)
        self._services.names.remember(message.author, request.guild)
        try:
            match = await self._services.matches.load(request.here)
        except (Refused, Unavailable) as refused:
            if is_move(GAMES[DEFAULT], text):
                await self._refuse(message, request, refused)
            return
        if not is_move(match.game, text):
            return
        logs.bind_interaction(message.id)
        logs.bind_match(match.id)
        try:
            self._services.gate.admit(request)
        except Refused as refused:
            if refused.key == Reason.CLOSING:  # to answer every line of a flood would be another one
                await self._refuse(message, request, refused)
            return
        try:
            settings = await self._settings(request.user)
            if call := parse_call(match, text):
                await self._ask(message, request, match, settings.theme, call)
                return
            code = (
                await encode_for_confirmation(self._services, match, text, request, None)
                if wants_confirmation(settings, match)
                else None
            )
            if code is None:
                await self._services.matches.move(match.id, request.user, text, request.at, request.key)
            else:
                await self._show(message, request, match, settings.theme, code)
        except Exception as error:
            await self._refuse(message, request, error, match, text)

    async def close(self) -> None:
        """Takes back the refusals that still stand; looks stay, since their buttons outlive this process."""
        self._closing.set()
        await asyncio.gather(*self._answers)

    async def _settings(self, user: UserId) -> Person:
        async with self._services.store.read() as reader:
            return await reader.people.get(user)

    def _addressed_text(self, message: discord.Message) -> str:
        """What a person says to the bot; nothing if he speaks to somebody else."""
        me = self._client.user
        if message.author.bot or me is None:
            return ""
        if me not in message.mentions and not isinstance(message.channel, discord.DMChannel):
            return ""
        return message.content.replace(f"<@{me.id}>", " ").replace(f"<@!{me.id}>", " ").strip()

    def _board_of_empty_reply(self, message: discord.Message) -> MatchId | None:
        """The match whose board a message without text replies to, if that board was the answer to a click."""
        board = message.reference.resolved if message.reference is not None else None
        if message.content or message.attachments or message.stickers or message.poll or message.author.bot:
            return None
        if (
            not isinstance(board, discord.Message)
            or board.author != self._client.user
            or not board.interaction_metadata
        ):
            return None
        found = next(filter(None, map(re.compile(MATCH).match, _custom_ids(board))), None)
        return MatchId(int(found["match"])) if found else None

    async def _explain(self, message: discord.Message, board: MatchId) -> None:
        """Tells a player who is to move why their reply is no move."""
        request = Request.of(message)
        with contextlib.suppress(Refused, Unavailable):
            match = await self._services.matches.load(board)
            if board in self._told or match.to_act is None or match.players[match.to_act] != request.user:
                return
            self._told[board] = None
            if len(self._told) > MAX_TOLD:
                self._told.popitem(last=False)
            words = await self._services.locales.for_user(request.user, request.guild)
            bot = f"<@{own_id(self._client)}>"
            await self._tell(message, words("move.unread", bot=bot, button=words("button.point")))

    async def _show(self, message: discord.Message, request: Request, match: Match, theme: str, code: str) -> None:
        """The look at a turn, with the button that plays it."""
        words = await self._services.locales.for_user(request.user, request.guild)
        await self._look(message, await asyncio.to_thread(panel, match, words, theme, code))

    async def _ask(self, message: discord.Message, request: Request, match: Match, theme: str, call: str) -> None:
        """What a turn without a dot comes to, with the buttons that only its player may press."""
        words = await self._services.locales.for_user(request.user, request.guild)
        asked = await end_question(self._services, match, request.user, call, words, theme)
        await self._look(message, asked.parts)

    async def _look(self, message: discord.Message, parts: Sequence[Part]) -> None:
        files = [each for each in parts if isinstance(each, discord.File)]
        answer = await message.reply(view=layout(parts), files=files, mention_author=False)
        self._own(self._take_back(answer, LOOK_SECONDS, outlives=True))

    async def _refuse(
        self,
        message: discord.Message,
        request: Request,
        error: BaseException,
        match: Match | None = None,
        text: str = "",
    ) -> None:
        words = await self._services.locales.for_user(request.user, request.guild)
        sentence = await errors.explain(self._services, words, request, error)
        files: list[discord.File] = []
        if match is not None and isinstance(error.__cause__, RuleError):
            theme = (await self._settings(request.user)).theme
            files.append(await asyncio.to_thread(crop_around, match, words, theme, mentioned_point(match, text)))
        await self._tell(message, sentence, files)

    async def _tell(self, message: discord.Message, sentence: str, files: Sequence[discord.File] = ()) -> None:
        """Answers a message for a short time."""
        try:
            answer = await message.reply(fit(sentence), mention_author=False, files=files)
        except discord.HTTPException:
            log.warning("message %d could not be answered", message.id, exc_info=True)
            return
        self._own(self._take_back(answer, REFUSAL_SECONDS))

    def _own(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def _take_back(self, answer: discord.Message, time: float, *, outlives: bool = False) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(time):
                await self._closing.wait()
        if outlives and self._closing.is_set():
            return
        try:
            await answer.delete()
        except discord.HTTPException as error:
            log.info("message %d stays: %s", answer.id, error)


def _custom_ids(message: discord.Message) -> Iterator[str]:
    for row in message.components:
        if isinstance(row, discord.ActionRow):
            yield from (part.custom_id or "" for part in row.children if isinstance(part, discord.Button))


def is_move(game: AnyGame, text: str) -> bool:
    """Whether `text` is meant as a move: a point off the field is one, too."""
    try:
        game.parse(text)
    except BadNotation as error:
        return error.key == Reason.OFF_FIELD
    return True
