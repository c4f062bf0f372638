"""Conditional moves: *if he plays K12, I play L13*, seen by nobody but their player."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.prompts import Question, ask, tell
from bot.interactions import errors
from bot.interactions.buttons import MATCH, MatchButton
from bot.interactions.modals import Form, typed
from bot.interactions.panels import open_panel
from bot.request import Request
from bot.services.names import escaped, quoted
from play.ids import MatchId, UserId
from play.match.conditional_moves import MOST
from play.refusal import Reason, Refused
from rules.game import RuleError

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words
    from play.match.conditional_moves import Plan
    from play.match.match import Match
    from play.services.match_writer import MatchRef
    from rules.game import Seat

LONGEST = 1000
"""Characters of a line."""

_BETWEEN_ANSWERS = re.compile(r"[\n;]+|,(?=\s)")
_WITHIN_ANSWER = re.compile(r"\s*(?:->|=>|→|:|>)\s*")


class Plans(MatchButton, template=rf"{MATCH}:plan"):
    """*If …, then …*: shows the plan, and what can be done with it."""

    action = "plan"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return match.game.seats == 2 and seat != match.to_act

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await shown(interaction, self.match)


class Planning(MatchButton, template=r"(?!)"):
    """A button of the panel with the plan, which is shown again when something is refused."""

    async def renewed(self, interaction: Interaction, notice: str) -> None:
        await shown(interaction, self.match, notice)


class WritePlan(Planning, template=rf"{MATCH}:write_plan"):
    """Opens the form."""

    action = "write_plan"

    async def pressed(self, interaction: Interaction) -> None:
        client, user = interaction.client, UserId(interaction.user.id)
        match = await self._seen(interaction)
        plan = await client.actions.load_plan(self.match, user)
        words = await client.audience.alone(interaction)
        form = discord.ui.Modal(
            title=words("plan.title"), timeout=None, custom_id=f"match:{match.id}:{match.version}:plan"
        )
        field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
            custom_id="line",
            style=discord.TextStyle.long,
            placeholder="K12 → L13\nM14 → M15",
            default="\n".join(f"{expected} → {reply}" for expected, reply in plan.line) if plan else None,
            max_length=LONGEST,
        )
        form.add_item(
            discord.ui.Label(
                text=words("plan.label"), description=words("plan.description", most=MOST), component=field
            )
        )
        form.stop()
        await interaction.response.send_modal(form)


class ClearPlan(Planning, template=rf"{MATCH}:clear_plan"):
    action = "clear_plan"
    style = discord.ButtonStyle.danger

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await clear(interaction, self.match)


async def shown(interaction: Interaction, table: MatchRef, notice: str = "") -> None:
    """Shows the person his plan, below a `notice`. The interaction is acknowledged. Raises Refused."""
    client, user = interaction.client, UserId(interaction.user.id)
    words = await client.audience.alone(interaction)
    match = await client.matches.load(table)
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if match.game.seats != 2:
        raise Refused(Reason.PLAN_NEEDS_TWO)
    plan = await client.actions.load_plan(match.id, user)
    name = escaped(await client.names.of(match.players[1 - seat], match.guild))
    text = _told(plan, name, words) if plan else words("plan.none", opponent=name)
    writing = [WritePlan.to(match, words)] if seat != match.to_act else []
    clearing = [ClearPlan.to(match, words)] if plan else []
    await ask(interaction, Question(text, None, (*writing, *clearing)), notice)


async def write(interaction: Interaction, table: MatchRef, text: str) -> None:
    """Takes a plan as it was typed, and shows it, or the one before and what was wrong with it.

    The interaction is acknowledged. Raises Refused where nothing can be planned.
    """
    client, request = interaction.client, Request.of(interaction)
    notice = ""
    try:
        await client.actions.set_plan(table, request.user, list(read(text)))
    except (Refused, RuleError) as refused:
        words = await client.audience.alone(interaction)
        sentence = await errors.explained(client, words, request, refused)
        notice = f"⚠️ {words('move.typed', typed=quoted(text))} {sentence}"
    await shown(interaction, table, notice)


async def clear(interaction: Interaction, table: MatchRef) -> None:
    """Forgets the person's plan, and tells him. The interaction is acknowledged. Raises Refused."""
    client = interaction.client
    await client.actions.clear_plan(table, UserId(interaction.user.id))
    words = await client.audience.alone(interaction)
    await tell(interaction, words("plan.cleared"))


def read(text: str) -> Iterator[tuple[str, str]]:
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


async def _filled(interaction: Interaction, found: re.Match[str]) -> None:
    await open_panel(interaction)
    await write(interaction, MatchId(int(found["match"])), typed(interaction, "line"))


BUTTONS: tuple[type[MatchButton], ...] = (Plans, WritePlan, ClearPlan)
FORMS = (Form(re.compile(rf"{MATCH}:plan"), _filled),)
