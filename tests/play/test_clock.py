"""Clocks: what is left after what happened, as tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.clock import LONGEST, SHORTEST, Clock, Fischer, PerMove, TimeControl, parse_control
from play.ids import Millis
from play.refused import Refused
from rules.game import Seat

FIRST, SECOND = Seat(0), Seat(1)
S, M, H, D = 1000, 60_000, 3_600_000, 86_400_000


def started(control: str, seats: int = 2) -> Clock:
    return Clock.started(parse_control(control), seats, FIRST, Millis(0))


def left(clock: Clock) -> list[int]:
    return list(clock.left)


# Who moves next, and when: (control, [(upcoming seat, moment)], left at the end, deadline)
PLAYED = {
    "a new clock gives everybody the whole time": ("10m+30s", [], [10 * M, 10 * M], 10 * M),
    "a move costs its time and earns the increment": ("10m+30s", [(1, M)], [9 * M + 30 * S, 10 * M], 11 * M),
    "both clocks run in turn": ("10m+30s", [(1, M), (0, 3 * M)], [9 * M + 30 * S, 8 * M + 30 * S], 12 * M + 30 * S),
    "a quick move leaves more than there was": ("10m+30s", [(1, S)], [10 * M + 29 * S, 10 * M], 10 * M + S),
    "a move in the grace after the flag leaves the increment": ("1m+5s", [(1, M + S)], [5 * S, M], 2 * M + S),
    "days a move begin anew with each move": ("3d", [(1, 2 * D)], [3 * D, 3 * D], 5 * D),
    "days a move save nothing": ("3d", [(1, S), (0, 2 * S)], [3 * D, 3 * D], 3 * D + 2 * S),
    "a seat that moves again is charged again": ("10m+0s", [(0, M), (1, 2 * M)], [8 * M, 10 * M], 12 * M),
    "a move before its turn began costs nothing": ("10m+0s", [(1, M), (0, M - S)], [9 * M, 10 * M], 10 * M),
}


@pytest.mark.parametrize(("control", "moves", "expected", "deadline"), PLAYED.values(), ids=PLAYED)
def test_what_is_left(control: str, moves: list[tuple[int, int]], expected: list[int], deadline: int) -> None:
    clock = started(control)
    for upcoming, moment in moves:
        clock = clock.pressed(Seat(upcoming), Millis(moment))
    assert (left(clock), clock.deadline) == (expected, deadline)


def test_the_last_move_of_a_game_stops_the_clock() -> None:
    assert started("10m+30s").pressed(None, Millis(M)).deadline is None


def test_a_stopped_clock_has_charged_whose_turn_it_was_and_added_nothing() -> None:
    clock = started("10m+30s").stopped(Millis(M))
    assert (left(clock), clock.deadline) == ([9 * M, 10 * M], None)


def test_a_clock_stopped_after_its_flag_has_nothing_left() -> None:
    assert left(started("10m+30s").stopped(Millis(D))) == [0, 10 * M]


def test_a_standing_clock_is_not_pressed() -> None:
    with pytest.raises(AssertionError):
        started("3d").stopped(Millis(0)).pressed(SECOND, Millis(1))


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("3d", PerMove(Millis(3 * D))),
        (" 36 H ", PerMove(Millis(36 * H))),
        ("10s", PerMove(SHORTEST)),
        ("30d", PerMove(LONGEST)),
        ("10m+30s", Fischer(Millis(10 * M), Millis(30 * S))),
        ("10 m + 30 s", Fischer(Millis(10 * M), Millis(30 * S))),
        ("5m+0s", Fischer(Millis(5 * M), Millis(0))),
    ],
)
def test_a_time_control_is_read(text: str, control: TimeControl) -> None:
    assert parse_control(text) == control


@pytest.mark.parametrize(
    "text",
    ["", "3", "d", "3w", "-3d", "9s", "31d", "721h", "9s+5s", "10m+31d", "10m+", "+30s", "1.5h", "3d+", "10m30s"],
)
def test_what_is_no_time_control_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_clock"):
        parse_control(text)


@pytest.mark.parametrize(
    ("control", "text"), [("36h", "36h"), ("24h", "1d"), ("120s", "2m"), ("60m+60s", "1h+1m"), ("5m+0s", "5m+0d")]
)
def test_a_time_control_is_written_in_its_largest_unit(control: str, text: str) -> None:
    assert str(parse_control(control)) == text


durations = st.integers(1, 9999).flatmap(lambda n: st.sampled_from([f"{n}{unit}" for unit in "dhms"]))


@given(st.one_of(durations, st.tuples(durations, durations).map("+".join)))
def test_a_time_control_is_read_as_it_is_written(text: str) -> None:
    try:
        control = parse_control(text)
    except Refused:
        return
    assert parse_control(str(control)) == control


thoughts = st.lists(st.integers(-5 * S, 20 * M), max_size=30)


@given(st.sampled_from(["3d", "10m", "10m+30s", "10s+0s"]), thoughts)
def test_time_is_never_negative(control: str, thinking: list[int]) -> None:
    clock, now = started(control), 0
    for turn, thought in enumerate(thinking, start=1):
        now += thought
        clock = clock.pressed(Seat(turn % 2), Millis(now))
        assert min(clock.left) >= 0
        assert clock.deadline is not None
        assert clock.deadline >= clock.since
    assert min(clock.stopped(Millis(now + D)).left) >= 0


@given(st.lists(st.integers(0, 30 * S), max_size=15))
def test_all_time_is_accounted_for(thinking: list[int]) -> None:
    clock, now = started("10m+30s"), 0
    for turn, thought in enumerate(thinking, start=1):
        now += thought
        clock = clock.pressed(Seat(turn % 2), Millis(now))
    assert sum(clock.left) == 2 * 10 * M + 30 * S * len(thinking) - now
