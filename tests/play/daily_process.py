"""A process that posts the dailies which are due, and is killed by SIGKILL at a moment of that:
`python -m tests.play.daily_process URL STATE NOW MOMENT`.

The file STATE has what Discord has, before and after; NOW is the time.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from pathlib import Path

from play.ids import Millis
from storage import Database
from tests.keepers import kept_posts
from tests.play.daily_channel import Channel
from use_cases.dailies import Dailies
from use_cases.events import Events
from use_cases.workers.daily_relay import DailyRelay


class DyingChannel(Channel):
    """A channel that is written down before each moment at which its process may be killed."""

    def __init__(self, state: Path, moment: str) -> None:
        super().__init__()
        self.posts, self.recaps = pickle.loads(state.read_bytes())  # noqa: S301 - the test's own file
        self._state, self._moment = state, moment
        self.dies = self._die

    def _die(self, moment: str) -> bool:
        self._state.write_bytes(pickle.dumps((self.posts, self.recaps)))
        if moment == self._moment:
            os.kill(os.getpid(), signal.SIGKILL)
        return False


async def main(url: str, channel: Channel, now: Millis) -> None:
    async with Database.open(url, now=lambda: now) as store:
        relay = DailyRelay(store, kept_posts(store), Dailies(store, Events()), channel)
        for guild in await relay.pending(50):
            await relay.process(guild)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], DyingChannel(Path(sys.argv[2]), sys.argv[4]), Millis(int(sys.argv[3]))))
