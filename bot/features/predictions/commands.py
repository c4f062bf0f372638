"""`/predict`: games that can be predicted, and the table of a season."""

from __future__ import annotations

from bot.features.predictions.panel import games_panel
from bot.features.predictions.table import table_panel
from bot.interactions.commands import Group, declare
from bot.interactions.context import Context


async def games(ctx: Context) -> None:
    await ctx.show(await games_panel(ctx))


async def table(ctx: Context) -> None:
    await ctx.show(await table_panel(ctx))


COMMANDS = (Group("predict", declare(games, table), on_servers=True),)
