"""What ratings ask of a store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from play.challenge.pool import Pool
from play.ids import GuildId, MatchId, Millis, UserId
from play.ratings.glicko import Rating
from play.ratings.leaderboard import Leader, Scorer
from play.ratings.season import Season
from play.ratings.settlement import Change


class RatingReader(Protocol):
    """What the ratings' part of a store answers. A `guild` of None means everywhere."""

    async def ratings(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        """The ratings of all `users`; a newcomer's where there is none."""

    async def ratings_of(self, user: UserId, guild: GuildId | None = None) -> dict[Pool, Leader]:
        """A person's rating in each pool where they have one, in the order of games played; no places. Of one `guild`
        the ratings with which they left their latest rated games there, and how many these were."""

    async def meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        """How many rated games of this pool the two have finished since then."""

    async def meetings_from(self, pool: Pool, user: UserId, youngest: UserId, since: Millis) -> int:
        """How many rated games of this pool `user` has finished since then against accounts with the id `youngest` or
        a higher one."""

    async def changes_of(self, match: MatchId) -> tuple[Change, ...]:
        """What a match did, in the order of the seats; nothing if it was not rated."""

    async def rating_history(self, user: UserId, pool: Pool, limit: int, guild: GuildId | None = None) -> list[Change]:
        """The latest changes of a person's rating, everywhere or on one server, the oldest of them first."""

    async def leaders(self, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Leader]:
        """A page of a leaderboard, from the line `start` (counted from 0) on."""

    async def standing_of(self, user: UserId, pool: Pool, guild: GuildId | None) -> Leader | None:
        """A person's own line; None while he is on no leaderboard."""

    async def scorers(self, season: Season, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Scorer]:
        """A page of a season's table."""

    async def line_of(self, user: UserId, pool: Pool, guild: GuildId | None, season: Season | None) -> int | None:
        """The number, from 0, of a person's line on a leaderboard, or in a season's table; None if he has none, or one
        beyond the pages that can be turned to."""


class RatingWriter(RatingReader, Protocol):
    """What a transaction can do with ratings."""

    async def add_changes(self, guild: GuildId | None, changes: Sequence[Change]) -> None:
        """Enters what a match did. Raises Stale if somebody was rated in between."""

    async def remove_changes(self, match: MatchId) -> None:
        """Takes a match out of the book, its points of the season too; the ratings stay until `settle_users`."""

    async def changes_since(self, pool: Pool, at: Millis, match: MatchId) -> list[Change]:
        """All changes of a pool after those of `match`, which ended at `at`, match by match in their order."""

    async def rewrite_changes(self, changes: Sequence[Change]) -> None:
        """Stores other ratings in changes that are there."""

    async def settle_users(self, pool: Pool, ratings: dict[UserId, Rating]) -> None:
        """Stores the present ratings of people, and counts their games anew."""
