"""Vacations: days from a yearly bank, in all games whose players agreed to them."""

from __future__ import annotations

from re import Match as Found
from typing import Any, Self

import discord

from bot.features.match.actions.prompts import show_line
from bot.features.match.button import MATCH, MatchButton
from bot.interactions import errors
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item
from bot.interactions.context import Context
from bot.interactions.layout import rows
from play.people.vacation import DAYS_PER_YEAR
from play.refusal import Refused
from presentation.words.words import Words

LENGTHS = (1, 3, 7, 14)
"""Days of the vacations that have a button."""


class OpenVacation(MatchButton, template=rf"{MATCH}:vacation"):
    """The button of the clock panel that opens the vacation panel."""

    action = "vacation"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_vacation(ctx)


class VacationButton(GatedItem, discord.ui.DynamicItem[Item], template=r"vacation:(?P<days>\d{1,3})"):
    """Takes so many days, or ends the vacation (0 days)."""

    def __init__(self, days: int, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"vacation:{days}"))
        self.days = days

    @classmethod
    def of(cls, days: int, words: Words) -> Self:
        return cls(days, words("vacation.take", count=days) if days else words("button.come_back"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(int(match["days"]), item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        try:
            await (start_vacation(ctx, self.days) if self.days else end_vacation(ctx))
        except Refused as refused:  # since the panel was shown, the bank or the vacation has changed
            words = await ctx.words()
            await show_vacation(ctx, await errors.explain(ctx.services, words, ctx.request, refused))


async def show_vacation(ctx: Context, notice: str = "") -> None:
    """Shows the player's vacation and the days left in their bank, with buttons, below a `notice`.

    The interaction is acknowledged.
    """
    words = await ctx.words()
    current, left = await ctx.services.actions.load_vacation(ctx.user)
    lines = [f"⚠️ {notice}"] if notice else []
    lines.append(words("vacation.about", days=DAYS_PER_YEAR))
    if current:
        lines.append(words("vacation.away", when=words.moment(current.end)))
    lines.append(words("vacation.left", count=left))
    lengths = (0,) if current else tuple(days for days in LENGTHS if days <= left)
    await ctx.show(["\n".join(lines), *rows([VacationButton.of(days, words) for days in lengths])])


async def start_vacation(ctx: Context, days: int) -> None:
    """Starts the player's vacation, and tells them. The interaction is acknowledged. Raises Refused."""
    taken, matches = await ctx.services.actions.start_vacation(ctx.user, days, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("vacation.taken", count=len(matches), when=words.moment(taken.end)))


async def end_vacation(ctx: Context) -> None:
    """Ends the player's vacation, and tells them. The interaction is acknowledged. Raises Refused."""
    await ctx.services.actions.end_vacation(ctx.user, ctx.at)
    _, left = await ctx.services.actions.load_vacation(ctx.user)
    words = await ctx.words()
    await show_line(ctx, words("vacation.back", count=left))


BUTTONS: tuple[type[discord.ui.DynamicItem[Item]], ...] = (OpenVacation, VacationButton)
