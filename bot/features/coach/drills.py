"""The puzzles that follow a lesson: of its kind, new to the player, and played on the board.

All that a button knows is in its custom id: `drill:fork:112:aabb:go:K12@K13` has the lesson, the number of the
exercise, the moves that were found and a step, as on the keypad of a match.
"""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import discord

from bot.features.coach.past_mistakes import path_button
from bot.features.match.turn.point_form import POINT, point_question, read_crossing
from bot.features.match.turn.position_keypad import PositionKeypad
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control
from bot.interactions.modals import Form, field_value, make_form, open_form
from bot.interactions.pictures import picture_file
from play.community.exercise_tree import Line, read_moves, write_moves
from play.community.exercises import exercises
from play.community.lesson import PUZZLES
from play.community.path import LESSONS
from play.community.solving import Right, Solved, Solving, Wrong
from play.refusal import Reason, Refused
from presentation.advice import draw_line
from presentation.daily import goal_text, line_text, refutation_text, reply_text
from presentation.words.words import Words
from rules.dots import DotsPosition
from rules.game import RuleError


class OpenDrill(Component, id=ids.DRILL):
    """Opens a puzzle that the player has not seen."""

    lesson: str
    style = discord.ButtonStyle.primary
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        if self.lesson not in LESSONS:
            raise Refused(Reason.OLD_BUTTON)
        exercise = await ctx.services.coach.lessons.open_puzzle(ctx.user, self.lesson, ctx.at)
        words = await ctx.words()
        if exercise is None:
            await ctx.show([words("drill.none"), [path_button(words)]])
        else:
            await Drill(ctx, self.lesson, Solving.begin(exercise)).show()


class _OfDrill(Component):
    """A button of a puzzle, after the moves that were found."""

    lesson: str
    number: int
    found: str


class DrillStep(_OfDrill, id=ids.DRILL_STEP):
    """Plays a move, or shows another part of the board."""

    code: str
    place: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        drill = Drill.load(ctx, self.lesson, self.number, self.found)
        await (drill.play(self.code) if self.code else drill.show(self.place))


