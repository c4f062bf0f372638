"""Boards of players' own in SQL."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, func, insert, select, update

from play.boards.own_board import Origin, OwnBoard
from play.ids import MatchId, Millis, OwnBoardId, UserId
from play.match.turn_tree import TriedTurn
from rules.dots import Dots
from rules.game import Seat
from rules.registry import restore_game
from storage import schema
from storage.statements import AnyRow, Repository, Values

_board = schema.own_board.c
_BOARD = select(schema.own_board).where(_board.id == bindparam("id"), _board.user == bindparam("owner"))
_SHARED = select(schema.own_board).where(_board.link == bindparam("address"))
_LINK = select(_board.link).where(_board.id == bindparam("id"), _board.user == bindparam("owner"))
_OF_MATCH = (
    select(_board.id)
    .where(_board.user == bindparam("owner"), _board.match == bindparam("played"))
    .order_by(_board.changed.desc(), _board.id.desc())
    .limit(1)
)
_LIST = (
    select(_board.id, _board.name, _board.game, _board.options, _board.changed, _board.origin, _board.match)
    .where(_board.user == bindparam("owner"))
    .order_by(_board.changed.desc(), _board.id.desc())
)
_COUNT = select(func.count()).where(_board.user == bindparam("owner"))


class ListedBoard(NamedTuple):
    """A board in its player's list: the key of its rules, its size, when it was changed last, and what it has come
    from."""

    id: OwnBoardId
    name: str
    rules: str
    size: str
    changed: Millis
    origin: Origin
    match: MatchId | None


class OwnBoardReader(Repository):
    """Boards of players' own, as reads see them."""

    __slots__ = ()

    async def get(self, board: OwnBoardId, user: UserId) -> OwnBoard | None:
        """Returns a board of a user."""
        row = await self._sql.first(_BOARD, id=board, owner=user)
        return row and _read_own(row)

    async def shared(self, link: str) -> OwnBoard | None:
        """Returns the board that is read at an address."""
        row = await self._sql.first(_SHARED, address=link)
        return row and _read_own(row)

    async def link(self, board: OwnBoardId, user: UserId) -> str | None:
        """Returns the address at which others read a board, if it is shared."""
        row = await self._sql.first(_LINK, id=board, owner=user)
        return None if row is None else row.link

    async def of_match(self, match: MatchId, user: UserId) -> OwnBoardId | None:
        """Returns the board of a user that has come from a match: the one that was changed last."""
        row = await self._sql.first(_OF_MATCH, played=match, owner=user)
        return None if row is None else OwnBoardId(row.id)

    async def list(self, user: UserId) -> Sequence[ListedBoard]:
        """Returns the boards of a user, the one that was changed last first."""
        rows = await self._sql.all(_LIST, owner=user)
        return [
            ListedBoard(row.id, row.name, row.game, row.options["size"], row.changed, Origin(row.origin), row.match)
            for row in rows
        ]

    async def count(self, user: UserId) -> int:
        """Returns how many boards a user keeps."""
        return int(await self._sql.value(_COUNT, owner=user))


class OwnBoardRepository(OwnBoardReader):
    """Boards of players' own, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction pass this point until this one ends, so that a count stays true."""
        await self._sql.lock(schema.own_board)

    async def add(self, board: OwnBoard, user: UserId, at: Millis) -> OwnBoardId:
        """Stores a new board of a user; returns its id."""
        values = {"user": user, **_written(board), "version": 1, "changed": at}
        return OwnBoardId(await self._sql.value(insert(schema.own_board).values(values).returning(_board.id)))

    async def save(self, board: OwnBoard, at: Millis) -> None:
        """Stores a board that was changed at this time. Raises Stale if its version is not the one after the stored
        version."""
        theirs = (_board.id == board.id, _board.user == board.user, _board.version == board.version - 1)
        await self._sql.change(update(schema.own_board).where(*theirs).values({**_written(board), "changed": at}))

    async def share(self, board: OwnBoardId, user: UserId, link: str | None) -> None:
        """Gives a board the address at which others read it, or (None) takes it away."""
        await self._sql.execute(
            update(schema.own_board).where(_board.id == board, _board.user == user).values(link=link)
        )

    async def delete(self, board: OwnBoardId, user: UserId) -> None:
        """Deletes a board, if it is there."""
        await self._sql.execute(delete(schema.own_board).where(_board.id == board, _board.user == user))


def _written(board: OwnBoard) -> Values:
    return {**written(board), "origin": board.origin, "match": board.match}


def written(board: OwnBoard) -> Values:
    """Returns the values of the columns that a board of a study has as well."""
    return {
        "version": board.version,
        "name": board.name,
        "game": board.game.key,
        "options": dict(board.game.options),
        "note": board.note,
        "marks": [*board.marks],
        "next_id": board.next_id,
        "turns": [*map(_row, board.turns)],
        "removed": [*map(_row, board.removed)],
    }


def _row(turn: TriedTurn) -> list[Any]:
    return [turn.id, turn.parent, turn.seat, turn.text, turn.note, [*turn.marks]]


def _turns(rows: Iterable[Sequence[Any]]) -> tuple[TriedTurn, ...]:
    return tuple(
        TriedTurn(number, parent, 0, Seat(seat), text, note, tuple(marks))
        for number, parent, seat, text, note, marks in rows
    )


def read_board(row: AnyRow, user: UserId | None) -> OwnBoard:
    """Returns the board in a row."""
    game = restore_game(row.game, row.options)
    assert isinstance(game, Dots), "boards are of Dots"
    turns, removed = _turns(row.turns), _turns(row.removed)
    told = (row.note, tuple(row.marks), row.version, OwnBoardId(row.id), user)
    return OwnBoard(game, row.name, turns, row.next_id, removed, *told)


def _read_own(row: AnyRow) -> OwnBoard:
    match = None if row.match is None else MatchId(row.match)
    return replace(read_board(row, row.user), origin=Origin(row.origin), match=match)
