"""The lessons that users have done, in SQL."""

from sqlalchemy import bindparam, delete, select

from play.community.lesson import LessonState
from play.ids import UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Repository

_lesson = schema.lesson.c
_LESSONS = select(schema.lesson).where(_lesson.user == bindparam("user"))


class LessonReader(Repository):
    """Lessons of users, as reads see them."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> dict[str, LessonState]:
        """Returns how far a user is with each lesson that they have begun, by its key."""
        rows = await self._sql.all(_LESSONS, user=user)
        return {row.lesson: LessonState(row.done, row.puzzles) for row in rows}


class LessonRepository(LessonReader):
    """Lessons of users, as a transaction writes them."""

    __slots__ = ()

    async def save(self, user: UserId, lesson: str, state: LessonState) -> None:
        """Stores how far a user is with a lesson."""
        await self._sql.execute(delete(schema.lesson).where(_lesson.user == user, _lesson.lesson == lesson))
        with raises_on_conflict(Stale):
            await self._sql.add(schema.lesson, {"user": user, "lesson": lesson, **state._asdict()})
