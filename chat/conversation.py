"""What people say to the bot, by typed lines and by buttons: each goes to who answers it, and every press is
answered."""

from __future__ import annotations

import logging
import secrets

from chat import daily, turns
from chat.actions import Action
from chat.boards import show_anew
from chat.cards import ChatCards
from chat.challenges import Challenges
from chat.commands import ELSEWHERE, SHOWN, Command, describe, read_command
from chat.departures import leave_group
from chat.friends import find_code, show_invitation
from chat.games import meant_game, open_games, require_finished_game
from chat.handlers import BY_BUTTON, OF_COMMAND, OF_MATCH
from chat.messages import Button, Message
from chat.port import Asked, Press, Typed
from chat.request import Request, button
from chat.services import Services
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, MessageId, Millis, UserId, ids_since
from play.refusal import Reason, Refused
from presentation.offered_rules import offered_preset
from presentation.refusals import explain_refusal
from presentation.typed_turns import is_nearly_move, tells_score
from rules.game import AnyGame, RuleError
from rules.registry import GAMES
from storage.errors import OutOfRange, Unavailable
from use_cases.worker import RetryLater, Undeliverable, Unsendable

log = logging.getLogger(__name__)

STARTS = frozenset(("cross", "empty", "double", "four"))
"""Starts that have a name of their own in the help of rules."""


