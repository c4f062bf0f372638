"""Exercises that a user has not met: the one rule that keeps the daily, lessons and ten in a row apart.

An exercise is not offered to a user

- who has met it after a lesson or answered it in ten in a row (`tried`: at most one row for each exercise);
- who has it before them in ten in a row, answered or not;
- if it belongs to a daily of less than `REST_DAYS` before or after today;
- if it was withdrawn.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from play.community.daily import calendar
from play.community.exercise import Exercise, TaskId
from play.community.exercises import WITHDRAWN, exercise_task, exercises
from play.community.puzzle import puzzle_day
from play.ids import Millis, UserId
from storage.unit_of_work import Reader


class Offer(NamedTuple):
    """Exercises for a user: those that they have not met, and those to come `again`, met the longest ago first.

    `tried` are all tasks that they have met, puzzles of servers included.
    """

    unmet: Sequence[Exercise]
    again: Sequence[Exercise]
    tried: Set[TaskId]


async def read_offer(reader: Reader, user: UserId, now: Millis) -> Offer:
    """Returns which exercises may be offered to a user."""
    resting = {exercise_task(number) for number in calendar().around(puzzle_day(now)) | WITHDRAWN}
    rush = await reader.rushes.of_user(user)
    resting.update(rush.tasks if rush else ())
    tried = await reader.puzzles.tried(user)
    awake = {each.id: each for each in exercises().values() if each.id not in resting}
    again = [awake.pop(task) for task in tried if task in awake]
    return Offer([*awake.values()], again, frozenset(tried))
