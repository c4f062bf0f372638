"""Limits of an account: how many rated matches it may have open, what comes of letting them come to nothing, and how
often moderators may decide in its favor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from play.ids import Millis, UserId
from play.people.career import CareerReader
from play.refusal import Reason, Refused

MOST_OPEN: Final = 30
"""Rated matches of one person that are open at the same time."""

DAY: Final = 86_400_000
MOST_QUITS: Final = 4
"""Matches that a person may let come to nothing within a day before he has to wait with rated ones."""

MAX_DECISIONS: Final = 5
DECISION_WINDOW: Final = 90 * DAY
"""Rated matches that moderators may decide in favor of one player within the window, on all servers together. A player
with a moderator for a friend would else keep all wins and lose no game."""


async def check_decisions(reader: CareerReader, favored: Iterable[UserId], now: Millis) -> None:
    """Raises Refused (`too_many_decisions`) if moderators have decided often enough for one of the `favored`."""
    for user in favored:
        count = await reader.count_favors(user, Millis(now - DECISION_WINDOW))
        if count >= MAX_DECISIONS:
            raise Refused(Reason.TOO_MANY_DECISIONS, user=user, count=count)


async def fair(reader: CareerReader, user: UserId, now: Millis) -> None:
    """Raises Refused (`too_many_rated`, `too_many_quits`) if `user` may not begin another rated match at `now`."""
    if await reader.count_rated(user) >= MOST_OPEN:
        raise Refused(Reason.TOO_MANY_RATED, count=MOST_OPEN)
    if (quits := await reader.count_quits(user, Millis(now - DAY))) > MOST_QUITS:
        raise Refused(Reason.TOO_MANY_QUITS, count=quits)
