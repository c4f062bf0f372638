"""Puzzle ratings, rushes and the built-in set."""

from __future__ import annotations

from collections import Counter
from math import inf
from random import Random

import pytest

from opponent.review import play_line
from play.community.exercise import Kind, TaskId
from play.community.exercises import exercises, first_set
from play.community.puzzle import (
    MAX_ABOVE,
    MAX_CHANGE,
    MAX_FIRST_FALL,
    SETTLED_DEVIATION,
    Figure,
    first_day_floor,
    rate_answer,
    weakest_kind,
)
from play.community.rush import LENGTH, MAX_OF_KIND, MAX_OWN, SPREAD_POINTS, Candidate, choose_tasks, rush_week
from play.ids import Millis
from play.ratings.glicko import Rating
from tests.clock import DAY, NOON


def test_the_puzzle_rating_of_a_solver_converges() -> None:
    """A solver of a known strength answers eighty exercises as Glicko expects it, and guesses among four answers."""
    for strength in (1100, 1400, 1700):
        finals = []
        for seed in range(12):
            chance, user = Random(seed), Rating()
            for number in range(80):
                puzzle = Rating(chance.uniform(1000, 1900), 90)
                finds = 1 / (1 + 10 ** ((puzzle.value - strength) / 400))
                right = chance.random() < finds + (1 - finds) / 4
                user, _ = rate_answer(user, puzzle, right=right, choices=4, now=Millis(NOON + number))
            finals.append(user.value)
        assert sum(finals) / len(finals) == pytest.approx(strength, abs=60)


def test_a_new_user_moves_and_no_puzzle_does() -> None:
    user, puzzle = rate_answer(Rating(), Rating(1500, 90), right=True, choices=4, now=NOON)
    assert user.value > 1500
    assert puzzle == Rating(1500, 90)


def test_a_puzzle_moves_by_answers_of_settled_users() -> None:
    settled = Rating(1500, SETTLED_DEVIATION - 20, at=NOON)
    user, puzzle = rate_answer(settled, Rating(1500, 90), right=True, choices=4, now=NOON)
    assert user.value > 1500 > puzzle.value
    assert puzzle.deviation < 90


def test_a_right_answer_lifts_a_settled_user_only_so_far_above_its_puzzle() -> None:
    for above, lifted in ((MAX_ABOVE - 1, True), (MAX_ABOVE, False), (MAX_ABOVE + 300, False)):
        strong = Rating(1000 + above, 60, at=NOON)
        user, _ = rate_answer(strong, Rating(1000, 90), right=True, choices=40, now=NOON)
        assert (user.value > strong.value) is lifted
        assert user.value <= max(strong.value, 1000 + MAX_ABOVE)


def test_one_answer_of_a_new_user_says_little_however_hard_the_puzzle() -> None:
    for choices in (2, 3, 4):
        for difficulty in range(600, 2500, 50):
            for right in (True, False):
                user, _ = rate_answer(Rating(), Rating(difficulty, 90), right=right, choices=choices, now=NOON)
                assert abs(user.value - 1500) <= MAX_CHANGE
                assert (user.value > 1500) is right


def test_a_right_guess_at_a_hard_puzzle_counts_less_than_an_answer_that_was_likely_known() -> None:
    hard, even = (
        rate_answer(Rating(), Rating(difficulty, 90), right=True, choices=4, now=NOON)[0].value
        for difficulty in (2300, 1600)
    )
    assert hard < 1540 < even


def test_a_bad_first_day_costs_a_newcomer_a_hundred_points_at_most() -> None:
    user = Rating()
    for number in range(12):
        now = Millis(NOON + number)
        floor = first_day_floor(None if number == 0 else NOON, now)
        user, _ = rate_answer(user, Rating(850, 90), right=False, choices=40, now=now, floor=floor)
    assert user.value == 1500 - MAX_FIRST_FALL
    assert user.deviation > 250, "what was not counted has told nothing"
    tomorrow = Millis(NOON + DAY)
    assert first_day_floor(NOON, tomorrow) == -inf
    after, _ = rate_answer(user, Rating(850, 90), right=False, choices=40, now=tomorrow)
    assert after.value == pytest.approx(user.value - MAX_CHANGE)


def test_a_right_answer_on_the_first_day_counts_whole() -> None:
    low = Rating(1500 - MAX_FIRST_FALL, 300, at=NOON)
    floor = first_day_floor(NOON, NOON)
    held, free = (
        rate_answer(low, Rating(1300, 90), right=True, choices=40, now=NOON, floor=each) for each in (floor, -inf)
    )
    assert held == free


