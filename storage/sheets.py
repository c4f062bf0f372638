"""Analysis sheets in SQL."""

from typing import Any

from sqlalchemy import bindparam, delete, select, update

from play.ids import GuildId, MatchId, Millis, UserId
from play.match.sheet import Sheet
from play.match.turn_tree import TriedTurn
from rules.game import Seat
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import AnyRow, Repository

_sheet = schema.sheet.c
_SHEET = select(schema.sheet).where(_sheet.match == bindparam("match"), _sheet.user == bindparam("user"))
_PUBLISHED = select(schema.sheet).where(_sheet.match == bindparam("match"), _sheet.published)

_VERSIONS = select(_sheet.user, _sheet.version).where(_sheet.match == bindparam("match"), _sheet.published)


class SheetReader(Repository):
    """Sheets, as reads see them."""

    __slots__ = ()

    async def get(self, match: MatchId, user: UserId) -> Sheet | None:
        """Returns the sheet of a user in a match."""
        row = await self._sql.first(_SHEET, match=match, user=user)
        return row and _read(row)

    async def published(self, match: MatchId) -> list[Sheet]:
        """Returns the published sheets of a match."""
        return [_read(row) for row in await self._sql.all(_PUBLISHED, match=match)]

    async def published_by(self, user: UserId, guild: GuildId) -> list[Sheet]:
        """Returns the published sheets of a user in the matches of a server."""
        there = schema.match.c.id == _sheet.match, schema.match.c.guild == guild
        theirs = select(schema.sheet).where(_sheet.user == user, _sheet.published, *there).order_by(_sheet.match)
        return [_read(row) for row in await self._sql.all(theirs)]

    async def published_versions(self, match: MatchId) -> dict[UserId, int]:
        """Returns the versions of the published sheets of a match, by their users."""
        return {row.user: row.version for row in await self._sql.all(_VERSIONS, match=match)}


class SheetRepository(SheetReader):
    """Sheets, as a transaction writes them."""

    __slots__ = ()

    async def save(self, sheet: Sheet, at: Millis, most: int) -> None:
        """Stores a sheet that was changed at this time; of its user's others, only the ones changed last stay, so that
        there are `most`.

        Raises Stale if its version is not the one after the stored version.
        """
        key = {"match": sheet.match, "user": sheet.user}
        values = {
            "version": sheet.version,
            "next_id": sheet.next_id,
            "turns": _written(sheet.turns),
            "removed": _written(sheet.removed),
            "published": sheet.published,
            "barred": sheet.barred,
            "changed": at,
        }
        if sheet.version == 1:
            await self._make_room(sheet.user, most - 1)
            with raises_on_conflict(Stale):
                await self._sql.add(schema.sheet, {**key, **values})
        else:
            theirs = (_sheet.match == sheet.match, _sheet.user == sheet.user, _sheet.version == sheet.version - 1)
            await self._sql.change(update(schema.sheet).where(*theirs).values(**values))

    async def _make_room(self, user: UserId, most: int) -> None:
        theirs = select(_sheet.match).where(_sheet.user == user).order_by(_sheet.changed.desc()).offset(most)
        for row in await self._sql.all(theirs):
            await self._sql.execute(delete(schema.sheet).where(_sheet.match == row.match, _sheet.user == user))


def _written(turns: tuple[TriedTurn, ...]) -> list[list[Any]]:
    return [[turn.id, turn.parent, turn.after, turn.seat, turn.text, turn.note] for turn in turns]


def _turns(rows: list[list[Any]]) -> tuple[TriedTurn, ...]:
    return tuple(TriedTurn(number, parent, after, Seat(seat), *texts) for number, parent, after, seat, *texts in rows)


def _read(row: AnyRow) -> Sheet:
    turns, removed = _turns(row.turns), _turns(row.removed)
    return Sheet(row.match, row.user, turns, row.next_id, removed, row.version, row.published, row.barred)
