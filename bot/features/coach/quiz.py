"""The one panel in which an exercise is solved: the board with its keypad or moves to choose from, the verdict, and the
ways on. A kind of exercise says only where it comes from, what counts, and what comes next.

All that a button knows is in its custom id: `daily:2026-11-26:3:go:K12@K13` has the key of an exercise, here the day
and how many tries the panel knows of, and then a step of a turn as on the keypad of a match.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self

import discord

from bot.features.match.turn.keypad_grid import PositionKeypad
from bot.interactions.components import Audience
from bot.interactions.context import Context
from bot.interactions.custom_ids import CustomId, QuizIds
from bot.interactions.layout import Control, Part, button, picture_file
from bot.services.job_pool import JobPool
from play.community.exercise import Exercise
from play.community.solving import Right, Solved, Solving, Verdict, Wrong
from play.refusal import Reason, Refused
from play.turns import CHOSEN
from presentation.advice import draw_line, draw_solution
from presentation.match.phrases import colour_name, turn_text
from presentation.quiz import goal_text, line_text, refutation_text, reply_text, solved_text
from presentation.words.words import Words
from rules.dots import Call, DotsPosition
from rules.game import RuleError

PRIMARY = discord.ButtonStyle.primary


class Quiz(ABC):
    """An exercise before a player, as far as they have come; `solving` is None once all of them are over."""

    board_ids: ClassVar[QuizIds | None] = None
    """The forms of what is below the board; None if it is never played on."""
    answer_id: ClassVar[CustomId | None] = None
    """The form of the moves to choose from."""

    def __init__(self, ctx: Context, reader: Audience, solving: Solving | None) -> None:
        self.ctx, self.words, self.theme, self.solving = ctx, reader.words, reader.theme, solving

    # What a kind says

    @classmethod
    @abstractmethod
    async def load(cls, ctx: Context, *_: Any, **key: Any) -> Self:
        """Returns what the ids with this key are about. Raises Refused."""

    @property
    @abstractmethod
    def key(self) -> Mapping[str, object]:
        """Returns the values that begin the ids of its controls."""

    async def judge(self, move: str | None, *, chosen: bool = False) -> Verdict | None:
        """Returns what a move leads to, or the solution to one who gives up (None), and stores what counts. It may be
        `chosen` among the answers.

        None: the panel is an old one, and nothing was judged. Raises Refused and RuleError.
        """
        raise NotImplementedError

    @abstractmethod
    async def head(self) -> str:
        """Returns what is above the board."""

    @abstractmethod
    async def ways(self) -> list[Control]:
        """Returns what comes next, after the exercise is solved or its solution was shown."""

    @property
    def posed(self) -> Solving:
        """Returns the exercise that is before the player."""
        assert self.solving is not None, "an exercise is before the player"
        return self.solving

    @property
    def name(self) -> str:
        """Returns the name of its pictures."""
        return "-".join(["kropka", *(str(each) for each in self.key.values() if each != "")])

    @property
    def can_give_up(self) -> bool:
        return True

    async def offers_choices(self) -> bool:
        """Returns whether the player chooses among moves instead of the whole board."""
        return False

    def goal(self) -> str:
        """Returns what is to be done."""
        return goal_text(self.posed.exercise, self.words, self.theme)

    def verdict(self, verdict: Solved | Wrong, judged: Solving, *, shown: bool) -> str:
        """Returns what a wrong move, or the end of the exercise, is told with."""
        if isinstance(verdict, Wrong):
            return refutation_text(verdict, judged, self.words, self.theme)
        return solved_text("quiz.shown" if shown else "quiz.solved", verdict, judged, self.words)

    # The panel

    async def show(self, code: str = "", place: str = "", notice: str = "") -> Sequence[Part]:
        """Returns the exercise with a keypad at a `place` or a look at the dot `code`, below a `notice`."""
        head = "\n".join(filter(None, (await self.head(), notice, self.goal())))
        if await self.offers_choices():
            return await self._choices(head)
        try:
            return await asyncio.to_thread(partial(self._keypad().parts, self.words, code, place, head))
        except RuleError as error:
            raise Refused.by_rules(error) from error

    async def step(self, code: str, place: str) -> Sequence[Part]:
        """Returns another part of the board, or a look at a move; who does not confirm theirs has played it."""
        if code and not (await self.ctx.settings()).confirm_days:
            return await self.play(code)
        return await self.show(code, place)

    async def play(self, move: str | None, *, chosen: bool = False) -> Sequence[Part]:
        """Returns the panel after a move, or with the solution (None). Raises Refused."""
        judged = self.posed
        try:
            verdict = await self.judge(move, chosen=chosen)
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if verdict is None:
            return await self.show()
        if isinstance(verdict, Right):
            self.solving = verdict.next
            return await self.show(notice=reply_text(verdict, self.words, self.theme))
        return await self.judged(verdict, judged, shown=move is None)

    async def choose(self, answer: int) -> Sequence[Part]:
        """Returns the panel after one of the moves to choose from. Raises Refused."""
        answers = self.posed.exercise.answers
        if self.posed.found or answer >= len(answers):
            raise Refused(Reason.NO_PUZZLE)
        return await self.play(answers[answer], chosen=True)

    async def judged(self, verdict: Solved | Wrong, judged: Solving, *, shown: bool = False) -> Sequence[Part]:
        """Returns the panel with the line that refutes a wrong move or that solves the exercise, and the ways on."""
        game, line = judged.exercise.game, verdict.line
        said = await asyncio.to_thread(partial(self.verdict, verdict, judged, shown=shown))
        png = await self.ctx.services.jobs.pictures.make(
            self.ctx.user, draw_solution, game, judged.position, line, self.wrong(), self.theme
        )
        picture = picture_file(png, f"{self.name}-line", line_text(game, line, self.words))
        text = "\n".join(filter(None, (await self.head(), said)))
        if isinstance(verdict, Solved):
            ways = await self.ways()
        else:
            ways = [self.button("go", self.words("button.try_again"), PRIMARY, code="", place=""), self._show_button()]
        return [picture, text, ways]

    def wrong(self) -> str | None:
        """Returns the move that was played instead, in the game that the exercise comes from."""
        return None

    def _keypad(self) -> PositionKeypad:
        """Returns the keypad, which opens near the last dots."""
        position = self.posed.position
        assert isinstance(position, DotsPosition), "exercises are of Dots"
        first: list[Control] = [self.to_play(self.words("button.stop"), str(Call.STOP))] if self.posed.has_stop else []
        first.append(self.button("point", self.words("button.point")))
        if self.can_give_up:
            first.append(self._show_button())
        return PositionKeypad(
            position, position.picture().last, self.theme, self.name, self.to_step, self.to_play, first
        )

    async def _choices(self, head: str) -> Sequence[Part]:
        """Returns the exercise with its moves to choose from."""
        exercise, jobs = self.posed.exercise, self.ctx.services.jobs
        picture = await exercise_picture(jobs, self.ctx.user, exercise, self.name, self.words, self.theme)
        assert self.answer_id is not None, "there are moves to choose from"
        ids = [self.answer_id(answer=place, **self.key) for place in range(len(exercise.answers))]
        labels = [turn_text(exercise.game, each, self.words) for each in exercise.answers]
        return [picture, head, [button(*each) for each in zip(ids, labels, strict=True)]]

    def to_step(self, label: str, code: str, place: str, style: discord.ButtonStyle | None = None) -> Control:
        """Returns the button to a part of the board, or to a look at a dot: what it closes is not asked."""
        dot = code.partition(" ")[0].removesuffix(CHOSEN)
        return self.button("go", label, style, code=dot, place=place)

    def to_play(self, label: str, move: str) -> Control:
        """Returns the button that plays a move."""
        return self.button("play", label, discord.ButtonStyle.success, move=move)

    def button(self, verb: str, label: str, style: discord.ButtonStyle | None = None, **values: object) -> Control:
        """Returns a button with one of the `board_ids`."""
        form: CustomId = getattr(self.board_ids, verb)
        return button(form(**self.key, **values), label, style or discord.ButtonStyle.secondary)

    def _show_button(self) -> Control:
        return self.button("show", self.words("quiz.show"))


async def exercise_picture(
    jobs: JobPool, user: int, exercise: Exercise, name: str, words: Words, theme: str
) -> discord.File:
    """Returns the position to solve, drawn for `user`. Raises Refused."""
    position = await asyncio.to_thread(lambda: exercise.position)
    png = await jobs.pictures.make(user, draw_line, exercise.game, position, (), theme)
    return picture_file(png, name, words("puzzle.alt", colour=colour_name(theme, position.to_act, words)))
