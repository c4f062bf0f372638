"""Databases on a server for the tests: one test after the other gets the same one, which is emptied in between.

Emptying a database takes a tenth of the time in which one is created and dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple, Self, TypeVar

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from loopback import HANG_SECONDS
from tests.postgres import Postgres

T = TypeVar("T")

Fill = Callable[[str], Coroutine[Any, Any, None]]
"""Stores rows in the empty database at an address."""

TEMPLATE = "migrated"
"""The name of a migrated and empty database on the server."""

_WRITTEN = (
    "SELECT CAST(oid::regclass AS text) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0"
)
"""The tables whose files are not empty: also those whose rows were deleted again or never committed."""

_NUMBERS = "SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL"
_RESTART = "SELECT setval(CAST(sequencename AS regclass), start_value, false) FROM pg_sequences WHERE last_value > 0"

_OBJECTS = "SELECT CAST(row(count(*), max(objid)) AS text) FROM pg_depend"
"""Tells whether there are other tables, columns, indexes, triggers, functions and the like."""

_LEFT = (
    "SELECT pid, application_name, state, query FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)

_numbers = count(1)


class LoopThread:
    """A thread with an event loop of its own, for work of fixtures that outlives the loop of a test."""

    def __enter__(self) -> Self:
        self._thread, self._loop = ThreadPoolExecutor(1), asyncio.new_event_loop()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.submit(self._loop.run_until_complete, work).result()


class Content(NamedTuple):
    """The rows of the tables that have some, as text, and the last numbers of the sequences that have counted."""

    rows: dict[str, list[str]]
    numbers: dict[str, int]


class LentDatabase:
    """A connection to a lent database that stays open, and what the database was like when it was new."""

    _fresh: Content
    _objects: list[str]

    def __init__(self, url: str, engine: AsyncEngine, connection: AsyncConnection) -> None:
        self.url = url
        self._engine = engine
        self._connection = connection

    @classmethod
    async def open(cls, url: str) -> Self:
        """Opens a database that no test has used."""
        engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
        database = cls(url, engine, await engine.connect())
        await database._run("SET session_replication_role = replica")  # rows come back without a look at foreign keys
        database._fresh, database._objects = await database.read(), await database._column(_OBJECTS)
        return database

    async def close(self) -> None:
        await self._connection.close()
        await self._engine.dispose()

    async def read(self) -> Content:
        """Returns all that is stored."""
        rows = {table: await self._rows(table) for table in await self._column(_WRITTEN)}
        numbers = await self._connection.exec_driver_sql(_NUMBERS)
        return Content(rows, {each.sequencename: each.last_value for each in numbers})

    async def write(self, content: Content) -> None:
        """Stores in the empty database what `read` has returned."""
        for table in content.rows.keys() - self._fresh.rows.keys():
            await self._insert(table, content.rows[table])
        for name, number in content.numbers.items():
            await self._run("SELECT setval(CAST(CAST($1 AS text) AS regclass), $2)", name, number)

    async def empty(self) -> None:
        """Makes the content what it was when the database was opened."""
        if written := set(await self._column(_WRITTEN)) - self._fresh.rows.keys():
            await self._run(f"TRUNCATE {', '.join(written)} CASCADE")
        for table, rows in self._fresh.rows.items():
            if await self._rows(table) != rows:
                await self._run(f"TRUNCATE {table} CASCADE")
                await self._insert(table, rows)
        await self._run(_RESTART)

    async def faults(self, patience: float) -> list[str]:
        """Returns what a test must not leave: other tables and the like, and connections.

        It waits until no connection is left. It ends those that are there after `patience` seconds.
        """
        found, loop = [], asyncio.get_running_loop()
        until = loop.time() + patience  # the server notices the end of a connection a moment later
        while left := (await self._connection.exec_driver_sql(_LEFT)).all():
            if loop.time() >= until:
                for each in left:
                    await self._run("SELECT pg_terminate_backend($1, $2)", each.pid, int(HANG_SECONDS * 1000))
                    found.append(f"a connection of {each.application_name} ({each.state}: {each.query})")
                break
        if await self._column(_OBJECTS) != self._objects:
            found.append("another schema, which needs a database of its own (bare_url)")
        return found

    async def _rows(self, table: str) -> list[str]:
        """Returns the rows of a table, whatever their order in its file."""
        return sorted(await self._column(f"SELECT CAST(each AS text) FROM {table} AS each"))  # noqa: S608

    async def _insert(self, table: str, rows: list[str]) -> None:
        columns = f"SELECT (CAST(line AS {table})).* FROM unnest(CAST($1 AS text[])) AS line"  # noqa: S608
        await self._run(f"INSERT INTO {table} OVERRIDING SYSTEM VALUE {columns}", rows)

    async def _column(self, question: str) -> list[str]:
        return list((await self._connection.exec_driver_sql(question)).scalars())

    async def _run(self, statement: str, *values: object) -> None:
        await self._connection.exec_driver_sql(statement, values)


class Databases:
    """Migrated databases, which tests borrow."""

    def __init__(self, server: Postgres, loop_thread: LoopThread, patience: float = HANG_SECONDS) -> None:
        self._server = server
        self._thread = loop_thread
        self._patience = patience
        self._all: list[LentDatabase] = []
        self._idle: list[LentDatabase] = []
        self._contents: dict[Fill, Content] = {}

    def close(self) -> None:
        for database in self._all:
            self._thread.run(database.close())

    @contextmanager
    def lent(self, fill: Fill | None = None) -> Iterator[str]:
        """Yields the address of a database, which is empty, or has what `fill` stores; `fill` runs once for all tests.

        Raises AssertionError if the block leaves connections or another schema.
        """
        database = self._idle.pop() if self._idle else self._thread.run(self._make())
        if fill is not None:
            self._thread.run(self._fill(database, fill))
        yield database.url
        faults = self._thread.run(database.faults(self._patience))
        assert not faults, f"the test has left {', '.join(faults)}"
        self._thread.run(database.empty())
        self._idle.append(database)

    async def _make(self) -> LentDatabase:
        database = await LentDatabase.open(await self._server.create(f"lent{next(_numbers)}", TEMPLATE))
        self._all.append(database)
        return database

    async def _fill(self, database: LentDatabase, fill: Fill) -> None:
        if fill in self._contents:
            await database.write(self._contents[fill])
        else:
            await fill(database.url)
            self._contents[fill] = await database.read()


async def outdate_the_program(url: str) -> None:
    """Names a step of the tables that only a later version has."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await engine.dispose()
