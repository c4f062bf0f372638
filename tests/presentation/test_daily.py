"""The grid of a daily tells how its solver did, and nothing of the answers."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import pytest

from benchmarks.grids import Reader, Step, count_found, interval, make_steps
from play.community.daily import SHOWN, Comparison, Recap, Run
from play.community.exercise import Goal, Kind
from play.community.exercises import exercises
from play.community.solving import Solving, Wrong
from play.ids import Millis, UserId
from presentation.daily import grid, minutes, recap_lines, shared_text
from presentation.exercises import goal_text, line_text, refutation_text
from presentation.words.words import languages
from renderer.theme import THEMES
from rules.game import Point
from tests.exercises import an_exercise

WORDS = languages().of("en")


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_of_exercise_says_its_goal_in_every_language(kind: Kind) -> None:
    for points in (1, 2, 5):
        goal = Goal(f"exercise.goal.{kind}", None if kind is Kind.STOP else points)
        exercise = replace(an_exercise(1, 900), goal=goal)
        for language in languages().names:
            text = goal_text(exercise, languages().of(language), "paper")
            assert "🔴" in text
            assert kind is Kind.STOP or str(points) in text


def test_a_line_has_a_dot_for_each_wrong_move_and_one_for_the_solution() -> None:
    assert grid((0, 2, SHOWN), "paper") == "🔴\n🔵🔵🔴\n⚪"
    assert grid((9,), "paper") == "🔵🔵🔵🔵🔵…🔴"


def test_each_theme_has_dots_that_differ() -> None:
    for theme in THEMES:
        solved, missed = grid((0,), theme), grid((1,), theme)[0]
        assert solved != missed


def test_a_wrong_stop_says_what_it_costs_in_every_language() -> None:
    solving = Solving.begin(next(each for each in exercises().values() if each.kind is Kind.STOP))
    verdict = solving.try_move("stop")
    assert isinstance(verdict, Wrong)
    assert refutation_text(verdict, solving, WORDS, "paper") == "❌ Not STOP: it costs you 4 dots."
    assert line_text(solving.exercise.game, verdict.line, WORDS) == "The board after STOP."
    for language in languages().names:
        assert "4" in refutation_text(verdict, solving, languages().of(language), "paper")


def test_what_is_shared_has_the_day_the_count_and_the_streak() -> None:
    run = Run("2026-11-26", UserId(1), Millis(0), results=(0, 1, SHOWN))
    assert shared_text(run, 4, WORDS, "paper").splitlines()[0] == "Kropka Daily 2026-11-26: 2/3 · 🔥 4"
    assert shared_text(run, 1, WORDS, "paper").splitlines()[0] == "Kropka Daily 2026-11-26: 2/3"


def test_a_recap_says_only_what_there_is_to_say() -> None:
    quiet = Recap("2026-11-26", 0, 0, None, None, 0, None)
    assert recap_lines(quiet, "", WORDS) == []
    full = Recap("2026-11-26", 7, 1, UserId(1), Millis(125_999), 3, Comparison(2, 9))
    assert recap_lines(full, "Ola", WORDS) == [
        "✅ 7 players here solved it",
        "⚡ Fastest without a mistake: Ola (2:05)",
        "🔥 This server: 3 days in a row",
        "🏆 Place 2 of 9 servers",
    ]
    assert minutes(Millis(3_600_000)) == "60:00"


@pytest.mark.parametrize(
    "days", [pytest.param(75, id="quick"), pytest.param(600, id="whole", marks=pytest.mark.contest)]
)
def test_who_reads_all_grids_of_a_day_guesses_no_better_than_who_reads_none(days: int) -> None:
    steps = make_steps(days, solvers=30)
    with_grids, without = (count_found(steps, Reader(grids=grids, board=False)) for grids in (True, False))
    gain, error = interval([float(found) - float(other) for found, other in zip(with_grids, without, strict=True)])
    assert gain <= error


def test_a_reader_learns_what_grids_tell() -> None:
    """Else the test above would show nothing."""
    moves, last = ("A1", "I1", "A9", "I9"), Point(4, 4)
    steps = [Step(("", move), moves, frozenset({move}), last, (9, 9)) for move in moves * 100]
    assert mean(count_found(steps, Reader(grids=True, board=False))) == 1
    assert mean(count_found(steps, Reader(grids=False, board=False))) < 0.5
