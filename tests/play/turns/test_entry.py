"""Turns as a list of chosen steps: crossings, and codes that the server has offered."""

from __future__ import annotations

import pytest

from play.match.match import Match
from play.turns import code_of, landings, step_at
from rules.game import BadNotation, Point, RuleError, point_name
from tests.bot.table import a_match

SURROUNDED = ("d5", "e5", "e6", "a1", "e4", "a2")
"""Seat 0 is to move, and F5 closes the chain round E5."""

DASHES = ("set d4 e5/f6", "single")
"""The set-up of a game of Dot Dash and the choice of a side."""


def turn(match: Match, *steps: str) -> str | None:
    """Returns the notation of the turn that the steps make, if it is complete."""
    step = step_at(match, code_of(match, steps))
    assert step is not None
    return step.complete_turn


def test_a_dot_is_a_turn() -> None:
    assert turn(a_match("zagram"), "e5") == "E5"


def test_no_step_is_the_first_one() -> None:
    step = step_at(a_match("zagram"), code_of(a_match("zagram"), ()))
    assert step is not None
    assert len(step.points) == 9  # the middle third of an empty board


def test_a_finger_draws_a_chain_without_waiting_for_answers() -> None:
    match = a_match("paper", *SURROUNDED)
    begun = [point_name(point) for point in step_points(match, "F5", "F5/")]
    assert "F5" in begun
    steps = ("F5", "F5/", "F5", "E6", "D5", "E4")
    step = step_at(match, code_of(match, steps))
    assert step is not None
    (close,) = [option for option in step.options if option.label.key == "close"]
    assert turn(match, *steps, close.code) == "F5 draw F5-E6-D5-E4"


def step_points(match: Match, *steps: str) -> list[Point]:
    step = step_at(match, code_of(match, steps))
    assert step is not None
    return [*step.points]


def test_a_dash_is_a_stone_and_where_it_lands() -> None:
    match = a_match("dot-dash", *DASHES, size="9")
    stone = next(iter(step_at_first(match)))
    end = landings(match, stone)[0]
    assert turn(match, stone, point_name(end)) == f"{stone}-{point_name(end)}"


def step_at_first(match: Match) -> list[str]:
    """Returns the stones that can dash."""
    position = match.position
    return sorted({str(move).partition("-")[0] for move in position.moves()})


def test_a_set_up_is_three_crossings() -> None:
    assert turn(a_match("dot-dash", size="9"), "d4", "e5", "f6") == "set D4 E5/F6"


@pytest.mark.parametrize("steps", [("Z99",), ("?",), ("E5", "E5"), ("E5/xyz",), ("E5", "E5/", "A1"), ("E5+ffffffff",)])
def test_steps_that_make_no_turn_are_refused(steps: tuple[str, ...]) -> None:
    match = a_match("zagram", "e5")
    with pytest.raises(RuleError):
        turn(match, *steps)


def test_a_chain_never_jumps() -> None:
    with pytest.raises(BadNotation):
        code_of(a_match("paper"), ("E5", "E5/", "A1", "I9"))
