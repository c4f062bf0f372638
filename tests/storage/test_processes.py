"""One bot a database, and a bot that is killed: with real processes."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from play.ids import MatchId
from storage import Database, InUse, migrate
from tests.matches import a_match, add_match, load_match, play_turn, save_match


@contextmanager
def another_bot(url: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.storage.bot", url, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        try:
            yield process
        finally:
            process.kill()


def lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout
    return [process.stdout.readline() for _ in range(count)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kropka.db"


@pytest.fixture
def url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.mark.process
async def test_a_second_bot_is_refused_and_told_what_to_do(url: str, file: Path) -> None:
    with another_bot(url) as process:
        lines(process, 1)
        with pytest.raises(InUse) as refused:
            await migrate(url)
    assert str(refused.value) == (
        f"{file} is in use by another Kropka (process {process.pid}). "
        "Stop that one first, or set KROPKA_DATABASE to another file."
    )


async def test_a_second_opening_in_one_process_is_refused(url: str) -> None:
    async with Database.open(url):
        with pytest.raises(InUse, match=str(os.getpid())):
            await migrate(url)


@pytest.mark.process
async def test_a_refused_opening_does_not_open_the_door_to_the_next(url: str) -> None:
    async with Database.open(url):
        with pytest.raises(InUse):
            await migrate(url)
        with another_bot(url) as process:
            assert lines(process, 1) == [""]
            assert process.wait() != 0


async def test_the_same_file_by_another_name_is_in_use_as_well(url: str, file: Path) -> None:
    other = file.with_name("link.db")
    async with Database.open(url):
        other.symlink_to(file)
        with pytest.raises(InUse):
            await migrate(f"sqlite+aiosqlite:///{other}")


@pytest.mark.process
async def test_a_bot_that_was_killed_leaves_the_database_free(url: str) -> None:
    with another_bot(url) as process:
        lines(process, 1)
    await migrate(url)


@pytest.mark.process
async def test_a_killed_bots_forked_worker_does_not_hold_the_database(url: str) -> None:
    with another_bot(url, "fork") as process:
        worker = int(lines(process, 1)[0])
        lines(process, 1)
        process.kill()
        process.wait()
        try:
            await migrate(url)
        finally:
            os.kill(worker, signal.SIGKILL)


@pytest.mark.process
async def test_a_bot_killed_in_mid_load_loses_no_move_that_it_acknowledged(url: str, file: Path) -> None:
    with another_bot(url) as process:
        acknowledged = lines(process, 300)
        process.kill()
        assert process.stdout
        acknowledged += [line for line in process.stdout if line.endswith("\n")]
    newest = {MatchId(match): version for match, version in (map(int, line.split()) for line in acknowledged)}
    async with Database.open(url) as store:
        for match, version in newest.items():
            assert (await load_match(store, match)).version >= version
        again = await add_match(store, a_match(99))
        await save_match(store, play_turn(again))
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
