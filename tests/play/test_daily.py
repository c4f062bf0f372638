"""The daily: the lists of days, runs, streaks, when it is posted, and recaps."""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import sha256
from random import Random

import pytest

from play.community.daily import (
    EDITIONS,
    FIRST_DAYS,
    MIN_LEFT_MILLIS,
    REST_DAYS,
    SHOWN,
    STEPS,
    Calendar,
    Comparison,
    Edition,
    Newcomer,
    Run,
    ServerResult,
    Tally,
    calendar,
    compare,
    make_recap,
    post_time,
)
from play.community.exercise import Kind
from play.community.exercises import WITHDRAWN, exercises
from play.community.puzzle import puzzle_day
from play.community.streak import Streak, day_start, next_day
from play.ids import GuildId, Millis, UserId
from play.people.vacation import Vacation
from play.ratings.glicko import Rating

DAY = 86_400_000
USER = UserId(1)
ZONES = ("Europe/Warsaw", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Auckland", "America/St_Johns", None)


def ratings(count: int) -> dict[int, float]:
    chance = Random(5)
    return {number: chance.uniform(600, 2200) for number in range(1, count + 1)}


def days(first: str, count: int) -> list[str]:
    start = date.fromisoformat(first)
    return [(start + timedelta(each)).isoformat() for each in range(count)]


GROWING = Edition("2026-11-01", 400), Edition("2027-01-05", 1000), Edition("2027-02-01", 2000)


def test_nobody_meets_an_exercise_twice_in_sixty_days_even_when_the_set_grows() -> None:
    lists = [Calendar(ratings(2000), GROWING).of(day) for day in days("2026-11-01", 400)]
    for place, of_day in enumerate(lists):
        before = {number for other in lists[max(0, place - REST_DAYS) : place] for number in other}
        assert not before & {*of_day}
        assert len({*of_day}) == STEPS


def test_a_day_keeps_its_list_when_the_set_grows() -> None:
    small, large = Calendar(ratings(2000), GROWING[:1]), Calendar(ratings(2000), GROWING)
    before, after = days("2026-11-01", 65), days("2027-01-05", 65)
    assert [small.of(day) for day in before] == [large.of(day) for day in before]
    assert [small.of(day) for day in after] != [large.of(day) for day in after]


def test_each_step_is_harder_than_the_one_before() -> None:
    rated = ratings(2000)
    made = Calendar(rated, GROWING)
    for day in days("2026-11-01", 400):
        difficulties = [rated[number] for number in made.of(day)]
        assert difficulties == sorted(difficulties)


def test_the_built_in_set_is_large_enough_for_sixty_days() -> None:
    lists = [calendar().of(day) for day in days(EDITIONS[-1].day, 200)]
    for place, of_day in enumerate(lists):
        before = {number for other in lists[max(0, place - REST_DAYS) : place] for number in other}
        assert not before & {*of_day}


def test_the_editions_have_exercises_that_exist() -> None:
    assert max(edition.last for edition in EDITIONS) <= max(exercises())
    assert [*EDITIONS] == sorted(EDITIONS)
    assert {number for day in days("2026-11-01", 200) for number in calendar().of(day)} <= {*exercises()}


def test_days_before_the_second_edition_are_as_they_were_posted() -> None:
    posted = [calendar().of(day) for day in days("2026-11-01", 30)]
    assert posted[25] == (2076, 1178, 1144)
    assert sha256(repr(posted).encode()).hexdigest()[:16] == "b466f8609c0071b7"


def test_no_day_to_come_has_a_withdrawn_exercise() -> None:
    coming = {number for day in days(EDITIONS[-1].day, 3 * len(exercises())) for number in calendar().of(day)}
    assert coming == {*exercises()} - WITHDRAWN


def test_all_that_is_near_to_a_day_is_known() -> None:
    made = Calendar(ratings(400), GROWING[:1])
    assert {*made.of("2026-12-01"), *made.of("2027-01-29"), *made.of("2026-10-04")} <= made.around("2026-12-01")
    assert not {*made.of("2027-01-30")} & made.around("2026-12-01")
    plain = calendar().of_run(Run("2026-12-01", USER, Millis(0), plain=True))
    assert {*plain}.union(*FIRST_DAYS) <= calendar().around("2026-12-01")


def test_a_first_day_is_a_capture_an_escape_and_a_net_on_a_small_board() -> None:
    for number, first_day in enumerate(FIRST_DAYS, start=1):
        assert calendar().of_run(Run("2026-12-01", USER, Millis(0), first=number)) == first_day
        chosen = [exercises()[each] for each in first_day]
        assert [each.kind for each in chosen] == [Kind.CAPTURE, Kind.ESCAPE, Kind.NET]
        for each in chosen:
            assert each.rating.value == min(other.rating.value for other in exercises().values())
            assert each.game.options["size"] in ("7x7", "8x8")


def test_no_day_of_the_next_five_months_has_an_exercise_of_the_first_days() -> None:
    first = {number for day in FIRST_DAYS for number in day}
    assert not first & {number for day in days("2026-11-29", 157) for number in calendar().of(day)}
    assert first & {*calendar().of("2027-05-05")}


def test_who_does_not_know_stop_has_another_exercise_of_the_same_third_in_its_place() -> None:
    for day in days("2026-11-29", 200):
        full, plain = calendar().of(day), calendar().of_run(Run(day, USER, Millis(0), plain=True))
        for usual, other in zip(full, plain, strict=True):
            is_stop = exercises()[usual].kind is Kind.STOP
            assert (usual != other) is is_stop
            assert exercises()[other].kind is not Kind.STOP
        difficulties = [exercises()[each].rating.value for each in plain]
        assert difficulties == sorted(difficulties)


def test_who_does_not_know_stop_meets_no_exercise_twice_in_sixty_days() -> None:
    lists = [calendar().of_run(Run(day, USER, Millis(0), plain=True)) for day in days("2026-12-01", 600)]
    for place, of_day in enumerate(lists):
        before = {number for other in lists[max(0, place - REST_DAYS) : place] for number in other}
        assert not before & {*of_day}


@pytest.mark.parametrize(
    ("newcomer", "first", "plain"),
    [
        (Newcomer(0, Rating(), knows_stop=False), 1, True),
        (Newcomer(2, Rating(1400, 200), knows_stop=True), 3, False),
        (Newcomer(3, Rating(1400, 200), knows_stop=True), 0, False),
        (Newcomer(0, Rating(1400, 140), knows_stop=False), 0, True),
    ],
)
def test_the_first_days_are_of_those_whose_strength_is_not_known(newcomer: Newcomer, first: int, plain: bool) -> None:
    run = Run.begin("2026-12-01", USER, Millis(5), newcomer)
    assert (run.first, run.plain, run.began) == (first, plain, 5)


def run_of(*results: int, user: int = 1, began: int = 0, ended: int = 60_000, day: str = "2026-11-26") -> Run:
    start = day_start(day)
    return Run(day, UserId(user), Millis(start + began), results=results, ended=Millis(start + ended))


def test_a_run_counts_wrong_moves_by_step() -> None:
    run = Run("2026-11-26", USER, Millis(5)).miss().miss().go_on("C3", "D4").end_step(Millis(7))
    assert (run.results, run.moves, run.missed, run.tries) == ((2,), (), 0, 4)
    run = run.miss().end_step(Millis(8), shown=True)
    assert not run.over
    run = run.end_step(Millis(9))
    assert (run.results, run.ended, run.over) == ((2, SHOWN, 0), 9, True)
    assert (run.solved, run.points, run.is_clean) == (2, 1 + 0 + 3, False)


def test_a_streak_goes_on_from_day_to_day_and_through_a_vacation() -> None:
    streak = Streak(USER, 0, 0, "2026-11-19").next("2026-11-20", ()).next("2026-11-21", ())
    assert streak == Streak(USER, 2, 2, "2026-11-21")
    assert streak.next("2026-11-21", ()) == streak
    away = Vacation(USER, Millis(day_start("2026-11-22") + 5), Millis(day_start("2026-11-24") + 5))
    assert streak.on("2026-11-25", [away]) == 2
    assert streak.next("2026-11-25", [away]).days == 3
    assert streak.on("2026-11-27", [away]) == 0
    assert streak.next("2026-11-27", [away]) == Streak(USER, 1, 2, "2026-11-27")


def test_one_missed_day_does_not_break_a_streak_and_two_in_a_row_do() -> None:
    streak = Streak(USER, 4, 4, "2026-11-21")
    assert streak.on("2026-11-23", ()) == 4
    assert streak.next("2026-11-23", ()) == Streak(USER, 5, 5, "2026-11-23")
    assert streak.next("2026-11-23", ()).next("2026-11-25", ()).days == 6
    assert streak.on("2026-11-24", ()) == 0
    assert streak.next("2026-11-24", ()).days == 1
    away = Vacation(USER, day_start("2026-11-22"), day_start("2026-11-23"))
    assert streak.on("2026-11-24", [away]) == 4, "a day of vacation is none of grace"


@pytest.mark.parametrize("zone", ZONES)
def test_each_day_is_posted_once_and_on_that_day_also_when_clocks_change(zone: str | None) -> None:
    for hour in range(24):
        moments = [post_time(day, hour, zone) for day in days("2026-09-01", 400)]
        assert [puzzle_day(each) for each in moments] == days("2026-09-01", 400)
        assert moments == sorted({*moments})
        assert all(day_start(next_day(puzzle_day(each))) - each >= MIN_LEFT_MILLIS for each in moments)


def test_it_is_posted_at_the_hour_of_the_zone() -> None:
    assert post_time("2026-11-26", 8, "Europe/Warsaw") - day_start("2026-11-26") == 7 * 3_600_000
    assert post_time("2026-07-26", 8, "Europe/Warsaw") - day_start("2026-07-26") == 6 * 3_600_000
    assert post_time("2026-11-26", 5, "Asia/Kolkata") == day_start("2026-11-26"), "half an hour is too little"
    assert next_day("2026-12-31") == "2027-01-01"


def test_a_day_with_a_solver_adds_to_the_streak_of_a_server() -> None:
    assert make_recap("2026-11-26", Tally(3, 2, UserId(2), Millis(61_000)), 4, None).streak == 5
    assert make_recap("2026-11-26", Tally(0, 0, None, None), 4, None).streak == 0


def test_servers_are_compared_by_the_points_of_a_solver() -> None:
    results = [ServerResult(GuildId(1), 5, 30), ServerResult(GuildId(2), 100, 500), ServerResult(GuildId(3), 4, 36)]
    assert compare(GuildId(1), results) == Comparison(1, 2)
    assert compare(GuildId(2), results) == Comparison(2, 2)
    assert compare(GuildId(3), results) is None
    assert compare(GuildId(1), results[:1]) is None
