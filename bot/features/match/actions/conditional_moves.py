"""Conditional moves: *if they play K12, I play L13*; no one but their player sees them."""

import re
from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.features.match.button import MatchButton, show_line
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Form, Question, field_value, make_form, open_form, show_question
from bot.interactions.context import Context
from bot.interactions.offers import TextField
from bot.markup import escape, quote
from play.ids import MatchId
from play.match.conditional_moves import MAX_REPLIES, ConditionalLine
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.narration import Duty
from presentation.match.phrases import turn_text
from presentation.refusals import example_points
from presentation.words.words import Words
from rules.game import AnyGame, RuleError, Seat
from use_cases.match_writer import MatchRef

MAX_PLAN = 1000
"""Characters of a plan as it is typed."""

LINE: Final = TextField("line", MAX_PLAN)

_BETWEEN_REPLIES = re.compile(r"[\n;]+|,(?=\s)")
_WITHIN_REPLY = re.compile(r"\s*(?:->|=>|→|:|>)\s*")


class OpenPlan(MatchButton, id=ids.PLAN):
    """*If …, then …*: opens the panel with the plan."""

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return match.game.seats == 2 and seat != match.to_act

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_plan(ctx, self.match)


class PlanPanelButton(MatchButton):
    """A button of the panel with the plan, which shows the plan again when it is refused."""

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        await show_plan(ctx, self.match, notice)


class WritePlan(PlanPanelButton, id=ids.WRITE_PLAN):
    """Opens the form in which the player writes the plan."""

    async def pressed(self, ctx: Context) -> None:
        match = await self._current_match(ctx)
        plan = await ctx.use_cases.actions.load_plan(self.match, ctx.user)
        await open_form(ctx, _form(match, plan, await ctx.words()))


class ClearPlan(PlanPanelButton, id=ids.CLEAR_PLAN):
    """Deletes the plan."""

    style = discord.ButtonStyle.danger

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await clear_plan(ctx, self.match)


async def show_plan(ctx: Context, ref: MatchRef, notice: str = "") -> None:
    """Shows the player their plan, below a `notice`. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    match = await ctx.load_match(ref)
    seat = match.seat_of(ctx.user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if match.game.seats != 2:
        raise Refused(Reason.PLAN_NEEDS_TWO)
    plan = await ctx.use_cases.actions.load_plan(match.id, ctx.user)
    name = escape(await ctx.services.names.of(match.players[1 - seat], match.guild))
    text = _text(match.game, plan, name, words) if plan else words("plan.none", opponent=name)
    write = [WritePlan.to(match, words)] if seat != match.to_act else []
    clear = [ClearPlan.to(match, words)] if plan else []
    await show_question(ctx, Question(text, None, (*write, *clear)), notice)


async def write_plan(ctx: Context, ref: MatchRef, text: str) -> None:
    """Stores a plan as it was typed, and shows it; or shows the plan before and what was wrong with the new one.

    The interaction is acknowledged. Raises Refused where nothing can be planned.
    """
    notice = ""
    try:
        await ctx.use_cases.actions.set_plan(ref, ctx.user, list(read_plan(text)))
    except (Refused, RuleError) as refused:
        words = await ctx.words()
        game = (await ctx.load_match(ref)).game
        sentence = await errors.explain(ctx.services, words, ctx.request, refused, game=game)
        notice = f"⚠️ {words('move.typed', typed=quote(text))} {sentence}"
    await show_plan(ctx, ref, notice)


async def clear_plan(ctx: Context, ref: MatchRef) -> None:
    """Deletes the player's plan, and tells them. The interaction is acknowledged. Raises Refused."""
    await ctx.use_cases.actions.clear_plan(ref, ctx.user)
    words = await ctx.words()
    await show_line(ctx, words("plan.cleared"))


def read_plan(text: str) -> Iterator[tuple[str, str]]:
    """Yields the expected moves and the replies to them: `K12 L13; M14 -> M15 paint N14`.

    Raises Refused (`bad_plan`).
    """
    for part in _BETWEEN_REPLIES.split(text.strip(" \n;,")):
        turns = [turn for turn in _WITHIN_REPLY.split(part.strip()) if turn]
        if len(turns) == 1:
            turns = turns[0].split()
        if len(turns) != 2:
            raise Refused(Reason.BAD_PLAN)
        yield turns[0], turns[1]


def _text(game: AnyGame, plan: ConditionalLine, opponent: str, words: Words) -> str:
    lines = [
        words(
            "plan.answer",
            number=number,
            expected=turn_text(game, expected, words),
            reply=turn_text(game, reply, words),
            opponent=opponent,
        )
        for number, (expected, reply) in enumerate(plan.replies, start=1)
    ]
    return "\n".join((words("plan.head"), *lines, f"-# {words('plan.foot')}"))


def _form(match: Match, plan: ConditionalLine | None, words: Words) -> discord.ui.Modal:
    is_dash = Duty.of(match).is_dash
    example = "D4-G7 → C3-F3" if is_dash else " → ".join(example_points(match.game))
    field = LINE.make(
        style=discord.TextStyle.long,
        placeholder=example,
        default="\n".join(f"{expected} → {reply}" for expected, reply in plan.replies) if plan else None,
    )
    description = words("plan.description", example=example, most=MAX_REPLIES)
    question = discord.ui.Label[Any](text=words("plan.label"), description=description, component=field)
    return make_form(ids.PLAN(match=match.id, version=match.version), words("plan.title"), question)


async def _submit(ctx: Context, match: MatchId, version: int) -> None:
    await ctx.open_panel()
    await ctx.use_cases.actions.set_plan(match, ctx.user, list(read_plan(field_value(ctx, LINE))))
    await show_plan(ctx, match)


BUTTONS: tuple[type[MatchButton], ...] = (OpenPlan, WritePlan, ClearPlan)
FORMS = (Form(ids.PLAN, _submit, (LINE,), again=ids.WRITE_PLAN),)
