"""What is pressed and typed below an exercise: one set of controls, for the ids of each kind."""

from __future__ import annotations

from collections.abc import Sequence
from types import new_class
from typing import Any, ClassVar

from bot.features.coach.quiz import Quiz
from bot.features.match.turn.typed_moves import POINT_FIELD, point_question, read_crossing
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.custom_ids import CustomId
from bot.interactions.layout import Part
from bot.interactions.modals import Form, field_value, make_form, open_form


class _QuizItem(Component):
    """A control of the panel: all in its id but its `own` values is the key of the exercise."""

    quiz: ClassVar[type[Quiz]]
    own: ClassVar[tuple[str, ...]] = ()

    async def load(self, ctx: Context) -> Quiz:
        values = self.id_form.read(self.custom_id) or {}
        return await self.quiz.load(ctx, **{name: value for name, value in values.items() if name not in self.own})

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        quiz = await self.load(ctx)
        await ctx.show(await (quiz.show() if quiz.solving is None else self.act(quiz)))

    async def act(self, quiz: Quiz) -> Sequence[Part]:
        """Returns what the panel shows then. Raises Refused."""
        raise NotImplementedError


class _Go(_QuizItem):
    """Leads to another part of the board, or to a look at a move."""

    own = "code", "place"
    code: str
    place: str

    async def act(self, quiz: Quiz) -> Sequence[Part]:
        return await quiz.step(self.code, self.place)


class _Play(_QuizItem):
    """Plays the move that it carries."""

    own = ("move",)
    move: str

    async def act(self, quiz: Quiz) -> Sequence[Part]:
        return await quiz.play(self.move)


class _Show(_QuizItem):
    """Gives up."""

    async def act(self, quiz: Quiz) -> Sequence[Part]:
        return await quiz.play(None)


class _Answer(_QuizItem):
    """One of the moves to choose from."""

    own = ("answer",)
    answer: int

    async def act(self, quiz: Quiz) -> Sequence[Part]:
        return await quiz.choose(self.answer)


class _Type(_QuizItem):
    """Opens the form for a move."""

    async def pressed(self, ctx: Context) -> None:
        quiz = await self.load(ctx)
        if quiz.solving is None:
            await super().pressed(ctx)
            return
        question = point_question(quiz.solving.exercise.game, quiz.words)
        await open_form(ctx, make_form(self.custom_id, quiz.words("modal.title"), question))


def controls(kind: type[Quiz]) -> list[type[Component]]:
    """Returns the controls of a kind of exercise, for its ids."""
    forms: list[tuple[type[_QuizItem], CustomId]] = [(_Answer, kind.answer_id)] if kind.answer_id is not None else []
    if kind.board_ids is not None:
        forms += zip((_Go, _Play, _Show, _Type), kind.board_ids, strict=True)
    return [_control(kind, base, form) for base, form in forms]


def _control(kind: type[Quiz], base: type[_QuizItem], form: CustomId) -> type[Any]:
    return new_class(f"{kind.__name__}{base.__name__}", (base,), {"id": form}, lambda body: body.update(quiz=kind))


def form(kind: type[Quiz]) -> Form:
    """Returns the form in which a move is typed."""

    async def submit(ctx: Context, **key: Any) -> None:
        await ctx.open_panel()
        quiz, move = await kind.load(ctx, **key), read_crossing(field_value(ctx, POINT_FIELD))
        await ctx.show(await (quiz.show() if quiz.solving is None else quiz.play(move)))

    assert kind.board_ids is not None, "it is played on the board"
    return Form(kind.board_ids.point, submit, (POINT_FIELD,))
