"""The one panel in which an exercise is solved: the board with its keypad or moves to choose from, the verdict, and the
ways on. A kind of exercise has only its forms of custom ids; all else is use_cases/quiz.py, and presentation/quiz.py
tells it.

All that a button knows is in its custom id: `daily:2026-11-26:3:go:K12@K13` has the key of an exercise, here the day
and how many tries the panel knows of, and then a step of a turn as on the keypad of a match.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from types import new_class
from typing import Any, ClassVar, Generic, Self, TypeVar

import discord

from bot.features.match.turn.keypad_grid import PositionKeypad
from bot.features.match.turn.typed_moves import POINT_FIELD, point_question
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Audience, Component, Form, field_value, make_form, open_form
from bot.interactions.context import Context
from bot.interactions.custom_ids import CustomId
from bot.interactions.layout import Control, Part, button, picture_file
from bot.services.job_pool import JobPool
from play.community.exercise import Exercise
from play.community.solving import Solved, Wrong
from play.ids import ChannelId, GuildId
from play.refusal import Refused
from play.turns import CHOSEN
from presentation.advice import draw_line, draw_solution
from presentation.match.phrases import colour_name, turn_text
from presentation.quiz import QuizText, text_of
from presentation.typed_turns import read_crossing
from presentation.words.words import Words
from rules.dots import Call, DotsPosition
from rules.game import RuleError
from use_cases.quiz import Door, Learner, Quiz, Way

DOORS: dict[Door, Callable[..., str]] = {
    Door.DAILY: ids.OPEN_DAILY,
    Door.DAY: ids.DAILY_LOOK,
    Door.RUSH: ids.BEGIN_RUSH,
    Door.OWN: ids.OWN_PUZZLE,
    Door.LESSONS: partial(ids.PATH, chapter=0),
    Door.LESSON: ids.LEARN,
    Door.TAUGHT: partial(ids.TAUGHT_MOVES.go, code="", place=""),
    Door.SERVER_LESSONS: partial(ids.SERVER_LESSONS, page=0),
    Door.DRILL: ids.DRILL,
    Door.KINDS: ids.KINDS,
    Door.TRAIN: ids.TRAIN,
    Door.BACK: ids.LOOK_BACK,
    Door.MISTAKES: ids.MY_MISTAKES,
    Door.MISTAKE: partial(ids.MISTAKE_MOVES.go, code="", place=""),
    Door.GAME: partial(ids.FIND_BETTER, version=0, number=0, tried=""),
    Door.NEWCOMER: ids.NEWCOMER,
}
"""The custom ids of what is behind the doors, by their values."""

EMOJI = {Door.DAILY: "🧩", Door.RUSH: "🧩", Door.DRILL: "🧩"}


def learner(ctx: Context) -> Learner:
    """Returns the user of an interaction. A server's puzzle is for those who are there."""
    guild, coach = permissions.installed_guild(ctx), ctx.services.coach

    async def sees(where: GuildId, _: ChannelId | None) -> bool:
        return where == guild

    think = coach.advisor(ctx.user).help if coach.has_computer else None
    return Learner(ctx.use_cases, ctx.user, guild, ctx.at, sees, coach.posts.name_solvers, think)


Q = TypeVar("Q", bound=Quiz)


