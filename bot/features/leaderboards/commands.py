"""`/leaderboard`: who stands where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.app_commands import Choice

from bot.features.leaderboards import leaderboards
from bot.features.leaderboards.leaderboards import View
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.challenge.pool import POOLS, Pool
from play.ratings.season import Season

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

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
        chosen = Season.parse(season) if season else None  # before the answer is open to all: a refusal is private
        wanted = Pool.parse(pool) if pool else None
        await ctx.defer_public()
        asked = wanted or await leaderboards.default_pool(ctx)
        await leaderboards.show_leaderboard(ctx, View(asked, everywhere, chosen))

    return (leaderboard,)
