"""A database that is locked, damaged, gone or newer than the program: no lost move is confirmed."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, text

from play.ids import MatchId, UserId
from play.people.settings import PlayerSettings
from storage import Database, migrate, schema
from storage.breaker import MAX_FAILURES
from storage.errors import Broken, CannotOpen, Gone, OutOfRange, Unavailable
from storage.sqlite import MAX_LOG_BYTES
from storage.sqlite_writer import SqliteWriter
from tests.databases import outdate_the_program
from tests.matches import a_match, add_match, load_match, play_turn, save_match
from tests.storage.test_backup import damage, played


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kropka.db"


@pytest.fixture
async def sqlite(sqlite_url: str) -> AsyncIterator[Database]:
    """A store on a file, with a short wait for locks."""
    async with Database.open(sqlite_url) as store:
        for engine in (store._writer, store._examiner):
            assert isinstance(engine, SqliteWriter)
            engine.busy_millis = 50
        yield store


def delete(file: Path) -> None:
    file.unlink()


def delete_all(file: Path) -> None:
    for each in file.parent.glob("kropka.db*"):
        each.unlink()


def delete_the_log(file: Path) -> None:
    file.with_name("kropka.db-wal").unlink()


def move_away(file: Path) -> None:
    file.rename(file.with_name("away.db"))


def replace(file: Path) -> bytes:
    """Puts another file in the place of the open one; returns its content."""
    other = file.with_name("other.db")
    other.write_bytes(content(file))
    other.replace(file)
    return content(file)


def content(file: Path) -> bytes:
    return file.read_bytes()


def forbid(file: Path) -> None:
    file.chmod(0o400)


def empty(file: Path) -> None:
    os.truncate(file, 0)


def overwrite_the_header(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.write(b"no database any more" * 10)


def checkpoint(file: Path) -> None:
    """Empties the log into the file, so that the file alone holds all commits."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


VANISHINGS = [delete, delete_all, delete_the_log, move_away, replace, empty]


@pytest.mark.parametrize("vanish", VANISHINGS)
async def test_a_move_is_not_acknowledged_into_a_file_that_is_gone(
    sqlite: Database, file: Path, vanish: Callable[[Path], object]
) -> None:
    match = await save_match(sqlite, play_turn(await add_match(sqlite)))
    vanish(file)
    with pytest.raises(Unavailable):
        await save_match(sqlite, play_turn(match))


@pytest.mark.parametrize("vanish", VANISHINGS)
async def test_a_check_fails_when_the_file_is_gone(
    sqlite: Database, file: Path, vanish: Callable[[Path], object]
) -> None:
    await add_match(sqlite)
    await sqlite.examine()
    vanish(file)
    with pytest.raises(Gone):
        await sqlite.examine()


async def test_a_file_that_is_gone_ends_the_watch_and_is_named(sqlite: Database, file: Path) -> None:
    watch = asyncio.create_task(sqlite.watch())
    await add_match(sqlite)
    assert not watch.done()
    delete(file)
    with pytest.raises(Unavailable):
        await add_match(sqlite, a_match(2))
    with pytest.raises(Gone, match=f"{file} was deleted, moved, replaced or emptied"):
        await watch


async def test_from_a_file_that_is_gone_nothing_is_read_any_more(sqlite: Database, file: Path) -> None:
    match = await add_match(sqlite)
    delete(file)
    with pytest.raises(Gone):
        await save_match(sqlite, play_turn(match))
    with pytest.raises(Gone):
        await load_match(sqlite, match.id)


async def test_what_took_the_place_of_the_file_is_left_as_it_is(sqlite_url: str, file: Path) -> None:
    async with Database.open(sqlite_url) as store:
        match = await add_match(store)
        before = replace(file)
        with pytest.raises(Gone):
            await save_match(store, play_turn(match))
    assert content(file) == before


async def test_a_move_is_kept_when_only_the_log_was_deleted(sqlite_url: str, file: Path) -> None:
    async with Database.open(sqlite_url) as store:
        match = await save_match(store, play_turn(await add_match(store)))
        delete_the_log(file)
        with pytest.raises(Gone):
            await save_match(store, play_turn(match))
    async with Database.open(sqlite_url) as store:
        assert (await load_match(store, match.id)).version >= 1


