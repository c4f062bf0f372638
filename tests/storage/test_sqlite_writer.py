"""Only statements that may have to wait make a trip to SQLite's thread, one trip each."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.sqlite_reader import STATEMENTS_PER_YIELD
from storage.sqlite_writer import FIRST_ROWS, Connection, connect

MANY = 2 * FIRST_ROWS + 10
NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) SELECT i FROM n"  # noqa: S608


@pytest.fixture
async def connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Connection]:
    connection = await connect(str(tmp_path / "a.db"), verify=lambda: None)
    assert isinstance(connection, Connection)
    yield connection
    await connection.close()


@pytest.fixture
def trips(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that grows with each trip."""
    made: list[object] = []
    execute = connection._execute

    async def counted(work: object, *arguments: object) -> object:
        made.append(work)
        return await execute(work, *arguments)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(connection, "_execute", counted)
    return made


async def test_a_question_and_its_answer_take_no_trip(connection: Connection, trips: list[object]) -> None:
    cursor = await connection.cursor().execute("SELECT ?, 2", (1,))
    assert await cursor.fetchall() == [(1, 2)]
    await cursor.close()
    assert len(trips) == 0


async def test_a_transaction_takes_a_trip_to_begin_and_one_to_end(connection: Connection, trips: list[object]) -> None:
    await connection.cursor().execute("CREATE TABLE a (i)")
    await connection.cursor().execute("BEGIN IMMEDIATE")
    await connection.cursor().execute("INSERT INTO a VALUES (1)")
    await connection.commit()
    assert len(trips) == 2


async def test_many_rows_at_once_take_one_trip(connection: Connection, trips: list[object]) -> None:
    await connection.cursor().execute("CREATE TABLE a (i)")
    await connection.cursor().executemany("INSERT INTO a VALUES (?)", [(1,), (2,), (3,)])
    assert len(trips) == 1


async def test_of_many_statements_one_in_so_many_takes_a_trip(connection: Connection, trips: list[object]) -> None:
    for _ in range(3 * STATEMENTS_PER_YIELD):
        await connection.cursor().execute("SELECT 1")
    assert len(trips) == 3


async def test_all_of_many_rows_come(connection: Connection, trips: list[object]) -> None:
    cursor = await connection.cursor().execute(NUMBERS)
    assert await cursor.fetchall() == [(number,) for number in range(1, MANY + 1)]
    assert len(trips) == 1


async def test_many_rows_come_in_parts_and_in_order(connection: Connection) -> None:
    cursor = await connection.cursor().execute(NUMBERS)
    assert await cursor.fetchone() == (1,)
    rows = []
    while part := await cursor.fetchmany(300):
        assert len(part) <= 300
        rows += part
    assert rows == [(number,) for number in range(2, MANY + 1)]
    assert await cursor.fetchone() is None


async def test_a_cursor_that_is_closed_early_holds_nothing_open(connection: Connection) -> None:
    await (await connection.cursor().execute("CREATE TABLE a (i)")).close()
    cursor = await connection.cursor().execute(NUMBERS)
    await cursor.close()
    await connection.cursor().execute("DROP TABLE a")


async def test_what_was_written_is_counted(connection: Connection) -> None:
    cursor = connection.cursor()
    await cursor.execute("CREATE TABLE a (i INTEGER PRIMARY KEY, t)")
    await cursor.executemany("INSERT INTO a (t) VALUES (?)", [("x",), ("y",)])
    assert (await cursor.execute("UPDATE a SET t = 'z'")).rowcount == 2
    assert (await cursor.execute("INSERT INTO a (t) VALUES ('w')")).lastrowid == 3


def test_the_loop_closes_only_after_the_thread_of_a_stopped_connection(tmp_path: Path) -> None:
    async def give_up() -> None:
        connection = await connect(file, verify=lambda: None, timeout=0.2)
        assert isinstance(connection, Connection)
        beginning = asyncio.create_task(connection.cursor().execute("BEGIN IMMEDIATE"))
        await asyncio.sleep(0)  # its thread waits for the lock from now on
        beginning.cancel()
        connection.stop()

    file = str(tmp_path / "a.db")
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        before = threading.active_count()
        asyncio.run(give_up())
        assert threading.active_count() == before


def test_the_loop_closes_only_after_the_thread_of_a_failed_connect(tmp_path: Path) -> None:
    async def fail() -> None:
        with pytest.raises(sqlite3.OperationalError, match="unable to open"):
            await connect(str(tmp_path), verify=lambda: None)

    before = threading.active_count()
    asyncio.run(fail())
    assert threading.active_count() == before
