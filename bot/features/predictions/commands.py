"""`/predict`: games that can be predicted, and the table of a season."""

from __future__ import annotations

from discord import app_commands

from bot.features.predictions.panel import games_panel
from bot.features.predictions.table import table_panel
from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from presentation.words.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """Returns the commands, described in `words`."""
    group = app_commands.Group(
        name="predict",
        description=words("command.predict"),
        allowed_contexts=permissions.ON_SERVERS,
        allowed_installs=permissions.BY_SERVERS,
    )

    @group.command(name="games", description=words("command.predict.games"))
    @takes_context
    async def games(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await games_panel(ctx))

    @group.command(name="table", description=words("command.predict.table"))
    @takes_context
    async def table(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await table_panel(ctx))

    return (group,)
