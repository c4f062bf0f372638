"""Leaderboards by rating and by the points of a season. `RatingRepository` keeps them up to date."""

from __future__ import annotations

from typing import Protocol

from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.leaderboard import Leader, Scorer
from play.ratings.season import Season


class LeaderboardReader(Protocol):
    """Leaderboards and season tables. A `guild` of None means everywhere."""

    async def leaders(self, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Leader]:
        """Returns a page of a leaderboard, from the line `start` (counted from 0) on."""

    async def leader(self, user: UserId, pool: Pool, guild: GuildId | None) -> Leader | None:
        """Returns a user's own line; None while they are not listed."""

    async def scorers(self, season: Season, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Scorer]:
        """Returns a page of a season's table."""

    async def line_number(self, user: UserId, pool: Pool, guild: GuildId | None, season: Season | None) -> int | None:
        """Returns the number, from 0, of a user's line on a leaderboard or in a season's table.

        None means that they have no line, or one beyond the pages that can be turned to.
        """
