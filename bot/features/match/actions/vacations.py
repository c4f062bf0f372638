"""Vacations: days from a yearly bank, in all matches whose sides agreed to them."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.match.board.narration import discord_time
from bot.features.match.button import MATCH, MatchButton
from bot.interactions import errors
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item
from bot.interactions.context import Context
from bot.interactions.layout import rows
from play.people.vacation import DAYS_A_YEAR
from play.refusal import Refused

if TYPE_CHECKING:
    from bot.i18n.words import Words

OFFERED = (1, 3, 7, 14)
"""Days for which there are buttons."""


class Vacations(MatchButton, template=rf"{MATCH}:vacation"):
    """Opens the question from a match's clocks."""

    action = "vacation"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_vacation(ctx)


class Away(GatedItem, discord.ui.DynamicItem[Item], template=r"vacation:(?P<days>\d{1,3})"):
    """Takes so many days, or comes back (0)."""

    def __init__(self, days: int, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"vacation:{days}"))
        self.days = days

    @classmethod
    def taking(cls, days: int, words: Words) -> Self:
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
    """Says whether the person is away and what is left in his bank, with buttons, below a `notice`.

    The interaction is acknowledged.
    """
    words = await ctx.words()
    current, left = await ctx.services.actions.load_vacation(ctx.user)
    lines = [f"⚠️ {notice}"] if notice else []
    lines.append(words("vacation.about", days=DAYS_A_YEAR))
    if current:
        lines.append(words("vacation.away", when=discord_time(current.end)))
    lines.append(words("vacation.left", count=left))
    days = (0,) if current else tuple(days for days in OFFERED if days <= left)
    buttons = [Away.taking(each, words) for each in days]
    await ctx.show(["\n".join(lines), *rows(buttons)])


async def start_vacation(ctx: Context, days: int) -> None:
    """The person takes days from now on, and is told so. The interaction is acknowledged. Raises Refused."""
    taken, matches = await ctx.services.actions.start_vacation(ctx.user, days, ctx.at)
    words = await ctx.words()
    await _tell(ctx, words("vacation.taken", count=len(matches), when=discord_time(taken.end)))


async def end_vacation(ctx: Context) -> None:
    """The person's vacation ends, and he is told so. The interaction is acknowledged. Raises Refused."""
    await ctx.services.actions.end_vacation(ctx.user, ctx.at)
    _, left = await ctx.services.actions.load_vacation(ctx.user)
    words = await ctx.words()
    await _tell(ctx, words("vacation.back", count=left))


async def _tell(ctx: Context, line: str) -> None:
    await (ctx.show([line]) if ctx.is_panel else ctx.reply(line))


BUTTONS: tuple[type[discord.ui.DynamicItem[Item]], ...] = (Vacations, Away)
