"""The steps lead from nothing to the tables as storage/schema/ describes them."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection, inspect, update
from sqlalchemy.ext.asyncio import create_async_engine

from play.community.role_rewards import RoleRewards
from storage import Database, migrate, schema
from storage.schema import metadata
from tests.clock import NOON
from tests.league import POOL, add_rated_match
from tests.matches import ANNA, BORIS, CLARA, GUILD, add_match, load_match
from tests.postgres import Postgres

T = TypeVar("T")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without any table."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path}/bare.db"
    address: str = request.getfixturevalue("bare_url")
    return address


async def read(url: str, question: Callable[[Connection], T]) -> T:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        answer = await connection.run_sync(question)
    await engine.dispose()
    return answer


async def test_the_steps_lead_to_the_tables_of_the_schema(url: str) -> None:
    await migrate(url)
    assert await read(url, lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)) == []


async def test_the_steps_write_the_same_statements_as_the_schema(tmp_path: Path) -> None:
    """Reads SQLite's own definitions: compare_metadata ignores partial indexes, AUTOINCREMENT and WITHOUT ROWID.

    A table that a step has built anew has its name in quotes.
    """

    def statements(connection: Connection) -> set[str]:
        found = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {
            re.sub(r"\s*([,()])\s*|\s+", lambda gap: gap[1] or " ", sql.replace('"', ""))
            for (sql,) in found
            if "alembic_version" not in sql
        }

    stepped, created = (f"sqlite+aiosqlite:///{tmp_path}/{name}.db" for name in ("stepped", "created"))
    await migrate(stepped)
    await read(created, metadata.create_all)
    assert await read(stepped, statements) == await read(created, statements)


async def test_the_steps_lead_to_the_same_columns_and_indexes_as_the_schema(postgres: Postgres) -> None:
    """Reads PostgreSQL's own definitions: compare_metadata ignores partial indexes, names and sequences."""

    def described(connection: Connection) -> set[tuple[str, ...]]:
        columns = "table_name, column_name, data_type, is_nullable, coalesce(column_default, '')"
        return {
            tuple(row)
            for statement in (
                f"SELECT {columns} FROM information_schema.columns WHERE table_schema = 'public'",  # noqa: S608
                "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
                "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
                " FROM pg_constraint WHERE conrelid > 0",
            )
            for row in connection.exec_driver_sql(statement)
            if row[0] != "alembic_version"
        }

    stepped, created = [await postgres.create(name) for name in ("by-steps", "by-schema")]
    await migrate(stepped)
    await read(created, metadata.create_all)
    assert await read(stepped, described) == await read(created, described)


async def test_processes_that_upgrade_at_once_do_it_one_after_the_other(bare_url: str) -> None:
    await asyncio.gather(*(migrate(bare_url) for _ in range(4)))
    async with Database.open(bare_url) as store:
        await add_match(store)


async def test_a_second_upgrade_changes_nothing(url: str) -> None:
    async with Database.open(url) as store:
        match = await add_match(store)
    await migrate(url)
    async with Database.open(url) as store:
        assert (await load_match(store, match.id)).events == ()


async def test_a_step_that_fails_leaves_nothing_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", fail)
        with pytest.raises(ZeroDivisionError):
            await migrate(url)
    assert await read(url, lambda connection: inspect(connection).get_table_names()) == []
    await migrate(url)


async def test_an_upgrade_leaves_logging_alone(url: str) -> None:
    logger = logging.getLogger("kropka.of.a.test")
    before = (logging.root.level, list(logging.root.handlers), logger.disabled)
    await migrate(url)
    assert (logging.root.level, list(logging.root.handlers), logger.disabled) == before


async def test_players_who_qualify_by_the_new_rule_get_their_places(url: str) -> None:
    async with Database.open(url) as store:
        for day in range(8):
            await add_rated_match(store, ANNA, BORIS, day=day)
        await add_rated_match(store, ANNA, CLARA, day=9)
        async with store.write() as tx:
            await tx.role_rewards.save(RoleRewards(GUILD, POOL))
    await read(url, lambda connection: connection.execute(update(schema.standing).values(listed=False)).rowcount)

    def run_step(connection: Connection) -> None:
        with Operations.context(MigrationContext.configure(connection)):
            import_module("storage.migrations.versions.r0013_qualified").upgrade()

    await read(url, run_step)
    async with Database.open(url) as store, store.read() as reader:
        lines = await reader.leaderboards.leaders(POOL, GUILD, 0, 9)
        assert {line.user: line.provisional for line in lines} == {ANNA: False, BORIS: False, CLARA: True}
        assert await reader.role_rewards.to_update(NOON, 9) == [GUILD]
