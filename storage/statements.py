"""A connection in a transaction, and the few ways in which repositories run statements on it."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Protocol

from sqlalchemy import CursorResult, Dialect, Executable, Insert, Table, Update, insert, text
from sqlalchemy.exc import MultipleResultsFound, NoResultFound

from storage.errors import Stale

AnyRow = Any
"""A named tuple with a value for each column."""

Values = dict[str, Any]


class FetchedRows:
    """The rows that a statement has found, with the methods of SQLAlchemy's results that we use.

    Attributes:
        rowcount: how many rows it has found or changed; -1 if the driver doesn't know.
    """

    __slots__ = ("_rows", "rowcount")

    def __init__(self, rows: Iterator[AnyRow], rowcount: int) -> None:
        self._rows = rows
        self.rowcount = rowcount

    def __iter__(self) -> Iterator[AnyRow]:
        return self._rows

    def all(self) -> list[AnyRow]:
        """Returns the rows."""
        return list(self._rows)

    def one_or_none(self) -> AnyRow | None:
        """Returns the only row, if there is one. Raises MultipleResultsFound."""
        row = next(self._rows, None)
        if next(self._rows, None) is not None:
            raise MultipleResultsFound
        return row

    def one(self) -> AnyRow:
        """Returns the only row. Raises NoResultFound and MultipleResultsFound."""
        if (row := self.one_or_none()) is None:
            raise NoResultFound
        return row

    def scalar_one_or_none(self) -> Any:
        """Returns the first value of the only row, if there is one. Raises MultipleResultsFound."""
        row = self.one_or_none()
        return None if row is None else row[0]

    def scalar_one(self) -> Any:
        """Returns the first value of the only row. Raises NoResultFound and MultipleResultsFound."""
        return self.one()[0]


class Connection(Protocol):
    """Runs statements. SQLAlchemy's AsyncConnection is one, too."""

    @property
    def dialect(self) -> Dialect: ...

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any] | FetchedRows: ...


class Statements:
    """Runs statements on the connection of one transaction."""

    __slots__ = ("connection", "execute")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.execute = connection.execute

    async def all(self, statement: Executable, **values: Any) -> list[AnyRow]:
        """Returns the rows. `values` are the parameters of a statement built once: building one takes as long as
        running it."""
        return list((await self.execute(statement, values)).all())

    async def first(self, statement: Executable, **values: Any) -> AnyRow | None:
        """Returns the only row, if there is one."""
        return (await self.execute(statement, values)).one_or_none()

    async def value(self, statement: Executable, **values: Any) -> Any:
        """Returns the only value."""
        return (await self.execute(statement, values)).scalar_one()

    async def add(self, table: Table, rows: Values | list[Values]) -> None:
        """Stores a row, or many."""
        await self.execute(_insert(table), rows)

    async def change(self, change: Update, **values: Any) -> None:
        """Runs an update. Raises Stale if it finds nothing to change."""
        if (await self.execute(change, values)).rowcount == 0:
            raise Stale

    async def lock(self, table: Table) -> None:
        """Makes other transactions that lock the same table wait until this one ends.

        In PostgreSQL the lock's mode conflicts only with itself: others read and write the table as usual. LOCK takes
        no snapshot, so the transaction then reads the rows of earlier ones. In SQLite only one transaction writes at a
        time anyway.
        """
        if self.connection.dialect.name == "postgresql":
            await self.execute(text(f"LOCK TABLE {table.name} IN SHARE UPDATE EXCLUSIVE MODE"))


@cache
def _insert(table: Table) -> Insert:
    return insert(table)


class Repository:
    """The rows of one aggregate."""

    __slots__ = ("_sql",)

    def __init__(self, sql: Statements) -> None:
        self._sql = sql
