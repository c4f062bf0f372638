"""Limits of an account: open rated matches, abandoned matches, and decisions by moderators in its favor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from play.ids import DAY, Millis, UserId
from play.refusal import Reason, Refused
from storage.careers import CareerReader

MAX_OPEN_RATED_MATCHES: Final = 30
"""Rated matches of one user that are open at the same time."""

MAX_DAILY_QUITS: Final = 4
"""Matches that a user may abandon within a day before they have to wait with rated ones."""

MAX_DECISIONS: Final = 5
DECISION_WINDOW_MILLIS: Final = 90 * DAY
"""Rated matches that moderators may decide in favor of one player within the window, on all servers together. Without a
limit, a player whose friend is a moderator could keep all wins and lose no game.

Of these and of those that rounds of tournaments end, so many bring the player points: a host chooses how soon rounds
end.
"""


async def check_decision_limit(careers: CareerReader, favored: Iterable[UserId], now: Millis) -> None:
    """Raises Refused (`too_many_decisions`) if moderators have decided often enough for one of the `favored`."""
    for user in favored:
        count = await careers.count_favorable_decisions(user, Millis(now - DECISION_WINDOW_MILLIS))
        if count >= MAX_DECISIONS:
            raise Refused(Reason.TOO_MANY_DECISIONS, user=user, count=count)


async def is_favored_too_often(careers: CareerReader, user: UserId, now: Millis) -> bool:
    """Returns whether too many matches were decided in favor of `user`, by moderators and by rounds that ended."""
    since = Millis(now - DECISION_WINDOW_MILLIS)
    return await careers.count_favorable_decisions(user, since, by_rounds=True) > MAX_DECISIONS


async def check_rated_match_limits(careers: CareerReader, user: UserId, now: Millis) -> None:
    """Raises Refused (`too_many_rated`, `too_many_quits`) if `user` may not begin another rated match at `now`."""
    if await careers.count_open_rated(user) >= MAX_OPEN_RATED_MATCHES:
        raise Refused(Reason.TOO_MANY_RATED, count=MAX_OPEN_RATED_MATCHES)
    if (quits := await careers.count_quits(user, Millis(now - DAY))) > MAX_DAILY_QUITS:
        raise Refused(Reason.TOO_MANY_QUITS, count=quits)
