"""Fixtures of all tests: a store and its clock, and servers, PostgreSQL and Matrix, for the tests that ask for one."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from hypothesis import settings

from storage import Database, migrate
from tests import crash_report, loop_report, tiers
from tests.clock import StoppedClock
from tests.databases import TEMPLATE, Databases, Fill, LoopThread
from tests.examples import QUICK
from tests.matrix.synapse import Synapse
from tests.memory import memory_folder
from tests.postgres import Postgres
from tests.tiers import (  # noqa: F401 - hooks, which pytest finds here
    pytest_collection_modifyitems,
    pytest_itemcollected,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

tempfile.tempdir = memory_folder()  # for pytest's folders, and PostgreSQL's
settings.load_profile(QUICK)  # hypothesis loads that of its option after this
gc.disable()  # until all tests are collected: they are no garbage, and to look for some took a fifth of the time

Files = Callable[[Fill | None], Path]

_numbers = count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    tiers.pytest_addoption(parser)
    loop_report.add_option(parser)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    tiers.pytest_configure(config)
    loop_report.register(config)
    crash_report.register(config)


def pytest_collection_finish() -> None:
    """Lets the garbage collector pass over what the libraries and the collected tests hold: a tenth of the suite.

    It looks at new objects less often, too: they took a twentieth of the tests of the bot.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def loop_thread() -> Iterator[LoopThread]:
    """A place for work that outlives the loop of a test."""
    with LoopThread() as loop_thread:
        yield loop_thread


@pytest.fixture(scope="session")
def postgres(loop_thread: LoopThread) -> Iterator[Postgres]:
    """A server for all tests."""
    with Postgres() as server:
        loop_thread.run(migrate(loop_thread.run(server.create(TEMPLATE))))
        yield server


@pytest.fixture(scope="session")
def databases(postgres: Postgres, loop_thread: LoopThread) -> Iterator[Databases]:
    """Databases on the server, for all tests."""
    databases = Databases(postgres, loop_thread)
    yield databases
    databases.close()


@pytest.fixture(scope="session")
def synapse() -> Iterator[Synapse]:
    """A Matrix homeserver for all tests, on which each registers its own users."""
    with Synapse() as server:
        yield server


@pytest.fixture
def fill() -> Fill | None:
    """Stores nothing in the database of a test; a module or a class of tests may have another one."""
    return None


@pytest.fixture
def postgres_url(databases: Databases, fill: Fill | None) -> Iterator[str]:
    """The address of a migrated database on the server, with what `fill` stores."""
    with databases.lent(fill) as url:
        yield url


@pytest.fixture
async def bare_url(postgres: Postgres) -> AsyncIterator[str]:
    """The address of a database on the server that has no tables."""
    name = f"test{next(_numbers)}"
    yield await postgres.create(name)
    await postgres.drop(name)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory, loop_thread: LoopThread) -> Files:
    """Migrated SQLite files with what their `fill` stores, to copy or to read."""
    folder = tmp_path_factory.mktemp(TEMPLATE)

    @cache
    def make(fill: Fill | None) -> Path:
        file = folder / f"{next(_numbers)}.db"
        if fill is not None:
            copyfile(make(None), file)
        loop_thread.run((fill or migrate)(f"sqlite+aiosqlite:///{file}"))
        return file

    return make


@pytest.fixture
def sqlite_url(tmp_path: Path, files: Files, fill: Fill | None) -> str:
    """The address of a migrated SQLite file, with what `fill` stores."""
    return f"sqlite+aiosqlite:///{copyfile(files(fill), tmp_path / 'kropka.db')}"


@pytest.fixture
def url(sqlite_url: str) -> str:
    """The address of a database. tests/storage/ runs on every engine, other tests on the default one."""
    return sqlite_url


@pytest.fixture
def bound_by_rights() -> Iterator[None]:
    """Binds even root by the rights of files: the test's thread, and those that it starts, give up CAP_DAC_OVERRIDE.

    Source: capget(2).
    """
    if os.geteuid():
        yield
        return
    libc, header, sets = (
        ctypes.CDLL(None, use_errno=True),
        (ctypes.c_uint32 * 2)(0x20080522, 0),
        (ctypes.c_uint32 * 6)(),
    )
    assert libc.capget(header, sets) == 0
    effective = sets[0]
    sets[0] &= ~(1 << 1)
    assert libc.capset(header, sets) == 0
    yield
    sets[0] = effective
    assert libc.capset(header, sets) == 0


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Arguments of bot.parts.Setup that a module of tests needs to be others."""
    return {}


@pytest.fixture
async def store(url: str, clock: StoppedClock) -> AsyncIterator[Database]:
    async with Database.open(url, now=clock) as database:
        yield database


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    """Puts back the logging of the process after a test: the command line sets it up for its own terminal."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in ("discord", "alembic", "asyncio")}
    yield
    root.handlers[:], root.level = before, level
    for name, each in levels.items():
        if (logger := logging.getLogger(name)).level != each:  # to set one makes all loggers look for theirs again
            logger.setLevel(each)
