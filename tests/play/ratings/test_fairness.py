"""How many rated games a player may have open, and how many they may abandon."""

from __future__ import annotations

import pytest

from play.ids import DAY, Millis, UserId
from play.refusal import Refused
from tests.clock import NOON
from tests.matches import ANNA
from use_cases.limits import MAX_DAILY_QUITS, MAX_OPEN_RATED_MATCHES, check_rated_match_limits


class Book:
    """A store that returns fixed counts."""

    def __init__(self, rated: int = 0, quits: int = 0) -> None:
        self.rated, self.quits, self.since = rated, quits, 0

    async def count_open_rated(self, user: UserId) -> int:
        return self.rated

    async def count_quits(self, user: UserId, since: Millis) -> int:
        self.since = since
        return self.quits


async def test_a_rated_game_more_may_begin() -> None:
    await check_rated_match_limits(book := Book(MAX_OPEN_RATED_MATCHES - 1, MAX_DAILY_QUITS), ANNA, NOON)  # type: ignore[arg-type]
    assert book.since == NOON - DAY


@pytest.mark.parametrize(
    ("book", "reason"),
    [(Book(rated=MAX_OPEN_RATED_MATCHES), "too_many_rated"), (Book(quits=MAX_DAILY_QUITS + 1), "too_many_quits")],
)
async def test_too_many_are_refused(book: Book, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        await check_rated_match_limits(book, ANNA, NOON)  # type: ignore[arg-type]
