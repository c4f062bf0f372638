"""`/leaderboard`: the best players."""

from __future__ import annotations

from typing import Any

from discord import app_commands
from discord.app_commands import Choice

from bot.features.leaderboards.leaderboards import LeaderboardPage, default_pool, show_leaderboard
from bot.i18n.words import Words
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.challenge.pool import POOLS, Pool
from play.ratings.season import Season


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the command, described in `words`."""

    @app_commands.command(name="leaderboard", description=words("command.leaderboard"))
    @app_commands.describe(
        pool=words("command.leaderboard.pool"),
        everywhere=words("command.leaderboard.everywhere"),
        season=words("command.leaderboard.season"),
    )
    @app_commands.choices(pool=[Choice(name=words(f"pool.{pool}"), value=str(pool)) for pool in POOLS])
    @takes_context
    async def leaderboard(
        ctx: Context,
        pool: str | None = None,
        everywhere: bool = False,
        season: app_commands.Range[str, 6, 6] | None = None,
    ) -> None:
        # A refusal of the options is private, so they are read before the answer is public.
        asked_season = Season.parse(season) if season else None
        asked_pool = Pool.parse(pool) if pool else None
        await ctx.defer_public()
        page = LeaderboardPage(asked_pool or await default_pool(ctx), everywhere, asked_season)
        await show_leaderboard(ctx, page)

    return (leaderboard,)
