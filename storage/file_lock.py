"""A lock that lets one process use a database file: before SQLite 3.51.3, two checkpointing one WAL can corrupt it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    LOCKED_BYTE = 1024 * 1024
    """Its place in the lock file, which is shorter: nobody else may read a byte that is locked."""

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        """Locks the file for this process. Raises BlockingIOError or PermissionError if another one has it."""
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_held: set[Path] = set()


class InUse(Exception):
    """Another bot has the database open."""

    def __init__(self, file: Path, process: str) -> None:
        super().__init__(
            f"{file} is in use by another Kropka (process {process}). "
            "Stop that one first, or set KROPKA_DATABASE to another file."
        )


def lock_of(file: Path) -> Path:
    """Returns the file beside a database that is locked in its place: SQLite has locks of its own on the database."""
    return file.with_name(f"{file.name}.lock")


@contextmanager
def exclusive(file: Path) -> Iterator[None]:
    """Keeps every other process, and every other caller in this one, off `file`. Raises InUse.

    The lock ends with its process, however that ends. It is a lock of fcntl and not of flock: a forked drawing worker
    that outlives a killed bot would go on holding the latter. A lock of fcntl does not exclude its own process, hence
    `_held`. Windows has its own.
    """
    if file in _held:
        raise InUse(file, str(os.getpid()))
    descriptor = os.open(lock_of(file), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _lock(descriptor)
        except (BlockingIOError, PermissionError):
            raise InUse(file, os.read(descriptor, 20).decode() or "unknown") from None
        os.truncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        _held.add(file)
        yield
    finally:
        _held.discard(file)
        os.close(descriptor)
