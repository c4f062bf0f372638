"""Work for the lane that goes wrong in ways of its own; a worker finds it by name."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from bot.features.records import imported_game
from play.records.record import BadRecord


def process(_: int = 0) -> int:
    """The process that does it."""
    return os.getpid()


def die(*_: object) -> None:
    os._exit(1)


def hang(*_: object) -> None:
    """Longer than any test waits."""
    threading.Event().wait(15)


def hang_aloud(pipe: Path) -> None:
    """Hangs after it has written its process id to a named pipe."""
    pipe.write_text(str(os.getpid()), encoding="ascii")
    threading.Event().wait()


def toil() -> None:
    while True:
        pass


def swell() -> bytes:
    return bytes(4 << 30)


def refuse() -> None:
    raise BadRecord("no_dots", number=3)


def once(folder: Path) -> int:
    """How often it was done."""
    with (folder / "done").open("a", encoding="ascii") as file:
        file.write("x")
    return len((folder / "done").read_text(encoding="ascii"))


def told(folder: Path, number: int) -> bytes:
    """As `once`, a different thing for each number; takes 1 MiB."""
    once(folder)
    return bytes([number]) * (1 << 20)


def read_slowly(*arguments: Any) -> imported_game.Opened:
    """As `brought.opened`, where any record takes too long."""
    longest, imported_game.LONGEST = imported_game.LONGEST, -1.0  # type: ignore[misc]
    try:
        return imported_game.opened(*arguments)
    finally:
        imported_game.LONGEST = longest  # type: ignore[misc]


def secrets() -> list[str]:
    """What the environment of the worker has of the bot's settings."""
    return [name for name in os.environ if name.startswith("KROPKA")]
