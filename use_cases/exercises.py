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
from play.community.lesson import STOP_LESSONS, PathProgress
from play.community.puzzle import first_day_floor, puzzle_day, rate_answer
from play.community.streak import Streak, day_before
from play.community.year import Year
from play.ids import Millis, UserId
from play.ratings.glicko import Rating
from rules.dots.presets import STOP_PRESETS
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


async def knows_stop(reader: Reader, user: UserId) -> bool:
    """Returns whether a user has had a lesson of STOP, or has finished a game by rules with it."""
    lessons = PathProgress(await reader.lessons.of_user(user))
    return any(map(lessons.has_done, STOP_LESSONS)) or await reader.careers.has_played(user, STOP_PRESETS)


async def rate_try(
    tx: Transaction, user: UserId, task: Exercise, at: Millis, *, right: bool, choices: int
) -> tuple[Rating, Rating] | None:
    """Rates an answer, one of so many `choices`, if it is the first of `user` to this task of the built-in set.

    Returns their rating before and after.
    """
    if not await tx.puzzles.add_try(user, task.id, at) or not task.is_rated:
        return None
    return await rate_first_answer(tx, user, task, at, right=right, choices=choices)


async def rate_first_answer(
    tx: Transaction, user: UserId, task: Exercise, at: Millis, *, right: bool, choices: int
) -> tuple[Rating, Rating]:
    """Rates an answer of `user`, one of so many `choices`, and counts it for its kind.

    Returns their rating before and after.
    """
    skill, grades = await tx.puzzles.skill(user), await tx.puzzles.grades([task.id])
    floor = first_day_floor(await tx.puzzles.began(user), at)
    grade = grades.get(task.id, task.rating)
    after, moved = rate_answer(skill, grade, right=right, choices=choices, now=at, floor=floor)
    await tx.puzzles.save_skill(user, after)
    await tx.puzzles.save_grade(task.id, moved)
    if task.kind is not None:
        await tx.puzzles.note_figure(user, task.kind, right=right)
    if right:
        await tx.puzzles.note_solved(user, Year.at(at).number)
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
