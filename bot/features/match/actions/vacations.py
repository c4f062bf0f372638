"""Vacations: days from a yearly bank, in all games whose players agreed to them."""

from __future__ import annotations

from bot.features.match.actions.prompts import show_line
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import rows
from play.people.vacation import DAYS_PER_YEAR
from play.refusal import Refused

LENGTHS = (1, 3, 7, 14)
"""Days of the vacations that have a button."""


class OpenVacation(MatchButton, id=ids.OPEN_VACATION):
    """The button of the clock panel that opens the vacation panel."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_vacation(ctx)


class VacationButton(Component, id=ids.VACATION):
    """Takes so many days, or ends the vacation (0 days)."""

    days: int

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
    current, left = await ctx.use_cases.actions.load_vacation(ctx.user)
    lines = [f"⚠️ {notice}"] if notice else []
    lines.append(words("vacation.about", days=DAYS_PER_YEAR))
    if current:
        lines.append(words("vacation.away", when=words.moment(current.end)))
    lines.append(words("vacation.left", count=left))
    if current:
        buttons = [VacationButton.make(words("button.come_back"), days=0)]
    else:
        lengths = [days for days in LENGTHS if days <= left]
        buttons = [VacationButton.make(words("vacation.take", count=days), days=days) for days in lengths]
    await ctx.show(["\n".join(lines), *rows(buttons)])


async def start_vacation(ctx: Context, days: int) -> None:
    """Starts the player's vacation, and tells them. The interaction is acknowledged. Raises Refused."""
    taken, matches = await ctx.use_cases.actions.start_vacation(ctx.user, days, ctx.at)
    words = await ctx.words()
    await show_line(ctx, words("vacation.taken", count=len(matches), when=words.moment(taken.end)))


async def end_vacation(ctx: Context) -> None:
    """Ends the player's vacation, and tells them. The interaction is acknowledged. Raises Refused."""
    await ctx.use_cases.actions.end_vacation(ctx.user, ctx.at)
    _, left = await ctx.use_cases.actions.load_vacation(ctx.user)
    words = await ctx.words()
    await show_line(ctx, words("vacation.back", count=left))


BUTTONS: tuple[type[Component], ...] = (OpenVacation, VacationButton)
