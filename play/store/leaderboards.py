"""Leaderboards by rating and by the points of a season. `RatingRepository` keeps them up to date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.leaderboard import Leader, Scorer
from play.ratings.season import Season


class LeaderboardReader(Protocol):
    """Leaderboards and season tables. A `guild` of None means everywhere."""

    async def leaders(self, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Leader]:
        """Returns a page of a leaderboard, from the line `start` (counted from 0) on.

        Users who qualify come first, by rating; after them come all others with a rated game, by rating.
        """

    async def leader(self, user: UserId, pool: Pool, guild: GuildId | None) -> Leader | None:
        """Returns a user's own line; None before their first rated game there."""

    async def full_games(self, user: UserId, pool: Pool) -> float:
        """Returns how many whole games the rated games of a user in a pool count as."""

    async def scorers(self, season: Season, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Scorer]:
        """Returns a page of a season's table: by points, and among users of equal points by wins."""

    async def seasons(self, among: Sequence[Season], pool: Pool | None, guild: GuildId | None) -> list[Season]:
        """Returns the seasons with a table `among` those given, in one pool or in any."""

    async def line_number(self, user: UserId, pool: Pool, guild: GuildId | None, season: Season | None) -> int | None:
        """Returns the number, from 0, of a user's line on a leaderboard or in a season's table.

        None means that they have no line, or one beyond the pages that can be turned to.
        """
