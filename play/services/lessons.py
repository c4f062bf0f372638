"""The use cases of the path of lessons."""

from __future__ import annotations

from collections.abc import Callable

from play.community.lesson import PUZZLES, LessonState
from play.ids import Millis, UserId
from play.services.match_writer import retry_on_conflict
from play.store import Store


class Lessons:
    """The use cases of lessons."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def progress(self, user: UserId) -> dict[str, LessonState]:
        """Returns how far a user is with each lesson that they have begun, by its key."""
        async with self._store.read() as reader:
            return await reader.lessons.of_user(user)

    async def note_found(self, user: UserId, lesson: str, at: Millis) -> None:
        """Notes that a user has found the dot of a lesson."""
        await self._change(user, lesson, lambda state: state._replace(done=state.done or at))

    async def note_puzzle(self, user: UserId, lesson: str) -> None:
        """Notes that a user has played a puzzle after a lesson."""
        await self._change(user, lesson, lambda state: state._replace(puzzles=min(state.puzzles + 1, PUZZLES)))

    async def _change(self, user: UserId, lesson: str, change: Callable[[LessonState], LessonState]) -> None:
        async def attempt() -> None:
            async with self._store.write() as tx:
                before = (await tx.lessons.of_user(user)).get(lesson, LessonState())
                if (after := change(before)) != before:
                    await tx.lessons.save(user, lesson, after)

        await retry_on_conflict(attempt)
