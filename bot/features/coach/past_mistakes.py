"""*My mistakes*: the player looks for the better move of a past mistake on the board, when it is due again.

All that a button knows is in its custom id: `mistake:12:34:go:K12@K13` has the match, the number of the move, the dot
that is tried or the step, and the middle of the part to show.
"""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import discord

from bot.features.coach.own_mistakes import draw_solution
from bot.features.match.turn.point_form import POINT
from bot.features.match.turn.position_keypad import PositionKeypad
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from bot.interactions.modals import Form, field_value, make_form, open_form
from bot.interactions.pictures import picture_file
from opponent.review import name_of, play_line
from opponent.second_try import Verdict, judge_turn
from play.ids import MatchId
from play.match.match import Match
from play.people.past_mistake import PastMistake
from play.refusal import Refused
from play.turns import CHOSEN, recent_points
from presentation import advice as pictures
from presentation.advice import purpose_text
from presentation.match.seats import emblem
from presentation.match.turn_text import turn_text
from presentation.refusals import example_points
from presentation.words.words import Words
from rules.dots import DotsPosition
from rules.game import RuleError
from use_cases.past_mistakes import Due


class MyMistakes(Component, id=ids.MY_MISTAKES):
    """Opens the mistake that is due the longest."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_next(ctx)


class MistakeStep(Component, id=ids.MISTAKE_STEP):
    """Tries a dot, or shows another part of the board."""

    match: MatchId
    number: int
    code: str
    place: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        question = await Question.load(ctx, self.match, self.number)
        await (question.answer(self.code) if self.code else question.show(self.place))


class ShowBetter(Component, id=ids.SHOW_BETTER):
    """Shows the better move, which counts as a wrong answer."""

    match: MatchId
    number: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        question = await Question.load(ctx, self.match, self.number)
        await question.show_solution(question.mistake.finding.line, right=False)


class TypeBetter(Component, id=ids.TYPE_BETTER):
    """Opens the form for a dot."""

    match: MatchId
    number: int

    async def pressed(self, ctx: Context) -> None:
        question = await Question.load(ctx, self.match, self.number)
        words, (example, _) = await ctx.words(), example_points(question.match.game)
        label = discord.ui.Label[Any](text=words("modal.label"), component=POINT.make(placeholder=example))
        await open_form(
            ctx, make_form(ids.TYPE_BETTER(match=self.match, number=self.number), words("modal.title"), label)
        )


async def _submit(ctx: Context, match: MatchId, number: int) -> None:
    await ctx.open_panel()
    await (await Question.load(ctx, match, number)).answer(field_value(ctx, POINT))


BUTTONS: tuple[type[Component], ...] = (MyMistakes, MistakeStep, ShowBetter, TypeBetter)
FORMS = (Form(ids.TYPE_BETTER, _submit, (POINT,)),)


async def show_next(ctx: Context) -> None:
    """Shows the next mistake of the user, or when one comes back. The interaction is acknowledged."""
    words = await ctx.words()
    due = await ctx.services.coach.past_mistakes.open(ctx.user, ctx.at)
    if due.mistake is not None and due.match is not None:
        await Question(ctx, due.mistake, due.match, due.played).show(left=due.count)
        return
    await ctx.show([_no_mistake(due, words), [path_button(words)]])


def _no_mistake(due: Due, words: Words) -> str:
    if due.count:
        return words("mistakes.withheld", count=due.count)
    return words("mistakes.later", count=due.returning) if due.returning else words("mistakes.none")


def path_button(words: Words) -> Control:
    """Returns the button to the path of lessons."""
    return discord.ui.Button(label=words("path.button"), custom_id=ids.PATH(chapter=0))


class Question(NamedTuple):
    """A mistake of the user, its match as it was before, and the move that was played."""

    ctx: Context
    mistake: PastMistake
    match: Match
    played: str

    @classmethod
    async def load(cls, ctx: Context, match: MatchId, number: int) -> Question:
        """Returns the question about a move. Raises Refused (`no_mistake`) if it is none of the user's."""
        return cls(ctx, *await ctx.services.coach.past_mistakes.get(ctx.user, match, number))

    async def show(self, place: str = "", notice: str = "", left: int = 0) -> None:
        """Shows the board with a keypad at a `place`, below a `notice`. The interaction is acknowledged."""
        words, theme = await self.ctx.words(), (await self.ctx.settings()).theme
        head = words("mistakes.head", count=left) if left else ""
        mistake = self.mistake.finding
        asked = words(
            "better.ask",
            emblem=emblem(theme, self.match.position.to_act),
            played=turn_text(self.match.game, self.played, words),
            count=pictures.plural(lost := round(mistake.lost, 1)),
            points=words.number(lost),
        )
        lines = "\n".join(filter(None, (head, notice, asked)))
        try:
            parts = await asyncio.to_thread(self._keypad, words, theme, place, lines)
        except RuleError as error:
            raise Refused.by_rules(error) from error
        await self.ctx.show(parts)

    def _keypad(self, words: Words, theme: str, place: str, head: str) -> list[Part]:
        position = self.match.position
        assert isinstance(position, DotsPosition), "mistakes of other games are not kept"
        name = f"kropka-{self.match.id}-{self._number}"
        ways = [
            TypeBetter.make(words("button.point"), match=self.match.id, number=self._number),
            ShowBetter.make(words("better.show"), match=self.match.id, number=self._number),
        ]
        keypad = PositionKeypad(position, recent_points(self.match), theme, name, self._button, self._try, ways)
        return keypad.parts(words, "", place, head)

    def _button(self, label: str, code: str, place: str, style: discord.ButtonStyle | None = None) -> Control:
        dot = code.partition(" ")[0].removesuffix(CHOSEN)
        here = "" if dot else place
        return MistakeStep.make(label, style, match=self.match.id, number=self._number, code=dot, place=here)

    def _try(self, label: str, turn: str) -> Control:
        return self._button(label, turn, "")

    @property
    def _number(self) -> int:
        return self.mistake.finding.number

    async def answer(self, typed: str) -> None:
        """Judges a dot, and shows what it is worth. The interaction is acknowledged. Raises Refused."""
        game, before = self.match.game, self.match.position
        try:
            move = game.parse(typed.strip())
            before.play(move)
        except RuleError as error:
            raise Refused.by_rules(error) from error
        name = name_of(game, str(move))
        verdict = await self._judge(name)
        if verdict.good:
            line = self.mistake.finding.line
            await self.show_solution(line if name == name_of(game, line[0]) else (name,), right=True)
            return
        await self._note(right=False)
        words = await self.ctx.words()
        reply = turn_text(game, verdict.reply, words) if verdict.reply else ""
        notice = words("mistakes.wrong", move=name, reply=reply) if reply else words("better.wrong", move=name)
        await self.show(notice=notice)

    async def _judge(self, name: str) -> Verdict:
        """Returns what a move is worth by the review, and of one that it does not name by a search as in the review."""
        finding, match, coach = self.mistake.finding, self.match, self.ctx.services.coach
        if name in finding.good or match.game.seats != 2 or not coach.has_computer:
            return Verdict(name in finding.good, "")
        after = play_line(match.game, match.position, (name,))
        think = coach.advisor(self.ctx.user).help
        with self.ctx.services.jobs.one_at_a_time(self.ctx.user):
            return await judge_turn(after, match.position.to_act, finding.value, match.seed, think)

    async def _note(self, *, right: bool) -> PastMistake:
        return await self.ctx.services.coach.past_mistakes.answer(
            self.ctx.user, self.match.id, self._number, self.ctx.at, right=right
        )

    async def show_solution(self, line: tuple[str, ...], *, right: bool) -> None:
        """Shows a good move, found or given up, and when the mistake returns. The interaction is acknowledged."""
        words, theme = await self.ctx.words(), (await self.ctx.settings()).theme
        noted, match = await self._note(right=right), self.match
        moves = tuple(move.text for move in match.moves)
        purpose, png = await self.ctx.services.jobs.pictures.make(
            self.ctx.user, draw_solution, match.game, match.seed, moves, line, self.played, theme
        )
        better, played = (turn_text(match.game, move, words) for move in (line[0], self.played))
        picture = picture_file(
            png,
            f"kropka-{match.id}-{self._number}-better",
            words("review.alt", number=self._number, played=played, better=better),
        )
        said = words("better.right" if right else "better.shown", better=better, played=played)
        settings = await self.ctx.settings()
        days = None if noted.day is None else noted.day - settings.local_day(self.ctx.at)
        returns = words("mistakes.learned") if days is None else words("mistakes.returns", count=max(days, 0))
        left = await self.ctx.services.coach.past_mistakes.count_due(self.ctx.user, self.ctx.at)
        ways: list[Control] = [path_button(words)]
        if left:
            label = words("mistakes.button.due", number=left)
            ways.insert(0, MyMistakes.make(label, discord.ButtonStyle.primary))
        text = f"{said} {purpose_text(match.game, purpose, line, words)}\n-# {returns}"
        await self.ctx.show([picture, text, ways])