class QuizPanel(Generic[Q]):
    """A quiz on a private panel."""

    kind: ClassVar[type[Quiz]]
    board_ids: ClassVar[ids.QuizIds | None] = None
    """The forms of what is below the board; None if it is never played on."""
    answer_id: ClassVar[CustomId | None] = None
    """The form of the moves to choose from."""

    def __init__(self, ctx: Context, quiz: Q) -> None:
        self.ctx, self.quiz = ctx, quiz

    @classmethod
    async def load(cls, ctx: Context, **key: Any) -> Self:
        """Returns the panel of a key. Raises Refused."""
        quiz: Any = await cls.kind.find(learner(ctx), **key)
        return cls(ctx, quiz)

    async def text(self) -> QuizText[Any]:
        """Returns what is told of the quiz now."""
        reader, named = await Audience.reader(self.ctx), self.quiz.named
        names = await self.ctx.services.names.of_all(named, permissions.installed_guild(self.ctx)) if named else ()
        return text_of(self.quiz, reader.words, reader.theme, names)

    async def show(self, code: str = "", place: str = "") -> Sequence[Part]:
        """Returns the exercise with a keypad at a `place` or a look at the dot `code`, or the result."""
        text, quiz = await self.text(), self.quiz
        if quiz.solving is None:
            return await self.result(text)
        head = "\n".join(filter(None, (text.head(), text.notice, text.goal)))
        if quiz.chooses:
            return await self._choices(text, head)
        if quiz.is_stale:
            code = place = ""
        try:
            return await asyncio.to_thread(self._keypad(text).parts, text.words, code, place, head)
        except RuleError as error:
            raise Refused.by_rules(error) from error

    async def step(self, code: str, place: str) -> Sequence[Part]:
        """Returns another part of the board, or a look at a move; who does not confirm theirs has played it."""
        if code and (self.quiz.is_instant or not (await self.ctx.settings()).confirm_days):
            return await self.play(code)
        return await self.show(code, place)

    async def play(self, move: str | None) -> Sequence[Part]:
        """Returns the panel after a move, or with the solution (None). Raises Refused."""
        await self.quiz.play(move)
        return await self.after()

    async def give_up(self) -> Sequence[Part]:
        """Returns the panel with the solution. Raises Refused."""
        return await self.play(None)

    async def choose(self, answer: int) -> Sequence[Part]:
        """Returns the panel after one of the moves to choose from. Raises Refused."""
        await self.quiz.choose(answer)
        return await self.after()

    async def after(self) -> Sequence[Part]:
        """Returns the verdict, or what comes next."""
        quiz = self.quiz
        if isinstance(quiz.verdict, Solved | Wrong) and not (quiz.passes_on or quiz.is_stale):
            return await self.judged(await self.text())
        return await self.show()

    async def judged(self, text: QuizText[Any]) -> Sequence[Part]:
        """Returns the panel with the line that refutes a wrong move or that solves the exercise, and the ways on."""
        quiz, words, verdict, judged = self.quiz, text.words, self.quiz.verdict, text.judged
        assert isinstance(verdict, Solved | Wrong), "there is more to find"
        said = await asyncio.to_thread(lambda: "\n".join(filter(None, (text.verdict_head, text.verdict))))
        png = await self.ctx.services.jobs.pictures.make(
            *(self.ctx.user, draw_solution, judged.exercise.game, judged.position, verdict.line, quiz.instead),
            text.theme,
        )
        if isinstance(verdict, Solved):
            ways = [way_button(each, text) for each in quiz.ways]
        else:
            again = self.button("go", words("button.try_again"), discord.ButtonStyle.primary, code="", place="")
            ways = [again, self.button("show", words("quiz.show"))]
        return [picture_file(png, f"{self.name}-line", text.line), said, ways]

    async def result(self, text: QuizText[Any]) -> Sequence[Part]:
        """Returns the panel once nothing is left to solve."""
        return [text.result, [way_button(each, text) for each in self.quiz.ends]]

    @property
    def name(self) -> str:
        """Returns the name of its pictures."""
        return "-".join(["kropka", *(str(each) for each in self.quiz.key.values() if each != "")])

    def _keypad(self, text: QuizText[Any]) -> PositionKeypad:
        """Returns the keypad, which opens near the last dots."""
        solving, words = self.quiz.posed, text.words
        position, zone = solving.position, solving.exercise.zone
        assert isinstance(position, DotsPosition), "exercises are of Dots"
        others: list[Control] = [self.to_play(words("button.stop"), str(Call.STOP))] if solving.has_stop else []
        others.append(self.button("point", words("button.point")))
        if self.quiz.can_give_up:
            others.append(self.button("show", words("quiz.show")))
        others += [way_button(each, text) for each in self.quiz.aside]
        recent = position.picture().last
        return PositionKeypad(position, recent, text.theme, self.name, self.to_step, self.to_play, others, zone)

    async def _choices(self, text: QuizText[Any], head: str) -> Sequence[Part]:
        """Returns the exercise with its moves to choose from."""
        exercise, jobs = self.quiz.posed.exercise, self.ctx.services.jobs
        picture = await exercise_picture(jobs, self.ctx.user, exercise, self.name, text.words, text.theme)
        assert self.answer_id is not None, "there are moves to choose from"
        moves: list[Control] = [
            button(self.answer_id(answer=place, **self.quiz.key), turn_text(exercise.game, each, text.words))
            for place, each in enumerate(exercise.answers)
        ]
        return [head, picture, moves]

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
        return button(form(**self.quiz.key, **values), label, style or discord.ButtonStyle.secondary)


