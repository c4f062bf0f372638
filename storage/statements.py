"""A connection in a transaction, and the few ways in which statements are run on it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from sqlalchemy import CursorResult, Dialect, Executable, Row, Table, Update, text

from play.ids import Millis
from play.store import Stale

AnyRow = Row[Any]


class Connection(Protocol):
    """SQLAlchemy's AsyncConnection, as far as statements need it."""

    @property
    def dialect(self) -> Dialect: ...

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]: ...


class Pulse(NamedTuple):
    """A heartbeat of this process by its `uptime`; a gap of more than `away` after it may be a downtime."""

    uptime: Millis
    away: Millis


class Clock(Protocol):
    """A `storage.steady_clock.SteadyClock`."""

    boot: str | None

    @property
    def origin(self) -> Millis | None: ...

    async def now(self, connection: Connection) -> Millis: ...

    def believe(self) -> None: ...

    def is_borne_out(self, moment: Millis, within: Millis) -> bool: ...

    def pulse(self, away: Millis) -> Pulse | None: ...

    def beaten(self, pulse: Pulse) -> None: ...


class Statements:
    """What reads and writes have in common."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock

    async def now(self) -> Millis:
        return await self._clock.now(self._connection)

    async def _all(self, statement: Executable, **values: Any) -> list[AnyRow]:
        """`values` are the parameters of a statement built once: to build one takes as long as to run it."""
        return list((await self._connection.execute(statement, values)).all())

    async def _first(self, statement: Executable, **values: Any) -> AnyRow | None:
        return (await self._connection.execute(statement, values)).one_or_none()

    async def _value(self, statement: Executable) -> Any:
        return (await self._connection.execute(statement)).scalar_one()

    async def _lock(self, table: Table) -> None:
        """Lets no other transaction pass this point for the same table until this one ends.

        In PostgreSQL the mode that excludes nothing but itself: others read and write the table as always. LOCK does
        not fix what a transaction sees, so what it reads afterwards is what those before it have left. In SQLite one
        transaction writes at a time anyway.
        """
        if self._connection.dialect.name == "postgresql":
            await self._connection.execute(text(f"LOCK TABLE {table.name} IN SHARE UPDATE EXCLUSIVE MODE"))

    async def _change(self, change: Update, **values: Any) -> None:
        """Raises Stale if there is nothing to change."""
        if (await self._connection.execute(change, values)).rowcount == 0:
            raise Stale
