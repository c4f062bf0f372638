"""A connection in a transaction, and the few ways in which repositories run statements on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from cachetools import LRUCache
from sqlalchemy import CursorResult, Dialect, Executable, Row, Table, Update, text
from sqlalchemy.engine import IteratorResult
from sqlalchemy.engine.result import SimpleResultMetaData

from storage.errors import Stale

AnyRow = Row[Any]
Values = dict[str, Any]


class FetchedRows(IteratorResult[Any]):
    """A CursorResult, as far as statements need it: rows, and how many the statement has changed."""

    def __init__(self, columns: SimpleResultMetaData, rows: Iterator[Any], rowcount: int) -> None:
        super().__init__(columns, rows)
        self.rowcount = rowcount


class Connection(Protocol):
    """Runs statements. SQLAlchemy's AsyncConnection is one, too."""

    @property
    def dialect(self) -> Dialect: ...

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any] | FetchedRows: ...


class CompiledStatements(LRUCache[Any, Any]):
    """SQLAlchemy's cache of compiled statements, shared by the engines of this process.

    By default each engine compiles for itself: its keys begin with a dialect, which each engine makes anew. Here they
    begin with the dialect's class.
    """

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), compiled)


COMPILED = CompiledStatements(2000)
"""Has room for each statement of ours in three dialects."""


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


class Repository:
    """The rows of one aggregate."""

    __slots__ = ("_sql",)

    def __init__(self, sql: Statements) -> None:
        self._sql = sql
