"""Statements run on the event loop; only what may have to wait makes a trip to a thread."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import bindparam, column, insert, select, table, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from storage.lists import is_among
from storage.open_file import OpenFile
from storage.sqlite_connection import FIRST_ROWS, STATEMENTS_PER_YIELD
from storage.sqlite_reader import SqliteReader
from storage.sqlite_writer import SqliteWriter

WAL = ("PRAGMA journal_mode = WAL",)
PLACE = table("a", column("i"), column("t"))
TURNS_TO_A_TRIP = 2
"""Turns of the event loop until a new task has asked the thread for something."""

MANY = 2 * FIRST_ROWS + 10
NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) SELECT i FROM n"  # noqa: S608


@pytest.fixture
def opened(tmp_path: Path) -> OpenFile:
    file = tmp_path / "a.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE a (i INTEGER PRIMARY KEY, t)")
    return OpenFile(file)


@pytest.fixture
async def writer(opened: OpenFile) -> AsyncIterator[SqliteWriter]:
    async with aclosing(SqliteWriter(opened, WAL, keeps=True)) as writer:
        async with writer.begin():
            pass  # its connection is open
        yield writer


@pytest.fixture
def reader(opened: OpenFile) -> SqliteReader:
    return SqliteReader(opened, ())


@pytest.fixture
def trips(writer: SqliteWriter, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that grows with each trip to the thread of the connection."""
    made: list[object] = []
    assert writer._connected is not None
    thread = writer._connected.in_thread
    put = thread._tx.put_nowait

    def counted(work: Any) -> None:
        made.append(work)
        put(work)

    monkeypatch.setattr(thread, "_tx", SimpleNamespace(put_nowait=counted))
    return made


async def rows(reader: SqliteReader) -> list[tuple[Any, ...]]:
    async with reader.connect() as connection:
        return [tuple(row) for row in await connection.execute(select(PLACE).order_by(PLACE.c.i))]


async def start_to_write(writer: SqliteWriter) -> asyncio.Task[None]:
    """Returns a task that writes a row, and has just asked the thread for something."""

    async def write() -> None:
        async with writer.begin() as connection:
            await connection.execute(insert(PLACE).values(i=1))

    writing = asyncio.create_task(write())
    for _ in range(TURNS_TO_A_TRIP):
        await asyncio.sleep(0)
    return writing


async def test_a_transaction_takes_one_trip_to_commit(writer: SqliteWriter, trips: list[object]) -> None:
    async with writer.begin() as connection:
        await connection.execute(insert(PLACE), [{"i": 1, "t": "x"}, {"i": 2, "t": "y"}])
        assert (await connection.execute(update(PLACE).values(t="z"))).rowcount == 2
        assert (await connection.execute(select(PLACE.c.i).where(PLACE.c.i == 2))).scalar_one() == 2
        assert not trips
    assert len(trips) == 1


async def test_a_transaction_that_fails_leaves_nothing(writer: SqliteWriter, reader: SqliteReader) -> None:
    async def write_twice() -> None:
        async with writer.begin() as connection:
            await connection.execute(insert(PLACE).values(i=1, t="x"))
            await connection.execute(insert(PLACE).values(i=1, t="y"))

    with pytest.raises(IntegrityError):
        await write_twice()
    assert await rows(reader) == []


async def test_an_error_names_the_statement_and_no_value(writer: SqliteWriter) -> None:
    with pytest.raises(OperationalError, match="no_such") as caught:
        async with writer.begin() as connection:
            await connection.execute(text("SELECT :word FROM no_such"), {"word": "secret"})
    assert "secret" not in str(caught.value)


async def test_transactions_take_turns(writer: SqliteWriter, reader: SqliteReader) -> None:
    async def count_up() -> None:
        async with writer.begin() as connection:
            number = (await connection.execute(text("SELECT count(*) FROM a"))).scalar_one()
            await asyncio.sleep(0)
            await connection.execute(insert(PLACE).values(i=number))

    await asyncio.gather(*(count_up() for _ in range(5)))
    assert [number for number, _ in await rows(reader)] == [0, 1, 2, 3, 4]


