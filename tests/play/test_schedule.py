"""When a clock is stopped: tables of moments in UTC, with both changes of summer time."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.clock.schedule import MAX_NIGHT_MINUTES, ClockSchedule, Night, Span, end_last_span, parse_night, span_at
from play.ids import Millis
from tests.clock import DAY, HOUR, MINUTE, NOON
from tests.examples import examples

WARSAW, NEW_YORK, KOLKATA, LORD_HOWE, CHATHAM = map(
    ZoneInfo, ("Europe/Warsaw", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Chatham")
)


def utc(text: str) -> Millis:
    """Returns a moment: `03-29 01:00` of 2026, or a whole date."""
    return Millis(int(datetime.strptime(f"2026-{text}", "%Y-%m-%d %H:%M").replace(tzinfo=UTC).timestamp()) * 1000)


def spans(*texts: str) -> list[Span]:
    return [Span(*(utc(moment) for moment in text.split(" to "))) for text in texts]


# Europe puts its clocks forward on 29 March at 1:00 UTC and back on 25 October at 1:00 UTC; New York on 8 March at 7:00
# and on 1 November at 6:00; Lord Howe, by half an hour, back on 4 April at 15:00 and forward on 3 October at 15:30.
NIGHTS = {
    "an ordinary night": (WARSAW, "22:00-07:00", "01-10 12:00", ["01-10 21:00 to 01-11 06:00"]),
    "the night that loses an hour": (WARSAW, "22:00-07:00", "03-28 12:00", ["03-28 21:00 to 03-29 05:00"]),
    "the night that wins an hour": (WARSAW, "22:00-07:00", "10-24 12:00", ["10-24 20:00 to 10-25 06:00"]),
    "it begins in the hour that is left out": (WARSAW, "02:30-05:00", "03-28 12:00", ["03-29 01:00 to 03-29 03:00"]),
    "it ends in the hour that is left out": (WARSAW, "23:00-02:30", "03-28 12:00", ["03-28 22:00 to 03-29 01:00"]),
    "it begins in the hour that comes twice": (
        WARSAW, "02:30-05:00", "10-24 12:00", ["10-25 00:30 to 10-25 01:00", "10-25 01:30 to 10-25 04:00"],
    ),
    "it ends in the hour that comes twice": (
        WARSAW, "23:00-02:30", "10-24 12:00", ["10-24 21:00 to 10-25 00:30", "10-25 01:00 to 10-25 01:30"],
    ),
    "the whole of it is left out": (WARSAW, "02:10-02:50", "03-28 12:00", []),
    "west of UTC, in spring": (NEW_YORK, "23:00-08:00", "03-07 18:00", ["03-08 04:00 to 03-08 12:00"]),
    "west of UTC, in autumn": (NEW_YORK, "23:00-08:00", "10-31 18:00", ["11-01 03:00 to 11-01 13:00"]),
    "a change of half an hour, back": (LORD_HOWE, "22:00-06:00", "04-04 06:00", ["04-04 11:00 to 04-04 19:30"]),
    "a change of half an hour, forward": (LORD_HOWE, "22:00-06:00", "10-03 06:00", ["10-03 11:30 to 10-03 19:00"]),
    "a zone without summer time": (KOLKATA, "23:00-07:00", "06-01 06:00", ["06-01 17:30 to 06-02 01:30"]),
    "a siesta": (WARSAW, "13:00-15:00", "07-01 10:00", ["07-01 11:00 to 07-01 13:00"]),
    "a night of more than twelve hours": (WARSAW, "20:00-10:00", "01-10 12:00", ["01-10 19:00 to 01-11 07:00"]),
    "around midnight at the end of a year": (WARSAW, "22:00-07:00", "12-31 12:00", ["12-31 21:00 to 12-31 23:59"]),
}  # fmt: skip


@pytest.mark.parametrize(("zone", "night", "noon", "standing"), NIGHTS.values(), ids=NIGHTS)
def test_the_clock_is_stopped_in_a_players_night(zone: ZoneInfo, night: str, noon: str, standing: list[str]) -> None:
    start = utc(noon)
    end = min(Millis(start + 23 * HOUR), utc("12-31 23:59"))
    assert ClockSchedule(zone, parse_night(night)).stopped_spans(start, end) == spans(*standing)


WEEKENDS = {
    "an ordinary one": (WARSAW, "01-07 12:00", "01-09 23:00 to 01-11 23:00"),
    "one hour shorter": (WARSAW, "03-25 12:00", "03-27 23:00 to 03-29 22:00"),
    "one hour longer": (WARSAW, "10-21 12:00", "10-23 22:00 to 10-25 23:00"),
    "west of UTC": (NEW_YORK, "01-07 12:00", "01-10 05:00 to 01-12 05:00"),
    "east of the date line's noon": (CHATHAM, "06-03 12:00", "06-05 11:15 to 06-07 11:15"),
}


@pytest.mark.parametrize(("zone", "wednesday", "standing"), WEEKENDS.values(), ids=WEEKENDS)
def test_the_clock_is_stopped_on_a_players_weekend(zone: ZoneInfo, wednesday: str, standing: str) -> None:
    start = utc(wednesday)
    assert ClockSchedule(zone, weekends=True).stopped_spans(start, Millis(start + 6 * DAY)) == spans(standing)


def test_without_nights_weekends_and_vacations_the_clock_never_stops() -> None:
    assert ClockSchedule(WARSAW).stopped_spans(NOON, Millis(NOON + 30 * DAY)) == []
    assert ClockSchedule(WARSAW).deadline_after(NOON, DAY) == NOON + DAY


def test_what_overlaps_counts_once() -> None:
    schedule = ClockSchedule(
        spans=(Span(Millis(5), Millis(9)), Span(Millis(0), Millis(7)), Span(Millis(9), Millis(12)))
    )
    assert schedule.stopped_spans(Millis(1), Millis(20)) == [Span(Millis(1), Millis(12))]
    assert schedule.active_time(Millis(1), Millis(20)) == 8


def test_a_vacation_takes_the_nights_in() -> None:
    vacation = Span(utc("01-10 12:00"), utc("01-12 12:00"))
    schedule = ClockSchedule(WARSAW, parse_night("22:00-07:00"), spans=(vacation,))
    assert schedule.active_time(utc("01-10 00:00"), utc("01-13 00:00")) == (6 + 9) * HOUR


def test_time_that_is_over_when_the_night_begins_is_over_then() -> None:
    schedule = ClockSchedule(WARSAW, parse_night("22:00-07:00"))
    assert schedule.deadline_after(utc("01-10 19:00"), Millis(2 * HOUR)) == utc("01-10 21:00")
    assert schedule.deadline_after(utc("01-10 19:00"), Millis(2 * HOUR + 1)) == utc("01-11 06:00") + 1


def test_a_deadline_goes_over_many_nights() -> None:
    schedule = ClockSchedule(WARSAW, parse_night("22:00-07:00"))
    # 9 hours, 4 days of 15, and 3
    assert schedule.deadline_after(utc("01-10 12:00"), Millis(3 * DAY)) == utc("01-15 09:00")


def test_a_deadline_in_a_night_waits_for_the_morning_of_the_other_time() -> None:
    schedule = ClockSchedule(WARSAW, parse_night("22:00-07:00"))
    assert schedule.deadline_after(utc("03-28 20:00"), Millis(2 * HOUR)) == utc("03-29 06:00")


def test_a_span_is_cut_short_but_never_made_longer() -> None:
    span = Span(Millis(5), Millis(9))
    assert end_last_span((span,), Millis(7)) == (Span(Millis(5), Millis(7)),)
    assert end_last_span((span,), Millis(20)) == (span,)
    assert end_last_span((span,), Millis(1)) == (Span(Millis(5), Millis(5)),)


def test_a_moment_lies_in_a_span_until_its_end() -> None:
    span = Span(Millis(5), Millis(9))
    assert [span_at((span,), Millis(moment)) for moment in (4, 5, 8, 9)] == [None, span, span, None]


zones = st.sampled_from((WARSAW, NEW_YORK, KOLKATA, LORD_HOWE, CHATHAM))
nights = st.none() | st.builds(Night, st.integers(0, 1439), st.integers(0, 1439)).filter(lambda n: n.start != n.end)
moments = st.one_of(
    st.sampled_from(["03-28 12:00", "10-24 12:00", "03-07 18:00", "10-31 18:00", "04-04 06:00", "10-03 06:00"]).map(
        utc
    ),
    st.integers(utc("01-01 00:00"), utc("12-01 00:00")).map(Millis),
)
holidays = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 60)), max_size=3)
schedules = st.tuples(zones, nights, st.booleans(), holidays, moments)


def built(
    zone: ZoneInfo, night: Night | None, weekends: bool, days: list[tuple[int, int]], start: Millis
) -> ClockSchedule:
    free = tuple(Span(Millis(start + a * HOUR), Millis(start + (a + b) * HOUR)) for a, b in days)
    return ClockSchedule(zone, night, weekends, free)


@given(schedules, st.integers(1, 20 * DAY))
@examples(200)
def test_a_deadline_is_the_first_moment_by_which_the_time_has_run(
    made: tuple[ZoneInfo, Night | None, bool, list[tuple[int, int]], Millis], time: int
) -> None:
    schedule, start = built(*made), made[-1]
    deadline = schedule.deadline_after(start, Millis(time))
    assert schedule.active_time(start, deadline) == time
    assert schedule.active_time(start, Millis(deadline - 1)) == time - 1


@given(schedules, st.integers(0, 5 * DAY), st.integers(0, 5 * DAY))
@examples(100)
def test_what_runs_in_two_stretches_runs_in_the_whole(
    made: tuple[ZoneInfo, Night | None, bool, list[tuple[int, int]], Millis], first: int, second: int
) -> None:
    schedule, start = built(*made), made[-1]
    middle, end = Millis(start + first), Millis(start + first + second)
    assert schedule.active_time(start, middle) + schedule.active_time(middle, end) == schedule.active_time(start, end)


@given(schedules)
@examples(100)
def test_it_is_stopped_exactly_when_local_time_says_so(
    made: tuple[ZoneInfo, Night | None, bool, list[tuple[int, int]], Millis],
) -> None:
    zone, night, weekends, _, start = made
    schedule = built(*made)

    def is_stopped(moment: int) -> bool:
        wall = datetime.fromtimestamp(moment / 1000, zone)
        minutes, length = wall.hour * 60 + wall.minute, (night.end - night.start) % 1440 if night else 0
        asleep = night is not None and (minutes - night.start) % 1440 < min(length, MAX_NIGHT_MINUTES)
        free = any(span.start <= moment < span.end for span in schedule.spans)
        return asleep or free or (weekends and wall.weekday() >= 5)

    start = Millis(start - start % MINUTE)
    found = schedule.stopped_spans(start, Millis(start + 2 * DAY))
    for moment in range(start, start + 2 * DAY, 10 * MINUTE):
        assert is_stopped(moment) == any(span.start <= moment < span.end for span in found), moment
