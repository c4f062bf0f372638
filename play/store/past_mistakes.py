"""Past mistakes, who learns from them, and which games were reviewed for whom."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from play.ids import MatchId, Millis, UserId
from play.people.past_mistake import PastMistake


class ReviewedGame(NamedTuple):
    """A match that was reviewed for a player at that time; the biggest mistakes cost them `lost` points."""

    user: UserId
    match: MatchId
    at: Millis
    lost: float


class PastMistakeReader(Protocol):
    """Past mistakes, as reads see them."""

    async def get(self, user: UserId, match: MatchId, number: int) -> PastMistake | None: ...

    async def due(self, user: UserId, today: int, limit: int) -> list[PastMistake]:
        """Returns the mistakes that are due on that day, the longest due first."""

    async def count_due(self, user: UserId, today: int, after: int = 0) -> int:
        """Counts the mistakes that are due on that day, and were not on the day `after`."""

    async def count(self, user: UserId) -> int:
        """Counts the mistakes that still return."""

    async def answered_right(self, user: UserId, since: Millis) -> int:
        """Counts the mistakes whose last answer came since then and was right."""

    async def reviewed(self, user: UserId, since: Millis) -> list[ReviewedGame]:
        """Returns the games that were reviewed for a player since then."""

    async def is_reviewed(self, user: UserId, match: MatchId) -> bool: ...

    async def is_learner(self, user: UserId) -> bool:
        """Returns whether a user has opened their mistakes before."""

    async def unreviewed(self, since: Millis, now: Millis, most: int, limit: int) -> list[MatchId]:
        """Returns the latest match of each learner that is not reviewed for them, of those that have ended since then
        and after they began to learn. A learner with `most` reviews within the last day has none."""


class PastMistakeRepository(PastMistakeReader, Protocol):
    """Past mistakes, as a transaction writes them."""

    async def add_learner(self, user: UserId, at: Millis) -> None:
        """Notes that a user has opened their mistakes."""

    async def add_review(self, game: ReviewedGame) -> None:
        """Notes that a match was reviewed for a player. Raises Stale if it was before."""

    async def save(self, mistake: PastMistake) -> None:
        """Stores a mistake, new or answered."""

    async def keep_most(self, user: UserId, most: int) -> None:
        """Deletes all but so many mistakes of a user: learned ones first, then those that cost least."""
