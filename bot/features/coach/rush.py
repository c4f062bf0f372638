"""A rush: a private panel with ten puzzles, one after the other. A missed one shows its solution before the next."""

from __future__ import annotations

import discord

from bot.features.coach.solutions import solution_picture, task_picture, verdict_text
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.community.rush import Rush
from presentation.daily import goal_text, rating_text
from presentation.match.turn_text import turn_text
from presentation.text import escape
from presentation.words.words import Words
from use_cases.rushes import RushState

MARKS = {True: "✅", False: "❌"}


class BeginRush(Component, id=ids.BEGIN_RUSH):
    """The button that begins ten puzzles, or goes on with them: `rush:begin`."""

    style = discord.ButtonStyle.primary
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        state = await ctx.services.coach.rushes.begin(ctx.user, permissions.installed_guild(ctx), ctx.at)
        await ctx.show(await _step(ctx, state, await ctx.words()))


class RushAnswer(Component, id=ids.RUSH):
    """A button with one of the moves to choose from, at a step of the rush that began then: `rush:1763800000000:0:2`.

    A press at a step that has its answer shows where the rush is.
    """

    begun: int
    step: int
    answer: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        state = await ctx.services.coach.rushes.answer(ctx.user, self.begun, self.step, self.answer, ctx.at)
        words = await ctx.words()
        if state.next is None:
            parts = await _result(ctx, state, words)
        elif state.rush.right[-1]:
            parts = await _step(ctx, state, words, _verdict(state, words))
        else:
            parts = await _solution(ctx, state, words)
        await ctx.show(parts)


BUTTONS: tuple[type[BeginRush], type[RushAnswer]] = (BeginRush, RushAnswer)


async def _step(ctx: Context, state: RushState, words: Words, verdict: str = "") -> list[Part]:
    """Returns the panel with the next puzzle, below a `verdict` on the last one."""
    rush, task, theme = state.rush, state.next, (await ctx.settings()).theme
    assert task is not None, "a rush that has begun anew or goes on has a next puzzle"
    labels = enumerate(turn_text(task.game, answer, words) for answer in task.answers)
    return [
        "\n".join(filter(None, (_head(rush, rush.step + 1, words), _marks(rush), verdict))),
        await task_picture(ctx.services.jobs, ctx.user, task, words, theme),
        goal_text(task, words, theme),
        [RushAnswer.make(label, begun=rush.begun, step=rush.step, answer=number) for number, label in labels],
    ]


async def _solution(ctx: Context, state: RushState, words: Words) -> list[Part]:
    """Returns the panel after a missed puzzle, with the way to the next one."""
    lines = (_head(state.rush, state.rush.step, words), _marks(state.rush), _verdict(state, words))
    return ["\n".join(lines), await _solution_picture(ctx, state, words), [BeginRush.make(words("rush.next"))]]


async def _result(ctx: Context, state: RushState, words: Words) -> list[Part]:
    """Returns the panel after the last puzzle, with its solution if it was missed: how many were right, the rating,
    and the best of the week."""
    rush, rating = state.rush, state.rating.value
    unrated = round(rating) == round(rush.before)
    lines = [
        words("rush.result", count=rush.solved, all=len(rush.tasks)),
        _marks(rush),
        _verdict(state, words),
        words("rush.unrated", rating=round(rating)) if unrated else rating_text(rush.before, rating, words),
    ]
    parts: list[Part] = ["\n".join(lines)]
    if not rush.right[-1]:
        parts.append(await _solution_picture(ctx, state, words))
    if table := await _best_of_week(ctx, rush, words):
        parts.append(table)
    return [*parts, [BeginRush.make(words("rush.again"))]]


async def _solution_picture(ctx: Context, state: RushState, words: Words) -> discord.File:
    assert state.last is not None, "a puzzle was answered"
    theme, answer = (await ctx.settings()).theme, state.rush.answers[-1]
    return await solution_picture(ctx.services.jobs, ctx.user, state.last, answer, words, theme)


def _head(rush: Rush, number: int, words: Words) -> str:
    return words("rush.head", number=number, all=len(rush.tasks))


def _marks(rush: Rush) -> str:
    """Returns the marks of the answers so far."""
    return "".join(MARKS[right] for right in rush.right)


def _verdict(state: RushState, words: Words) -> str:
    assert state.last is not None, "a puzzle was answered"
    return verdict_text(state.last, state.rush.answers[-1], words)


async def _best_of_week(ctx: Context, rush: Rush, words: Words) -> str:
    """Returns the table of the server on which the rush was begun, if the panel is there; empty elsewhere."""
    if rush.guild is None or rush.guild != permissions.installed_guild(ctx):
        return ""
    best = await ctx.services.coach.rushes.best(rush.guild, ctx.at)
    names = await ctx.services.names.of_all([each.user for each in best], rush.guild)
    lines = [
        words("rush.best.line", place=place, name=escape(name), solved=each.solved, all=len(rush.tasks))
        for place, (each, name) in enumerate(zip(best, names, strict=True), start=1)
    ]
    return "\n".join([words("rush.best"), *lines]) if lines else ""