class ShowDrill(_OfDrill, id=ids.DRILL_SHOW):
    """Shows the solution."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        drill = Drill.load(ctx, self.lesson, self.number, self.found)
        await drill.end(drill.solving.node.line, (await ctx.words())("daily.shown"))


class TypeInDrill(_OfDrill, id=ids.DRILL_POINT):
    """Opens the form for a move."""

    async def pressed(self, ctx: Context) -> None:
        drill, words = Drill.load(ctx, self.lesson, self.number, self.found), await ctx.words()
        question = point_question(drill.solving.exercise.game, words)
        await open_form(ctx, make_form(self.custom_id, words("modal.title"), question))


async def _submit(ctx: Context, lesson: str, number: int, found: str) -> None:
    await ctx.open_panel()
    await Drill.load(ctx, lesson, number, found).play(read_crossing(field_value(ctx, POINT)))


BUTTONS: tuple[type[Component], ...] = (OpenDrill, DrillStep, ShowDrill, TypeInDrill)
FORMS = (Form(ids.DRILL_POINT, _submit, (POINT,)),)


class Drill(NamedTuple):
    """A puzzle after a lesson, as far as its player has come."""

    ctx: Context
    lesson: str
    solving: Solving

    @classmethod
    def load(cls, ctx: Context, lesson: str, number: int, found: str) -> Drill:
        """Returns the puzzle of a button. Raises Refused (`old_button`) for one that cannot be."""
        exercise = exercises().get(number)
        if exercise is None or lesson not in LESSONS:
            raise Refused(Reason.OLD_BUTTON)
        try:
            return cls(ctx, lesson, Solving.begin(exercise, read_moves(found)))
        except (ValueError, RuleError) as error:
            raise Refused(Reason.OLD_BUTTON) from error

    async def show(self, place: str = "", notice: str = "") -> None:
        """Shows the board with a keypad, below a `notice`. The interaction is acknowledged."""
        words, theme = await self.ctx.words(), (await self.ctx.settings()).theme
        goal = goal_text(self.solving.exercise, words, theme)
        head = "\n".join(filter(None, (await self._head(words), notice, goal)))
        position = self.solving.position
        assert isinstance(position, DotsPosition), "exercises are of Dots"
        first: list[Control] = [
            TypeInDrill.make(words("button.point"), lesson=self.lesson, number=self._number, found=self._found),
            self._show_button(words),
        ]
        keypad = PositionKeypad(
            position, position.picture().last, theme, self._name, self._step, self._play_button, first
        )
        try:
            parts = await asyncio.to_thread(partial(keypad.parts, words, "", place, head))
        except RuleError as error:
            raise Refused.by_rules(error) from error
        await self.ctx.show(parts)

    async def play(self, typed: str) -> None:
        """Plays a move, and shows what it leads to. The interaction is acknowledged. Raises Refused."""
        words, theme = await self.ctx.words(), (await self.ctx.settings()).theme
        try:
            verdict = self.solving.try_move(typed)
        except RuleError as error:
            raise Refused.by_rules(error) from error
        if isinstance(verdict, Right):
            await self._replace(solving=verdict.next).show(notice=reply_text(verdict, words, theme))
        elif isinstance(verdict, Solved):
            await self.end(verdict.line, words("daily.solved.late"))
        else:
            await self._refute(verdict, words, theme)

    async def _refute(self, verdict: Wrong, words: Words, theme: str) -> None:
        again = self._step(words("button.try_again"), "", "", discord.ButtonStyle.primary)
        picture = await self._picture(verdict.line, words)
        text = f"{await self._head(words)}\n{refutation_text(verdict, self.solving, words, theme)}"
        await self.ctx.show([picture, text, [again, self._show_button(words), path_button(words)]])

    async def end(self, line: Line, verdict: str) -> None:
        """Shows the solution below a verdict, and the way on. The interaction is acknowledged."""
        words, lessons = await self.ctx.words(), self.ctx.services.coach.lessons
        head, picture = await self._head(words), await self._picture(line, words)
        played = await lessons.note_puzzle(self.ctx.user, self.lesson)
        ways = [path_button(words)]
        if played % PUZZLES and await lessons.has_puzzle(self.ctx.user, self.lesson, self.ctx.at):
            ways.insert(0, OpenDrill.make(words("rush.next"), lesson=self.lesson))
        elif following := next_lesson(self.lesson):
            label = words("lesson.next")
            ways.insert(0, discord.ui.Button(label=label, custom_id=ids.LEARN(lesson=following), style=PRIMARY))
        await self.ctx.show([picture, f"{head}\n{verdict}", ways])

    async def _head(self, words: Words) -> str:
        state = (await self.ctx.services.coach.lessons.progress(self.ctx.user)).get(self.lesson)
        number = (state.puzzles if state else 0) % PUZZLES + 1
        title = words(f"lesson.title.{self.lesson}")
        return f"### {words('drill.head', number=number, total=PUZZLES)} · {title}"

    async def _picture(self, line: Line, words: Words) -> discord.File:
        game, theme = self.solving.exercise.game, (await self.ctx.settings()).theme
        png = await self.ctx.services.jobs.pictures.make(
            self.ctx.user, draw_line, game, self.solving.position, line, theme
        )
        return picture_file(png, f"{self._name}-line", line_text(game, line, words))

    @property
    def _number(self) -> int:
        return self.solving.exercise.number

    @property
    def _found(self) -> str:
        return write_moves(self.solving.found)

    @property
    def _name(self) -> str:
        return f"kropka-drill-{self._number}-{len(self.solving.found)}"

    def _step(self, label: str, code: str, place: str, style: discord.ButtonStyle | None = None) -> Control:
        here = "" if code else place
        return DrillStep.make(
            label, style, lesson=self.lesson, number=self._number, found=self._found, code=code, place=here
        )

    def _play_button(self, label: str, move: str) -> Control:
        return self._step(label, move, "")

    def _show_button(self, words: Words) -> Control:
        return ShowDrill.make(words("daily.show"), lesson=self.lesson, number=self._number, found=self._found)


PRIMARY = discord.ButtonStyle.primary


def next_lesson(key: str) -> str | None:
    """Returns the lesson after another one on the path; None after the last."""
    return dict(pairwise(LESSONS)).get(key)
