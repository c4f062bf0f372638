"""Plays on while the disk fills up and has room again: `python -m benchmarks.stubborn DATABASE BALLAST` prints JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from play.ids import IdempotencyKey
from play.match.match import Match
from storage import Database
from storage.errors import Unavailable
from tests.matches import a_match, add_match, play_turn, save_match

ATTEMPTS = 200
"""Of each kind."""


class Ballast:
    """A file that fills the disk."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> None:
        with self._file.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                return

    def drop(self) -> None:
        self._file.unlink()


async def main(url: str, ballast: Ballast) -> dict[str, object]:
    """Returns the versions reported as stored, and the number of attempts refused and of those that succeeded with room
    again."""
    told: dict[int, int] = {}
    before = refused = after = channel = 0
    match: Match | None = None
    async with Database.open(url) as store:
        while after < ATTEMPTS:
            try:
                if match is None or match.outcome:
                    channel += 1
                    match = await add_match(store, a_match(channel))
                match = await save_match(
                    store, play_turn(match, source=IdempotencyKey(match.id * 1000 + match.version))
                )
                told[match.id] = match.version
                before, after = before + (not refused), after + (refused >= ATTEMPTS)
                if before == ATTEMPTS and not refused:
                    ballast.load()
            except Unavailable:
                refused += 1
                if refused == ATTEMPTS:
                    ballast.drop()
                await asyncio.sleep(0.05)
    return {"told": told, "refused": refused, "after": after}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1], Ballast(Path(sys.argv[2]))))))  # noqa: T201
