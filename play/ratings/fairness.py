"""Limits of an account: how many rated matches it may have open, and what comes of letting them come to nothing."""

from __future__ import annotations

from typing import Final

from play.career import CareerReader
from play.ids import Millis, UserId
from play.refused import Refused

MOST_OPEN: Final = 30
"""Rated matches of one person that are open at the same time."""

DAY: Final = 86_400_000
MOST_QUITS: Final = 4
"""Matches that a person may let come to nothing within a day before he has to wait with rated ones."""


async def fair(reader: CareerReader, user: UserId, now: Millis) -> None:
    """Raises Refused (`too_many_rated`, `too_many_quits`) if `user` may not begin another rated match at `now`."""
    if await reader.count_rated(user) >= MOST_OPEN:
        raise Refused("too_many_rated", count=MOST_OPEN)
    if (quits := await reader.count_quits(user, Millis(now - DAY))) > MOST_QUITS:
        raise Refused("too_many_quits", count=quits)
