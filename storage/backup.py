"""Copies a database file, whole and checked, and puts a copy back."""

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from storage import migrations
from storage.file_lock import InUse, exclusive
from storage.open_file import logs, make_private


class Unsound(Exception):
    """The file is not a whole database of Kropka; nothing was changed."""


def backup(file: Path, copy: Path) -> int:
    """Writes what is committed in `file` to `copy`, also while a bot works on it; returns its size in bytes.

    `copy` appears when it is whole and checked, or not at all. Its folder is made if only that is missing. A file
    copied by other means lacks the log beside it, and was malformed in one of our trials. Raises FileExistsError,
    Unsound and OSError.
    """
    if not file.exists():
        raise FileNotFoundError(f"{file} is not there")
    if copy.exists():
        raise FileExistsError(f"{copy} is there already. Choose another name")
    if not copy.parent.is_dir():
        try:
            copy.parent.mkdir(mode=0o700)
        except FileNotFoundError:
            raise FileNotFoundError(f"The folder {copy.parent.parent} is not there. Create it first") from None
    with _unfinished(copy) as unfinished:
        try:
            with exclusive(file):
                _vacuum(file, "rw", unfinished)  # this folds in what a killed bot left in the log
        except InUse:
            _vacuum(file, "ro", unfinished)  # a reader never checkpoints, so it does no harm beside the bot
        check(unfinished)
    return copy.stat().st_size


def restore(copy: Path, file: Path) -> Path | None:
    """Puts `copy` in the place of `file`; returns where the old one is now, if there was one.

    Raises InUse while a bot works on `file`, Broken if `copy` is newer than the program, Unsound and OSError.
    """
    check(copy)
    migrations.require_known(steps(copy))
    with exclusive(file):
        old = None
        if file.exists():
            with closing(_open(file, "rw")) as connection:  # with all of its log
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            old = next(name for number in range(1, 10_000) if not (name := _aside(file, number)).exists())
        with _unfinished(file) as unfinished:
            shutil.copyfile(copy, unfinished)
            check(unfinished)
            if old:
                make_private(file)
                os.link(file, old)
            for log in logs(file):
                log.unlink(missing_ok=True)
    return old


def check(file: Path) -> None:
    """Raises Unsound if `file` is damaged or is no database of Kropka."""
    if not file.exists():
        raise FileNotFoundError(f"{file} is not there")
    try:
        with closing(_open(file, "ro")) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            if found != ["ok"]:
                raise Unsound(f"{file} is damaged: {found[0]}")
            _steps(connection)
            connection.execute('SELECT count(*) FROM "match"').fetchone()
    except sqlite3.DatabaseError as error:
        raise Unsound(f"{file} is no database of Kropka: {error}") from error


def steps(file: Path) -> list[str]:
    """Returns the last steps that the tables of a whole database have."""
    with closing(_open(file, "ro")) as connection:
        return _steps(connection)


def _steps(connection: sqlite3.Connection) -> list[str]:
    return [step for (step,) in connection.execute("SELECT version_num FROM alembic_version")]


def _open(file: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=10.0)


def _vacuum(file: Path, mode: str, copy: Path) -> None:
    try:
        with closing(_open(file, mode)) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
    except sqlite3.DatabaseError as error:
        raise Unsound(f"{file} cannot be copied: {error}") from error


def _aside(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}.replaced-{number}")


@contextmanager
def _unfinished(file: Path) -> Iterator[Path]:
    """Yields a name to write to. When the block ends well, its file is on the disk under the name of `file`."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    make_private(unfinished)
    try:
        yield unfinished
        _flush(unfinished)
        unfinished.replace(file)
        _flush(file.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk. Windows opens no folder, and flushes only what it
    may write."""
    if sys.platform == "win32" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
