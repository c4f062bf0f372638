"""Tells moves from talk in messages, of which each may be either."""

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable, Collection
from functools import partial

import discord
from cachetools import LRUCache

from bot.features.match.actions.endings import end_prompt, end_question
from bot.features.match.button import match_on
from bot.features.match.play import confirms_turns
from bot.features.match.turn.keypad import turn_panel
from bot.features.match.turn.passing_replies import PassingReplies
from bot.features.match.turn.typed_moves import move_prompt
from bot.interactions import errors
from bot.interactions.context import Services
from bot.request import Request, own_id
from bot.services.messages import is_forward, shown_in
from bot.services.rate_limits import Rate, RateLimiter
from bot.telemetry import logs
from play.ids import MatchId, MessageId, UserId, side_of
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.refusal import Reason, Refused
from play.votes import Choice
from presentation.refusals import example_points
from presentation.typed_turns import (
    could_be_talk,
    encode_for_confirmation,
    is_move,
    is_nearly_move,
    parse_call,
    read_code,
    read_turn,
    tells_score,
)
from presentation.words.words import Words
from rules.game import BadNotation, RuleError
from rules.registry import DEFAULT, GAMES
from storage.errors import Unavailable

ANSWERS = Rate(1, 60.0)
"""Answers in one channel to what is said to the bot and is no move."""

TOLD = Rate(1, 20.0)
"""Sentences for one player that too many play right now: the last one is still there."""

EXPLAINED_CACHE_SIZE = 1000
"""Matches whose players were told about replies without text."""


