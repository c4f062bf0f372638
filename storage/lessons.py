"""The lessons that users have done, in SQL."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from play.community.lesson import LessonState
from play.ids import UserId
from play.store import Stale
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.statements import SqlRepository

_lesson = schema.lesson.c


class SqlLessonReader(SqlRepository):
    """A `play.store.lessons.LessonReader`."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> dict[str, LessonState]:
        rows = await self._sql.all(select(schema.lesson).where(_lesson.user == user))
        return {row.lesson: LessonState(row.done, row.puzzles) for row in rows}


class SqlLessonRepository(SqlLessonReader):
    """A `play.store.lessons.LessonRepository`."""

    __slots__ = ()

    async def save(self, user: UserId, lesson: str, state: LessonState) -> None:
        await self._sql.execute(delete(schema.lesson).where(_lesson.user == user, _lesson.lesson == lesson))
        with raises_on_conflict(Stale):
            await self._sql.execute(insert(schema.lesson).values(user=user, lesson=lesson, **state._asdict()))