def test_training_goes_where_one_fails_and_to_stop_only_when_it_is_known() -> None:
    figures = {Kind.CAPTURE: Figure(9, 10), Kind.NET: Figure(1, 6), Kind.STOP: Figure(0, 9)}
    assert weakest_kind(figures, knows_stop=True) is Kind.STOP
    assert weakest_kind(figures, knows_stop=False) is Kind.NET
    assert weakest_kind({}, knows_stop=False) is Kind.CAPTURE
    assert weakest_kind({Kind.CAPTURE: Figure(1, 1)}, knows_stop=False) is Kind.NET


def test_guesses_alone_lift_nobody() -> None:
    chance, user = Random(1), Rating()
    for number in range(40):
        right = chance.random() < 1 / 4
        user, _ = rate_answer(user, Rating(1500, 90), right=right, choices=4, now=Millis(NOON + number))
    assert user.value < 1300


def candidates(step: int = 1) -> list[Candidate]:
    return [Candidate(each.id, each.rating.value, each.kind) for each in [*exercises().values()][::step]]


def test_a_rush_has_ten_different_tasks_from_easier_to_harder_than_its_user_is_strong() -> None:
    ratings = {each.task: each.rating for each in candidates()}
    for strength in (1100, 1250, 1400, 1500):
        for seed in range(5):
            tasks = choose_tasks(candidates(), [], [], Rating(strength), seed)
            chosen = [ratings[task] for task in tasks]
            assert len(set(tasks)) == LENGTH
            assert chosen == sorted(chosen)
            assert chosen[0] < strength - SPREAD_POINTS / 2
            assert chosen[-1] > strength + SPREAD_POINTS / 2


def test_users_weaker_and_stronger_than_all_tasks_have_those_nearest_to_them() -> None:
    ratings = {each.task: each.rating for each in candidates()}
    weak, strong = (choose_tasks(candidates(), [], [], Rating(value), 1) for value in (200, 3000))
    assert max(ratings[task] for task in weak) <= 855
    assert min(ratings[task] for task in strong) >= 1680


def test_a_rush_has_several_kinds() -> None:
    kinds = {each.task: each.kind for each in candidates()}
    for strength in range(1000, 1900, 100):
        chosen = Counter(kinds[task] for task in choose_tasks(candidates(), [], [], Rating(strength), 1))
        assert max(chosen.values()) <= MAX_OF_KIND, strength


def test_two_rushes_of_the_same_strength_are_not_the_same() -> None:
    first, second = (choose_tasks(candidates(), [], [], Rating(), seed) for seed in (1, 2))
    assert len({*first} & {*second}) < LENGTH / 2


def test_a_rush_takes_some_tasks_of_the_server() -> None:
    own = [TaskId(f"p{number}") for number in range(9)]
    tasks = choose_tasks(candidates(), [], own, Rating(), 1)
    assert sum(task in own for task in tasks) == MAX_OWN
    assert len(tasks) == LENGTH


def test_once_the_unmet_tasks_run_out_the_oldest_come_again() -> None:
    unmet, again = candidates(500), candidates(7)[:30]
    chosen = {*choose_tasks(unmet, again, [], Rating(), 1)}
    assert chosen == {each.task for each in (*unmet, *again[: LENGTH - len(unmet)])}
    assert choose_tasks([], [], [], Rating(), 1) == ()


def test_one_answer_of_an_exercise_is_right_and_begins_its_solution() -> None:
    for exercise in [*exercises().values()][::50]:
        assert [exercise.is_right(answer) for answer in range(4)].count(True) == 1
        assert exercise.solution in exercise.tree.right
        line = exercise.tree.line_of(exercise.solution)
        assert play_line(exercise.game, exercise.position, line) is not None


def test_weeks_are_those_of_the_calendar() -> None:
    assert rush_week(NOON) == "2025-w24"
    assert rush_week(Millis(NOON + DAY)) == "2025-w25"


def test_the_built_in_set_is_large_enough_and_graded() -> None:
    ratings = [task.rating.value for task in first_set().values()]
    assert len(ratings) >= 60
    assert ratings == sorted(ratings)
    assert ratings[-1] - ratings[0] >= 500


def test_every_exercise_can_be_played_and_captures_what_it_says() -> None:
    for number, task in first_set().items():
        before, seat = task.position, task.position.to_act
        assert before.outcome is None
        assert len(set(task.answers)) == len(task.answers) in (3, 4), number
        assert [task.is_right(answer) for answer in range(len(task.answers))].count(True) == 1
        for answer in task.answers:
            before.play(task.game.parse(answer))
        after = play_line(task.game, before, task.tree.line)
        assert task.enough is not None
        assert after.score[seat] - before.score[seat] == task.enough > 0
