"""The scheduler of deadlines: one task judges what is due, and sleeps until the next deadline.

Flags are kept from falling while the bot turns players away, and a heartbeat notes every few seconds that it is at
work.
"""

from collections.abc import Callable
from math import inf

from play.ids import Millis
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from storage import Database
from use_cases.challenges import MAX_EXPIRED, Challenges
from use_cases.clock_service import MAX_JUDGED, ClockService, LostTime
from use_cases.worker import Timing, Worker

HEARTBEAT_SECONDS = 4.0
"""Two heartbeats may fail before `MAX_HEARTBEAT_GAP_MILLIS` makes a downtime of the gap."""

BATCH_SECONDS = 1.0
"""From the first who is turned away to the note of all: less than the grace before a flag falls."""

MAX_SLEEP_SECONDS = 5.0
"""Another process may have stored a deadline that this one has not heard of, and challenges expire."""


class Heartbeat(Worker[None]):
    """Nothing wakes it."""

    def __init__(
        self,
        clocks: ClockService,
        timing: Timing = Timing(poll_seconds=HEARTBEAT_SECONDS),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing)
        self._clocks = clocks

    async def poll(self) -> None:
        """Records one heartbeat."""
        await self._clocks.record_heartbeat()


class FlagHolder(Worker[None]):
    """Writes down who was turned away, for all processes."""

    def __init__(self, lost_time: LostTime, timing: Timing) -> None:
        super().__init__(timing)
        self._lost_time = lost_time
        lost_time.flags_held.subscribe(self._hold_soon)

    async def poll(self) -> None:
        """Holds the flags of those who were turned away since the last poll."""
        await self._lost_time.hold_flags()

    def _hold_soon(self) -> None:
        self._poll_by(self._timing.clock() + BATCH_SECONDS)


class DeadlineScheduler(Worker[None]):
    """Flags matches, writes reminders and expires challenges; `late` gets the seconds by which a flag is late."""

    def __init__(
        self,
        store: Database,
        clocks: ClockService,
        challenges: Challenges,
        late: Callable[[float], None] = lambda seconds: None,
        timing: Timing = Timing(poll_seconds=MAX_SLEEP_SECONDS),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing)
        self._store = store
        self._clocks = clocks
        self._challenges = challenges
        self._late = late
        self._pause = timing.poll_seconds
        self._next: Millis | None = None
        self._expired: Millis | None = None

    def note_match(self, match: Match) -> None:
        """Wakes the scheduler if the deadline of `match` comes before its next look."""
        deadline = match.clock.deadline
        if self._next is None or (deadline is not None and deadline + FLAG_GRACE < self._next):
            self.wake()

    def pause(self) -> float:
        return self._pause

    async def poll(self) -> None:
        """Judges what is due."""
        self._next, self._pause = None, self._timing.poll_seconds
        now, flag, reminder = await self._load_due()
        full: list[bool] = []  # whether more may be due, of each kind that was
        if self._expired is None or abs(now - self._expired) >= self._timing.poll_seconds * 1000:  # clocks may go back
            self._expired = now
            full.append(await self._challenges.expire() == MAX_EXPIRED)
        if flag <= now:
            self._late((now - flag) / 1000)
            full.append(await self._clocks.flag_overdue() == MAX_JUDGED)
        if reminder <= now:
            full.append(await self._clocks.remind() == MAX_JUDGED)
        if any(full):
            self._pause = 0.0
            return
        if full:
            now, flag, reminder = await self._load_due()
        self._next = Millis(int(min(flag, reminder, now + self._timing.poll_seconds * 1000)))
        self._pause = max(0.0, (self._next - now) / 1000)

    async def _load_due(self) -> tuple[Millis, float, float]:
        """Returns the time now, and when the next flag falls and the next reminder is due, if ever."""
        async with self._store.read() as reader:
            now, deadline, reminder = (
                await reader.clock.now(),
                await reader.deadlines.next_deadline(),
                await reader.deadlines.next_reminder(),
            )
        return now, inf if deadline is None else deadline + FLAG_GRACE + 1, inf if reminder is None else reminder
