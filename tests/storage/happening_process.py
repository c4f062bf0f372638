"""A process that keeps events of servers up to date, and is stopped by a signal at a moment of that:
`python -m tests.storage.happening_process URL STATE NOW MOMENT NUMBER SIGNAL`.

The file STATE has the events that Discord shows, before and after. The moments: `before` and `after` the request with
that NUMBER, and the `commit` with that number. It ends when nothing is due.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from play.community.happening import EventId, Happening
from play.ids import GuildId, Millis
from storage import Database
from tests.open_channels import OPEN
from tests.storage.interruption import InterruptedStore, Interruption
from use_cases.worker import Timing
from use_cases.workers.happening_sync import EventGone, HappeningSync


@dataclass
class Calendar:
    """A `use_cases.workers.happening_sync.HappeningGateway`: a second call of `make` makes a second event."""

    there: dict[EventId, Happening] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    """The marks of all events that were made."""
    reach: Callable[[str], None] = lambda _: None

    def save(self, state: Path) -> None:
        state.write_bytes(pickle.dumps((self.there, self.made)))

    @classmethod
    def load(cls, state: Path) -> Calendar:
        return cls(*pickle.loads(state.read_bytes()))  # noqa: S301 - the test's own file

    async def find(self, happening: Happening) -> EventId | None:
        return next((event for event, shown in self.there.items() if shown.mark == happening.mark), None)

    async def make(self, happening: Happening, now: Millis) -> EventId:
        self.reach("before")
        self.made.append(happening.mark)
        event = EventId(100 + len(self.made))
        self.there[event] = happening
        self.reach("after")
        return event

    async def edit(self, event: EventId, happening: Happening, now: Millis) -> None:
        self.reach("before")
        if event not in self.there:
            raise EventGone
        self.there[event] = happening
        self.reach("after")

    async def end(self, event: EventId, guild: GuildId) -> None:
        await self.delete(event, guild)

    async def delete(self, event: EventId, guild: GuildId) -> None:
        self.reach("before")
        if self.there.pop(event, None) is None:
            raise EventGone
        self.reach("after")


async def main(url: str, state: Path, now: Millis, moment: str, number: int, signal: str) -> None:
    calendar = Calendar.load(state)
    interruption = Interruption(moment, number, signal, lambda: calendar.save(state))
    calendar.reach = interruption.reach
    async with Database.open(url, now=lambda: now) as database:
        sync = HappeningSync(InterruptedStore(database, interruption), calendar, OPEN, Timing())
        while found := await sync.pending(50):
            for key in found:
                await sync.process(key)
    calendar.save(state)


if __name__ == "__main__":
    _, url, state, now, moment, number, signal = sys.argv
    asyncio.run(main(url, Path(state), Millis(int(now)), moment, int(number), signal))