class Conversation:
    """Reads lines and presses of one platform. Neither method raises: what goes wrong is told to who has asked."""

    def __init__(self, services: Services, cards: ChatCards) -> None:
        self._services = services
        self._challenges = Challenges(cards)

    async def read(self, line: Typed) -> None:
        """Plays a move, obeys a command, or leaves talk alone."""
        request = self._begin(line)
        is_alone = line.place.is_direct or line.is_addressed
        command = read_command(line.text, bare=is_alone)
        try:
            if command is not None:
                self._services.limits.admit_user(request.user, request.guild)
                await self._obey(request, command)
            else:
                await self._read_move(request, line)
        except Exception as error:
            await self._explain(request, error)

    async def press(self, press: Press) -> None:
        """Does what a button says."""
        request = self._begin(press)
        try:
            self._services.limits.admit_user(request.user, request.guild)
            await self._act(request, Action.read(press.action))
        except Exception as error:
            await self._explain(request, error)

    async def lose(self, channel: ChannelId, message: MessageId) -> bool:
        """Withdraws the challenge, or posts the board, whose message was deleted. Raises Unavailable.

        Returns whether there is such a board.
        """
        await self._services.use_cases.challenges.drop_cards(channel, [message])
        return await self._services.use_cases.actions.replace_board(message)

    async def part(self, user: UserId, guild: GuildId) -> None:
        """Has what a person does with strangers in a group, which they have left, go on elsewhere. Raises
        Unavailable."""
        await leave_group(self._services, user, guild)

    async def come_back(self, end: Millis) -> None:
        """Shows the later deadlines of those who could not play in an outage up to `end`. Raises Unavailable."""
        async with self._services.store.read() as reader:
            people = ids_since(self._services.platform.kind, Millis(0))
            waiting = await reader.matches.waiting_since(end, people)
        for number in waiting:
            await show_anew(self._services, number)

    def _begin(self, asked: Asked) -> Request:
        self._services.meet(asked.author, asked.place.guild)
        return Request(asked, self._services)

    async def _read_move(self, request: Request, line: Typed) -> None:
        """Plays the move that a line is. Talk, and what is no move of the author's own game, is left alone."""
        games = await open_games(request)
        if not games or not line.text.strip():
            if line.place.is_direct and not await daily.play_typed(request, line.text):
                await self._introduce(request)
            return
        try:
            entry = await meant_game(request, games)
        except Refused:
            if is_nearly_move(line.text):
                raise
            return
        assert entry is not None, "there is one to mean"
        match = await request.load_match(entry.place)
        if not turns.is_meant_as_move(match, line.text):
            if line.place.is_direct and not await daily.play_typed(request, line.text):
                words = await request.words()
                await request.answer(words("chat.move.how"))
            return
        self._services.limits.admit_user(request.user, request.guild)
        try:
            await turns.play_typed(request, entry, line.text)
        except Refused as refused:
            if tells_score(refused, line.text) and not line.is_addressed:
                return
            await self._explain(request, refused, match.game)

    async def _obey(self, request: Request, command: Command) -> None:
        """Does what a command says. Raises Refused."""
        name, rest = command
        if name in ELSEWHERE:
            await self._point_elsewhere(request)
        elif name in ("accept", "withdraw", "options"):
            await self._challenges.answer_card(request, name, rest)
        elif name == "challenge":
            letters = find_code(rest)
            await (show_invitation(request, letters) if letters else self._challenges.challenge(request, rest))
        elif name in OF_COMMAND:
            await OF_COMMAND[name](request, rest)
        elif name == "rematch":
            await self._challenges.rematch(request, (await require_finished_game(request)).id)
        elif name == "rules":
            await self._show_rules(request, rest)
        else:
            await self._introduce(request)

    async def _act(self, request: Request, action: Action) -> None:
        """Does what a button says. Raises Refused (`old_button`) for one that there is no more."""
        number = action.numbers[0] if action.numbers else 0
        match action.verb:
            case "take":
                await self._challenges.take(request, ChallengeId(number), action.number(1))
            case "leave":
                await self._challenges.leave(request, ChallengeId(number))
            case "drop":
                await self._challenges.drop(request, ChallengeId(number))
            case "recall":
                await self._recall(request, ChallengeId(number))
            case "terms":
                await self._challenges.explain_change(request, ChallengeId(number))
            case "new":
                await self._challenges.choose(request, action)
            case "rematch":
                await self._challenges.rematch(request, MatchId(number))
            case "again":
                await self._obey(request, Command(action.text, ""))
            case "none":
                return
            case verb if verb in BY_BUTTON:
                await BY_BUTTON[verb](request, action)
            case verb if verb in OF_MATCH:
                await OF_MATCH[verb](request, MatchId(number))
            case _:
                raise Refused(Reason.OLD_BUTTON)

    async def _recall(self, request: Request, number: ChallengeId) -> None:
        """Withdraws a challenge of the person, wherever its card is. Raises Refused."""
        challenges = request.use_cases.challenges
        if (await challenges.load(number)).challenger != request.user:
            raise Refused(Reason.NO_CHALLENGE)
        await challenges.decline(number, request.user, request.at)
        words = await request.words()
        await request.answer(words("games.withdrawn"))

    async def _introduce(self, request: Request) -> None:
        """Says what the bot is for, in the reader's language, with the first things to press."""
        words = await request.words()
        lines = [words("chat.hello"), *(f"{words.command(name)} – {describe(name, words)}" for name in SHOWN)]
        rows = [[button(words.plain("chat.first.play"), "again", text="challenge")]]
        rows.append([button(words.plain("seek.door"), "again", text="play")])
        rows.append([button(words.plain("daily.play"), "day")])
        await request.answer("\n".join(lines), rows)

    async def _show_rules(self, request: Request, typed: str) -> None:
        """Lists the rule sets, or tells one of them."""
        words = await request.words()
        offered = [offered_preset(GAMES[key], words.plain) for key in self._services.presets]
        chosen = [each for each in offered if typed and typed.casefold() in (each.key, each.name.casefold())]
        if chosen:
            options = chosen[0].game.options
            start = words(f"start.{options['start']}") if options.get("start", "random") in STARTS else ""
            size = options["size"].replace("x", "×")
            await request.answer(words(f"preset.{chosen[0].key}.help", size=size, start=start))
            return
        await request.answer("\n".join(words.markup.item(f"{each.name}: {each.about}") for each in offered))

    async def _point_elsewhere(self, request: Request) -> None:
        words, invitation = await request.words(), self._services.invitation()
        rows = [[Button(words.plain("chat.invite"), url=invitation)]] if invitation else []
        await request.answer(words("chat.elsewhere" if self._services.on_discord else "chat.nowhere"), rows)

    async def _explain(self, request: Request, error: BaseException, game: AnyGame | None = None) -> None:
        """Tells the person why it did not work."""
        try:
            sentence = await self._sentence(request, error, game)
            await self._services.platform.answer(request.asked, Message(sentence))
        except (RetryLater, Undeliverable, Unsendable, Unavailable) as lost:
            log.warning("a request could not be answered: %s", lost)

    async def _sentence(self, request: Request, error: BaseException, game: AnyGame | None) -> str:
        words = await request.words()
        if isinstance(error, RuleError):
            error = Refused.by_rules(error)
        if isinstance(error, OutOfRange):
            error = Refused(Reason.NO_SUCH_NUMBER)
        if isinstance(error, Refused):
            return await explain_refusal(error, words, self._services.names, request.guild, game)
        if isinstance(error, Unavailable):
            log.warning("the database does not answer: %s", error)
            return words("error.unavailable")
        if isinstance(error, RetryLater | Undeliverable | Unsendable):
            log.warning("the platform refuses what was asked for: %s", error)
            return words("chat.refused")
        incident = secrets.token_hex(3)
        log.error("incident %s", incident, exc_info=error)
        return words("error.unknown", incident=incident)
