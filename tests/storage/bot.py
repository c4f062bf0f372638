"""A process that plays as fast as it can and prints what is committed: `python -m tests.storage.bot URL [fork]`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from play.ids import IdempotencyKey
from storage import Database
from tests.matches import a_match, add_match, play_turn, save_match

SEATED = 4


async def play(store: Database, channel: int) -> None:
    while True:
        match = await add_match(store, a_match(channel))
        while not match.outcome:
            match = await save_match(store, play_turn(match, source=IdempotencyKey(match.id * 1000 + match.version)))
            print(match.id, match.version, flush=True)  # noqa: T201


async def main(url: str, fork: bool) -> None:
    async with Database.open(url) as store:
        if fork and (child := os.fork()) == 0:
            os.close(sys.stdout.fileno())  # the reader sees the end of the bot, not of its worker
            signal.alarm(60)  # ends it if the test fails
            signal.pause()
        elif fork:
            print(child, flush=True)  # noqa: T201
        await asyncio.gather(*(play(store, channel) for channel in range(SEATED)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], "fork" in sys.argv))