class Replies:
    """Plays the moves in messages, and deletes its own replies in time."""

    def __init__(
        self,
        client: discord.Client,
        services: Services,
        introduce: Callable[[discord.Message, Request], Awaitable[None]],
        passing: PassingReplies | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`introduce` answers a message where no game goes on; `clock` is in seconds."""
        self._client = client
        self._services = services
        self._introduce = introduce
        self._passing = passing or PassingReplies()
        self._clock = clock
        self._answers = RateLimiter(ANSWERS)
        self._told = RateLimiter(TOLD)
        self._explained = LRUCache[MatchId, None](EXPLAINED_CACHE_SIZE)

    async def read_message(self, message: discord.Message) -> None:
        """Plays the move that a message is, or shows it first. Answers what else is said to the bot."""
        if message.author.bot or message.webhook_id or message.is_system():
            return
        if (board := self._board_of_empty_reply(message)) is not None:
            await self._explain_empty_reply(message, board)
        elif is_forward(message):
            await self._explain_forward(message)
        elif self._is_addressed(message):
            request = Request.of(message, self._services.discord_clock.read)
            await self._services.names.meet(message.author, request.guild)
            text = self._text_without_mention(message)
            try:
                async with self._services.intake.place(request.user, Reason.CROWDED_MOVE):
                    await self._read(message, request, text)
            except Refused as refused:
                if refused.key not in (Reason.CROWDED_MOVE, Reason.TOO_FAST):
                    raise
                if is_move(GAMES[DEFAULT].parse, text) and not self._told.wait(request.user, self._clock()):
                    await self._reply_refusal(message, request, refused)

    async def _read(self, message: discord.Message, request: Request, text: str) -> None:
        try:
            match = await self._services.use_cases.matches.load(request.here)
        except (Refused, Unavailable) as refused:
            if is_move(GAMES[DEFAULT].parse, text):
                await self._reply_refusal(message, request, refused)
            elif isinstance(refused, Refused):
                await self._answer(message, request, None)
            return
        if is_move(partial(read_code, match), text) or (match.outcome is None and is_nearly_move(text)):
            if await self._admit(message, request, match):
                try:
                    _require_board_of(match, message)
                    await self._play_or_preview(message, request, match, text)
                except Exception as error:
                    is_score = isinstance(error, Refused) and tells_score(error, text)
                    if not is_score or self._is_asked(message, request):
                        await self._reply_refusal(message, request, error, match)
        else:
            await self._answer(message, request, match)

    async def _answer(self, message: discord.Message, request: Request, match: Match | None) -> None:
        """Answers a mention or a direct message that is no move; replies to boards may be for the opponent."""
        if not self._is_asked(message, request) or self._answers.wait(request.channel, self._clock()):
            return
        if not await self._admit(message, request, match):
            return
        if match is None or match.outcome is not None:
            await self._introduce(message, request)
        else:
            words = await self._words(request)
            example, _ = example_points(match.game)
            await self._passing.give_hint(message, words("move.how", example=example, button=words("button.point")))

    def note_match(self, match: Match) -> None:
        """Deletes the refusals for a player who has moved since."""
        if match.events and match.events[-1].is_move:
            self._passing.note_moved(match.channel, match.players[match.events[-1].seat])

    def drop_hints(self, messages: Collection[MessageId]) -> None:
        """Deletes the refusals of messages that are gone."""
        self._passing.drop_hints(messages)

    async def close(self) -> None:
        """Deletes the refusals that are left."""
        await self._passing.close()

    async def _admit(self, message: discord.Message, request: Request, match: Match | None) -> bool:
        """Returns whether the gate lets the message through."""
        logs.bind_interaction(message.id)
        if match is not None:
            logs.bind_match(match.id)
        try:
            self._services.gate.admit(request)
        except Refused as refused:
            if refused.key == Reason.CLOSING:  # answers to every line of a flood would be another one
                await self._reply_refusal(message, request, refused)
            return False
        return True

    async def _play_or_preview(self, message: discord.Message, request: Request, match: Match, text: str) -> None:
        settings, account = await self._settings(request.user), await self._account(request, match)
        if call := parse_call(match, text):
            words = await self._words(request)
            if request.guild is None:
                question = await end_question(self._services, match, account, call, words, settings.theme)
                await self._passing.show_panel(message, question.parts)
            else:
                prompt = await end_prompt(self._services, match, account, call, words)
                await self._passing.show_prompt(message, *prompt)
            return
        confirms = could_be_talk(text) or await confirms_turns(self._services, match, settings)
        text = read_turn(match, account, text, settings.theme)
        code = await encode_for_confirmation(match, account, text, request.at, request.key, confirms=confirms)
        if code is None and side_of(account) is not None:
            assert request.guild is not None, "sides are of servers"
            async with self._services.store.read() as reader:
                server = await reader.servers.get(request.guild)
            await self._services.directory.require_role(server, request.roles)
            await self._services.use_cases.votes.cast(
                match.id, request.member, Choice.MOVE, text, request.at, request.key, match.version
            )
            await self._passing.mark_vote(message)
            return
        if code is None:
            await self._services.use_cases.matches.move(match.place, request.user, text, request.at, request.key)
            return
        words = await self._words(request)
        if request.guild is None:
            panel = await asyncio.to_thread(turn_panel, match, words, settings.theme, code)
            await self._passing.show_panel(message, panel)
        else:
            await self._passing.show_prompt(message, *await asyncio.to_thread(move_prompt, match, words, code))

    async def _account(self, request: Request, match: Match) -> UserId:
        return await self._services.use_cases.votes.account_in(match, request.member)

    async def _settings(self, user: UserId) -> PlayerSettings:
        async with self._services.store.read() as reader:
            return await reader.people.get(user)

    async def _words(self, request: Request) -> Words:
        return await self._services.locales.for_user(request.user, request.guild)

    def _is_asked(self, message: discord.Message, request: Request) -> bool:
        """Returns whether a message is for the bot alone; a reply may be for those who read its board."""
        return request.guild is None or f"{own_id(self._client)}>" in message.content

    def _is_addressed(self, message: discord.Message) -> bool:
        """Returns whether a message mentions the bot, replies to it with a ping or is written to it directly."""
        return self._client.user in message.mentions or isinstance(message.channel, discord.DMChannel)

    def _text_without_mention(self, message: discord.Message) -> str:
        return re.sub(rf"<@!?{own_id(self._client)}>", " ", message.content).strip()

    def _board_of_empty_reply(self, message: discord.Message) -> MatchId | None:
        """Returns the match of the board that a message without text replies to, if that board answered a click."""
        board = message.reference.resolved if message.reference is not None else None
        if message.content or message.attachments or message.stickers or message.poll:
            return None
        if (
            not isinstance(board, discord.Message)
            or board.author != self._client.user
            or not board.interaction_metadata
        ):
            return None
        return match_on(board)

    async def _explain_empty_reply(self, message: discord.Message, board: MatchId) -> None:
        """Tells a player who is to move why their reply is no move."""
        request = Request.of(message, self._services.discord_clock.read)
        with contextlib.suppress(Refused, Unavailable):
            match = await self._services.use_cases.matches.load(board)
            if board in self._explained or match.to_act is None or match.players[match.to_act] != request.user:
                return
            self._explained[board] = None
            words = await self._words(request)
            bot = f"<@{own_id(self._client)}>"
            await self._passing.give_hint(message, words("move.unread", bot=bot, button=words("button.point")))

    async def _explain_forward(self, message: discord.Message) -> None:
        """Tells a player what a message that they forward to the bot can be used for: it is not their own words."""
        request = Request.of(message, self._services.discord_clock.read)
        if not isinstance(message.channel, discord.DMChannel) or self._answers.wait(request.channel, self._clock()):
            return
        if await self._admit(message, request, None):
            words = await self._words(request)
            ways = {"board": words("menu.text"), "record": words("menu.record")}
            await self._passing.give_hint(message, words("move.forwarded", **ways))

    async def _reply_refusal(
        self,
        message: discord.Message,
        request: Request,
        error: BaseException,
        match: Match | None = None,
    ) -> None:
        if isinstance(error, BadNotation) or isinstance(error.__cause__, BadNotation):
            await self._passing.mark_unread(message)
        words = await self._words(request)
        sentence = await errors.explain(self._services, words, request, error, game=match.game if match else None)
        meant = match is not None and isinstance(error, Refused | RuleError)
        await (self._passing.refuse if meant else self._passing.give_hint)(message, sentence)


def _require_board_of(match: Match, message: discord.Message) -> None:
    """Raises Refused (`other_board`) if a message answers the forwarded board of another match."""
    answered = message.reference.resolved if message.reference is not None else None
    if isinstance(answered, discord.Message) and is_forward(answered):
        shown = match_on(shown_in(answered))
        if shown not in (None, match.id):
            raise Refused(Reason.OTHER_BOARD)
