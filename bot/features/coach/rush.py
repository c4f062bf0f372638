"""A rush: ten exercises one after the other, with moves to choose from. A missed one shows its solution before the
next."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Self

from bot.features.coach.quiz import PRIMARY, Quiz
from bot.features.coach.quiz_controls import controls
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Audience, Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from play.community.solving import Solved, Solving, Wrong
from presentation.match.phrases import turn_text
from presentation.quiz import rating_text
from presentation.text import escape
from use_cases.rushes import RushState

MARKS = {True: "✅", False: "❌"}


class RushQuiz(Quiz):
    """The present exercise of a rush, in a panel that `shows` a step of it."""

    answer_id = ids.RUSH

    state: RushState
    shows: int
    is_missed = False

    @classmethod
    async def load(cls, ctx: Context, *, begun: int, step: int) -> Self:
        return await cls.of(ctx, await ctx.services.coach.rushes.state(ctx.user, begun, step), step)

    @classmethod
    async def of(cls, ctx: Context, state: RushState, shows: int) -> Self:
        """Returns the present exercise of a rush."""
        quiz = cls(ctx, await Audience.reader(ctx), None)
        quiz.shows = shows
        await quiz._take(state)
        return quiz

    async def _take(self, state: RushState) -> None:
        self.state = state
        self.solving = None if state.next is None else await asyncio.to_thread(Solving.begin, state.next)

    @property
    def key(self) -> Mapping[str, object]:
        return {"begun": self.state.rush.begun, "step": self.state.rush.step}

    async def offers_choices(self) -> bool:
        return True

    async def head(self) -> str:
        rush = self.state.rush
        number = rush.step + (0 if self.is_missed else 1)
        lines = self.words("rush.head", number=number, all=len(rush.tasks)), self._marks()
        return "\n".join(filter(None, lines))

    def _marks(self) -> str:
        """Returns the marks of the answers so far."""
        return "".join(MARKS[right] for right in self.state.rush.right)

    async def show(self, code: str = "", place: str = "", notice: str = "") -> Sequence[Part]:
        return await (self._result() if self.solving is None else super().show(notice=notice))

    async def choose(self, answer: int) -> Sequence[Part]:
        rush = self.state.rush
        if self.shows == rush.step:  # else that step has its answer
            rushes, ctx = self.ctx.services.coach.rushes, self.ctx
            await self._take(await rushes.answer(ctx.user, rush.begun, rush.step, answer, ctx.at))
        if self.solving is None:
            return await self._result()
        solved, judged = await self._last()
        if self.state.rush.right[-1]:
            return await self.show(notice=self.verdict(solved, judged, shown=False))
        self.is_missed = True
        return await self.judged(solved, judged, shown=True)

    async def _last(self) -> tuple[Solved, Solving]:
        """Returns the solution of the exercise that was answered last."""
        last = self.state.last
        assert last is not None, "an exercise was answered"
        judged = await asyncio.to_thread(Solving.begin, last)
        return Solved(judged.node.line_of(last.solution)), judged

    def wrong(self) -> str | None:
        last, rush = self.state.last, self.state.rush
        return None if last is None or rush.right[-1] else last.answers[rush.answers[-1]]

    def verdict(self, verdict: Solved | Wrong, judged: Solving, *, shown: bool) -> str:
        said, game, missed = super().verdict(verdict, judged, shown=shown), judged.exercise.game, self.wrong()
        if missed is None:
            return said
        wrong, better = (turn_text(game, move, self.words) for move in (missed, verdict.line[0]))
        return f"{self.words('puzzle.wrong', wrong=wrong, better=better)}\n{said}"

    async def ways(self) -> list[Control]:
        return [BeginRush.make(self.words("rush.next" if self.solving else "rush.again"))]

    async def _result(self) -> Sequence[Part]:
        """Returns the panel after the last exercise, with its solution if it was missed: how many were right, the
        rating, the streak, and the best of the week."""
        rush, rating, words = self.state.rush, self.state.rating.value, self.words
        streak = await self.ctx.use_cases.dailies.streak(self.ctx.user, self.ctx.at)
        unrated = round(rating) == round(rush.before)
        lines = [
            words("rush.result", count=rush.solved, all=len(rush.tasks)),
            self._marks(),
            words("rush.unrated", rating=round(rating)) if unrated else rating_text(rush.before, rating, words),
            *([words("quiz.streak", count=streak)] if streak else []),
            *await self._best_of_week(),
        ]
        if rush.right[-1]:
            return ["\n".join(lines), await self.ways()]
        self.is_missed = True
        return ["\n".join(lines), *await self.judged(*await self._last(), shown=True)]

    async def _best_of_week(self) -> list[str]:
        """Returns the table of the server on which the rush was begun, if the panel is there."""
        rush, words, services = self.state.rush, self.words, self.ctx.services
        if rush.guild is None or rush.guild != permissions.installed_guild(self.ctx):
            return []
        best = await services.coach.rushes.best(rush.guild, self.ctx.at)
        names = await services.names.of_all([each.user for each in best], rush.guild)
        lines = [
            words("rush.best.line", place=place, name=escape(name), solved=each.solved, all=len(rush.tasks))
            for place, (each, name) in enumerate(zip(best, names, strict=True), start=1)
        ]
        return [words("rush.best"), *lines] if lines else []


class BeginRush(Component, id=ids.BEGIN_RUSH):
    """The button that begins ten puzzles, or goes on with them: `rush:begin`."""

    style = PRIMARY
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        state = await ctx.services.coach.rushes.begin(ctx.user, permissions.installed_guild(ctx), ctx.at)
        await ctx.show(await (await RushQuiz.of(ctx, state, state.rush.step)).show())


BUTTONS: tuple[type[Component], ...] = (BeginRush, *controls(RushQuiz))
