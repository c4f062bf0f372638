"""The grid of a daily tells how its solver did, and nothing of the answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from random import Random

import pytest

from play.community.daily import SHOWN, Comparison, Recap, Run
from play.community.exercises import Kind, exercises
from play.community.solving import Solving, Wrong
from play.ids import Millis, UserId
from presentation.daily import goal_text, grid, line_text, minutes, recap_lines, refutation_text, shared_text
from presentation.words.words import languages
from renderer.theme import THEMES
from tests.exercises import an_exercise

WORDS = languages().of("en")
DAYS, READERS, CROSSINGS = 400, 40, 30


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_of_exercise_says_its_goal_in_every_language(kind: Kind) -> None:
    for points in (1, 2, 5):
        exercise = replace(an_exercise(1, 900), kind=kind, points=points)
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
    assert recap_lines(quiet, "", WORDS) == ["No one here solved it that day."]
    full = Recap("2026-11-26", 7, 1, UserId(1), Millis(125_999), 3, Comparison(2, 9))
    assert recap_lines(full, "Ola", WORDS) == [
        "✅ 7 players here solved it",
        "⚡ Fastest without a mistake: Ola (2:05)",
        "🔥 This server: 3 days in a row",
        "🏆 Place 2 of 9 servers",
    ]
    assert minutes(Millis(3_600_000)) == "60:00"


def test_who_reads_all_grids_of_a_day_guesses_no_better_than_chance() -> None:
    """The reader learns from half of the days which crossing was right where grids looked like this one's."""
    chance = Random(11)
    seen: dict[str, Counter[int]] = defaultdict(Counter)
    found = 0
    for day in range(DAYS):
        answer, hardness = chance.randrange(CROSSINGS), chance.uniform(0.1, 0.9)
        grids = Counter(grid((_misses(chance, hardness, answer),), "paper") for _ in range(READERS))
        looks = " ".join(f"{line}{count // 8}" for line, count in sorted(grids.items()))
        if day < DAYS // 2:
            seen[looks][answer] += 1
            seen[""][answer] += 1
        else:
            (guess, _), *_ = (seen.get(looks) or seen[""]).most_common(1)
            found += guess == answer
    tries = DAYS - DAYS // 2
    expected = tries / CROSSINGS
    assert found <= expected + 3 * (expected * (1 - 1 / CROSSINGS)) ** 0.5


def _misses(chance: Random, hardness: float, answer: int) -> int:
    """Returns the wrong moves of a solver who tries crossings in an order of their own until they find the answer."""
    if chance.random() > hardness:
        return 0
    order = chance.sample(range(CROSSINGS), CROSSINGS)
    return order.index(answer)
