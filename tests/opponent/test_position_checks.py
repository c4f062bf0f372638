"""Positions that were set up, as the solver looks at them: what is told of an exercise, and why others are none."""

from __future__ import annotations

import pytest

from play.boards.diagram import begin_at
from play.boards.own_board import SEED
from play.community.exercise import Exercise, Kind
from play.community.exercises import exercises
from play.match.turn_tree import TriedTurn
from rules.dots import Dots
from tests.positions import AT_ONCE, TOO_MANY, game_of
from use_cases.proofs.check import Fault, Faulty, Found, Goal, check


def game_at(exercise: Exercise) -> Dots:
    """Returns the game whose set-up is the position of an exercise."""
    assert isinstance(exercise.game, Dots)
    position, steps = exercise.game.start(exercise.seed), list[TriedTurn]()
    for number, move in enumerate(exercise.moves, start=1):
        steps.append(TriedTurn(number, None, 0, position.to_act, move))
        position = position.play(exercise.game.parse(move))
    return begin_at(exercise.game, steps)


def faulty(game: Dots, goal: Goal) -> Fault:
    found = check(game, goal)
    assert isinstance(found, Faulty)
    return found.fault


def test_a_capture_is_found_with_moves_to_choose_from() -> None:
    found = check(game_of(AT_ONCE), Goal.CAPTURE)
    assert isinstance(found, Found)
    assert (found.proof.kind, found.proof.points, found.several) == (Kind.CAPTURE, 4, ())
    assert "D3" in found.answers
    assert len(found.answers) == 4


def test_what_can_be_saved_is_found_for_the_other_player() -> None:
    found = check(game_of(AT_ONCE, begins=1), Goal.SAVE)
    assert isinstance(found, Found)
    assert found.proof.kind is Kind.WALL


def test_each_place_with_several_answers_is_told() -> None:
    two = next(each for each in exercises().values() if each.kind is Kind.NET and len(each.tree.right) > 1)
    found = check(game_at(two), Goal.CAPTURE)
    assert isinstance(found, Found)
    assert found.several[0].moves == ()
    assert {*found.several[0].right} == {*two.tree.right}


def test_a_position_in_which_nearly_all_wins_is_not_unique() -> None:
    found = check(game_of(TOO_MANY), Goal.CAPTURE)
    assert isinstance(found, Faulty)
    assert found.fault is Fault.NOT_UNIQUE
    assert {"D4", "C2"} <= {*found.right}


@pytest.mark.parametrize("goal", [Goal.CAPTURE, Goal.SAVE])
def test_a_goal_that_nothing_reaches_is_told(goal: Goal) -> None:
    begins = 1 if goal is Goal.CAPTURE else 0
    assert faulty(game_of(AT_ONCE, begins), goal) is Fault.OUT_OF_REACH


def test_an_ending_with_much_room_is_too_large() -> None:
    assert faulty(game_of(AT_ONCE), Goal.ENDING) is Fault.TOO_LARGE


def test_a_board_whose_columns_have_no_letter_is_too_large() -> None:
    wide = "\n".join(["." * 28, ".RR" + "." * 25, "RBB" + "." * 25, ".RR" + "." * 25, "." * 28])
    assert faulty(game_of(wide), Goal.CAPTURE) is Fault.TOO_LARGE


@pytest.mark.parametrize(("preset", "goal"), [("paper", Goal.CAPTURE), ("zagram", Goal.STOP)])
def test_rules_that_the_solver_does_not_know_are_told(preset: str, goal: Goal) -> None:
    assert faulty(game_of(AT_ONCE, preset=preset), goal) is Fault.RULES


def test_the_tree_that_is_kept_solves_as_it_was_proved() -> None:
    found = check(game_of(AT_ONCE), Goal.CAPTURE)
    assert isinstance(found, Found)
    position = game_of(AT_ONCE).start(SEED)
    after = position.play(game_of(AT_ONCE).parse(found.proof.tree.line[0]))
    assert after.score[0] - position.score[0] == found.proof.points
