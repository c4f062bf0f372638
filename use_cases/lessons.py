"""The use cases of the path of lessons."""

from collections.abc import Callable, Sequence

from play.community.exercise import Exercise
from play.community.lesson import LESSONS, LessonState, PathProgress
from play.community.made_exercise import MadeExercise, MadeId
from play.ids import GuildId, Millis, UserId
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader
from use_cases.exercises import note_solved, read_offer
from use_cases.match_writer import retry_on_conflict


class Lessons:
    """The use cases of lessons."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def progress(self, user: UserId) -> PathProgress:
        """Returns how far a user is on the path."""
        async with self._store.read() as reader:
            return PathProgress(await reader.lessons.of_user(user))

    async def note_found(self, user: UserId, lesson: str, at: Millis) -> None:
        """Notes that a user has found the dot of a lesson."""
        await self._change(user, lesson, lambda state: state._replace(done=state.done or at), at)

    async def of_server(self, guild: GuildId) -> Sequence[MadeExercise]:
        """Returns the lessons of a server, for those who are there."""
        async with self._store.read() as reader:
            return await reader.made_exercises.lessons(guild)

    async def made(self, number: MadeId) -> MadeExercise:
        """Returns a lesson of a server, for those who are there. Raises Refused (`no_lesson`)."""
        async with self._store.read() as reader:
            found = await reader.made_exercises.get(number)
        if found is None or not found.is_lesson:
            raise Refused(Reason.NO_LESSON)
        return found

    async def open_puzzle(self, user: UserId, lesson: str, at: Millis) -> Exercise | None:
        """Returns the easiest exercise of a lesson's kind that the user has not met, and notes that they have now.

        Returns None if they have met all.
        """

        async def attempt() -> Exercise | None:
            async with self._store.write() as tx:
                exercise = await _easiest_unmet(tx, user, lesson, at)
                if exercise is not None:
                    await tx.puzzles.add_try(user, exercise.id, at)
                return exercise

        return await retry_on_conflict(attempt)

    async def has_puzzle(self, user: UserId, lesson: str, at: Millis) -> bool:
        """Returns whether there is an exercise of a lesson's kind that the user has not met."""
        async with self._store.read() as reader:
            return await _easiest_unmet(reader, user, lesson, at) is not None

    async def note_puzzle(self, user: UserId, lesson: str, solved: Millis | None) -> int:
        """Notes that a user has played a puzzle after a lesson to its end, and when they have `solved` it; None if the
        solution was shown. Returns how many those are now."""
        after = await self._change(user, lesson, lambda state: state._replace(puzzles=state.puzzles + 1), solved)
        return after.puzzles

    async def _change(
        self, user: UserId, lesson: str, change: Callable[[LessonState], LessonState], solved: Millis | None
    ) -> LessonState:
        async def attempt() -> LessonState:
            async with self._store.write() as tx:
                if solved is not None:
                    await note_solved(tx, user, solved)
                before = (await tx.lessons.of_user(user)).get(lesson, LessonState())
                if (after := change(before)) != before:
                    await tx.lessons.save(user, lesson, after)
                return after

        return await retry_on_conflict(attempt)


async def _easiest_unmet(reader: Reader, user: UserId, lesson: str, at: Millis) -> Exercise | None:
    kind = LESSONS[lesson].kind
    left = [each for each in (await read_offer(reader, user, at)).unmet if each.kind == kind]
    return min(left, key=lambda each: (each.rating.value, each.number), default=None)
