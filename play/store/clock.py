"""The clock that all processes share, and the downtimes in which none of them kept it."""

from __future__ import annotations

from typing import Protocol

from play.clock.schedule import Span
from play.ids import Millis


class ClockReader(Protocol):
    """The store's clock, as reads see it."""

    async def now(self) -> Millis:
        """Returns the time by which deadlines are judged. A jump of the clock counts only when it has lasted."""


class ClockRepository(ClockReader, Protocol):
    """The store's clock in a transaction."""

    async def record_heartbeat(self, away: Millis, *, first: bool = False) -> Span | None:
        """Notes that the bot is at work, and returns the downtime before it, if there was one.

        It comes first in its transaction, whose `now` stays the time of the heartbeat. If the last heartbeat is older
        than `away`, the gap is a downtime. Every match is replayed with it from now on; challenges and rounds of
        tournaments get as much more time. Before the `first` heartbeat of a process any gap is one, unless another
        process can have been at work.

        A heartbeat in the future, further than `away`, is from a clock that was wrong: it is taken back, and no
        downtime ends later than now.

        Stored deadlines and reminders are then too early, never too late: each is judged anew when it is due, and
        rescheduled.
        """
