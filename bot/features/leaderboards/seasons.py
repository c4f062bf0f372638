"""Suggestions for the option `season`: the present season, and the past ones with a table, in words."""

from __future__ import annotations

from itertools import accumulate, repeat

from discord.app_commands import Choice

from bot.i18n.words import Words
from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.challenge.pool import POOLS, Pool
from play.ids import GuildId, Millis
from play.ratings.season import Season
from play.store import Reader

MAX_SEASONS = 25
"""Seasons that are looked for, the present one first; Discord takes as many suggestions."""


@takes_context
async def suggest_seasons(ctx: Context, typed: str) -> list[Choice[str]]:
    """Returns the seasons of the leaderboard that the other options name, of which the label has what they typed."""
    options = ctx.interaction.namespace
    pool = next((each for each in POOLS if str(each) == options.pool), None)
    guild = None if options.everywhere else permissions.installed_guild(ctx)
    async with ctx.services.store.read() as reader:
        now, *found = await read_seasons(reader, await reader.clock.now(), pool, guild)
    words, choices = await ctx.words(), []
    for season in (now, *found):
        label = name_season(season, now, words)
        if typed.strip().lower() in f"{label} {season}".lower():
            choices.append(Choice(name=label, value=str(season)))
    return choices


async def read_seasons(reader: Reader, now: Millis, pool: Pool | None, guild: GuildId | None) -> list[Season]:
    """Returns the present season, and the past ones with a table."""
    present = Season.at(now)
    asked = list(accumulate(repeat(present, MAX_SEASONS), lambda season, _: season.previous))
    return [present, *await reader.leaderboards.seasons(asked[1:], pool, guild)]


def name_season(season: Season, now: Season, words: Words) -> str:
    """Returns what a season is called while the season `now` lasts."""
    tense = "now" if season == now else "past"
    return words(f"leaders.choice.{tense}", year=str(season.year), quarter=season.quarter)
