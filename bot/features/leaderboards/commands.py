"""`/leaderboard`: the best players."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import app_commands
from discord.app_commands import Choice

from bot.features.leaderboards.leaderboards import show_leaderboard
from bot.features.leaderboards.pages import first_page
from bot.features.leaderboards.seasons import suggest_seasons
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.challenge.pool import POOLS, Pool
from play.ratings.season import Season
from presentation.words.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the command, described in `words`."""

    @app_commands.command(name="leaderboard", description=words("command.leaderboard"))
    @app_commands.describe(
        kind=words("command.leaderboard.kind"),
        everywhere=words("command.leaderboard.everywhere"),
        season=words("command.leaderboard.season"),
    )
    @app_commands.autocomplete(season=suggest_seasons)
    @app_commands.choices(kind=[Choice(name=words(f"pool.{pool}"), value=str(pool)) for pool in POOLS])
    @takes_context
    async def leaderboard(
        ctx: Context,
        kind: str | None = None,
        everywhere: bool = False,
        season: app_commands.Range[str, 6, 6] | None = None,
    ) -> None:
        await ctx.defer_private()
        page = await first_page(ctx, Pool.parse(kind) if kind else None, everywhere)
        await show_leaderboard(ctx, replace(page, season=Season.parse(season)) if season else page)

    return (leaderboard,)
