"""Differences on Windows, imitated: no test has run there."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from types import ModuleType

import pytest

from bot.cli.operation import run_until_told
from bot.settings import system_variables
from loopback import HANG_SECONDS
from storage import migrate
from tests.windows import load_as_on_windows


class FakeMsvcrt(ModuleType):
    """`msvcrt`, whose locks are those of one process: `taken` has the places in files that are locked."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.taken: set[tuple[int, int]] = set()

    def locking(self, descriptor: int, mode: int, length: int) -> None:
        assert (mode, length) == (self.LK_NBLCK, 1)
        place = os.fstat(descriptor).st_ino, os.lseek(descriptor, 0, os.SEEK_CUR)
        if place in self.taken:
            raise PermissionError(13, "Permission denied")
        self.taken.add(place)


def test_a_file_is_locked_beyond_its_text_so_that_the_holder_can_be_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    msvcrt = FakeMsvcrt()
    module = load_as_on_windows(monkeypatch, "storage.file_lock", msvcrt=msvcrt)
    with module.exclusive(tmp_path / "kropka.db"):
        ((_, at),) = msvcrt.taken
        lock = tmp_path / "kropka.db.lock"
        assert at > lock.stat().st_size
        assert lock.read_text() == str(os.getpid())


def test_a_file_that_another_process_has_locked_is_in_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lock = tmp_path / "kropka.db.lock"
    lock.write_text("4711")
    msvcrt = FakeMsvcrt()
    module = load_as_on_windows(monkeypatch, "storage.file_lock", msvcrt=msvcrt)
    msvcrt.taken.add((lock.stat().st_ino, module.LOCKED_BYTE))
    with (
        pytest.raises(module.InUse, match=r"another Kropka \(process 4711\)"),
        module.exclusive(tmp_path / "kropka.db"),
    ):
        pass
    assert lock.read_text() == "4711"


def test_a_job_is_done_without_the_timers_and_limits_of_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("alarm", "setitimer", "SIGPROF", "ITIMER_PROF"):
        monkeypatch.delattr(signal, name)
    module = load_as_on_windows(monkeypatch, "bot.services.job_worker")
    assert module.work(1.0, 5, divmod, (7, 2)) == (3, 1)


def test_a_worker_keeps_its_priority_and_leaves_ctrl_c_to_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("setpgid", "nice"):
        monkeypatch.delattr(os, name)
    before = signal.getsignal(signal.SIGINT)
    try:
        load_as_on_windows(monkeypatch, "opponent.worker").lower_priority()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_uptime_is_that_of_pythons_own_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("clock_gettime_ns", "CLOCK_MONOTONIC", "CLOCK_BOOTTIME"):
        monkeypatch.delattr(time, name)
    module = load_as_on_windows(monkeypatch, "storage.steady_clock")
    before = time.monotonic_ns() // 1_000_000
    assert before <= module.uptime() <= before + 60_000


async def test_a_copy_is_flushed_where_folders_cannot_be_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def open_file(path: Path, flags: int, *rest: int) -> int:
        assert not Path(path).is_dir(), "Windows opens no folder"
        assert flags & (os.O_RDWR | os.O_WRONLY), "Windows flushes only what may be written"
        return opened(path, flags, *rest)

    await migrate(f"sqlite+aiosqlite:///{tmp_path}/kropka.db")
    opened = os.open
    module = load_as_on_windows(monkeypatch, "storage.backup")
    monkeypatch.setattr(os, "open", open_file)
    size = module.backup(tmp_path / "kropka.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_size == size


async def test_a_signal_that_the_loop_does_not_take_stops_the_bot_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()

    def refuse(*_: object) -> None:
        raise NotImplementedError

    async def work() -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()
        return 1

    monkeypatch.setattr(loop, "add_signal_handler", refuse)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert await asyncio.wait_for(run_until_told(work()), HANG_SECONDS) == 0
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_without_uvloop_the_loop_is_that_of_asyncio(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_as_on_windows(monkeypatch, "bot.cli.operation").run_loop is asyncio.run


def test_a_worker_is_told_where_the_system_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SystemRoot", "here")
    monkeypatch.setenv("KROPKA_TOKEN", "secret")
    assert system_variables() == {"SystemRoot": "here"}