async def test_a_copy_beside_the_bot_is_no_loss(sqlite: Database, file: Path) -> None:
    match = await add_match(sqlite)
    checkpoint(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM")
    await save_match(sqlite, play_turn(match))
    await sqlite.examine()


@pytest.mark.parametrize("spoil", [damage, overwrite_the_header])
async def test_a_check_fails_when_the_file_is_damaged(
    sqlite: Database, file: Path, spoil: Callable[[Path], object]
) -> None:
    await played(sqlite)
    checkpoint(file)
    await sqlite.examine()
    spoil(file)
    with pytest.raises(Broken, match=f"{file} is damaged"):
        await sqlite.examine()


async def test_a_damaged_file_is_unavailable_to_who_reads(sqlite_url: str, file: Path) -> None:
    async with Database.open(sqlite_url) as store:
        matches = await played(store)
    async with Database.open(sqlite_url) as store:
        spare_schema(file)
        with pytest.raises(Unavailable):
            await load_match(store, matches[0].id)


async def test_a_damaged_file_is_unavailable_to_who_writes(sqlite_url: str, file: Path) -> None:
    async with Database.open(sqlite_url) as store:
        matches = await played(store)
    async with Database.open(sqlite_url) as store:
        spare_schema(file)
        with pytest.raises(Unavailable):
            await save_match(store, play_turn(matches[0]))


async def test_damage_once_seen_fails_every_later_check(sqlite_url: str, file: Path) -> None:
    async with Database.open(sqlite_url) as store:
        matches = await played(store)
    whole = content(file)
    async with Database.open(sqlite_url) as store:
        spare_schema(file)
        with pytest.raises(Unavailable):
            await load_match(store, matches[0].id)
        with file.open("r+b") as opened:
            opened.write(whole)
        with pytest.raises(Broken):
            await store.examine()


async def test_a_damaged_row_leaves_other_rows_readable(sqlite_url: str, file: Path) -> None:
    async with Database.open(sqlite_url) as store:
        matches = await played(store)
    async with Database.open(sqlite_url) as store:
        spare_schema(file)
        for _ in range(MAX_FAILURES + 1):
            with pytest.raises(Unavailable):
                await load_match(store, matches[0].id)
        async with store.read() as reader:
            await reader.clock.now()


@pytest.fixture
def lock(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program that has the file open."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
        yield connection


async def test_a_check_fails_while_another_program_locks_the_file(sqlite: Database, lock: sqlite3.Connection) -> None:
    lock.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Unavailable, match="locked"):
        await sqlite.examine()
    lock.execute("ROLLBACK")
    await sqlite.examine()


async def test_a_locked_file_is_unavailable_to_who_writes(sqlite: Database, lock: sqlite3.Connection) -> None:
    lock.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Unavailable):
        await add_match(sqlite)
    lock.execute("ROLLBACK")
    await add_match(sqlite)


async def test_a_check_fails_when_the_file_may_not_be_written(
    sqlite_url: str, file: Path, bound_by_rights: None
) -> None:
    async with Database.open(sqlite_url) as store:
        forbid(file)
        with pytest.raises(Unavailable, match="readonly"):
            await store.examine()


@pytest.mark.parametrize("name", ["kropka.db", "kropka.db-wal", "kropka.db-shm", "kropka.db.lock"])
async def test_a_file_that_can_be_read_and_not_written_is_not_opened_and_is_named(
    sqlite_url: str, file: Path, bound_by_rights: None, name: str
) -> None:
    async with Database.open(sqlite_url) as store:
        await add_match(store)
        left = {each: content(each) for each in file.parent.iterdir()}
    for each, before in left.items():  # as after a kill
        each.write_bytes(before)
    forbid(file.with_name(name))
    with pytest.raises(CannotOpen, match=f"{file.with_name(name)} can't be written to"):
        async with Database.open(sqlite_url):
            pass


async def test_the_log_of_a_file_gives_back_what_it_took_beside_a_reader(sqlite: Database, file: Path) -> None:
    log = file.with_name("kropka.db-wal")
    async with sqlite.read() as reader:
        await reader.clock.origin("this start")
        for _ in range(4):
            async with sqlite.write() as tx:
                await tx.connection.execute(text("CREATE TABLE filler (value BLOB)"))
                filling = text("INSERT INTO filler VALUES (zeroblob(:size))")
                await tx.connection.execute(filling, {"size": MAX_LOG_BYTES // 2})
            async with sqlite.write() as tx:
                await tx.connection.execute(text("DROP TABLE filler"))
        assert log.stat().st_size > 2 * MAX_LOG_BYTES
    await add_match(sqlite, a_match(1))  # folds the log into the file,
    await add_match(sqlite, a_match(2))  # and begins it again
    assert log.stat().st_size == MAX_LOG_BYTES


async def test_a_check_of_a_sound_store_finds_nothing(store: Database) -> None:
    await played(store)
    await store.examine()


async def test_questions_that_the_database_cannot_take_do_not_open_the_breaker(store: Database) -> None:
    match = await add_match(store)
    for _ in range(MAX_FAILURES + 1):
        with pytest.raises(OutOfRange):
            await load_match(store, MatchId(2**63))
    await load_match(store, match.id)


async def test_a_text_that_no_database_takes_is_unavailable(store: Database) -> None:
    with pytest.raises(Unavailable):
        async with store.write() as tx:
            await tx.people.save(PlayerSettings(UserId(1), language="\ud800"))


async def test_what_a_constraint_refuses_unforeseen_is_unavailable(store: Database) -> None:
    with pytest.raises(Unavailable):
        async with store.write() as tx:
            await tx.connection.execute(insert(schema.outbox).values(match=99, version=0))


async def test_a_database_that_is_newer_than_the_program_is_not_opened(url: str) -> None:
    await migrate(url)
    await outdate_the_program(url)
    with pytest.raises(Broken, match="newer than this Kropka") as refused:
        async with Database.open(url):
            pass
    assert "9999" in str(refused.value)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize("content", [b"a list of games " * 1000, b"SQLite format 3\0" + b"\7" * 8192])
async def test_a_file_that_is_no_database_is_not_opened(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bare.db"
    file.write_bytes(content)
    with pytest.raises(Broken, match=f"{file} isn't a database, or is damaged"):
        async with Database.open(f"sqlite+aiosqlite:///{file}"):
            pass


def spare_schema(file: Path) -> None:
    """Overwrites the pages of the tables of matches, but not the list of tables and the other tables."""
    with closing(sqlite3.connect(file)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        names = ("match", "event", "seat", "ix_match_channel_ended")
        roots = [row[1] for row in connection.execute("SELECT name, rootpage FROM sqlite_master") if row[0] in names]
    with file.open("r+b") as opened:
        for page in roots:
            opened.seek((page - 1) * size)
            opened.write(b"\7" * size)