def way_button(way: Way, text: QuizText[Any]) -> Control:
    """Returns the button of a way."""
    style = discord.ButtonStyle.primary if way.primary else discord.ButtonStyle.secondary
    return button(DOORS[way.door](**way.values), text.label(way), style, EMOJI.get(way.door))


async def exercise_picture(
    jobs: JobPool, user: int, exercise: Exercise, name: str, words: Words, theme: str
) -> discord.File:
    """Returns the position to solve, drawn for `user`. Raises Refused."""
    position = await asyncio.to_thread(lambda: exercise.position)
    png = await jobs.pictures.make(user, draw_line, exercise.game, position, (), theme)
    return picture_file(png, name, words("puzzle.alt", colour=colour_name(theme, position.to_act, words)))


class _Control(Component):
    """A control of the panel: all in its id but its `own` values is the key of the exercise."""

    panel: ClassVar[type[QuizPanel[Any]]]
    own: ClassVar[tuple[str, ...]]
    act: ClassVar[Callable[..., Awaitable[Sequence[Part]]]]

    async def load(self, ctx: Context) -> tuple[QuizPanel[Any], dict[str, Any]]:
        """Returns the panel, and the own values."""
        values = self.id_form.read(self.custom_id) or {}
        own = {name: values.pop(name) for name in self.own}
        return await self.panel.load(ctx, **values), own

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        panel, own = await self.load(ctx)
        await ctx.show(await type(self).act(panel, **own))


class _Type(_Control):
    """Opens the form for a move."""

    async def pressed(self, ctx: Context) -> None:
        panel, _ = await self.load(ctx)
        if panel.quiz.solving is None:
            await super().pressed(ctx)
            return
        words = await ctx.words()
        question = point_question(panel.quiz.solving.exercise.game, words)
        await open_form(ctx, make_form(self.custom_id, words("modal.title"), question))


def controls(panel: type[QuizPanel[Any]]) -> list[type[Component]]:
    """Returns the controls of a kind of exercise, for its ids."""

    def control(name: str, form: CustomId, own: tuple[str, ...], act: object, base: type[_Control] = _Control) -> Any:
        body = {"panel": panel, "own": own, "act": act}
        return new_class(f"{panel.__name__}{name}", (base,), {"id": form}, lambda made: made.update(body))

    found = [control("Answer", panel.answer_id, ("answer",), panel.choose)] if panel.answer_id is not None else []
    if panel.board_ids is not None:
        go, play, show, point = panel.board_ids
        found += [
            control("Go", go, ("code", "place"), panel.step),
            control("Play", play, ("move",), panel.play),
            control("Show", show, (), panel.give_up),
            control("Type", point, (), panel.show, _Type),
        ]
    return found


def form(panel: type[QuizPanel[Any]]) -> Form:
    """Returns the form in which a move is typed."""

    async def submit(ctx: Context, **key: Any) -> None:
        await ctx.open_panel()
        shown, move = await panel.load(ctx, **key), read_crossing(field_value(ctx, POINT_FIELD))
        await ctx.show(await shown.play(move))

    assert panel.board_ids is not None, "it is played on the board"
    return Form(panel.board_ids.point, submit, (POINT_FIELD,))
