"""Vacations in SQL."""

from __future__ import annotations

from sqlalchemy import insert, select, update

from play.ids import UserId
from play.people.vacation import Vacation
from storage import schema
from storage.statements import SqlRepository

_vacation = schema.vacation.c


class SqlVacationReader(SqlRepository):
    """A `play.store.vacations.VacationReader`."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> list[Vacation]:
        own = select(schema.vacation).where(_vacation.user == user).order_by(_vacation.start)
        return [Vacation(row.user, row.start, row.end) for row in await self._sql.all(own)]


class SqlVacationRepository(SqlVacationReader):
    """A `play.store.vacations.VacationRepository`."""

    __slots__ = ()

    async def add(self, vacation: Vacation) -> None:
        await self._sql.execute(
            insert(schema.vacation).values(user=vacation.user, start=vacation.start, end=vacation.end)
        )

    async def end(self, vacation: Vacation) -> None:
        begun = _vacation.user == vacation.user, _vacation.start == vacation.start
        await self._sql.change(update(schema.vacation).where(*begun).values(end=vacation.end))
