"""Suggestions for the option `season`: the present season, and the past ones with a table, in words."""

from __future__ import annotations

from discord.app_commands import Choice

from bot.interactions import permissions
from bot.interactions.context import Context
from play.challenge.pool import POOLS
from presentation.leaderboards import name_season
from use_cases.leaderboards import read_seasons


async def suggest_seasons(ctx: Context, typed: str) -> list[Choice[str]]:
    """Returns the seasons of the leaderboard that the other options name, of which the label has what they typed."""
    options = ctx.interaction.namespace
    pool = next((each for each in POOLS if str(each) == options.kind), None)
    guild = None if options.everywhere else permissions.installed_guild(ctx)
    async with ctx.services.store.read() as reader:
        now, *found = await read_seasons(reader, await reader.clock.now(), pool, guild)
    words, choices = await ctx.words(), []
    for season in (now, *found):
        label = name_season(season, now, words)
        if typed.strip().lower() in f"{label} {season}".lower():
            choices.append(Choice(name=label, value=str(season)))
    return choices