async def test_a_beginning_waits_in_the_thread_for_another_program(
    writer: SqliteWriter, opened: OpenFile, trips: list[object]
) -> None:
    with closing(sqlite3.connect(opened.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = await start_to_write(writer)
        assert trips
        other.execute("ROLLBACK")
        await writing


async def test_a_transaction_whose_task_is_cancelled_gives_its_turn_on(
    writer: SqliteWriter, reader: SqliteReader
) -> None:
    async def write(number: int) -> None:
        async with writer.begin() as connection:
            await connection.execute(insert(PLACE).values(i=number))
            if number == 1:
                await asyncio.Event().wait()

    first = asyncio.create_task(write(1))
    await asyncio.sleep(0)
    first.cancel()
    await write(2)
    assert await rows(reader) == [(2, None)]


async def test_a_commit_is_over_when_its_cancelled_task_is(
    writer: SqliteWriter, reader: SqliteReader, trips: list[object]
) -> None:
    writing = await start_to_write(writer)
    assert trips, "it commits"
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await rows(reader) == [(1, None)]


async def test_a_read_is_of_one_moment(writer: SqliteWriter, reader: SqliteReader) -> None:
    async with reader.connect() as connection:
        assert (await connection.execute(select(PLACE))).all() == []
        async with writer.begin() as writing:
            await writing.execute(insert(PLACE).values(i=1))
        assert (await connection.execute(select(PLACE))).all() == []
    assert await rows(reader) == [(1, None)]


async def test_after_so_many_statements_others_have_their_turn(reader: SqliteReader) -> None:
    turns = list[int]()

    async def count() -> None:
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    async with reader.connect() as connection:
        for _ in range(3 * STATEMENTS_PER_YIELD):
            await connection.execute(text("SELECT 1"))
    counting.cancel()
    assert len(turns) == 3


async def test_all_of_many_rows_come_in_their_order(reader: SqliteReader) -> None:
    async with reader.connect() as connection:
        assert [number for (number,) in await connection.execute(text(NUMBERS))] == [*range(1, MANY + 1)]


async def test_a_statement_that_is_kept_takes_other_values_and_other_names(writer: SqliteWriter) -> None:
    kept = update(PLACE).where(PLACE.c.i == bindparam("which"))
    async with writer.begin() as connection:
        await connection.execute(insert(PLACE).values(i=1, t="x"))
        await connection.execute(kept, {"which": 1, "t": "y"})
        await connection.execute(kept, {"which": 1, "i": 2})
        await connection.execute(kept, {"which": 2, "t": "z"})
        assert (await connection.execute(select(PLACE))).one() == (2, "z")


async def test_statements_that_are_built_alike_keep_their_own_values(writer: SqliteWriter) -> None:
    async with writer.begin() as connection:
        await connection.execute(insert(PLACE), [{"i": each, "t": str(each)} for each in range(5)])
        for wanted in ([1], [2, 3], [], [4, 0, 1]):
            found = await connection.execute(select(PLACE.c.i).where(PLACE.c.i.in_(wanted), PLACE.c.t != "9"))
            assert sorted(row.i for row in found) == sorted(wanted)


async def test_a_statement_with_a_list_has_one_text(writer: SqliteWriter) -> None:
    among, texts = select(PLACE.c.i).where(is_among(PLACE.c.i, "wanted"), PLACE.c.t != "9"), set[str]()
    async with writer.begin() as connection:
        await connection.execute(insert(PLACE), [{"i": each, "t": str(each)} for each in (0, 1, 2**62, 9)])
        writer.watchers.append(lambda _, sql, __: texts.add(sql))
        for wanted in ([1], [2, 2**62], [], [9, 0, 1]):
            found = await connection.execute(among, {"wanted": wanted})
            assert {row.i for row in found} == {0, 1, 2**62} & {*wanted}
    assert len(texts) == 1


async def test_a_text_with_places_for_one_list_is_not_kept_for_others(writer: SqliteWriter) -> None:
    async with writer.begin() as connection:
        with pytest.raises(AssertionError, match="is_among"):
            await connection.execute(select(PLACE).where(PLACE.c.i.in_(bindparam("wanted"))), {"wanted": [1]})


def test_the_thread_ends_with_the_writer(opened: OpenFile) -> None:
    async def write() -> None:
        async with aclosing(SqliteWriter(opened, WAL, keeps=True)) as writer, writer.begin():
            pass

    before = threading.active_count()
    asyncio.run(write())
    assert threading.active_count() == before
