"""Quick engines for the tests of the bot: no compiled field, and a few playouts only.

`Inside` thinks in the test's own process. As a worker, this module fails once over a request while there is a file that
the environment names in KROPKA_TEST_GRIEF: it dies or hangs, as the file says (`die`, `hang`).
"""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

from opponent.captures import Oversight, oversight
from opponent.choice import HARDEST, Budget, Choice
from opponent.generic import search as plain
from opponent.pool import Pool
from opponent.worker import serve
from rules.game import AnyPosition

GRIEF = "KROPKA_TEST_GRIEF"


def think(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    file = os.environ.get(GRIEF)
    if file and Path(file).exists():
        word = Path(file).read_text(encoding="ascii")
        Path(file).unlink()
        if word == "die":
            os._exit(1)
        threading.Event().wait()
    return plain.choose(position, Budget(nodes=8), seed, level)


class Inside(Pool):
    """An engine that answers with `playouts`, by itself; `thoughts` counts them."""

    def __init__(self, playouts: int = 8) -> None:
        super().__init__()
        self.playouts = playouts
        self.thoughts = 0

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        self.thoughts += 1
        return await asyncio.to_thread(plain.choose, position, Budget(nodes=self.playouts), seed, level)

    async def look(self, position: AnyPosition, move: str, asker: int) -> Oversight | None:
        return await asyncio.to_thread(oversight, position, move)

    async def run(self) -> None:
        await asyncio.Event().wait()


if __name__ == "__main__":
    serve(think)
