"""Ratings of matches that end at once: rated one after the other, stored together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from play.challenge.challenge import Challenge
from play.challenge.pool import Pool
from play.ids import GuildId, MatchId, Millis, UserId
from play.match.match import Match
from play.ratings.glicko import Rating
from play.ratings.settlement import RatingChange
from storage.careers import CareerReader
from storage.ratings import RatingReader, RatingRepository
from use_cases.ratings import rate_match, window_start


async def rate_matches(
    ratings: RatingRepository, careers: CareerReader, ended: Sequence[tuple[Match, Challenge]]
) -> None:
    """Rates stored matches that have just ended, each with the challenge with which it began, in the order of their
    ids, which is that of changes of the same moment. Raises Stale."""
    batch = RatingBatch(ratings)
    await batch.load(ended)
    for match, challenge in sorted(ended, key=lambda each: each[0].id):
        await rate_match(batch, careers, match, challenge)
    if batch.added:
        await ratings.add_all(batch.added)


class RatingBatch:
    """A `use_cases.ratings.Ledger` that stores nothing: it has what is stored, and what was `added` to it."""

    def __init__(self, stored: RatingReader) -> None:
        self._stored = stored
        self._ratings: dict[tuple[Pool, UserId], Rating] = {}
        self._meetings: dict[tuple[Pool, Millis], Counter[frozenset[UserId]]] = {}
        self.added: list[tuple[GuildId | None, Sequence[RatingChange]]] = []

    async def load(self, ended: Sequence[tuple[Match, Challenge]]) -> None:
        """Reads at once what the rating of these matches will ask for."""
        users: dict[tuple[Pool, Millis], set[UserId]] = {}
        for match, challenge in ended:
            if challenge.pool is not None:
                since = window_start(match.events[-1].at)
                users.setdefault((challenge.pool, since), set()).update(match.players)
        for (pool, since), players in users.items():
            self._meetings[pool, since] = await self._stored.count_all_meetings(pool, players, since)
            await self.get(pool, players)

    async def get(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        unknown = [user for user in users if (pool, user) not in self._ratings]
        if unknown:
            found = await self._stored.get(pool, unknown)
            self._ratings.update(((pool, user), rating) for user, rating in found.items())
        return {user: self._ratings[pool, user] for user in users}

    async def count_meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        stored = self._meetings[pool, since][frozenset((one, other))]
        return stored + len(self._added_with(pool, one) & self._added_with(pool, other))

    async def count_meetings_with_new(self, pool: Pool, user: UserId, youngest: UserId, since: Millis) -> int:
        stored = await self._stored.count_meetings_with_new(pool, user, youngest, since)
        own = self._added_with(pool, user)
        young = {
            change.match
            for _, changes in self.added
            for change in changes
            if change.user != user and change.user >= youngest
        }
        return stored + len(own & young)

    async def add_changes(self, guild: GuildId | None, changes: Sequence[RatingChange]) -> None:
        if changes:
            self.added.append((guild, changes))
        self._ratings.update(((change.pool, change.user), change.after) for change in changes)

    def _added_with(self, pool: Pool, user: UserId) -> set[MatchId]:
        """Returns the matches of a pool that were added for a user."""
        return {
            change.match
            for _, changes in self.added
            for change in changes
            if change.pool == pool and change.user == user
        }
