"""Vacation days from a yearly bank."""

from __future__ import annotations

import pytest

from play.ids import Millis, UserId
from play.people.vacation import DAYS_PER_YEAR, Vacation, current_vacation, days_left, take_vacation
from play.refusal import Refused
from tests.clock import DAY, HOUR, NOON

ANNA = UserId(1)
YEAR = 366 * DAY


def away(start: int, end: int) -> Vacation:
    return Vacation(ANNA, Millis(NOON + start), Millis(NOON + end))


def test_days_begin_at_once() -> None:
    assert take_vacation([], ANNA, 3, NOON) == away(0, 3 * DAY)


def test_a_whole_year_of_days_can_be_taken_and_no_more() -> None:
    assert days_left([take_vacation([], ANNA, DAYS_PER_YEAR, NOON)], NOON) == 0
    with pytest.raises(Refused) as refused:
        take_vacation([away(-9 * DAY, -2 * DAY)], ANNA, DAYS_PER_YEAR - 6, NOON)
    assert (refused.value.key, refused.value.details) == ("bank_empty", {"left": DAYS_PER_YEAR - 7})


def test_a_day_that_has_begun_is_spent() -> None:
    times = (0, HOUR, HOUR + 1, DAY, DAY + HOUR, DAY + HOUR + 1)
    assert [DAYS_PER_YEAR - days_left([away(0, time)], NOON) for time in times] == [0, 0, 1, 1, 1, 2]


def test_days_that_were_not_used_go_back_into_the_bank() -> None:
    ended = away(0, 10 * DAY).end_at(Millis(NOON + DAY + 2 * HOUR))
    assert days_left([ended], Millis(NOON + 3 * DAY)) == DAYS_PER_YEAR - 2


def test_a_vacation_that_is_returned_at_once_costs_nothing() -> None:
    assert days_left([away(0, 3 * DAY).end_at(Millis(NOON + 5_000))], Millis(NOON + 5_000)) == DAYS_PER_YEAR


def test_short_vacations_are_added_up_so_that_no_player_stops_their_clock_for_nothing() -> None:
    short = [away(hour * DAY, hour * DAY + HOUR // 2) for hour in range(3)]
    assert [days_left(short[:count], NOON) for count in (1, 2, 3)] == [DAYS_PER_YEAR, DAYS_PER_YEAR, DAYS_PER_YEAR - 1]
    assert days_left([*short, away(4 * DAY, 4 * DAY + 5_000)], NOON) == DAYS_PER_YEAR - 1


def test_the_hour_that_is_free_is_no_day_more() -> None:
    taken = take_vacation([away(-DAY, -DAY + HOUR)], ANNA, DAYS_PER_YEAR, NOON)
    assert days_left([away(-DAY, -DAY + HOUR), taken], NOON) == 0


def test_each_year_has_its_own_days() -> None:
    assert days_left([away(0, 10 * DAY)], Millis(NOON + YEAR)) == DAYS_PER_YEAR


def test_nobody_leaves_twice() -> None:
    with pytest.raises(Refused, match="away_already"):
        take_vacation([away(-DAY, DAY)], ANNA, 1, NOON)
    assert take_vacation([away(-2 * DAY, 0)], ANNA, 1, NOON) == away(0, DAY)


@pytest.mark.parametrize("days", [0, -3])
def test_a_vacation_has_days(days: int) -> None:
    with pytest.raises(Refused, match="bad_days"):
        take_vacation([], ANNA, days, NOON)


def test_a_vacation_goes_on_until_its_end() -> None:
    vacation = away(0, DAY)
    assert [current_vacation([vacation], Millis(NOON + time)) for time in (-1, 0, DAY - 1, DAY)] == [
        None,
        vacation,
        vacation,
        None,
    ]


def test_a_vacation_ends_neither_before_it_began_nor_later_than_it_would() -> None:
    assert away(0, DAY).end_at(Millis(NOON - 1)) == away(0, 0)
    assert away(0, DAY).end_at(Millis(NOON + 2 * DAY)) == away(0, DAY)
