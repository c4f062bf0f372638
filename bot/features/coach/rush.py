"""A rush: a private panel with ten puzzles, one after the other."""

from __future__ import annotations

import discord

from bot.features.coach.solutions import rating_text, task_picture, to_move, verdict_text
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.community.rush import Rush
from play.services.rushes import RushState
from presentation.text import escape
from presentation.words.words import Words

MARKS = {True: "✅", False: "❌"}


class BeginRush(Component, id=ids.BEGIN_RUSH):
    """The button that begins ten puzzles, or goes on with them: `rush:begin`."""

    style = discord.ButtonStyle.primary
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await _show(ctx, await ctx.services.coach.rushes.begin(ctx.user, permissions.installed_guild(ctx), ctx.at))


class RushAnswer(Component, id=ids.RUSH):
    """A button with one of the moves to choose from, at a step of the rush that began then: `rush:1763800000000:0:2`.

    A press at a step that has its answer shows where the rush is.
    """

    begun: int
    step: int
    answer: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        rushes = ctx.services.coach.rushes
        await _show(ctx, await rushes.answer(ctx.user, self.begun, self.step, self.answer, ctx.at))


BUTTONS: tuple[type[BeginRush], type[RushAnswer]] = (BeginRush, RushAnswer)


async def _show(ctx: Context, state: RushState) -> None:
    words = await ctx.words()
    await ctx.show(await (_result(ctx, state, words) if state.next is None else _step(ctx, state, words)))


async def _step(ctx: Context, state: RushState, words: Words) -> list[Part]:
    """Returns the panel with the next puzzle, below a word about the last one."""
    rush, task, theme = state.rush, state.next, (await ctx.settings()).theme
    assert task is not None
    moves = enumerate(task.answers)
    return [
        "\n".join(_progress(state, words("rush.head", number=rush.step + 1, all=len(rush.tasks)), words)),
        await task_picture(ctx.services.jobs, ctx.user, task, words, theme),
        words("rush.task", **to_move(task, words, theme)),
        [RushAnswer.make(move, begun=rush.begun, step=rush.step, answer=number) for number, move in moves],
    ]


async def _result(ctx: Context, state: RushState, words: Words) -> list[Part]:
    """Returns the panel after the last puzzle: how many were right, the rating, and the best of the week."""
    rush, rating = state.rush, state.rating.value
    lines = _progress(state, words("rush.result", count=rush.solved, all=len(rush.tasks)), words)
    unrated = round(rating) == round(rush.before)
    lines.append(words("rush.unrated", rating=round(rating)) if unrated else rating_text(rush.before, rating, words))
    parts: list[Part] = ["\n".join(lines)]
    if table := await _best_of_week(ctx, rush, words):
        parts.append(table)
    return [*parts, [BeginRush.make(words("rush.again"))]]


def _progress(state: RushState, head: str, words: Words) -> list[str]:
    """Returns the head, the marks of the answers, and what the last puzzle was about."""
    rush, lines = state.rush, [head]
    if state.last is not None:
        lines.append("".join(MARKS[right] for right in rush.right))
        lines.append(verdict_text(state.last, rush.answers[-1], words))
    return lines


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
