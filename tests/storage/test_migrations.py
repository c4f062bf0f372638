"""The steps lead from the oldest tables that a database may have to those of storage/schema/."""

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
from sqlalchemy import Connection, inspect, select
from sqlalchemy.ext.asyncio import create_async_engine

from play.competitions.tournament import TournamentId
from play.ids import IdentityKind, Millis, Platform, UserId
from play.people.settings import Block
from play.posts import PostKey, PostKind, PostProblem, PostTrouble
from storage import Database, migrate
from storage.errors import Broken
from storage.schema import metadata
from tests.clock import NOON
from tests.left import restore_file, restore_server
from tests.matches import BORIS, add_match, load_match
from tests.postgres import Postgres
from tests.storage.sql import execute

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


@pytest.fixture
async def left(url: str, tmp_path: Path) -> str:
    """The database that commit c3713417 has left, as a file or on a server."""
    if url.startswith("sqlite"):
        return restore_file(tmp_path)
    await restore_server(url, tmp_path)
    return url


async def test_a_new_database_has_the_tables_of_the_schema(url: str) -> None:
    await migrate(url)
    assert await read(url, lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)) == []


async def test_the_steps_lead_to_the_same_statements_as_the_schema(tmp_path: Path) -> None:
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

    created = f"sqlite+aiosqlite:///{tmp_path}/created.db"
    await migrate(stepped := restore_file(tmp_path))
    await migrate(created)
    assert await read(stepped, statements) == await read(created, statements)


async def test_the_steps_lead_to_the_same_columns_and_indexes_as_the_schema(postgres: Postgres, tmp_path: Path) -> None:
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
    await restore_server(stepped, tmp_path)
    for url in (stepped, created):
        await migrate(url)
    assert await read(stepped, described) == await read(created, described)


async def test_the_steps_move_the_same_rows_on_both_engines(postgres: Postgres, tmp_path: Path) -> None:
    def rows(connection: Connection) -> dict[str, list[dict[str, object]]]:
        return {
            table.name: [
                row._asdict() for row in connection.execute(select(table).order_by(*table.primary_key.columns))
            ]
            for table in metadata.sorted_tables
        }

    file, server = restore_file(tmp_path), await postgres.create("moved")
    (tmp_path / "server").mkdir()
    await restore_server(server, tmp_path / "server")
    for url in (file, server):
        await migrate(url)
    moved = await read(file, rows)
    assert moved == await read(server, rows)
    assert {row["kind"] for row in moved["competition"]} == {"tournament", "league", "season", "contest", "ladder"}


async def test_keepers_and_troubles_move_with_their_posts(left: str) -> None:
    def run_steps(connection: Connection) -> None:
        with Operations.context(MigrationContext.configure(connection)):
            for name in ("r0047_lost_answers", "r0048_kept_posts"):
                import_module(f"storage.migrations.versions.{name}").upgrade()

    await read(left, run_steps)
    row = "INSERT INTO kept_post (kind, number, side, keeper, problem, since, ended)"
    await execute(
        left,
        "UPDATE alembic_version SET version_num = '0048'",
        f"{row} VALUES ('tournament', 1, 0, 5, NULL, NULL, false)",
        f"{row} SELECT 'home', guild, 0, 6, 'channel', 7, false FROM home",  # noqa: S608 - constants
        "UPDATE daily_place SET trouble = 'permission', failing = 9",
    )
    async with Database.open(left) as store, store.read() as reader:
        tournament = await reader.tournaments.get(TournamentId(1))
        assert tournament is not None
        home = await reader.homes.get(tournament.guild)
        assert home is not None
        keepers = [(await reader.kept_posts.with_keeper(each.post)).keeper for each in (tournament, home)]
        daily = await reader.kept_posts.trouble(PostKey(PostKind.DAILY, tournament.guild))
    assert (keepers, home.trouble, home.failing) == ([5, 6], PostProblem.CHANNEL, 7)
    assert daily == PostTrouble(PostProblem.PERMISSION, Millis(9))


async def test_a_database_of_before_takes_people_of_other_platforms(left: str) -> None:
    async with Database.open(left) as store:
        async with store.write() as tx:
            anna = UserId(await tx.identities.take(Platform.MATRIX, IdentityKind.USER, "@anna:example.org", NOON))
            await tx.blocks.add(Block(anna, BORIS), NOON)
        async with store.read() as reader:
            assert await reader.blocks.of_user(anna) == [BORIS]


async def test_a_database_from_before_the_baseline_says_what_to_do(left: str) -> None:
    await execute(left, "UPDATE alembic_version SET version_num = '0008'")
    with pytest.raises(Broken, match=r"step 0008 .* Run `kropka migrate` of commit c3713417 first"):
        await migrate(left)


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


async def test_a_step_that_fails_leaves_nothing_behind(left: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    def tables(connection: Connection) -> list[str]:
        return sorted(inspect(connection).get_table_names())

    before = await read(left, tables)
    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", fail)
        with pytest.raises(ZeroDivisionError):
            await migrate(left)
    assert await read(left, tables) == before
    await migrate(left)


async def test_an_upgrade_leaves_logging_alone(url: str) -> None:
    logger = logging.getLogger("kropka.of.a.test")
    before = (logging.root.level, list(logging.root.handlers), logger.disabled)
    await migrate(url)
    assert (logging.root.level, list(logging.root.handlers), logger.disabled) == before
