"""The clock that all processes share, and their heartbeat."""

import logging

from sqlalchemy import bindparam, select, update

from play.clock.schedule import Span
from play.ids import Millis
from storage import schema
from storage.challenges import postpone_challenges
from storage.contests import ContestRepository
from storage.downtimes import add_downtime, end_downtimes_by
from storage.statements import Repository, Statements, Values
from storage.steady_clock import Pulse, SteadyClock
from storage.tournaments import TournamentRepository

_heartbeat = schema.heartbeat.c
_BEAT = update(schema.heartbeat)
_ORIGIN = select(_heartbeat.origin).where(_heartbeat.boot == bindparam("boot"))
_LAST = select(_heartbeat.at).with_for_update()

log = logging.getLogger(__name__)


class ClockReader(Repository):
    """The store's clock, as reads see it."""

    __slots__ = ("_clock",)

    def __init__(self, sql: Statements, clock: SteadyClock) -> None:
        super().__init__(sql)
        self._clock = clock

    async def now(self) -> Millis:
        """Returns the time by which deadlines are judged. A jump of the clock counts only when it has lasted."""
        return await self._clock.now(self._sql.connection)

    async def origin(self, boot: str | None) -> Millis | None:
        """Returns when the run of a machine that `boot` names began, if that run has noted the last heartbeat."""
        noted = await self._sql.first(_ORIGIN, boot=boot)
        return None if noted is None else noted.origin


class ClockRepository(ClockReader):
    """The store's clock in a transaction."""

    __slots__ = ("_downtime", "_moment", "_pulse")

    def __init__(self, sql: Statements, clock: SteadyClock) -> None:
        super().__init__(sql, clock)
        self._pulse: Pulse | None = None
        self._downtime: Span | None = None
        self._moment: Millis | None = None

    async def now(self) -> Millis:
        """Returns the time of the heartbeat, if there was one: a process frozen in between decides by a time that is
        accounted for."""
        return await super().now() if self._moment is None else self._moment

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
        # The lock lets one of several processes find the gap, and the others find it closed.
        last = (await self._sql.execute(_LAST)).scalar_one_or_none()
        self._pulse = self._clock.pulse(away)
        now = await super().now()
        if last is not None and self._clock.is_borne_out(last, away):
            self._clock.believe()
            now = await super().now()
        self._moment, downtime = now, None
        alone = self._sql.connection.dialect.name == "sqlite"  # whose file is locked against a second process
        if last is None:
            await self._sql.add(schema.heartbeat, {"id": 1, **self._noted(now)})
        elif last - now > away:
            log.warning("the last heartbeat lies %d s in the future: the clock was wrong", (last - now) // 1000)
            await self._sql.execute(_BEAT, self._noted(now))
            await end_downtimes_by(self._sql, now)
        elif now > last:
            await self._sql.execute(_BEAT, self._noted(now))
            if now - last > (0 if first and alone else away):
                downtime = Span(last, now)
                await add_downtime(self._sql, downtime)
                await postpone_challenges(self._sql, downtime)
                await TournamentRepository(self._sql).postpone(downtime)
                await ContestRepository(self._sql).postpone(downtime)
        self._downtime = self._downtime or downtime
        return downtime

    def committed(self) -> None:
        """Counts the heartbeat, and reports the downtime that it found."""
        if self._pulse:
            self._clock.beaten(self._pulse)
        if self._downtime:
            away = self._downtime.millis // 1000
            log.warning("the bot was not at work for %d s, which no clock counts", away)

    def _noted(self, now: Millis) -> Values:
        return {"at": now, "boot": self._clock.boot, "origin": self._clock.origin}
