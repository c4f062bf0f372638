"""No other user of the machine can read the database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage import Database, migrate
from storage.backup import backup, restore
from tests.matches import add_match


@pytest.fixture(autouse=True)
def _lavish() -> Iterator[None]:
    """Sets a umask by which new files are readable for all users."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kropka.db"


@pytest.fixture
def url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def rights(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}


def open_to_all(file: Path) -> None:
    file.chmod(0o666)


async def test_a_database_and_its_logs_are_their_owners_alone(url: str, tmp_path: Path) -> None:
    async with Database.open(url) as store:
        await add_match(store)
        names = ("kropka.db", "kropka.db-shm", "kropka.db-wal", "kropka.db.lock")
        assert rights(tmp_path) == dict.fromkeys(names, "0o600")


async def test_a_migrated_database_is_its_owners_alone(url: str, tmp_path: Path) -> None:
    await migrate(url)
    assert set(rights(tmp_path).values()) == {"0o600"}


async def test_a_copy_is_its_owners_alone(url: str, file: Path, tmp_path: Path) -> None:
    await migrate(url)
    backup(file, tmp_path / "copies" / "copy.db")
    assert rights(tmp_path)["copies"] == "0o700"
    assert rights(tmp_path / "copies")["copy.db"] == "0o600"


async def test_what_is_restored_is_its_owners_alone_and_so_is_what_it_replaced(
    url: str, file: Path, tmp_path: Path
) -> None:
    await migrate(url)
    copy = tmp_path / "copy.db"
    backup(file, copy)
    for each in (file, copy):
        open_to_all(each)
    old = restore(copy, file)
    assert old is not None
    assert (rights(tmp_path)["kropka.db"], rights(tmp_path)[old.name]) == ("0o600", "0o600")


async def test_a_database_that_others_could_read_is_closed_to_them_at_the_start(
    url: str, file: Path, tmp_path: Path
) -> None:
    await migrate(url)
    log = file.with_name("kropka.db-wal")
    log.touch()
    for each in (file, log):
        open_to_all(each)
    async with Database.open(url) as store:
        await add_match(store)
        assert set(rights(tmp_path).values()) == {"0o600"}


async def test_a_database_whose_rights_are_another_users_to_change_is_opened_all_the_same(
    url: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(url)
    open_to_all(file)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refused)
    async with Database.open(url) as store:
        await add_match(store)
