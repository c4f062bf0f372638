"""Guarantees for several processes on one PostgreSQL."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import create_async_engine

from storage import Database, address, migrate
from storage.breaker import MAX_FAILURES
from storage.errors import Stale, Unavailable
from storage.postgres_connection import PostgresConnection, PostgresEngine
from storage.schema import match as match_table
from tests.matches import a_match, add_match, load_match, play_turn, save_match
from tests.postgres import Postgres
from tests.storage.plans import BOUNDED
from tests.storage.test_sqlite import QUESTIONS


@pytest.fixture
async def twins(postgres_url: str) -> AsyncIterator[tuple[Database, Database]]:
    """Two processes' stores."""
    async with Database.open(postgres_url) as one, Database.open(postgres_url) as other:
        yield one, other


async def test_what_one_process_writes_another_reads(twins: tuple[Database, Database]) -> None:
    match = await save_match(twins[0], play_turn(await add_match(twins[0])))
    assert (await load_match(twins[1], match.id)).events == match.events


async def test_of_two_processes_moves_at_one_version_the_later_is_stale(twins: tuple[Database, Database]) -> None:
    match = await add_match(twins[0])
    rivals = [save_match(store, play_turn(match, source=number)) for number, store in enumerate(twins, 1)]
    results = await asyncio.gather(*rivals, return_exceptions=True)
    assert sum(isinstance(result, Stale) for result in results) == 1


async def test_a_row_that_another_process_changed_since_the_transaction_began_makes_it_stale(
    twins: tuple[Database, Database],
) -> None:
    match = await add_match(twins[0])
    change = update(match_table).where(match_table.c.id == match.id)

    async def overtaken() -> None:
        async with twins[0].write() as one:
            assert await one.matches.get(match.id) is not None
            async with twins[1].write() as other:
                await other.connection.execute(change.values(board=1))
            await one.connection.execute(change.values(board=2))

    with pytest.raises(Stale):
        await overtaken()


async def test_a_reader_cannot_write(twins: tuple[Database, Database]) -> None:
    with pytest.raises(Unavailable, match="read-only"):
        async with twins[0].read() as reader:
            await reader.connection.execute(text("DELETE FROM outbox"))


async def test_the_servers_clock_is_the_stores(postgres_url: str) -> None:
    engine = create_async_engine(postgres_url)
    async with Database.open(postgres_url) as store, store.read() as reader, engine.connect() as connection:
        clock = text("SELECT extract(epoch FROM clock_timestamp()) * 1000")
        before = (await connection.execute(clock)).scalar_one()
        now = await reader.clock.now()
        after = (await connection.execute(clock)).scalar_one()
    await engine.dispose()
    assert before - 1 <= now <= after + 1


@pytest.mark.postgres
async def test_a_stopped_server_is_unavailable_and_a_started_one_serves_on(server: Postgres) -> None:
    async with Database.open(await server.create("kropka")) as store:
        match = await save_match(store, play_turn(await add_match(store)))
        server.stop("fast")
        for _ in range(MAX_FAILURES - 1):
            with pytest.raises(Unavailable):
                await save_match(store, play_turn(match))
        server.start()
        await save_match(store, play_turn(match))
        assert (await load_match(store, match.id)).version == 2


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises((Unavailable, OSError)):
        await migrate("postgresql+asyncpg://kropka@/kropka?host=/nowhere")


@pytest.mark.parametrize("question", QUESTIONS)
async def test_no_question_looks_at_every_row(filled_url: str, question: str) -> None:
    ask, _ = QUESTIONS[question]
    asked: list[tuple[str, Any]] = []
    async with Database.open(filled_url) as store:
        assert isinstance(store._reader, PostgresEngine)
        store._reader.watchers.append(lambda _, statement, values: asked.append((statement, values)))
        async with store.read() as reader:
            await ask(reader)
        store._reader.watchers.clear()
        async with store.read() as reader:
            connection = reader.connection
            assert isinstance(connection, PostgresConnection)
            await connection.execute(text("SET LOCAL enable_seqscan = off"))  # which tiny tables are read by
            plan = [
                line
                for statement, values in asked
                if statement.startswith("SELECT")
                for (line,) in await connection.raw.fetch(f"EXPLAIN {statement}", *values)
            ]
    assert plan
    assert {table for line in plan for table in re.findall(r"Seq Scan on (\w+)", line)} <= BOUNDED.keys()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("postgres://k:p@h:5/d", "postgresql+asyncpg://k:p@h:5/d"),
        ("postgresql://k:p@h/d?sslmode=require", "postgresql+asyncpg://k:p@h/d?ssl=require"),
        ("postgresql+asyncpg://k:p@h/d", "postgresql+asyncpg://k:p@h/d"),
        ("sqlite:///data/kropka.db", "sqlite+aiosqlite:///data/kropka.db"),
    ],
)
def test_an_address_is_read_as_hosting_services_write_it(written: str, meant: str) -> None:
    assert address(written).render_as_string(hide_password=False) == meant


@pytest.mark.parametrize("written", ["kropka.db", "mysql://h/d", ""])
def test_an_address_of_no_known_database_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"database|sqlite"):
        address(written)


async def test_a_match_that_was_never_added_is_stale_and_the_next_transaction_goes_on(postgres_url: str) -> None:
    async with Database.open(postgres_url) as store:
        with pytest.raises(Stale):
            async with store.write() as tx:
                await tx.matches.save(play_turn(a_match()))
        match = await add_match(store, a_match(2))
        assert (await load_match(store, match.id)).channel == 2
