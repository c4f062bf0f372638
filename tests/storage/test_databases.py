"""A database that a test borrows is as good as new, whatever the test before it did."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import create_async_engine

from storage.advisory import Locks
from storage.errors import Unavailable
from storage.schema import metadata
from tests.databases import TEMPLATE, Databases, LoopThread
from tests.postgres import Postgres
from tests.storage.sql import execute

Content = dict[str, list[tuple[object, ...]]]

SAMPLES = {int: 1, bool: True, float: 0.5, str: "x", object: []}
"""A value for each type of column."""


@pytest.fixture
async def fresh(postgres: Postgres) -> AsyncIterator[Content]:
    """The content of a database that no test has used."""
    yield await content(await postgres.create("fresh", TEMPLATE))
    await postgres.drop("fresh")


@pytest.fixture
def impatient(postgres: Postgres, loop_thread: LoopThread) -> Iterator[Databases]:
    """Databases that wait for no connection to end."""
    databases = Databases(postgres, loop_thread, patience=0)
    yield databases
    databases.close()


async def content(url: str) -> Content:
    """Returns the rows of all tables, and the state of all sequences."""
    engine, columns = create_async_engine(url), {"r": "*", "S": "last_value, is_called"}
    async with engine.connect() as connection:
        kinds = "SELECT relname, CAST(relkind AS text) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        found = {
            name: [*map(tuple, await connection.execute(text(f'SELECT {columns[kind]} FROM "{name}"')))]  # noqa: S608
            for name, kind in (await connection.execute(text(kinds))).all()
            if kind in columns
        }
    await engine.dispose()
    return found


async def fill(url: str) -> None:
    """Stores a row in every table, whatever it refers to, so that every sequence counts."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        await connection.execute(text("SET session_replication_role = replica"))  # which ignores foreign keys
        for table in metadata.sorted_tables:
            given = (column for column in table.columns if column is not table.autoincrement_column)
            row = {column.name: SAMPLES[column.type.python_type] for column in given}
            await connection.execute(insert(table).values(row))
    await engine.dispose()


def test_an_emptied_database_equals_a_fresh_one(databases: Databases, loop_thread: LoopThread, fresh: Content) -> None:
    with databases.lent() as url:
        loop_thread.run(fill(url))
        loop_thread.run(execute(url, "UPDATE alembic_version SET version_num = '9999'"))
        filled = loop_thread.run(content(url))
        assert [name for name, rows in fresh.items() if filled[name] == rows] == []
    with databases.lent() as again:
        assert (again, loop_thread.run(content(again))) == (url, fresh)


def test_rows_that_are_gone_leave_nothing_either(databases: Databases, loop_thread: LoopThread, fresh: Content) -> None:
    with databases.lent() as url:
        loop_thread.run(execute(url, "INSERT INTO block VALUES (1, 2, 3)", "DELETE FROM block"))
        loop_thread.run(execute(url, "DELETE FROM alembic_version"))
    with databases.lent() as again:
        assert (again, loop_thread.run(content(again))) == (url, fresh)


def test_what_is_filled_once_is_the_same_the_next_time(databases: Databases, loop_thread: LoopThread) -> None:
    with databases.lent(fill) as url:
        filled = loop_thread.run(content(url))
    with databases.lent(fill) as again:
        assert (again, loop_thread.run(content(again))) == (url, filled)


def test_databases_that_are_lent_at_the_same_time_are_others(databases: Databases) -> None:
    with databases.lent() as one, databases.lent() as other:
        assert one != other


async def test_a_connection_that_a_test_leaves_is_named_and_ended(impatient: Databases) -> None:
    async with AsyncExitStack() as later:
        with pytest.raises(AssertionError, match=r"left a connection of kropka locks \(idle"), impatient.lent() as url:
            locks = await take_a_lock(url, later)
        with pytest.raises(Unavailable):
            await locks.taken(7)


async def take_a_lock(url: str, later: AsyncExitStack) -> Locks:
    """Takes a lock on a connection that is closed `later`."""
    locks = await later.enter_async_context(Locks.open(url))
    await locks.take((7, 3))
    return locks


def test_another_schema_is_a_fault_of_the_test(impatient: Databases, loop_thread: LoopThread) -> None:
    with pytest.raises(AssertionError, match="left another schema"), impatient.lent() as url:
        loop_thread.run(execute(url, "CREATE INDEX further ON block (at)"))
