"""A copy of a database is whole, or there is none."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import move

import pytest

from play.match.match import Match
from storage import Database, InUse, migrate
from storage.backup import Unsound, backup, check, restore
from storage.errors import Broken
from tests.databases import outdate_the_program
from tests.matches import a_match, add_match, load_match, play_turn, save_match


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kropka.db"


@pytest.fixture
def url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy.db"


def left_over(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"kropka.db", "kropka.db.lock"}


async def test_a_copy_has_what_is_committed_while_the_bot_works(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        match = await save_match(store, play_turn(await add_match(store)))
        assert backup(file, copy) > 0
        await save_match(store, play_turn(match))
    async with Database.open(f"sqlite+aiosqlite:///{copy}") as store:
        assert (await load_match(store, match.id)).version == 1


async def test_a_copy_of_a_stopped_bots_database_is_whole(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        match = await save_match(store, play_turn(await add_match(store)))
    backup(file, copy)
    async with Database.open(f"sqlite+aiosqlite:///{copy}") as store:
        assert (await load_match(store, match.id)).version == 1


def test_a_copy_never_takes_the_place_of_a_file(file: Path, copy: Path) -> None:
    file.touch()
    copy.write_text("precious")
    with pytest.raises(FileExistsError):
        backup(file, copy)
    assert copy.read_text() == "precious"


def test_of_a_database_that_is_not_there_no_copy_is_made(file: Path, copy: Path) -> None:
    with pytest.raises(FileNotFoundError):
        backup(file, copy)
    assert not copy.exists()


async def test_a_damaged_database_makes_no_copy(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        await played(store)
    damage(file)
    with pytest.raises(Unsound):
        backup(file, copy)
    assert left_over(file.parent) == set()


async def test_a_restored_copy_takes_the_place_of_the_old_file_which_is_kept(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        match = await add_match(store)
        backup(file, copy)
        await save_match(store, play_turn(match))
    old = restore(copy, file)
    assert old is not None
    async with Database.open(url) as store:
        assert (await load_match(store, match.id)).version == 0
    async with Database.open(f"sqlite+aiosqlite:///{old}") as store:
        assert (await load_match(store, match.id)).version == 1


async def test_a_copy_is_restored_where_there_was_nothing(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        match = await add_match(store)
    move(file, copy)
    assert restore(copy, file) is None
    async with Database.open(url) as store:
        assert (await load_match(store, match.id)).version == 0


async def test_a_log_of_the_old_file_is_never_read_into_the_restored_one(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        match = await add_match(store)
        backup(file, copy)
        await save_match(store, play_turn(match))
        logs = {name: file.with_name(name).read_bytes() for name in ("kropka.db", "kropka.db-wal")}
    for name, content in logs.items():  # as after a kill
        file.with_name(name).write_bytes(content)
    old = restore(copy, file)
    async with Database.open(url) as store:
        assert (await load_match(store, match.id)).version == 0
    async with Database.open(f"sqlite+aiosqlite:///{old}") as store:
        assert (await load_match(store, match.id)).version == 1


async def test_nothing_is_restored_under_a_working_bot(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url):
        backup(file, copy)
        with pytest.raises(InUse):
            restore(copy, file)


async def test_a_damaged_copy_is_not_restored(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        match, *_ = await played(store)
        backup(file, copy)
    damage(copy)
    with pytest.raises(Unsound):
        restore(copy, file)
    async with Database.open(url) as store:
        assert (await load_match(store, match.id)).version == 1


async def test_a_copy_that_is_newer_than_the_program_is_not_restored(url: str, file: Path, copy: Path) -> None:
    async with Database.open(url) as store:
        match = await add_match(store)
        backup(file, copy)
    await outdate_the_program(f"sqlite+aiosqlite:///{copy}")
    with pytest.raises(Broken, match="newer than this Kropka"):
        restore(copy, file)
    assert left_over(file.parent) == {"copy.db"}
    async with Database.open(url) as store:
        assert (await load_match(store, match.id)).version == 0


async def test_a_database_that_is_newer_than_the_program_can_still_be_copied(url: str, file: Path, copy: Path) -> None:
    await migrate(url)
    await outdate_the_program(url)
    assert backup(file, copy) > 0


def test_a_database_of_another_program_is_no_copy(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE TABLE bookmark (id INTEGER)")
    with pytest.raises(Unsound, match="no database of Kropka"):
        check(copy)


def test_a_text_is_no_copy(copy: Path) -> None:
    copy.write_text("a list of games " * 100)
    with pytest.raises(Unsound, match="no database of Kropka"):
        check(copy)


def damage(file: Path) -> None:
    """Overwrites the second half of the pages, but not the first two, which hold the list of tables."""
    content = bytearray(file.read_bytes())
    content[8192:] = b"\x07" * (len(content) - 8192)
    file.write_bytes(content)


async def played(store: Database) -> list[Match]:
    """Adds so many matches that each table has pages of its own."""
    async with store.write() as tx:
        matches = [play_turn(await tx.matches.add(a_match(channel))) for channel in range(40)]
        for match in matches:
            await tx.matches.save(match)
    return matches
