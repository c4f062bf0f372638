"""`/review` and *My mistakes*: a player looks for the better move on the board, after a game and when it is due again.

An old button of `/review` has one of the moves to choose from: `match:12:34:better:11.02:F3`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Self

from bot.features.coach.quiz import PRIMARY, Quiz
from bot.features.coach.quiz_controls import controls, form
from bot.features.coach.reviews import review_of, show_summary
from bot.features.match.actions.after_game import LookBack
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Audience, Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, button
from opponent.purpose import purpose_of
from opponent.review import judge_turn, play_line
from play.community.solving import Solved, Solving, Verdict, Wrong
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Refused
from presentation import advice
from presentation.match.phrases import emblem, turn_text
from presentation.words.words import Words
from use_cases.past_mistakes import Due, PosedMistake

GIVE_UP = "?"
"""The answer of a player who wants to be shown the better move."""


class Mistake(Quiz):
    """A mistake of the player; `due` of them are back with it."""

    board_ids = ids.MISTAKE_MOVES

    mistake: PosedMistake
    due = 0
    returns = ""

    @classmethod
    async def load(cls, ctx: Context, *, match: MatchId, number: int) -> Self:
        return await cls.of(ctx, await ctx.services.coach.past_mistakes.get(ctx.user, match, number))

    @classmethod
    async def of(cls, ctx: Context, mistake: PosedMistake, due: int = 0) -> Self:
        """Returns the question about a mistake; so many are due with it."""
        exercise = mistake.exercise
        question = cls(ctx, await Audience.reader(ctx), await asyncio.to_thread(Solving.begin, exercise))
        question.mistake, question.due = mistake, due
        return question

    @property
    def key(self) -> Mapping[str, object]:
        return {"match": self.mistake.match.id, "number": self._number}

    @property
    def _number(self) -> int:
        return self.mistake.mistake.finding.number

    async def judge(self, move: str | None, *, chosen: bool = False) -> Verdict:
        verdict = self.posed.judge(move)
        if isinstance(verdict, Wrong):
            verdict = await self._look_again(verdict)
        right = move is not None and isinstance(verdict, Solved)
        user, match, at = self.ctx.user, self.mistake.match.id, self.ctx.at
        noted = await self.ctx.services.coach.past_mistakes.answer(user, match, self._number, at, right=right)
        days = None if noted.day is None else noted.day - (await self.ctx.settings()).local_day(at)
        words = self.words
        self.returns = words("mistakes.learned") if days is None else words("mistakes.returns", count=max(days, 0))
        return verdict

    async def _look_again(self, wrong: Wrong) -> Verdict:
        """Returns what a move is worth that the review does not name: by a search as in the review, if there is one."""
        match, finding, coach = self.mistake.match, self.mistake.mistake.finding, self.ctx.services.coach
        if match.game.seats != 2 or not coach.has_computer:
            return wrong
        after, seat = play_line(match.game, match.position, wrong.line), match.position.to_act
        with self.ctx.services.jobs.one_at_a_time(self.ctx.user):
            judged = await judge_turn(after, seat, finding.value, match.seed, coach.advisor(self.ctx.user).help)
        return Solved(wrong.line) if judged.good else Wrong((*wrong.line, *filter(None, (judged.reply,))))

    async def head(self) -> str:
        if self.due:
            return self.words("mistakes.head", count=self.due)
        numbers = self.mistake.numbers
        place = numbers.index(self._number) + 1
        return self.words("better.head", place=place, total=len(numbers), number=self._number)

    def goal(self) -> str:
        lost, words = round(self.mistake.mistake.finding.lost, 1), self.words
        return words(
            self.posed.exercise.goal.key,
            emblem=emblem(self.theme, self.posed.position.to_act),
            played=self._name(self.mistake.played),
            count=advice.plural(lost),
            points=words.number(lost),
        )

    def wrong(self) -> str:
        return self.mistake.played

    def verdict(self, verdict: Solved | Wrong, judged: Solving, *, shown: bool) -> str:
        if isinstance(verdict, Wrong):
            return super().verdict(verdict, judged, shown=shown)
        game, line = judged.exercise.game, verdict.line
        better, played = self._name(line[0]), self._name(self.mistake.played)
        said = self.words("better.shown" if shown else "better.right", better=better, played=played)
        purpose = advice.purpose_text(game, purpose_of(game, judged.position, line), line, self.words)
        return f"{said} {purpose}\n-# {self.returns}"

    async def ways(self) -> list[Control]:
        coach, words, match = self.ctx.services.coach, self.words, self.mistake.match
        ways: list[Control] = []
        if following := [each for each in self.mistake.numbers if each > self._number]:
            again = ids.MISTAKE_MOVES.go(match=match.id, number=following[0], code="", place="")
            ways.append(button(again, words("better.next"), PRIMARY))
        if left := await coach.past_mistakes.count_due(self.ctx.user, self.ctx.at):
            ways.append(MyMistakes.make(words("mistakes.button.due", number=left), PRIMARY))
        whole = ids.FIND_BETTER(match=match.id, version=match.version, number=0, tried="")
        return [*ways, button(whole, words("better.summary")), path_button(words)]

    def _name(self, move: str) -> str:
        return turn_text(self.mistake.match.game, move, self.words)


class MyMistakes(Component, id=ids.MY_MISTAKES):
    """Opens the mistake that is due the longest, or says when one comes back."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        due = await ctx.services.coach.past_mistakes.open(ctx.user, ctx.at)
        if due.posed is not None:
            await ctx.show(await (await Mistake.of(ctx, due.posed, due.count)).show())
        else:
            words = await ctx.words()
            await ctx.show([_no_mistake(due, words), [path_button(words)]])


def _no_mistake(due: Due, words: Words) -> str:
    if due.count:
        return words("mistakes.withheld", count=due.count)
    return words("mistakes.later", count=due.returning) if due.returning else words("mistakes.none")


def path_button(words: Words) -> Control:
    """Returns the button to the path of lessons."""
    return button(ids.PATH(chapter=0), words("path.button"))


class FindBetter(MatchButton, id=ids.FIND_BETTER):
    """Shows the whole game (number 0), or one of the player's mistakes, of which messages of former versions had moves
    to choose from, too."""

    number: int
    tried: str
    answer: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        match = await ctx.load_match(self.match)
        match.seat_of(ctx.user)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            found = await review_of(ctx, match)
            if not self.number:
                await show_summary(ctx, match, found)
                return
        question = await Mistake.load(ctx, match=match.id, number=self.number)
        move = None if self.answer == GIVE_UP else self.answer
        await ctx.show(await (question.show() if move == "" else question.play(move)))

    async def _show_refusal(self, ctx: Context, refused: Refused) -> None:
        await errors.reply_error(ctx, refused, self.match)  # the panel stays as it is


async def show_review(ctx: Context, match: Match) -> None:
    """Shows a player their first mistake in a match, and anybody else what decided it.

    The interaction is acknowledged. Raises Refused.
    """
    with ctx.services.jobs.one_at_a_time(ctx.user):
        found = await review_of(ctx, match)
        first = await ctx.services.coach.past_mistakes.first(ctx.user, match.id)
        if first is None:
            await show_summary(ctx, match, found)
        else:
            await ctx.show(await (await Mistake.of(ctx, first)).show())


class ReviewButton(LookBack, id=ids.REVIEW):
    """Shows the turning points of the game."""

    async def show(self, ctx: Context, match: Match) -> None:
        await show_review(ctx, match)


BUTTONS: tuple[type[Component], ...] = (MyMistakes, FindBetter, ReviewButton, *controls(Mistake))
FORMS = (form(Mistake),)
