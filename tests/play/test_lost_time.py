"""Time that players lose by being turned away is not on their clocks, and no flag falls meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from play.ids import IdempotencyKey, Millis, UserId
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from storage import Database
from tests.clock import MINUTE, SECOND, StoppedClock
from tests.matches import ANNA, BORIS, a_match, add_shown_match, load_match
from tests.play.naps import Naps, running
from use_cases import UseCases
from use_cases.clock_service import HOLD_MILLIS, MAX_GAP_MILLIS, LostTime
from use_cases.workers.deadline_scheduler import BATCH_SECONDS, FlagHolder


@pytest.fixture
def use_cases(store: Database, clock: StoppedClock) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4, clock=lambda: clock() / 1000)


@pytest.fixture
def lost_time(use_cases: UseCases) -> LostTime:
    return use_cases.lost_time


def turn_away(lost_time: LostTime, clock: StoppedClock, *gaps: int) -> None:
    """Turns Anna away, and again after each of the gaps but the last, after which she is let in."""
    for gap in gaps:
        lost_time.note_turned_away(ANNA)
        clock.advance(gap)
    lost_time.note_let_in(ANNA)


async def hold_flags_of(user: UserId, use_cases: UseCases, store: Database, clock: StoppedClock) -> Match:
    """Returns a match in which Anna's time is over, at a moment in which a user was turned away."""
    match = await add_shown_match(store, a_match(control="20s"))
    clock.advance(20 * SECOND)
    use_cases.lost_time.note_turned_away(user)
    await use_cases.lost_time.hold_flags()
    return match


def test_it_is_lost_from_each_click_that_was_turned_away_to_the_next(lost_time: LostTime, clock: StoppedClock) -> None:
    turn_away(lost_time, clock, 2 * SECOND, 3 * SECOND)
    assert (lost_time.of(ANNA), lost_time.of(BORIS)) == (5000, 0)


def test_one_who_does_something_else_first_loses_no_more_by_that(lost_time: LostTime, clock: StoppedClock) -> None:
    turn_away(lost_time, clock, MINUTE)
    assert lost_time.of(ANNA) == MAX_GAP_MILLIS


def test_one_who_is_let_in_loses_nothing(lost_time: LostTime, clock: StoppedClock) -> None:
    lost_time.note_let_in(ANNA)
    clock.advance(MINUTE)
    lost_time.note_let_in(ANNA)
    assert lost_time.of(ANNA) == 0


async def test_the_clock_does_not_charge_what_was_lost(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match = await add_shown_match(store, a_match(control="5m+2s"))
    clock.advance(20 * SECOND)
    turn_away(use_cases.lost_time, clock, 4 * SECOND, 5 * SECOND)
    await use_cases.matches.move(match.id, ANNA, "E5", clock(), IdempotencyKey(1))
    after = (await load_match(store, match.id)).clock
    left = [after.left(match.seat_of(each), clock()) for each in (ANNA, BORIS)]
    assert left == [5 * MINUTE - 18 * SECOND, 5 * MINUTE]


async def test_a_move_counts_that_was_turned_away_in_time(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match = await add_shown_match(store, a_match(control="20s"))
    clock.advance(19 * SECOND)
    turn_away(use_cases.lost_time, clock, 5 * SECOND)
    after = await use_cases.matches.move(match.id, ANNA, "E5", clock(), IdempotencyKey(1))
    assert after.version == 1


async def test_the_next_turn_begins_anew(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="5m"))
    turn_away(use_cases.lost_time, clock, 4 * SECOND)
    await use_cases.matches.move(match.id, ANNA, "E5", clock(), IdempotencyKey(1))
    assert use_cases.lost_time.of(ANNA) == 0


async def test_no_flag_falls_while_its_player_is_turned_away(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match = await hold_flags_of(ANNA, use_cases, store, clock)
    clock.advance(FLAG_GRACE + SECOND)
    await use_cases.clocks.flag_overdue()
    assert (await load_match(store, match.id)).outcome is None


async def test_the_flag_of_one_who_does_not_come_again_falls_later(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match = await hold_flags_of(ANNA, use_cases, store, clock)
    for _ in range(3):
        await use_cases.clocks.record_heartbeat()
        clock.advance(HOLD_MILLIS // 2)
    await use_cases.clocks.flag_overdue()
    assert (await load_match(store, match.id)).outcome is not None


async def test_flags_of_others_fall(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    match = await hold_flags_of(BORIS, use_cases, store, clock)  # whose turn it is not
    clock.advance(FLAG_GRACE + SECOND)
    await use_cases.clocks.flag_overdue()
    assert (await load_match(store, match.id)).outcome is not None


class Polled(LostTime):
    """Lost time that says when its flags were held."""

    def __init__(self, store: Database) -> None:
        super().__init__(store)
        self.polled = asyncio.Event()

    async def hold_flags(self) -> None:
        await super().hold_flags()
        self.polled.set()


async def test_flags_are_held_a_moment_after_the_first_was_turned_away(store: Database, naps: Naps) -> None:
    lost_time = Polled(store)
    async with running(FlagHolder(lost_time, naps.timing)):
        await lost_time.polled.wait()
        lost_time.polled.clear()
        lost_time.note_turned_away(ANNA)
        lost_time.note_turned_away(BORIS)
        await lost_time.polled.wait()
    assert naps.pauses == [BATCH_SECONDS]


def test_much_is_given_back_but_not_all(lost_time: LostTime, clock: StoppedClock) -> None:
    turn_away(lost_time, clock, *[MAX_GAP_MILLIS] * 100)
    assert lost_time.of(ANNA) == Millis(600_000)
