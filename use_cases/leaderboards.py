"""Leaderboards and season tables, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, repeat

from play.challenge.pool import Pool
from play.ids import GuildId, Millis
from play.ratings.leaderboard import LINES_PER_PAGE, Leader, LeaderboardPage, Scorer
from play.ratings.season import Season
from storage.unit_of_work import Reader

MAX_SEASONS = 25
"""Seasons that are looked for, the present one first; Discord takes as many suggestions."""


async def read_lines(reader: Reader, page: LeaderboardPage, guild: GuildId | None) -> Sequence[Leader | Scorer]:
    """Returns the lines of a page, and one more if there are lines below."""
    if page.season is None:
        return await reader.leaderboards.leaders(page.pool, guild, page.start, LINES_PER_PAGE + 1)
    return await reader.leaderboards.scorers(page.season, page.pool, guild, page.start, LINES_PER_PAGE + 1)


async def read_seasons(reader: Reader, now: Millis, pool: Pool | None, guild: GuildId | None) -> list[Season]:
    """Returns the present season, and the past ones with a table."""
    present = Season.at(now)
    asked = list(accumulate(repeat(present, MAX_SEASONS), lambda season, _: season.previous))
    return [present, *await reader.leaderboards.seasons(asked[1:], pool, guild)]
