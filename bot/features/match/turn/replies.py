"""Moves written as messages: a reply to a board, `@Kropka k13`, or a line in a direct message.

Only text that reads as a move counts; anything else in a thread is conversation. Discord has no private answers to
messages, and a reaction could not say what to do instead. So a refusal is a short reply that pings nobody and deletes
itself. A move that its player has to look at first gets a line with a button, which shows them the rest in private; in
a direct message, where nobody else reads, it gets the preview itself.

Discord gives a bot the text of a reply only if the reply pings it. To interaction responses, which boards may be, old
clients send no pings (discord-api-docs#5395). A player whose reply comes without its text is told so, once a match.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import discord

from bot.features.match.actions.endings import end_prompt, end_question, parse_call
from bot.features.match.button import MATCH
from bot.features.match.turn.keypad import turn_panel
from bot.features.match.turn.point_form import MAX_MOVE
from bot.features.match.turn.steps import read_code
from bot.features.match.turn.typed_moves import (
    crop_around,
    encode_for_confirmation,
    mentioned_point,
    move_prompt,
    read_turn,
)
from bot.i18n.words import Words
from bot.interactions import errors
from bot.interactions.context import Services
from bot.interactions.layout import Part, files, layout
from bot.request import Request, own_id
from bot.services.text_limits import fit
from bot.telemetry import logs
from play.ids import MatchId, UserId
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.refusal import Reason, Refused
from play.store import Unavailable
from rules.game import BadNotation, RuleError
from rules.registry import DEFAULT, GAMES

log = logging.getLogger(__name__)

REFUSAL_SECONDS = 20.0
"""Seconds until a refusal deletes itself."""

PREVIEW_SECONDS = 600.0
"""Seconds until a preview whose turn nobody plays deletes itself."""

EXPLAINED_CACHE_SIZE = 1000
"""Matches whose players were told about replies without text."""


class Replies:
    """Plays the moves in messages, and deletes its own replies in time."""

    def __init__(
        self,
        client: discord.Client,
        services: Services,
        *,
        refusal_seconds: float = REFUSAL_SECONDS,
        preview_seconds: float = PREVIEW_SECONDS,
    ) -> None:
        self._client = client
        self._services = services
        self._refusal_seconds = refusal_seconds
        self._preview_seconds = preview_seconds
        self._explained: OrderedDict[MatchId, None] = OrderedDict()
        self._deletions: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def read_message(self, message: discord.Message) -> None:
        """Plays the move that a message is, or shows it first. Leaves other messages alone."""
        if (board := self._board_of_empty_reply(message)) is not None:
            await self._explain_empty_reply(message, board)
            return
        text = self._addressed_text(message)
        if not text or len(text) > MAX_MOVE:
            return
        request = Request.of(message)
        self._services.names.remember(message.author, request.guild)
        try:
            match = await self._services.matches.load(request.here)
        except (Refused, Unavailable) as refused:
            if is_move(GAMES[DEFAULT].parse, text):
                await self._reply_refusal(message, request, refused)
            return
        if is_move(partial(read_code, match), text) and await self._admit(message, request, match):
            try:
                await self._play_or_preview(message, request, match, text)
            except Exception as error:
                await self._reply_refusal(message, request, error, match, text)

    async def close(self) -> None:
        """Deletes the refusals that are left. Previews stay, since their buttons outlive this process."""
        self._closing.set()
        await asyncio.gather(*self._deletions)

    async def _admit(self, message: discord.Message, request: Request, match: Match) -> bool:
        """Returns whether the gate lets the message through."""
        logs.bind_interaction(message.id)
        logs.bind_match(match.id)
        try:
            self._services.gate.admit(request)
        except Refused as refused:
            if refused.key == Reason.CLOSING:  # answers to every line of a flood would be another one
                await self._reply_refusal(message, request, refused)
            return False
        return True

    async def _play_or_preview(self, message: discord.Message, request: Request, match: Match, text: str) -> None:
        settings = await self._settings(request.user)
        if call := parse_call(match, text):
            words = await self._words(request)
            if request.guild is None:
                question = await end_question(self._services, match, request.user, call, words, settings.theme)
                await self._reply_with_panel(message, question.parts)
            else:
                prompt = await end_prompt(self._services, match, request.user, call, words)
                await self._reply_with_prompt(message, *prompt)
            return
        text = read_turn(match, request.user, text, settings.theme)
        code = await encode_for_confirmation(settings, match, text, request)
        if code is None:
            await self._services.matches.move(match.id, request.user, text, request.at, request.key)
            return
        words = await self._words(request)
        if request.guild is None:
            panel = await asyncio.to_thread(turn_panel, match, words, settings.theme, code)
            await self._reply_with_panel(message, panel)
        else:
            await self._reply_with_prompt(message, *await asyncio.to_thread(move_prompt, match, words, code))

    async def _settings(self, user: UserId) -> PlayerSettings:
        async with self._services.store.read() as reader:
            return await reader.people.get(user)

    async def _words(self, request: Request) -> Words:
        return await self._services.locales.for_user(request.user, request.guild)

    def _addressed_text(self, message: discord.Message) -> str:
        """Returns what a user says to the bot; nothing if they speak to others."""
        me = self._client.user
        if message.author.bot or me is None:
            return ""
        if me not in message.mentions and not isinstance(message.channel, discord.DMChannel):
            return ""
        return message.content.replace(f"<@{me.id}>", " ").replace(f"<@!{me.id}>", " ").strip()

    def _board_of_empty_reply(self, message: discord.Message) -> MatchId | None:
        """Returns the match of the board that a message without text replies to, if that board answered a click."""
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

    async def _explain_empty_reply(self, message: discord.Message, board: MatchId) -> None:
        """Tells a player who is to move why their reply is no move."""
        request = Request.of(message)
        with contextlib.suppress(Refused, Unavailable):
            match = await self._services.matches.load(board)
            if board in self._explained or match.to_act is None or match.players[match.to_act] != request.user:
                return
            self._explained[board] = None
            if len(self._explained) > EXPLAINED_CACHE_SIZE:
                self._explained.popitem(last=False)
            words = await self._words(request)
            bot = f"<@{own_id(self._client)}>"
            await self._reply_briefly(message, words("move.unread", bot=bot, button=words("button.point")))

    async def _reply_with_panel(self, message: discord.Message, parts: Sequence[Part]) -> None:
        """Shows the parts in a direct message, where nobody but the player of `message` reads."""
        reply = await message.reply(view=layout(parts), files=files(parts), mention_author=False)
        self._delete_after(self._preview_seconds, reply, at_close=False)

    async def _reply_with_prompt(self, message: discord.Message, line: str, view: discord.ui.View) -> None:
        """Answers with a line whose buttons only the player of `message` may press: they show the rest in private."""
        reply = await message.reply(fit(line), view=view, mention_author=False)
        self._delete_after(self._preview_seconds, reply, at_close=False)

    async def _reply_refusal(
        self,
        message: discord.Message,
        request: Request,
        error: BaseException,
        match: Match | None = None,
        text: str = "",
    ) -> None:
        words = await self._words(request)
        sentence = await errors.explain(self._services, words, request, error)
        pictures: list[discord.File] = []
        if match is not None and isinstance(error.__cause__, RuleError):
            theme = (await self._settings(request.user)).theme
            pictures.append(await asyncio.to_thread(crop_around, match, words, theme, mentioned_point(match, text)))
        await self._reply_briefly(message, sentence, pictures)

    async def _reply_briefly(
        self, message: discord.Message, sentence: str, pictures: Sequence[discord.File] = ()
    ) -> None:
        try:
            reply = await message.reply(fit(sentence), mention_author=False, files=pictures)
        except discord.HTTPException:
            log.warning("message %d could not be answered", message.id, exc_info=True)
            return
        self._delete_after(self._refusal_seconds, reply, at_close=True)

    def _delete_after(self, seconds: float, reply: discord.Message, *, at_close: bool) -> None:
        """Starts to delete a reply after so many seconds; when the bot closes, at once or not at all."""

        async def delete() -> None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._closing.wait()
            if self._closing.is_set() and not at_close:
                return
            try:
                await reply.delete()
            except discord.HTTPException as error:
                log.info("message %d stays: %s", reply.id, error)

        task = asyncio.create_task(delete())
        self._deletions.add(task)
        task.add_done_callback(self._deletions.discard)


def _custom_ids(message: discord.Message) -> Iterator[str]:
    for row in message.components:
        if isinstance(row, discord.ActionRow):
            yield from (part.custom_id or "" for part in row.children if isinstance(part, discord.Button))


def is_move(read: Callable[[str], object], text: str) -> bool:
    """Returns whether `text` is meant as a move for the game that `read` reads, which a point off the board is, too."""
    try:
        read(text)
    except BadNotation as error:
        return error.key == Reason.OFF_FIELD
    return True
