"""Connections to PostgreSQL: what a statement returns, and how a transaction ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import JSON, BigInteger, Double, String, bindparam, column, func, insert, select, table, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError

from storage import postgres_connection
from storage.engines import address
from storage.lists import is_among
from storage.postgres_connection import POOL_SECONDS, PostgresEngine

PLACE = table("place", column("i", BigInteger), column("t", String), column("j", JSON), column("x", Double))

CREATE = "CREATE TABLE place (i BIGINT PRIMARY KEY, t VARCHAR, j JSON, x DOUBLE PRECISION)"

CONNECTIONS = 2

SECRET = 123456789


@pytest.fixture
async def engine(bare_url: str) -> AsyncIterator[PostgresEngine]:
    """Transactions in a database with a table."""
    async with PostgresEngine.open(address(bare_url), "BEGIN ISOLATION LEVEL REPEATABLE READ", CONNECTIONS) as engine:
        async with engine.begin() as connection:
            await connection.execute(text(CREATE))
        yield engine


async def rows(engine: PostgresEngine) -> list[int]:
    async with engine.connect() as connection:
        return [row.i for row in await connection.execute(select(PLACE.c.i).order_by(PLACE.c.i))]


async def test_values_come_back_as_they_were(engine: PostgresEngine) -> None:
    stored = {"i": 2**62, "t": "Żółw \\ 'x' %s", "j": {"a": [1, None, "ä"]}, "x": 0.1}
    async with engine.begin() as connection:
        await connection.execute(insert(PLACE), stored)
    async with engine.connect() as connection:
        row = (await connection.execute(select(PLACE))).one()
        assert row._asdict() == stored
        found = await connection.execute(select(func.max(PLACE.c.x), func.avg(PLACE.c.i, type_=Double)))
        assert all(isinstance(value, float) for value in found.one())


async def test_statements_tell_how_many_rows_they_changed(engine: PostgresEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(insert(PLACE), [{"i": 1, "t": "x"}, {"i": 2, "t": "y"}, {"i": 3, "t": "y"}])
        assert (await connection.execute(update(PLACE).where(PLACE.c.t == "y").values(t="z"))).rowcount == 2
        changed = update(PLACE).where(PLACE.c.i.in_([1, 2, 9])).values(t="w").returning(PLACE.c.i)
        found = await connection.execute(changed)
        assert (found.rowcount, sorted(row.i for row in found)) == (2, [1, 2])
        assert (await connection.execute(text("DELETE FROM place WHERE i = :i"), {"i": 3})).rowcount == 1


async def test_a_text_has_the_columns_that_the_server_names(engine: PostgresEngine) -> None:
    async with engine.connect() as connection:
        row = (await connection.execute(text("SELECT 1 AS one, CAST(:word AS text) AS word"), {"word": "x"})).one()
    assert (row.one, row.word) == (1, "x")


async def test_a_statement_that_is_kept_takes_other_values(engine: PostgresEngine) -> None:
    kept = update(PLACE).where(PLACE.c.i == bindparam("which"))
    async with engine.begin() as connection:
        await connection.execute(insert(PLACE), {"i": 1, "t": "x", "x": 0})
        await connection.execute(kept, {"which": 1, "t": "y"})
        await connection.execute(kept, {"which": 1, "x": 2.5})
        assert (await connection.execute(select(PLACE.c.t, PLACE.c.x))).one() == ("y", 2.5)


async def test_a_statement_with_a_list_finds_what_is_in_it(engine: PostgresEngine) -> None:
    among = select(PLACE.c.i).where(is_among(PLACE.c.i, "wanted"))
    async with engine.begin() as connection:
        await connection.execute(insert(PLACE), [{"i": each} for each in (0, 1, 2**62)])
        for wanted in ([1], [2, 2**62], [], [9, 0, 1]):
            found = await connection.execute(among, {"wanted": wanted})
            assert {row.i for row in found} == {0, 1, 2**62} & {*wanted}


async def test_a_transaction_that_fails_leaves_nothing(engine: PostgresEngine) -> None:
    async def write_twice() -> None:
        async with engine.begin() as connection:
            await connection.execute(insert(PLACE), {"i": SECRET, "t": "x"})
            await connection.execute(insert(PLACE), {"i": SECRET, "t": "y"})

    for _ in range(CONNECTIONS + 1):
        with pytest.raises(IntegrityError) as caught:
            await write_twice()
        assert str(SECRET) not in f"{caught.value} {caught.value.__cause__}"
    assert await rows(engine) == []


async def test_a_reader_sees_one_moment(engine: PostgresEngine) -> None:
    async with engine.connect() as reading:
        assert (await reading.execute(select(PLACE))).all() == []
        async with engine.begin() as writing:
            await writing.execute(insert(PLACE), {"i": 1})
        assert (await reading.execute(select(PLACE))).all() == []
    assert await rows(engine) == [1]


async def test_a_cancelled_task_gives_back_a_connection_that_serves(engine: PostgresEngine) -> None:
    async def write_and_wait() -> None:
        async with engine.begin() as connection:
            await connection.execute(insert(PLACE), {"i": 1})
            started.set()
            await connection.execute(text("SELECT pg_sleep(30)"))

    for _ in range(CONNECTIONS + 1):
        started = asyncio.Event()
        writing = asyncio.create_task(write_and_wait())
        await started.wait()
        await asyncio.sleep(0)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    async with engine.connect() as one, engine.connect() as other:
        assert not one.raw.is_in_transaction()
        assert not other.raw.is_in_transaction()
    assert await rows(engine) == []


async def test_a_connection_that_the_server_ends_is_replaced(engine: PostgresEngine) -> None:
    async def write_and_end() -> None:
        async with engine.begin() as connection:
            await connection.execute(insert(PLACE), {"i": 1})
            await connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    for _ in range(CONNECTIONS + 1):
        with pytest.raises(DBAPIError):
            await write_and_end()
    assert await rows(engine) == []


async def test_the_server_ends_a_transaction_that_takes_too_long(
    bare_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_connection, "TRANSACTION_SECONDS", 0.2)
    async with PostgresEngine.open(address(bare_url), "BEGIN", 1) as engine, engine.connect() as connection:
        with pytest.raises(DBAPIError, match="transaction timeout"):
            await connection.execute(text("SELECT pg_sleep(20)"))


async def test_an_error_of_the_work_is_not_hidden_by_a_lost_connection(engine: PostgresEngine) -> None:
    async def lose_and_fail() -> None:
        async with engine.begin() as connection:
            await connection.execute(insert(PLACE), {"i": 1})
            connection.raw.terminate()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await lose_and_fail()


async def test_a_transaction_waits_for_a_connection_and_not_for_ever(
    engine: PostgresEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert POOL_SECONDS >= 1
    with monkeypatch.context() as short:
        async with engine.connect(), engine.connect():
            short.setattr("storage.postgres_connection.POOL_SECONDS", 0.01)
            with pytest.raises(TimeoutError):
                async with engine.connect():
                    pass
    assert await rows(engine) == []


async def test_a_server_that_is_not_there_is_an_error_of_the_system() -> None:
    async with PostgresEngine.open(make_url("postgresql+asyncpg://kropka@/kropka?host=/nowhere"), "BEGIN", 1) as engine:
        with pytest.raises(OSError, match="No such file"):
            async with engine.connect():
                pass


async def test_watchers_see_each_statement_with_its_values(engine: PostgresEngine) -> None:
    seen: list[tuple[str, list[object]]] = []
    engine.watchers.append(lambda _, statement, values: seen.append((statement, list(values))))
    async with engine.connect() as connection:
        await connection.execute(select(PLACE.c.t).where(PLACE.c.i == 7))
    ((statement, values),) = seen
    assert statement.startswith("SELECT place.t")
    assert values == [7]
