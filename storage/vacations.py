"""Vacations in SQL."""

from sqlalchemy import bindparam, select, update

from play.ids import UserId
from play.people.vacation import Vacation
from storage import schema
from storage.statements import Repository

_vacation = schema.vacation.c
_OWN = select(schema.vacation).where(_vacation.user == bindparam("user")).order_by(_vacation.start)


class VacationReader(Repository):
    """Vacations, as reads see them."""

    __slots__ = ()

    async def of_user(self, user: UserId) -> list[Vacation]:
        """Returns all vacations that a user ever took, in their order."""
        return [Vacation(row.user, row.start, row.end) for row in await self._sql.all(_OWN, user=user)]


class VacationRepository(VacationReader):
    """Vacations, as a transaction writes them."""

    __slots__ = ()

    async def add(self, vacation: Vacation) -> None:
        await self._sql.add(schema.vacation, {"user": vacation.user, "start": vacation.start, "end": vacation.end})

    async def end(self, vacation: Vacation) -> None:
        """Stores the earlier end of a vacation. Raises Stale if none began then."""
        begun = _vacation.user == vacation.user, _vacation.start == vacation.start
        await self._sql.change(update(schema.vacation).where(*begun).values(end=vacation.end))
