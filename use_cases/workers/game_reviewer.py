"""The reviewer: reviews finished games of learners by itself, while the computer has nothing else to do."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from play.ids import DAY, MatchId, Millis
from play.match.match import Match
from storage import Database
from use_cases.worker import RetryLater, Timing, Worker

REVIEW_POLL_SECONDS = 600.0
"""Between two looks at who has finished a game: nobody waits for it."""

MAX_DAILY_REVIEWS = 5
"""Reviews for one player within 24 hours, those included that they have asked for."""

MAX_AGE_MILLIS = 7 * DAY
"""Games that ended earlier are not reviewed: the bot was away, or too busy."""

BATCH = 10
"""Matches that one look finds. Each learner has one of them at most, so that all have their turn."""

Rest = Callable[[float], Awaitable[bool]]
"""Sleeps for seconds. Returns False if the review is to be given up."""


class MatchReviewer(Protocol):
    """Reviews matches; bot/ implements it."""

    async def review_at_leisure(self, match: Match, rest: Rest) -> None:
        """Reviews a match behind all who ask for help, with a `rest` after each search, and stores what its players can
        learn. Raises RetryLater if it is to be given up."""


class GameReviewer(Worker[MatchId]):
    """Reviews one game after the other, each only once."""

    def __init__(self, store: Database, reviewer: MatchReviewer, timing: Timing = Timing()) -> None:  # noqa: B008
        super().__init__(timing)
        self._store = store
        self._reviewer = reviewer

    async def pending(self, limit: int) -> list[MatchId]:
        async with self._store.read() as reader:
            now = await reader.clock.now()
            since = Millis(now - MAX_AGE_MILLIS)
            return await reader.past_mistakes.unreviewed(since, now, MAX_DAILY_REVIEWS, BATCH)

    async def process(self, key: MatchId) -> None:
        if self._stopping.is_set():
            raise RetryLater("the bot is about to stop")
        async with self._store.read() as reader:
            match = await reader.matches.get(key)
        if match is not None:
            await self._reviewer.review_at_leisure(match, self.rest)
