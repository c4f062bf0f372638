"""What careers ask of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from play.ids import GuildId, MatchId, Millis, UserId
from play.people.career import EVERYTHING, Annulled, Finished, Sight


class CareerReader(Protocol):
    """What the histories' part of a store answers."""

    async def finished(
        self,
        user: UserId,
        start: int,
        limit: int,
        *,
        opponent: UserId | None = None,
        sight: Sight = EVERYTHING,
    ) -> list[Finished]:
        """A page of a person's finished matches that are in `sight`, the latest first; with `opponent`, of those
        between the two."""

    async def count_quits(self, user: UserId, since: Millis, guild: GuildId | None = None) -> int:
        """How many matches have come to nothing through this person since then, everywhere or on one server."""

    async def count_rated(self, user: UserId) -> int:
        """How many rated matches of a person are open."""

    async def count_favors(self, user: UserId, since: Millis) -> int:
        """How many rated matches moderators have decided in favor of this person since then: those that they were given
        whole or in part, those that ended undecided or were decided while they were played elsewhere than where they
        began (so nobody lost by them), and those whose loss was struck."""

    async def annulled(self, match: MatchId) -> Annulled | None: ...


class CareerWriter(CareerReader, Protocol):
    """What a transaction can do with them."""

    async def annul(self, annulled: Annulled, players: Sequence[UserId]) -> None:
        """Notes that a finished match was annulled. Raises Stale if it was already."""
