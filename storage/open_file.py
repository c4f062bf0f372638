"""The file that a store works on: its owner's alone, and still the one that was opened.

A file that is deleted or replaced goes on existing for those who have it open, and SQLite goes on committing into it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from play.store import Gone

PRIVATE = 0o600
"""Rights: its owner reads and writes, nobody else does either."""


def make_private(file: Path) -> None:
    """Makes `file` if it is not there, and takes from others what rights they have to it and to its log.

    It is never opened here: to close it would end the locks that SQLite holds on it in this process.
    """
    if not file.exists():
        file.touch(PRIVATE)
    for each in (file, *logs(file)):
        with suppress(FileNotFoundError, PermissionError):  # the rights may be another user's to change
            if each.stat().st_mode & 0o077:
                each.chmod(PRIVATE)


def logs(file: Path) -> tuple[Path, Path]:
    """What SQLite keeps beside a database that is open: the log, which holds the newest commits, and its index."""
    return file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")


class OpenFile:
    """Made before SQLite opens `file`. What the connections report to it happens in any thread, one at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._log = logs(file)[0]
        self._known = _identity(os.stat(file))
        self._known_log: tuple[int, int] | None = None
        self._is_filled = False

    def note_log(self) -> None:
        """The writer has connected: its log is the one that counts."""
        self._known_log = _identity(os.stat(self._log))

    def forget_log(self) -> None:
        """The writer is about to disconnect, and SQLite may delete the log."""
        self._known_log = None

    def verify(self) -> None:
        """Raises Gone unless the names lead to the files that SQLite has open. Costs some 10 µs for a look at each."""
        try:
            file = os.stat(self.file)
            log = None if self._known_log is None else _identity(os.stat(self._log))
        except FileNotFoundError:
            raise Gone(self._farewell()) from None
        self._is_filled |= file.st_size > 0
        if _identity(file) != self._known or log != self._known_log or (self._is_filled and not file.st_size):
            raise Gone(self._farewell())

    def _farewell(self) -> str:
        return (
            f"{self.file} was deleted, moved, replaced or emptied while Kropka worked on it, so nothing more can be"
            " kept there. Put the file back, or a copy with `kropka restore`, and start Kropka again."
        )


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
