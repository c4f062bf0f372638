"""Suggestions for the option `season`: the present season, and the past ones with a table, in words."""

from __future__ import annotations

from itertools import accumulate, repeat

from discord.app_commands import Choice

from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.challenge.pool import POOLS
from play.ratings.season import Season

MAX_SEASONS = 25
"""Seasons that are looked for, the present one first; Discord takes as many suggestions."""


@takes_context
async def suggest_seasons(ctx: Context, typed: str) -> list[Choice[str]]:
    """Returns the seasons of the leaderboard that the other options name, of which the label has what they typed."""
    options = ctx.interaction.namespace
    pool = next((each for each in POOLS if str(each) == options.pool), None)
    guild = None if options.everywhere else permissions.installed_guild(ctx)
    async with ctx.services.store.read() as reader:
        now = Season.at(await reader.clock.now())
        asked = list(accumulate(repeat(now, MAX_SEASONS), lambda season, _: season.previous))
        found = await reader.leaderboards.seasons(asked[1:], pool, guild)
    words, choices = await ctx.words(), []
    for season in (now, *found):
        tense = "now" if season == now else "past"
        label = words(f"leaders.choice.{tense}", year=str(season.year), quarter=season.quarter)
        if typed.strip().lower() in f"{label} {season}".lower():
            choices.append(Choice(name=label, value=str(season)))
    return choices
