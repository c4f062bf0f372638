"""A match with all that can stop its clock, compared with a plain model that counts the minutes one by one."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from play.clock import Fischer, PerMove, Reserve, parse_control
from play.clock.agreement import TimeAgreement
from play.clock.schedule import ClockSchedule, Span, parse_night
from play.ids import IdempotencyKey, Millis
from play.match import moves, offers
from play.match.events import EventKind, OfferKind
from rules.registry import make_game
from tests.clock import MINUTE
from tests.examples import examples
from tests.matches import ANNA, BORIS, a_match

MIDNIGHT = Millis(1_767_225_600_000)
"""1 January 2026, UTC."""

DAY = 24 * 60
GAME = make_game("zagram", {"size": "20x20"})
SOURCE = IdempotencyKey(0)
NIGHT = (23 * 60, 6 * 60)
LONDON = ClockSchedule(ZoneInfo("Europe/London"), parse_night("23:00-06:00"))  # which in January keeps UTC
CONTROLS = ("2h+10m", "3h+1h max 4h", "8h", "2h/30m", "0s/5h")


class Minutes:
    """The plain model, which counts the minutes one by one."""

    def __init__(self, control: str, nights: tuple[bool, bool]) -> None:
        self.control = parse_control(control)
        start = self.control.start // MINUTE
        self.now = 0
        self.running = 0
        self.begun = 0
        self.left = [start, start]
        self.nights = nights
        self.paused_until = 0
        self.away_until = [0, 0]
        self.charged: list[int] = []
        self.passed = 0
        self.given = 0

    def is_stopped(self, minute: int) -> bool:
        asleep = self.nights[self.running] and (minute % DAY >= NIGHT[0] or minute % DAY < NIGHT[1])
        return asleep or minute < self.paused_until or minute < self.away_until[self.running]

    def wait(self, minutes: int) -> None:
        for minute in range(self.now, self.now + minutes):
            if not self.is_stopped(minute):
                self.charged.append(minute)
        self.now += minutes

    def sleep(self, since: int, minutes: int) -> None:
        """Lets the bot be down since its last heartbeat at `since`, and gives back what was charged after that."""
        self.charged = [minute for minute in self.charged if minute < since]
        self.now += minutes

    @property
    def budget(self) -> int:
        """The time for this turn."""
        free = self.control.free // MINUTE if isinstance(self.control, Reserve) else 0
        return self.left[self.running] + free

    @property
    def late(self) -> bool:
        """Whether the time for this turn was over before now."""
        spent = self.charged[: self.budget]
        return len(spent) == self.budget and self.now > (spent[-1] + 1 if spent else self.begun)

    def rest(self) -> list[int]:
        """Returns what both would have left if the clock were stopped now."""
        left = list(self.left)
        left[self.running] = min(left[self.running], max(0, self.budget - len(self.charged)))
        return left

    def turn(self, *, moved: bool) -> None:
        left = self.rest()
        control, seat = self.control, self.running
        if isinstance(control, PerMove):
            left[seat] = control.allowance // MINUTE
        elif isinstance(control, Fischer) and moved:
            more = left[seat] + control.increment // MINUTE
            left[seat] = more if control.cap is None else max(left[seat], min(more, control.cap // MINUTE))
        self.left, self.running, self.begun, self.charged = left, 1 - seat, self.now, []


class Table(RuleBasedStateMachine):
    """Events that happen to a match and to the model."""

    @initialize(
        control=st.sampled_from(CONTROLS), nights=st.tuples(st.booleans(), st.booleans()), hour=st.integers(0, 23)
    )
    def begin(self, control: str, nights: tuple[bool, bool], hour: int) -> None:
        self.model = Minutes(control, nights)
        self.model.now = self.model.begun = hour * 60
        self.first = a_match(
            control=control,
            game=GAME,
            at=self.at,
            agreement=TimeAgreement(quiet=True, vacation=True),
            schedules=tuple(LONDON if night else ClockSchedule() for night in nights),
        )
        self.match = self.first
        self.downtimes: tuple[Span, ...] = ()
        self.heartbeat = self.model.now
        self.undo: tuple[list[int], int, int, list[int]] | None = None

    @property
    def at(self) -> Millis:
        return self.moment(self.model.now)

    def moment(self, minute: int) -> Millis:
        return Millis(MIDNIGHT + minute * MINUTE)

    @property
    def mover(self) -> int:
        return (ANNA, BORIS)[self.model.running]

    def goes_on(self) -> bool:
        return not self.match.outcome

    @precondition(goes_on)
    @rule(minutes=st.integers(1, 900), beats=st.booleans())
    def time_passes(self, minutes: int, beats: bool) -> None:
        self.model.wait(minutes)
        if beats:
            self.heartbeat = self.model.now
        self.judge()

    def judge(self) -> None:
        flagged = moves.flag(self.match, self.at)
        assert (flagged is not self.match) == self.model.late
        if self.model.late:
            assert flagged.clock.remaining[self.model.running] == 0
        self.match = flagged

    @precondition(goes_on)
    @rule()
    def a_move(self) -> None:
        model = self.model
        self.undo = (list(model.left), model.running, model.begun, list(model.charged))
        text = str(next(iter(self.match.position.moves())))
        self.match = moves.move(self.match, self.match.players[model.running], text, self.at, SOURCE)
        model.turn(moved=True)

    @precondition(
        lambda self: self.goes_on() and self.undo and self.match.clocks_before and self.model.begun == self.model.now
    )
    @rule()
    def it_is_taken_back_at_once(self) -> None:
        assert self.undo is not None
        self.model.left, self.model.running, self.model.begun, self.model.charged = self.undo
        player = self.match.players[self.model.running]
        self.match = offers.take_back(self.match, player, self.at, SOURCE, practice=False)
        assert self.match.events[-1].kind is EventKind.TAKEBACK

    @precondition(lambda self: self.goes_on() and self.match.moves)
    @rule()
    def the_last_move_is_taken_back_by_agreement(self) -> None:
        last = self.match.moves[-1].seat
        self.settle(OfferKind.TAKEBACK, last)
        if last != self.model.running:
            self.model.turn(moved=False)

    def settle(self, kind: OfferKind, seat: int, **options: Millis) -> None:
        asker, other = self.match.players[seat], self.match.players[1 - seat]
        self.match = offers.offer(self.match, asker, kind, self.at, SOURCE, **options)
        self.match = offers.agree(self.match, other, kind, self.at, SOURCE)

    @precondition(lambda self: self.goes_on() and self.model.paused_until <= self.model.now)
    @rule(minutes=st.integers(1, 3 * DAY), seat=st.integers(0, 1))
    def a_pause(self, minutes: int, seat: int) -> None:
        minutes = min(minutes, offers.MAX_PAUSE[self.match.clock.control.speed] // MINUTE)
        self.settle(OfferKind.PAUSE, seat, pause=Millis(minutes * MINUTE))
        self.model.paused_until = self.model.now + minutes

    @precondition(lambda self: self.goes_on() and self.model.paused_until > self.model.now)
    @rule(seat=st.integers(0, 1))
    def the_pause_ends(self, seat: int) -> None:
        self.match = offers.resume(self.match, self.match.players[seat], self.at, SOURCE)
        self.model.paused_until = self.model.now

    @precondition(goes_on)
    @rule(seat=st.integers(0, 1), days=st.integers(1, 3))
    def a_vacation(self, seat: int, days: int) -> None:
        if self.model.away_until[seat] <= self.model.now:
            until = self.model.now + days * DAY
            self.match = offers.start_vacation(self.match, self.match.players[seat], self.moment(until), self.at)
            self.model.away_until[seat] = until

    @precondition(goes_on)
    @rule(seat=st.integers(0, 1))
    def the_vacation_ends(self, seat: int) -> None:
        self.match = offers.end_vacation(self.match, self.match.players[seat], self.at)
        self.model.away_until[seat] = min(self.model.away_until[seat], self.model.now)

    @precondition(goes_on)
    @rule(minutes=st.integers(1, 300), seat=st.integers(0, 1))
    def a_gift(self, minutes: int, seat: int) -> None:
        self.match = offers.give_time(
            self.match, self.match.players[1 - seat], Millis(minutes * MINUTE), self.at, SOURCE
        )
        self.model.left[seat] += minutes

    @precondition(goes_on)
    @rule(minutes=st.integers(1, 2 * DAY))
    def the_bot_is_away(self, minutes: int) -> None:
        since = self.heartbeat
        self.model.sleep(since, minutes)
        self.heartbeat = self.model.now
        self.downtimes = (*self.downtimes, Span(self.moment(since), self.at))
        self.match = self.match.with_downtimes(self.downtimes)
        self.judge()

    @rule()
    def another_process_takes_over(self) -> None:
        replayed = self.first.with_downtimes(self.downtimes)
        for event in self.match.events:
            replayed = replayed.after(event)
        assert (replayed.clock, replayed.outcome, replayed.moves) == (
            self.match.clock,
            self.match.outcome,
            self.match.moves,
        )

    @invariant()
    def what_is_left_is_what_the_model_says(self) -> None:
        if self.goes_on():
            left = self.match.clock.stop(self.at).remaining
            assert [time / MINUTE for time in left] == self.model.rest()
            assert min(left) >= 0
            assert self.match.to_act == self.model.running

    @invariant()
    def the_deadline_is_when_the_model_has_nothing_left(self) -> None:
        deadline = self.match.clock.deadline
        if self.goes_on() and deadline is not None:
            assert (deadline < self.at) == self.model.late
            assert self.match.clock.stop(deadline).remaining[self.model.running] == 0


def test_the_clock_is_the_model_whatever_happens() -> None:
    run_state_machine_as_test(Table, settings=settings(examples(120), stateful_step_count=40))
