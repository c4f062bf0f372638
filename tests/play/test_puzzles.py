"""Streaks, puzzle ratings, rushes and the built-in set."""

from __future__ import annotations

from random import Random

import pytest

from opponent.review import play_line
from play.community.exercises import first_set
from play.community.puzzle import Attempt, Puzzle, PuzzleId, TaskId, next_streak, present_streaks
from play.community.puzzle_rating import MAX_ABOVE, MAX_CHANGE, SETTLED_DEVIATION, rate_answer
from play.community.rush import LENGTH, MAX_OWN, choose_tasks, rush_week
from play.ids import GuildId, MatchId, Millis, UserId
from play.ratings.glicko import Rating
from tests.clock import DAY, NOON

ANNA, BORIS = UserId(1), UserId(2)
PUZZLE = Puzzle(PuzzleId(7), GuildId(1), "2025-06-15", MatchId(1), 3, ("A1", "B2"), ("A1",), 1.0)
"""Of the day of NOON."""


def attempt(streak: int, user: UserId = ANNA) -> Attempt:
    return Attempt(PuzzleId(6), user, 0, streak > 0, NOON, streak=streak)


@pytest.mark.parametrize(
    ("right", "scored", "former", "streak"),
    [
        (True, True, None, 1),
        (True, True, attempt(4), 5),
        (False, True, attempt(4), 0),
        (True, True, attempt(0), 1),
        (True, False, attempt(4), 4),
        (False, False, attempt(4), 4),
    ],
)
def test_a_right_answer_goes_on_with_the_streak_and_one_to_an_own_game_keeps_it(
    right: bool, scored: bool, former: Attempt | None, streak: int
) -> None:
    assert next_streak(PUZZLE, right, scored, NOON, former) == streak


def test_an_answer_after_the_day_of_the_puzzle_is_no_part_of_a_streak() -> None:
    assert next_streak(PUZZLE, True, True, Millis(NOON + DAY), attempt(4)) == 0


def test_the_present_streak_is_that_of_today_or_else_of_the_puzzle_before() -> None:
    today, before = [attempt(3)], [attempt(2), attempt(5, BORIS)]
    assert present_streaks([today, before]) == {ANNA: 3, BORIS: 5}
    assert present_streaks([[attempt(0)], before]) == {ANNA: 0, BORIS: 5}


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


def test_guesses_alone_lift_nobody() -> None:
    chance, user = Random(1), Rating()
    for number in range(40):
        right = chance.random() < 1 / 4
        user, _ = rate_answer(user, Rating(1500, 90), right=right, choices=4, now=Millis(NOON + number))
    assert user.value < 1300


def test_a_rush_has_ten_different_tasks_the_easiest_first() -> None:
    ratings = {task.id: task.rating for task in first_set().values()}
    tasks = choose_tasks(ratings, [], [], Rating(), 1)
    assert len(set(tasks)) == LENGTH
    assert [ratings[task].value for task in tasks] == sorted(ratings[task].value for task in tasks)


def test_a_rush_takes_some_tasks_of_the_server_and_none_that_were_tried() -> None:
    ratings = {task.id: task.rating for task in first_set().values()}
    own, tried = [TaskId(f"p{number}") for number in range(9)], [TaskId("p0"), *list(ratings)[:5]]
    tasks = choose_tasks(ratings, own, tried, Rating(), 1)
    assert sum(task in own for task in tasks) == MAX_OWN
    assert not set(tasks) & set(tried)


def test_once_all_tasks_were_tried_the_oldest_come_again() -> None:
    ratings = {task.id: task.rating for task in first_set().values()}
    assert set(choose_tasks(ratings, [], list(ratings), Rating(), 1)) == set(list(ratings)[:LENGTH])


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
        assert task.answers.count(task.solution[0]) == 1
        for answer in task.answers:
            before.play(task.game.parse(answer))
        after = play_line(task.game, before, task.solution)
        assert after.score[seat] - before.score[seat] == task.captures > 0
