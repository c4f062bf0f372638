"""Finished matches by user, and those that a moderator annulled after their end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from play.ids import GuildId, MatchId, Millis, UserId
from play.people.career import EVERYTHING, Annulment, FinishedMatch, Visibility


class CareerReader(Protocol):
    """Finished matches, as reads see them."""

    async def finished(
        self,
        user: UserId,
        start: int,
        limit: int,
        *,
        opponent: UserId | None = None,
        sight: Visibility = EVERYTHING,
    ) -> list[FinishedMatch]:
        """Returns a page of a user's finished matches that are in `sight`, the latest first; with `opponent`, of those
        between the two."""

    async def count_quits(self, user: UserId, since: Millis, guild: GuildId | None = None) -> int:
        """Counts the matches that this user abandoned since then, everywhere or on one server."""

    async def count_completed(self, user: UserId) -> int:
        """Counts the matches that this user has finished: not those that were cancelled or annulled."""

    async def count_played(self, user: UserId) -> int:
        """Counts the matches of `count_completed` that were played out, or in which each player has moved `MIN_MOVES`
        times: also moves that were taken back."""

    async def count_open_rated(self, user: UserId) -> int:
        """Counts a user's open rated matches."""

    async def count_favorable_decisions(self, user: UserId, since: Millis, *, by_rounds: bool = False) -> int:
        """Counts the rated matches that moderators decided in favor of this user since then, and with `by_rounds` those
        that a round of a tournament ended.

        These are the matches that they won or drew by a decision. A match that ended undecided counts for each player,
        as does one that was decided away from the server where it began: no player lost rating by it. An annulled loss
        counts as well.
        """

    async def annulment_of(self, match: MatchId) -> Annulment | None:
        """Returns how a finished match was annulled, if it was."""


class CareerRepository(CareerReader, Protocol):
    """Finished matches, as a transaction writes them. `MatchRepository.save` enters a match when it ends."""

    async def annul(self, annulled: Annulment, players: Sequence[UserId]) -> None:
        """Notes that a finished match was annulled. Raises Stale if it was already."""
