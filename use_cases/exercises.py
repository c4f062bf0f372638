"""What all kinds of exercises share: the streak of their solvers, their ratings, and which of them a user has not met.

An exercise is not offered to a user

- who has met it after a lesson or answered it in ten in a row (`tried`: at most one row for each exercise);
- who has it before them in ten in a row, answered or not;
- if it belongs to a daily of less than `REST_DAYS` before or after today;
- if it was withdrawn.
"""

from collections.abc import Sequence, Set
from typing import NamedTuple

from play.community.daily import calendar
from play.community.exercise import Exercise, TaskId
from play.community.exercises import WITHDRAWN, exercise_task, exercises
from play.community.puzzle import puzzle_day, rate_answer
from play.community.streak import Streak, day_before
from play.ids import Millis, UserId
from play.ratings.glicko import Rating
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


async def rate_try(
    tx: Transaction, user: UserId, task: Exercise, at: Millis, *, right: bool
) -> tuple[Rating, Rating] | None:
    """Rates an answer if it is the first of `user` to this task of the built-in set.

    Returns their rating before and after.
    """
    if not await tx.puzzles.add_try(user, task.id, at) or not task.is_rated:
        return None
    return await rate_first_answer(tx, user, task.id, task.rating, len(task.answers), at, right=right)


async def rate_first_answer(
    tx: Transaction, user: UserId, task: TaskId, first: Rating, choices: int, at: Millis, *, right: bool
) -> tuple[Rating, Rating]:
    """Rates an answer of `user`, one of so many `choices`, to a task whose rating is `first` before all answers.

    Returns their rating before and after.
    """
    skill, grades = await tx.puzzles.skill(user), await tx.puzzles.grades([task])
    after, grade = rate_answer(skill, grades.get(task, first), right=right, choices=choices, now=at)
    await tx.puzzles.save_skill(user, after)
    await tx.puzzles.save_grade(task, grade)
    return skill, after


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
