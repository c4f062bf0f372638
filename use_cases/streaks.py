"""The one streak of a user: whatever they solve counts for it."""

from __future__ import annotations

from play.community.puzzle import puzzle_day
from play.community.streak import Streak, day_before
from play.ids import Millis, UserId
from storage.unit_of_work import Reader, Transaction


async def note_solved(tx: Transaction, user: UserId, at: Millis) -> None:
    """Lets the day of a moment count for the streak of a user, who has solved something then."""
    day = puzzle_day(at)
    former = await tx.dailies.streak(user) or Streak(user, 0, 0, day_before(day))
    if former.last < day:
        await tx.dailies.save_streak(former.next(day, await tx.vacations.of_user(user)))


async def read_streak(reader: Reader, user: UserId, now: Millis) -> int:
    """Returns the streak of a user as it is today."""
    streak = await reader.dailies.streak(user)
    return 0 if streak is None else streak.on(puzzle_day(now), await reader.vacations.of_user(user))
