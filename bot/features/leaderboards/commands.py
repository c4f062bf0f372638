"""`/leaderboard`: the best players."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands
from discord.app_commands import Choice

from bot.features.leaderboards.leaderboards import show_leaderboard
from bot.features.leaderboards.pages import first_page
from bot.features.leaderboards.seasons import suggest_seasons
from bot.interactions.commands import Command
from bot.interactions.context import Context
from play.challenge.pool import POOLS, Pool
from play.ratings.season import Season


async def leaderboard(
    ctx: Context,
    kind: str | None = None,
    everywhere: bool = False,
    season: app_commands.Range[str, 6, 6] | None = None,
) -> None:
    page = await first_page(ctx, Pool.parse(kind) if kind else None, everywhere)
    await show_leaderboard(ctx, replace(page, season=Season.parse(season)) if season else page)


COMMANDS = (
    Command(
        leaderboard,
        choices={"kind": lambda words: [Choice(name=words(f"pool.{pool}"), value=str(pool)) for pool in POOLS]},
        suggests={"season": suggest_seasons},
    ),
)
