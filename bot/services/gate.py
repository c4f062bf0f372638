"""The gate that every request passes before anything is done for it, and the intake behind it.

The intake says how much is worked on at once, how long the rest waits for that, and what is turned away. Work that
has begun is done quickly, however much is asked for: so answers come in time, and no click has to be acknowledged
first. What would wait for too long is turned away at once, before anything is done for it. How long it would wait
follows from the waits of a moment ago (docs/decisions/load.md#0189).
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Final

from bot.request import Request
from bot.services.rate_limits import RateLimits
from bot.telemetry.metrics import Metrics
from play.ids import ChannelId, GuildId, UserId
from play.refusal import Reason, Refused
from use_cases.clock_service import LostTime
from use_cases.operator import Blocked

YIELD_SECONDS: Final = 0.5
"""Boards that nobody has clicked for let so much younger clicks go first."""

MAX_OWN: Final = 4
"""Clicks of one user that wait: those who click faster than that take nobody's place."""

LOOK_SECONDS: Final = 0.02
PROMPT_SECONDS: Final = 0.005
"""While something waits, the event loop is looked at so often. If it is no later than this, it has time for more."""

LONG_SECONDS: Final = 0.6
"""Where works take longer in the mean, no more are begun at once: at twice that, clicks would be acknowledged first."""

FIRST_PACE_SECONDS: Final = 0.01
MAX_PACE_SECONDS: Final = 0.25
"""Seconds between two works that begin, before any is measured; and the most that one counts for."""

NEWEST_SHARE: Final = 0.1
"""The weight of the newest pace, and of the newest work, in their means."""

BOT: Final = UserId(0)
"""In whose name boards are posted."""


