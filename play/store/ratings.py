"""Ratings, and how each match changed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Protocol

from play.challenge.pool import Pool
from play.ids import GuildId, MatchId, Millis, UserId
from play.ratings.glicko import Rating
from play.ratings.leaderboard import Leader
from play.ratings.settlement import RatingChange


class RatingReader(Protocol):
    """Ratings, as reads see them. A `guild` of None means everywhere."""

    async def get(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        """Returns the ratings of all `users`; a newcomer's for a user without one."""

    async def of_user(self, user: UserId, guild: GuildId | None = None) -> dict[Pool, Leader]:
        """Returns a user's rating in each pool that they have one in, in the order of games played, without places.

        Of one `guild` it returns the ratings after their latest rated games there, and how many these were.
        """

    async def history(self, user: UserId, pool: Pool, limit: int, guild: GuildId | None = None) -> list[RatingChange]:
        """Returns the latest changes of a user's rating, everywhere or on one server, the oldest of them first."""

    async def changes_of(self, match: MatchId) -> tuple[RatingChange, ...]:
        """Returns the changes by one match, in the order of the seats; none if it was not rated."""

    async def changes_since(self, pool: Pool, at: Millis, match: MatchId) -> list[RatingChange]:
        """Returns all changes of a pool after those of `match`, which ended at `at`, match by match in their order."""

    async def count_meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        """Counts the rated games of this pool that the two have finished since then."""

    async def count_all_meetings(
        self, pool: Pool, users: Collection[UserId], since: Millis
    ) -> Counter[frozenset[UserId]]:
        """Counts the same for every two of the `users` who have met."""

    async def count_meetings_with_new(self, pool: Pool, user: UserId, youngest: UserId, since: Millis) -> int:
        """Counts the rated games of this pool that `user` has finished since then against accounts with the id
        `youngest` or a higher one."""


class RatingRepository(RatingReader, Protocol):
    """Ratings, as a transaction writes them."""

    async def add_changes(self, guild: GuildId | None, changes: Sequence[RatingChange]) -> None:
        """Stores the changes by one match, with the ratings after it. Raises Stale if a player was rated in between."""

    async def add_all(self, rated: Sequence[tuple[GuildId | None, Sequence[RatingChange]]]) -> None:
        """Stores the changes by matches in their order, each with the server where it began, as `add_changes` does one
        after the other."""

    async def remove_changes(self, match: MatchId) -> None:
        """Removes the changes by a match, its points of the season too; the ratings stay until `save_current`."""

    async def rewrite_changes(self, changes: Sequence[RatingChange]) -> None:
        """Stores other ratings in changes that are there."""

    async def save_current(self, pool: Pool, ratings: dict[UserId, Rating]) -> None:
        """Stores the current ratings of users, and counts their games anew."""
