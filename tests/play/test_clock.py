"""Clocks: the time left after certain events, as tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.clock import (
    MAX_DURATION,
    MIN_BLITZ_TIME,
    MIN_TIME,
    Blitz,
    Clock,
    Fischer,
    PerMove,
    Reserve,
    Speed,
    TimeControl,
    Untimed,
    parse_control,
    parse_duration,
)
from play.clock.clock import ReminderStep
from play.clock.schedule import ClockSchedule, Span, parse_night
from play.ids import Millis
from play.refusal import Refused
from rules.game import Seat

FIRST, SECOND = Seat(0), Seat(1)
S, M, H, D = 1000, 60_000, 3_600_000, 86_400_000


def started(control: str, seats: int = 2) -> Clock:
    return Clock.start(parse_control(control), seats, FIRST, Millis(0))


def left(clock: Clock) -> list[int]:
    return list(clock.remaining)


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
        clock = clock.press(Seat(upcoming), Millis(moment))
    assert (left(clock), clock.deadline) == (expected, deadline)


OTHERS = {
    "free time is free": ("10m/30s", [(1, 20 * S)], [10 * M, 10 * M], 20 * S + 10 * M + 30 * S),
    "free time to the last moment is free": ("10m/30s", [(1, 30 * S)], [10 * M, 10 * M], 11 * M),
    "what goes beyond the free time is taken from the reserve": (
        "10m/30s",
        [(1, 40 * S)],
        [10 * M - 10 * S, 10 * M],
        11 * M + 10 * S,
    ),
    "free time that was not used is not saved": (
        "10m/30s",
        [(1, S), (0, 2 * S), (1, M)],
        [10 * M - 28 * S, 10 * M],
        11 * M + 30 * S,
    ),
    "a reserve that is used up leaves the free time": ("10s/30s", [(1, 40 * S), (0, 41 * S)], [0, 10 * S], 71 * S),
    "free time alone is time for each move": ("0s/30s", [(1, 20 * S)], [0, 0], 50 * S),
    "an increment ends at the cap": ("10m+30s max 10m", [(1, S), (0, M + S)], [10 * M, 9 * M + 30 * S], 11 * M + S),
    "what lies beyond the cap is not taken away": (
        "10m+30s max 10m",
        [("add_time", 1, M), (1, S), (0, 2 * S)],
        [10 * M, 11 * M - S],
        10 * M + 2 * S,
    ),
    "blitz begins anew with each move": ("5s random", [(1, 4 * S), (0, 5 * S)], [5 * S, 5 * S], 10 * S),
    "without a clock nobody's time runs": ("none", [(1, 400 * D)], [0, 0], None),
    "a gift counts in the turn that runs": ("10m+0s", [("add_time", 0, M)], [11 * M, 10 * M], 11 * M),
    "a gift counts in the next turn": ("3d", [("add_time", 1, H), (1, S)], [3 * D, 3 * D + H], 3 * D + H + S),
    "a gift of time for a move is not kept": (
        "3d",
        [("add_time", 1, H), (1, S), (0, 2 * S)],
        [3 * D, 3 * D],
        3 * D + 2 * S,
    ),
    "a pause costs nobody anything": ("10m+0s", [("pause", M, H), (1, H + M)], [8 * M, 10 * M], H + 11 * M),
    "a pause puts the deadline off": ("10m+0s", [("pause", M, H)], [10 * M, 10 * M], H + 9 * M),
    "a pause that was ended early ends then": (
        "10m+0s",
        [("pause", M, H), ("resume", 3 * M)],
        [10 * M, 10 * M],
        12 * M,
    ),
    "who moves in a pause leaves it to the other": (
        "10m+0s",
        [("pause", M, H), (1, 2 * M)],
        [9 * M, 10 * M],
        H + 10 * M,
    ),
    "a vacation is one player's own": ("1d", [("start_absence", 1, 0, 7 * D), (1, H)], [D, D], 8 * D),
    "a vacation does not stop the other's clock": ("1d", [("start_absence", 1, 0, 7 * D)], [D, D], D),
    "a vacation that was ended early ends then": (
        "1d",
        [("start_absence", 0, 0, 7 * D), ("end_absence", 0, D)],
        [D, D],
        2 * D,
    ),
    "a downtime costs nobody anything": ("10m+0s", [("down", M, H), (1, H + M)], [8 * M, 10 * M], H + 11 * M),
    "a downtime in a pause counts once": (
        "10m+0s",
        [("pause", M, H), ("down", 2 * M, 3 * M)],
        [10 * M, 10 * M],
        H + 9 * M,
    ),
    "a downtime counts in the turn in which it ended": (
        "10m+0s",
        [("down", M, H), (1, 2 * M)],
        [8 * M, 10 * M],
        H + 10 * M,
    ),
    "a downtime before the turn is nothing to it": ("10m+0s", [(1, 9 * M), ("down", M, 2 * M)], [M, 10 * M], 19 * M),
    "a turn that passes without a move earns nothing": ("10m+30s", [("pass_turn", 1, M)], [9 * M, 10 * M], 11 * M),
    "a time set for the last turns leaves the rest alone": (
        "10m+30s",
        [("start_countdown", 4 * M), (0, M), (0, 2 * M)],
        [10 * M, 10 * M],
        4 * M,
    ),
    "a time set for the last turns is not free": (
        "10m/30s",
        [("start_countdown", 4 * M), (0, 10 * S)],
        [10 * M, 10 * M],
        4 * M,
    ),
    "a time set for the last turns can be given more": (
        "10m+30s",
        [("start_countdown", 4 * M), ("add_time", 0, M)],
        [10 * M, 10 * M],
        5 * M,
    ),
    "a time set for the last turns ends with a turn taken back": (
        "10m+30s",
        [("start_countdown", 4 * M), ("pass_turn", 1, M)],
        [10 * M, 10 * M],
        11 * M,
    ),
    "nothing is set where there is no clock": ("none", [("start_countdown", 4 * M)], [0, 0], None),
}


@pytest.mark.parametrize(("control", "steps", "expected", "deadline"), OTHERS.values(), ids=OTHERS)
def test_what_is_left_after_whatever_happens(
    control: str, steps: list[tuple[Any, ...]], expected: list[int], deadline: int | None
) -> None:
    clock = started(control)
    for what, *numbers in steps:
        if what == "pause":
            clock = clock.pause(Span(*map(Millis, numbers)))
        elif what == "start_absence":
            clock = clock.start_absence(Seat(numbers[0]), Span(*map(Millis, numbers[1:])))
        elif what == "down":
            clock = replace(clock, downtimes=(Span(*map(Millis, numbers)),))
        elif isinstance(what, str):
            clock = getattr(clock, what)(*numbers)
        else:
            clock = clock.press(Seat(what), Millis(numbers[0]))
    assert (left(clock), clock.deadline) == (expected, deadline)


def test_a_clock_is_stopped_at_night_and_runs_by_day() -> None:
    night = ClockSchedule(ZoneInfo("Europe/Warsaw"), parse_night("22:00-07:00"))
    evening = Millis(20 * H)  # 21:00 in Warsaw
    clock = Clock.start(parse_control("10h+0s"), 2, FIRST, evening, (night, ClockSchedule()))
    assert clock.deadline == evening + H + 9 * H + 9 * H
    assert clock.stopped_until(evening) is None
    assert clock.stopped_until(Millis(evening + 2 * H)) == evening + 10 * H
    moved = clock.press(SECOND, Millis(evening + 5 * H))
    assert (left(moved), moved.deadline) == ([9 * H, 10 * H], evening + 15 * H)


def test_a_reminder_comes_when_four_fifths_of_the_running_time_have_run() -> None:
    clock = started("10h+0s").pause(Span(Millis(7 * H), Millis(9 * H)))
    assert (10 * H, ReminderStep.MOST) in clock.reminders
    assert clock.deadline == 12 * H


def test_without_a_clock_nobody_is_reminded() -> None:
    assert started("none").reminders == ()


def test_what_happened_while_the_bot_was_away_counts_from_its_return() -> None:
    clock = replace(started("1h"), downtimes=(Span(Millis(M), Millis(H)),))
    assert [clock.after_downtime(Millis(moment)) for moment in (0, M, 2 * M, H)] == [0, H, H, H]


def test_the_last_move_of_a_game_stops_the_clock() -> None:
    assert started("10m+30s").press(None, Millis(M)).deadline is None


def test_a_stopped_clock_has_charged_whose_turn_it_was_and_added_nothing() -> None:
    clock = started("10m+30s").stop(Millis(M))
    assert (left(clock), clock.deadline) == ([9 * M, 10 * M], None)


def test_a_clock_stopped_after_its_flag_has_nothing_left() -> None:
    assert left(started("10m+30s").stop(Millis(D))) == [0, 10 * M]


def test_a_standing_clock_is_not_pressed() -> None:
    with pytest.raises(AssertionError):
        started("3d").stop(Millis(0)).press(SECOND, Millis(1))


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("3d", PerMove(Millis(3 * D))),
        (" 36 H ", PerMove(Millis(36 * H))),
        ("10s", PerMove(MIN_TIME)),
        ("30d", PerMove(MAX_DURATION)),
        ("10m+30s", Fischer(Millis(10 * M), Millis(30 * S))),
        ("10 m + 30 s", Fischer(Millis(10 * M), Millis(30 * S))),
        ("5m+0s", Fischer(Millis(5 * M), Millis(0))),
        ("10m+30s max 15m", Fischer(Millis(10 * M), Millis(30 * S), Millis(15 * M))),
        ("10m+30smax10m", Fischer(Millis(10 * M), Millis(30 * S), Millis(10 * M))),
        ("10m/30s", Reserve(Millis(10 * M), Millis(30 * S))),
        ("0s/10s", Reserve(Millis(0), MIN_TIME)),
        ("5s random", Blitz(Millis(5 * S))),
        ("3S Random", Blitz(MIN_BLITZ_TIME)),
        (" None ", Untimed()),
    ],
)
def test_a_time_control_is_read(text: str, control: TimeControl) -> None:
    assert parse_control(text) == control


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "d",
        "3w",
        "-3d",
        "9s",
        "31d",
        "721h",
        "9s+5s",
        "10m+31d",
        "10m+",
        "+30s",
        "1.5h",
        "3d+",
        "10m30s",
        "10m+30s max 9m",
        "10m+30s max 31d",
        "10m+30s max",
        "5s/4s",
        "31d/1s",
        "1d/31d",
        "/30s",
        "2s random",
        "31d random",
        "random",
        "5s+5s random",
        "nothing",
    ],
)
def test_what_is_no_time_control_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_clock"):
        parse_control(text)


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("36h", "36h"),
        ("24h", "1d"),
        ("120s", "2m"),
        ("60m+60s", "1h+1m"),
        ("5m+0s", "5m+0d"),
        ("60m/60s", "1h/1m"),
        ("10m+0s max 60m", "10m+0d max 1h"),
        ("60s random", "1m random"),
        ("none", "none"),
    ],
)
def test_a_time_control_is_written_in_its_largest_unit(control: str, text: str) -> None:
    assert str(parse_control(control)) == text


durations = st.integers(1, 9999).flatmap(lambda n: st.sampled_from([f"{n}{unit}" for unit in "dhms"]))


pairs = st.tuples(durations, st.sampled_from("+/"), durations).map("".join)
capped = st.tuples(durations, durations, durations).map(lambda three: f"{three[0]}+{three[1]} max {three[2]}")


@given(st.one_of(durations, pairs, capped, durations.map(lambda time: f"{time} random")))
def test_a_time_control_is_read_as_it_is_written(text: str) -> None:
    try:
        control = parse_control(text)
    except Refused:
        return
    assert parse_control(str(control)) == control


@pytest.mark.parametrize(
    ("control", "speed"),
    [
        ("10m", Speed.LIVE),
        ("18m", Speed.LIVE),
        ("19m", Speed.DAYS),
        ("3d", Speed.DAYS),
        ("10m+30s", Speed.LIVE),
        ("5h+2m", Speed.LIVE),
        ("11h+2m", Speed.DAYS),
        ("10m/30s", Speed.LIVE),
        ("1d/0s", Speed.DAYS),
        ("5s random", Speed.LIVE),
        ("none", Speed.DAYS),
    ],
)
def test_a_game_is_live_if_forty_turns_of_both_fit_into_a_day(control: str, speed: Speed) -> None:
    assert parse_control(control).speed is speed


@pytest.mark.parametrize(("text", "time"), [("3d", 3 * D), ("36 H", 36 * H), ("1s", S), ("30d", MAX_DURATION)])
def test_a_duration_is_read(text: str, time: int) -> None:
    assert parse_duration(text) == time


@pytest.mark.parametrize("text", ["", "3", "0s", "31d", "-1d", "1.5h", "1d2h", "soon"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_duration"):
        parse_duration(text)


thoughts = st.lists(st.integers(-5 * S, 20 * M), max_size=30)


@given(st.sampled_from(["3d", "10m", "10m+30s", "10s+0s", "10m+30s max 10m", "10m/30s", "5s random"]), thoughts)
def test_time_is_never_negative(control: str, thinking: list[int]) -> None:
    clock, now = started(control), 0
    for turn, thought in enumerate(thinking, start=1):
        now += thought
        clock = clock.press(Seat(turn % 2), Millis(now))
        assert min(clock.remaining) >= 0
        assert clock.deadline is not None
        assert clock.deadline >= clock.since
    assert min(clock.stop(Millis(now + D)).remaining) >= 0


@given(st.lists(st.integers(0, 30 * S), max_size=15))
def test_all_time_is_accounted_for(thinking: list[int]) -> None:
    clock, now = started("10m+30s"), 0
    for turn, thought in enumerate(thinking, start=1):
        now += thought
        clock = clock.press(Seat(turn % 2), Millis(now))
    assert sum(clock.remaining) == 2 * 10 * M + 30 * S * len(thinking) - now


def test_the_moment_at_which_so_much_is_left_follows_the_running_time() -> None:
    clock = started("1d")
    assert [clock.when_left(Millis(left)) for left in (0, H, D, 2 * D)] == [D, D - H, 0, 0]
    slept = replace(clock, downtimes=(Span(Millis(H), Millis(3 * H)),))
    assert [slept.when_left(Millis(left)) for left in (0, H, D - H // 2)] == [D + 2 * H, D + H, H // 2]
    assert slept.when_left(Millis(0)) == slept.deadline
    assert started("none").when_left(Millis(0)) is None
