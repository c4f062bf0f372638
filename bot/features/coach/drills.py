"""The puzzles that follow a lesson: of its kind, and new to the player."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Self

from bot.features.coach.past_mistakes import path_button
from bot.features.coach.quiz import PRIMARY, Quiz
from bot.features.coach.quiz_controls import controls, form
from bot.interactions import custom_ids as ids
from bot.interactions.components import Audience, Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, button
from play.community.exercise_tree import read_moves, write_moves
from play.community.exercises import exercises
from play.community.lesson import PUZZLES, LessonState
from play.community.path import LESSONS
from play.community.solving import Solved, Solving, Verdict
from play.refusal import Reason, Refused
from rules.game import RuleError


class Drill(Quiz):
    """A puzzle after a `lesson`. `played` counts those that were played to their end, this one included once it is."""

    board_ids = ids.DRILL_MOVES

    lesson: str
    played: int
    is_over = False

    @classmethod
    async def load(cls, ctx: Context, *, lesson: str, number: int, found: str) -> Self:
        exercise = exercises().get(number)
        if exercise is None or lesson not in LESSONS:
            raise Refused(Reason.OLD_BUTTON)
        try:
            return await cls.of(ctx, lesson, Solving.begin(exercise, read_moves(found)))
        except (ValueError, RuleError) as error:
            raise Refused(Reason.OLD_BUTTON) from error

    @classmethod
    async def of(cls, ctx: Context, lesson: str, solving: Solving) -> Self:
        """Returns a puzzle after a lesson, as far as it is solved."""
        drill = cls(ctx, await Audience.reader(ctx), solving)
        drill.lesson = lesson
        drill.played = (await ctx.services.coach.lessons.progress(ctx.user)).get(lesson, LessonState()).puzzles
        return drill

    @property
    def key(self) -> Mapping[str, object]:
        solving = self.posed
        return {"lesson": self.lesson, "number": solving.exercise.number, "found": write_moves(solving.found)}

    async def judge(self, move: str | None, *, chosen: bool = False) -> Verdict:
        verdict = self.posed.judge(move)
        if isinstance(verdict, Solved):
            lessons, solved = self.ctx.services.coach.lessons, None if move is None else self.ctx.at
            self.played, self.is_over = await lessons.note_puzzle(self.ctx.user, self.lesson, solved), True
        return verdict

    async def head(self) -> str:
        number = (self.played - self.is_over) % PUZZLES + 1
        title = self.words(f"lesson.title.{self.lesson}")
        return f"### {self.words('drill.head', number=number, total=PUZZLES)} · {title}"

    async def ways(self) -> list[Control]:
        ways, words = [path_button(self.words)], self.words
        lessons = self.ctx.services.coach.lessons
        if self.played % PUZZLES and await lessons.has_puzzle(self.ctx.user, self.lesson, self.ctx.at):
            ways.insert(0, OpenDrill.make(words("rush.next"), lesson=self.lesson))
        elif following := dict(pairwise(LESSONS)).get(self.lesson):
            ways.insert(0, button(ids.LEARN(lesson=following), words("lesson.next"), PRIMARY))
        return ways


class OpenDrill(Component, id=ids.DRILL):
    """Opens a puzzle that the player has not seen."""

    lesson: str
    style = PRIMARY
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        if self.lesson not in LESSONS:
            raise Refused(Reason.OLD_BUTTON)
        exercise = await ctx.services.coach.lessons.open_puzzle(ctx.user, self.lesson, ctx.at)
        if exercise is None:
            words = await ctx.words()
            await ctx.show([words("drill.none"), [path_button(words)]])
        else:
            await ctx.show(await (await Drill.of(ctx, self.lesson, Solving.begin(exercise))).show())


BUTTONS: tuple[type[Component], ...] = (OpenDrill, *controls(Drill))
FORMS = (form(Drill),)
