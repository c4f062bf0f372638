"""Conditional moves: *if he plays K12, I play L13*, seen by nobody but their player."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.prompts import Question, show_line, show_question
from bot.features.match.button import MATCH, MatchButton
from bot.interactions import errors
from bot.interactions.context import Context
from bot.interactions.modals import Form, text_value
from bot.services.names import escape, quote
from play.ids import MatchId
from play.match.conditional_moves import MOST
from play.refusal import Reason, Refused
from rules.game import RuleError

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.match.conditional_moves import Plan
    from play.match.match import Match
    from play.services.match_writer import MatchRef
    from rules.point import Seat

MAX_PLAN = 1000
"""Characters of a line."""

_BETWEEN_ANSWERS = re.compile(r"[\n;]+|,(?=\s)")
_WITHIN_ANSWER = re.compile(r"\s*(?:->|=>|→|:|>)\s*")


class Plans(MatchButton, template=rf"{MATCH}:plan"):
    """*If …, then …*: shows the plan, and what can be done with it."""

    action = "plan"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return match.game.seats == 2 and seat != match.to_act

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_plan(ctx, self.match)


class Planning(MatchButton, template=r"(?!)"):
    """A button of the panel with the plan, which is shown again when something is refused."""

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        await show_plan(ctx, self.match, notice)


class WritePlan(Planning, template=rf"{MATCH}:write_plan"):
    """Opens the form."""

    action = "write_plan"

    async def pressed(self, ctx: Context) -> None:
        user = ctx.user
        match = await self._current_match(ctx)
        plan = await ctx.services.actions.load_plan(self.match, user)
        words = await ctx.words()
        form = discord.ui.Modal(
            title=words("plan.title"), timeout=None, custom_id=f"match:{match.id}:{match.version}:plan"
        )
        field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
            custom_id="line",
            style=discord.TextStyle.long,
            placeholder="K12 → L13\nM14 → M15",
            default="\n".join(f"{expected} → {reply}" for expected, reply in plan.line) if plan else None,
            max_length=MAX_PLAN,
        )
        form.add_item(
            discord.ui.Label(
                text=words("plan.label"), description=words("plan.description", most=MOST), component=field
            )
        )
        form.stop()
        await ctx.interaction.response.send_modal(form)


class ClearPlan(Planning, template=rf"{MATCH}:clear_plan"):
    action = "clear_plan"
    style = discord.ButtonStyle.danger

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await clear_plan(ctx, self.match)


async def show_plan(ctx: Context, table: MatchRef, notice: str = "") -> None:
    """Shows the person his plan, below a `notice`. The interaction is acknowledged. Raises Refused."""
    user = ctx.user
    words = await ctx.words()
    match = await ctx.services.matches.load(table)
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if match.game.seats != 2:
        raise Refused(Reason.PLAN_NEEDS_TWO)
    plan = await ctx.services.actions.load_plan(match.id, user)
    name = escape(await ctx.services.names.of(match.players[1 - seat], match.guild))
    text = _told(plan, name, words) if plan else words("plan.none", opponent=name)
    writing = [WritePlan.to(match, words)] if seat != match.to_act else []
    clearing = [ClearPlan.to(match, words)] if plan else []
    await show_question(ctx, Question(text, None, (*writing, *clearing)), notice)


async def write_plan(ctx: Context, table: MatchRef, text: str) -> None:
    """Takes a plan as it was typed, and shows it, or the one before and what was wrong with it.

    The interaction is acknowledged. Raises Refused where nothing can be planned.
    """
    notice = ""
    try:
        await ctx.services.actions.set_plan(table, ctx.user, list(read_plan(text)))
    except (Refused, RuleError) as refused:
        words = await ctx.words()
        sentence = await errors.explain(ctx.services, words, ctx.request, refused)
        notice = f"⚠️ {words('move.typed', typed=quote(text))} {sentence}"
    await show_plan(ctx, table, notice)


async def clear_plan(ctx: Context, table: MatchRef) -> None:
    """Forgets the person's plan, and tells him. The interaction is acknowledged. Raises Refused."""
    await ctx.services.actions.clear_plan(table, ctx.user)
    words = await ctx.words()
    await show_line(ctx, words("plan.cleared"))


def read_plan(text: str) -> Iterator[tuple[str, str]]:
    """The answers of a line as it was typed: `K12 L13; M14 -> M15 paint N14`. Raises Refused (`bad_plan`)."""
    for part in _BETWEEN_ANSWERS.split(text.strip(" \n;,")):
        turns = [turn for turn in _WITHIN_ANSWER.split(part.strip()) if turn]
        if len(turns) == 1:
            turns = turns[0].split()
        if len(turns) != 2:
            raise Refused(Reason.BAD_PLAN)
        yield turns[0], turns[1]


def _told(plan: Plan, opponent: str, words: Words) -> str:
    lines = [
        words("plan.answer", number=number, expected=expected, reply=reply, opponent=opponent)
        for number, (expected, reply) in enumerate(plan.line, start=1)
    ]
    return "\n".join((words("plan.head"), *lines, f"-# {words('plan.foot')}"))


async def _filled(ctx: Context, found: re.Match[str]) -> None:
    await ctx.open_panel()
    await write_plan(ctx, MatchId(int(found["match"])), text_value(ctx, "line"))


BUTTONS: tuple[type[MatchButton], ...] = (Plans, WritePlan, ClearPlan)
FORMS = (Form(re.compile(rf"{MATCH}:plan"), _filled),)
