"""The links by which players share their figures, in SQL."""

from sqlalchemy import bindparam, delete, select, update

from play.community.shared_figures import SharedFigures, read_parts
from play.ids import UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import AnyRow, Repository

_shared = schema.shared_figures.c
_BY_LINK = select(schema.shared_figures).where(_shared.link == bindparam("wanted"))
_OF_USER = select(schema.shared_figures).where(_shared.user == bindparam("of_user"))


class SharedFigureReader(Repository):
    """Shared figures, as reads see them."""

    __slots__ = ()

    async def get(self, link: str) -> SharedFigures | None:
        """Returns what a link shows."""
        return _read(await self._sql.first(_BY_LINK, wanted=link))

    async def of_user(self, user: UserId) -> SharedFigures | None:
        """Returns what a user shares."""
        return _read(await self._sql.first(_OF_USER, of_user=user))


class SharedFigureRepository(SharedFigureReader):
    """Shared figures, as a transaction writes them."""

    __slots__ = ()

    async def add(self, shared: SharedFigures) -> None:
        """Stores a new link. Raises Stale if its user has one."""
        with raises_on_conflict(Stale):
            row = {"user": shared.user, "link": shared.link, "parts": sorted(shared.parts)}
            await self._sql.add(schema.shared_figures, row)

    async def save(self, shared: SharedFigures) -> None:
        """Stores which parts a link shows. Raises Stale if it was ended."""
        theirs = _shared.user == shared.user, _shared.link == shared.link
        await self._sql.change(update(schema.shared_figures).where(*theirs).values(parts=sorted(shared.parts)))

    async def end(self, user: UserId) -> None:
        """Deletes the link of a user, if there is one."""
        await self._sql.execute(delete(schema.shared_figures).where(_shared.user == user))


def _read(row: AnyRow | None) -> SharedFigures | None:
    return row and SharedFigures(row.user, row.link, read_parts(row.parts))
