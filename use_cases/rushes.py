"""The use cases of rushes: ten puzzles one after the other."""

from collections.abc import Iterable
from typing import NamedTuple

from play.community.exercise import Exercise, TaskId
from play.community.exercises import find_exercise
from play.community.puzzle import PuzzleId, puzzle_day
from play.community.rush import LENGTH, BestRush, Candidate, Rush, choose_tasks, rush_week
from play.ids import GuildId, Millis, UserId
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.exercises import note_solved, rate_try, read_offer
from use_cases.match_writer import retry_on_conflict
from use_cases.puzzles import exercise_of

MAX_OWN_PUZZLES = 40
"""Puzzles of a server, the newest first, among which a rush may choose."""

MAX_BEST = 5
"""Lines in the table of the week."""


class RushState(NamedTuple):
    """A rush as its user sees it: the `last` task that they have answered, the `next` one, their puzzle rating now."""

    rush: Rush
    last: Exercise | None
    next: Exercise | None
    rating: Rating


class Rushes:
    """The use cases of rushes. Raises Refused for what cannot be done."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def begin(self, user: UserId, guild: GuildId | None, now: Millis) -> RushState:
        """Returns the rush of a user that is not over, else a new one."""

        async def attempt() -> RushState:
            async with self._store.write() as tx:
                rush = await tx.rushes.of_user(user)
                if rush is None or rush.over:
                    rush = await _new_rush(tx, user, guild, now)
                    await tx.rushes.save(rush)
                return await _state(tx, rush)

        return await retry_on_conflict(attempt)

    async def state(self, user: UserId, begun: int, step: int) -> RushState:
        """Returns the rush that began then, in which `step` was reached. Raises Refused (`no_rush`)."""
        async with self._store.read() as reader:
            return await _state(reader, await _rush(reader, user, begun, step))

    async def answer(self, user: UserId, begun: int, step: int, answer: int, at: Millis) -> RushState:
        """Stores the answer to the task `step` of the rush that began then, unless it has one; returns the rush.

        Raises Refused (`no_rush`).
        """

        async def attempt() -> RushState:
            async with self._store.write() as tx:
                rush = await _rush(tx, user, begun, step)
                if step == rush.step and not rush.over:
                    rush = await _answer(tx, rush, answer, at)
                return await _state(tx, rush)

        return await retry_on_conflict(attempt)

    async def best(self, guild: GuildId, now: Millis) -> list[BestRush]:
        """Returns the best rushes of this week on a server."""
        async with self._store.read() as reader:
            return await reader.rushes.best(guild, rush_week(now), MAX_BEST)


async def _rush(reader: Reader, user: UserId, begun: int, step: int) -> Rush:
    rush = await reader.rushes.of_user(user)
    if rush is None or rush.begun != begun or step > rush.step:
        raise Refused(Reason.NO_RUSH)
    return rush


async def _new_rush(reader: Reader, user: UserId, guild: GuildId | None, now: Millis) -> Rush:
    offer, skill = await read_offer(reader, user, now), await reader.puzzles.skill(user)
    again = offer.again[:LENGTH]
    grades = await reader.puzzles.grades([each.id for each in (*offer.unmet, *again)])

    def candidates(exercises: Iterable[Exercise]) -> list[Candidate]:
        return [Candidate(each.id, grades.get(each.id, each.rating).value, each.kind) for each in exercises]

    own: list[TaskId] = []
    if guild is not None:
        past = await reader.puzzles.past(guild, puzzle_day(now), user, MAX_OWN_PUZZLES)
        own = [puzzle.task for puzzle in past if puzzle.task not in offer.tried]
    tasks = choose_tasks(candidates(offer.unmet), candidates(again), own, skill, f"{user} {now}")
    return Rush(user, guild, now, tasks, skill.value)


async def _answer(tx: Transaction, rush: Rush, answer: int, at: Millis) -> Rush:
    task = await _task(tx, rush.tasks[rush.step])
    if not 0 <= answer < len(task.answers):
        raise Refused(Reason.NO_RUSH)
    right = task.is_right(answer)
    if right:
        await note_solved(tx, rush.user, at)
    await rate_try(tx, rush.user, task, at, right=right, choices=len(task.answers))
    rush = rush.answer(answer, right=right)
    await tx.rushes.save(rush)
    if rush.over and rush.guild is not None:
        await tx.rushes.note_best(rush, rush.guild, rush_week(at))
    return rush


async def _state(reader: Reader, rush: Rush) -> RushState:
    last = await _task(reader, rush.tasks[rush.step - 1]) if rush.step else None
    following = None if rush.over else await _task(reader, rush.tasks[rush.step])
    return RushState(rush, last, following, await reader.puzzles.skill(rush.user))


async def _task(reader: Reader, id: TaskId) -> Exercise:  # noqa: A002 - the field's name
    """Returns a task of a rush. Raises Refused (`no_puzzle`)."""
    if id.startswith("e"):
        exercise = find_exercise(int(id[1:]))
    else:
        puzzle = await reader.puzzles.get(PuzzleId(int(id[1:])))
        exercise = None if puzzle is None else await exercise_of(reader, puzzle)
    if exercise is None:
        raise Refused(Reason.NO_PUZZLE)
    return exercise