@dataclass(frozen=True, slots=True)
class IntakeLimits:
    """How much is let in."""

    least_at_work: int = 6
    most_at_work: int = 32
    """Works at once: the least keeps a core busy; more are begun while those at work wait for Discord or the
    database."""
    work_seconds: float = 1.0
    """A work that takes longer waits for others, and its place is free for the next one."""
    max_wait_seconds: float = 0.5
    """What would wait for longer is turned away. The board of a click that is let in comes within some 1 s."""
    late_seconds: float = 0.8
    """What waits for so long in spite of that is turned away, too: a move that is stored later than
    `MAX_CLICK_AGE_MILLIS` after its click takes twice the work."""
    least_waiting: int = 8
    """Clicks that may always wait: by those that begin, the wait is measured."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """A click or message that `came` at a time in seconds: `begin` works on it, `turn_away` tells that it was not done,
    and whether that is since too much is asked for (`crowded`) or its user clicks too fast (`too_fast`).

    It begins in the `context` in which it came: that of the work whose place it gets names another game in the log.
    """

    key: Hashable
    user: UserId
    begin: Callable[[], object]
    turn_away: Callable[[Reason], object]
    came: float
    context: Context = field(default_factory=copy_context)


class Intake:
    """Lets clicks and messages in, in their order. `lost` learns for how long each user was kept from playing."""

    def __init__(
        self,
        metrics: Metrics,
        lost: LostTime,
        limits: IntakeLimits = IntakeLimits(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._metrics = metrics
        self.lost = lost
        self._clock = clock
        self._at_work: dict[Hashable, tuple[asyncio.TimerHandle, float]] = {}
        self._work_seconds = 0.0
        self._waiting: deque[Arrival] = deque()
        self._yielding: deque[Arrival] = deque()
        self._own: Counter[UserId] = Counter()
        self._most = limits.least_at_work
        self._pace = FIRST_PACE_SECONDS
        self._paced_at = 0.0
        self._is_looking = False

    @property
    def is_crowded(self) -> bool:
        """Whether clicks wait, so that what nobody has clicked for should not be done now."""
        return bool(self._waiting)

    def offer(
        self, key: Hashable, user: UserId, begin: Callable[[], object], turn_away: Callable[[Reason], object]
    ) -> None:
        """Calls `begin` now or in a moment, or `turn_away`. What has begun holds its place until `leave`."""
        arrival = Arrival(key, user, begin, turn_away, self._clock())
        if self._has_place:
            self.lost.note_let_in(user)
            self._begin(arrival)
        elif self._own[user] >= MAX_OWN:  # no time is lost by that, or clicks would stop one's clock
            self._metrics.count_turned_away()
            turn_away(Reason.TOO_FAST)
        elif self._takes_one_more:
            self.lost.note_let_in(user)
            self._own[user] += 1
            self._wait(arrival, self._waiting)
        else:
            self._turn_away(arrival)

    def clear(self) -> None:
        """Turns away all that waits."""
        while self._waiting:
            self._turn_away(self._take_out())

    def leave(self, key: Hashable) -> None:
        """Gives the place of a work to the next; does nothing if it has none any more."""
        if (work := self._at_work.pop(key, None)) is not None:
            timer, began = work
            timer.cancel()
            self._work_seconds += NEWEST_SHARE * (self._clock() - began - self._work_seconds)
            self._begin_next()

    def leave_with_task(self, key: Hashable) -> None:
        """Has the work leave at the end of the present task."""
        task = asyncio.current_task()
        if task is not None and key in self._at_work:
            task.add_done_callback(lambda _: self.leave(key))

    @asynccontextmanager
    async def place(self, user: UserId, reason: Reason = Reason.CROWDED) -> AsyncIterator[float]:
        """Holds a place for what a user asks for, and yields the seconds that it waited.

        Raises Refused if it is turned away: for that `reason`, or `too_fast`.
        """
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def turn_away(why: Reason) -> None:
            if not turn.done():
                turn.set_exception(Refused(why, count=1) if why is Reason.TOO_FAST else Refused(reason))

        async with self._hold(turn, lambda begin: self.offer(turn, user, begin, turn_away)) as seconds:
            yield seconds

    @asynccontextmanager
    async def yielding_place(self) -> AsyncIterator[None]:
        """Holds a place for a board that nobody has clicked for. It waits for as long as that takes."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def wait(begin: Callable[[], object]) -> None:
            arrival = Arrival(turn, BOT, begin, lambda _: None, self._clock() + YIELD_SECONDS)
            if self._has_place:
                self._begin(arrival)
            else:
                self._wait(arrival, self._yielding)

        async with self._hold(turn, wait):
            yield

    @asynccontextmanager
    async def _hold(
        self, turn: asyncio.Future[None], arrive: Callable[[Callable[[], object]], None]
    ) -> AsyncIterator[float]:
        came = self._clock()
        arrive(lambda: self.leave(turn) if turn.done() else turn.set_result(None))
        try:
            await turn
            yield self._clock() - came
        finally:
            self.leave(turn)

    @property
    def _has_place(self) -> bool:
        return not (self._waiting or self._yielding) and len(self._at_work) < self._most

    @property
    def _takes_one_more(self) -> bool:
        """Whether another click would wait for no longer than it may, by the pace at which works begin."""
        if len(self._waiting) < self._limits.least_waiting:
            return True
        return (len(self._waiting) + len(self._yielding) + 1) * self._pace <= self._limits.max_wait_seconds

    def _wait(self, arrival: Arrival, waiting: deque[Arrival]) -> None:
        if not (self._waiting or self._yielding):
            self._paced_at = self._clock()
        waiting.append(arrival)
        self._metrics.waiting.set(len(self._waiting))
        if not self._is_looking:
            self._look_later()

    def _take_out(self) -> Arrival:
        """Returns the click that waits for longest, which is waiting no more."""
        arrival = self._waiting.popleft()
        self._own[arrival.user] -= 1
        if not self._own[arrival.user]:
            del self._own[arrival.user]
        self._metrics.waiting.set(len(self._waiting))
        return arrival

    def _turn_away(self, arrival: Arrival) -> None:
        self.lost.note_turned_away(arrival.user)
        self._metrics.count_turned_away()
        arrival.turn_away(Reason.CROWDED)

    def _begin_next(self) -> None:
        while (self._waiting or self._yielding) and len(self._at_work) < self._most:
            first = not self._yielding or (self._waiting and self._waiting[0].came < self._yielding[0].came)
            arrival, now = self._take_out() if first else self._yielding.popleft(), self._clock()
            self._pace += NEWEST_SHARE * (min(now - self._paced_at, MAX_PACE_SECONDS) - self._pace)
            self._paced_at = now
            self._begin(arrival)

    def _begin(self, arrival: Arrival) -> None:
        timer = asyncio.get_running_loop().call_later(self._limits.work_seconds, self.leave, arrival.key)
        self._at_work[arrival.key] = timer, self._clock()
        arrival.context.run(arrival.begin)

    def _look_later(self) -> None:
        self._is_looking = True
        asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look_around, self._clock() + LOOK_SECONDS)

    def _look_around(self, due: float) -> None:
        """Lets more be at work while the loop has time for it, and turns away what has waited for too long."""
        now, self._is_looking = self._clock(), False
        step = 1 if now - due <= PROMPT_SECONDS and self._work_seconds <= LONG_SECONDS else -1
        self._most = min(max(self._most + step, self._limits.least_at_work), self._limits.most_at_work)
        while self._waiting and now - self._waiting[0].came > self._limits.late_seconds:
            self._turn_away(self._take_out())
        self._begin_next()
        if self._waiting or self._yielding:
            self._look_later()


