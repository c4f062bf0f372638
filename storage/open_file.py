"""The database file: private to its owner, and still the one that was opened.

A deleted or replaced file goes on existing for processes that have it open, and SQLite goes on committing into it.
"""

import os
from contextlib import suppress
from pathlib import Path

from storage.errors import Gone
from storage.file_lock import lock_of

PRIVATE = 0o600
"""Rights: only the owner reads and writes."""


def make_private(file: Path) -> None:
    """Creates `file` if it is missing, and takes away the rights of others to it and to its log.

    It never opens the file: closing it would end the locks that SQLite holds on it in this process.
    """
    if not file.exists():
        file.touch(PRIVATE)
    for each in (file, *logs(file)):
        with suppress(FileNotFoundError, PermissionError):  # another user may own the file
            if each.stat().st_mode & 0o077:
                each.chmod(PRIVATE)


def logs(file: Path) -> tuple[Path, Path]:
    """Returns the files that SQLite keeps beside an open database: the log with the newest commits, and its index."""
    return file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")


def not_writable(file: Path) -> Path | None:
    """Returns what keeps this process from writing to a database: its folder or one of its files; None if nothing does.

    The place of a folder that is not there is the first above it that is.
    """
    place = next(folder for folder in file.parents if folder.exists())
    if not place.is_dir() or not _may(place, os.W_OK | os.X_OK):
        return place
    files = (each for each in (file, *logs(file), lock_of(file)) if each.exists())
    return next((each for each in files if not _may(each, os.R_OK | os.W_OK)), None)


def _may(path: Path, rights: int) -> bool:
    """Returns whether this process has the rights as it is, and not as the user who started it."""
    return os.access(path, rights, effective_ids=os.access in os.supports_effective_ids)


class OpenFile:
    """The identity of an open database file. It is made before SQLite opens `file`; connections report to it from any
    thread, one at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._log = logs(file)[0]
        self._known = _identity(os.stat(file))
        self._known_log: tuple[int, int] | None = None
        self._is_filled = False

    def note_log(self) -> None:
        """Notes the log of the writer, which has connected."""
        self._known_log = _identity(os.stat(self._log))

    def forget_log(self) -> None:
        """Forgets the log: the writer is about to disconnect, and SQLite may delete it."""
        self._known_log = None

    def verify(self) -> None:
        """Raises Gone unless the names lead to the files that SQLite has open. It takes some 10 µs a file."""
        try:
            file = os.stat(self.file)
            log = None if self._known_log is None else _identity(os.stat(self._log))
        except FileNotFoundError:
            raise Gone(self._explanation()) from None
        self._is_filled |= file.st_size > 0
        if _identity(file) != self._known or log != self._known_log or (self._is_filled and not file.st_size):
            raise Gone(self._explanation())

    def _explanation(self) -> str:
        return (
            f"{self.file} was deleted, moved, replaced or emptied while Kropka worked on it, so nothing more can be"
            " kept there. Put the file back, or a copy with `kropka restore`, and start Kropka again."
        )


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