class Gate:
    """Open until the bot is told to stop; `clock` is in seconds."""

    def __init__(
        self, limits: RateLimits, intake: Intake, blocked: Blocked, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits
        self._intake = intake
        self._blocked = blocked
        self._clock = clock
        self._closing = False

    def close(self) -> None:
        """Refuses every request from now on: players shall come back in a moment."""
        self._closing = True
        self._intake.clear()

    def admit(self, request: Request) -> None:
        """Counts a request. Raises Refused (`closing`, `too_fast`, `server_too_fast`, `server_blocked`,
        `user_blocked`)."""
        self.admit_user(request.user, request.guild)

    def admit_user(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a request of a user, also one from a browser. Raises Refused, as `admit` does."""
        self._limits.count_request(user, guild, self._open_now())
        self._blocked.check(user, guild)

    def admit_look(self, user: UserId) -> None:
        """Counts a look of a user at a turn in a browser. Raises Refused (`closing`, `too_fast`, `crowded`,
        `user_blocked`)."""
        if not self._limits.allows_suggestion(user, self._open_now()):
            raise Refused(Reason.TOO_FAST, count=1)
        if self._intake.is_crowded:
            raise Refused(Reason.CROWDED)
        self._blocked.check(user, None)

    @asynccontextmanager
    async def place(self, user: UserId, *, plays: bool) -> AsyncIterator[None]:
        """Holds a place for a deed of a user in a browser, which is timed when it has one: so its wait is lost time.

        Raises Refused (`crowded_move` for one that `plays` a move, `crowded`) where there is none in time.
        """
        async with self._intake.place(user, Reason.CROWDED_MOVE if plays else Reason.CROWDED) as waited:
            self._intake.lost.note_wait(user, waited)
            yield

    def admit_visit(self, network: int) -> None:
        """Counts a request from a network for a public page. Raises Refused (`closing`, `too_fast`)."""
        self._limits.count_visit(network, self._open_now())

    def admit_load(self, user: UserId) -> None:
        """Counts what a user opens in a browser. Raises Refused (`closing`, `too_fast`)."""
        self._limits.count_load(user, self._open_now())

    def admit_network(self, network: int) -> None:
        """Counts what one without a session asks for. Raises Refused (`closing`, `too_fast`)."""
        self._limits.count_network_load(network, self._open_now())

    def admit_entry(self, network: int, room: str) -> None:
        """Counts an attempt to enter a room. Raises Refused (`closing`, `entrance_busy`)."""
        self._limits.count_entry(network, room, self._open_now())

    def give_back_entry(self, network: int, room: str) -> None:
        """Takes the last attempt from a network back: it has not failed."""
        self._limits.give_back_entry(network, room)

    def count_import(self, request: Request) -> None:
        """Counts an imported record. Raises Refused (`too_many_imports`)."""
        self._limits.count_import(request.user, self._clock())

    def count_card(self, channel: ChannelId) -> None:
        """Counts a card, or the news of one, that is posted in a channel. Raises Refused (`too_many_cards`)."""
        self._limits.count_card(channel, self._clock())

    def count_phrase(self, user: UserId, phrase: str) -> None:
        """Counts a phrase that a player says to a stranger. Raises Refused (`too_fast`)."""
        self._limits.count_phrase(user, phrase, self._clock())

    def count_code(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a code that a user tries, in a server or outside. Raises Refused (`too_many_codes`)."""
        self._limits.count_code(user, guild, self._clock())

    def count_feedback(self, request: Request) -> None:
        """Counts feedback. Raises Refused (`too_much_feedback`)."""
        self._limits.count_feedback(request.user, self._clock())

    def allows_suggestion(self, request: Request) -> bool:
        """Returns whether a player who types gets suggestions."""
        return not self._closing and self._limits.allows_suggestion(request.user, self._clock())

    def _open_now(self) -> float:
        """Returns the time. Raises Refused (`closing`) once the gate is closed."""
        if self._closing:
            raise Refused(Reason.CLOSING)
        return self._clock()
