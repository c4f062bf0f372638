"""Proofs of what is forced, against all lines of small boards by the rules alone."""

from __future__ import annotations

from random import Random

import pytest

from opponent.dots.field import from_position, from_rows
from opponent.forcing import PASS, Forcing, TooLong, lead
from rules.dots import Dots, DotsPosition, Setup
from rules.game import Seat

TRIES = 1_000_000

MAX_FREE = 9
"""Free crossings up to which all lines of three dots can be tried."""


def random_position(side: int, dots: int, seed: int) -> DotsPosition:
    """Returns a position after so many dots, each near the last ones: captures are frequent."""
    chance, position = Random(seed), Dots("zagram", side, side, Setup.CROSS).start(0)
    for _ in range(dots):
        if position.outcome:
            break
        position = position.play(chance.choice(list(position.moves())))
    assert isinstance(position, DotsPosition)
    return position


def led(position: DotsPosition, seat: int) -> float:
    return position.score[seat] - position.score[1 - seat]


def can_force(position: DotsPosition, seat: Seat, goal: float, dots: int) -> bool:
    """Returns whether `seat`, to move, forces a lead within so many dots: tries everything."""
    if dots == 0 or position.outcome:
        return False
    afters = [position.with_to_act(seat).play(turn) for turn in position.moves()]
    if any(led(after, seat) >= goal for after in afters):
        return True
    return dots > 1 and any(
        not after.outcome
        and can_force(after, seat, goal, dots - 1)
        and all(can_force(after.play(turn), seat, goal, dots - 1) for turn in after.moves())
        for after in afters
    )


@pytest.mark.parametrize(
    ("side", "boards"),
    [pytest.param(5, 12, id="few"), pytest.param(6, 120, id="many", marks=pytest.mark.contest)],
)
def test_what_is_forced_is_what_all_lines_of_the_rules_say(side: int, boards: int) -> None:
    forcing, found = Forcing(TRIES, 3), set()
    for seed in range(boards):
        position = random_position(side, 9 + seed % (side * side - 16), seed)
        field = from_position(position)
        for seat in (Seat(0), Seat(1)):
            goal = led(position, seat) + 1 + seed % 2
            for dots in (1, 2, 3) if position.free <= MAX_FREE else (1, 2):
                expected = can_force(position, seat, goal, dots)
                assert bool(forcing.forced(field, seat, int(goal), dots)) is expected, (seed, seat, dots)
                found.add((dots, expected))
    assert {(1, False), (2, False), (2, True)} <= found


def best_end(position: DotsPosition, seat: int) -> float:
    """Returns the lead of `seat` after the best moves of both to the end."""
    if position.outcome:
        return led(position, seat)
    ends = [best_end(position.play(turn), seat) for turn in position.moves()]
    return max(ends) if position.to_act == seat else min(ends)


def test_a_final_lead_is_that_of_all_lines_of_the_rules() -> None:
    forcing = Forcing(TRIES, 3)
    for seed in range(25):
        position = random_position(4, 7, seed)
        seat = position.to_act
        expected = best_end(position, seat)
        assert forcing.final_lead(from_position(position), seat, -100, 100) == expected, seed
        assert (forcing.final_lead(from_position(position), seat, 0, 1) >= 1) is (expected >= 1)


def test_an_answer_refutes_a_move_unless_the_capture_is_forced() -> None:
    forcing, threatened = Forcing(TRIES, 3), from_rows([".....", "..B..", ".BRB.", ".....", "....."], (0, 0))
    assert forcing.refuting(threatened, 1, 1, 1) == forcing.forced(threatened, 1, 1, 1) != PASS
    assert forcing.refuting(from_rows([".....", ".BBB.", ".BRB.", ".B.B.", "....."], (0, 0)), 1, 1, 2) == 0
    nothing = from_rows([".....", ".R...", "...B.", "....."], (0, 0))
    assert forcing.refuting(nothing, 1, 1, 2) == PASS


def test_a_proof_that_takes_too_many_dots_says_so() -> None:
    field = from_rows([".......", "..BBB..", ".BRRB..", "..B.R..", "......."], (0, 0))
    with pytest.raises(TooLong):
        Forcing(3, 3).forced(field, 1, 3, 5)


def test_a_goal_that_is_reached_needs_no_dot() -> None:
    field = from_rows([".....", ".....", "....."], (2, 0))
    assert lead(field, 0) == 2
    assert Forcing(TRIES, 3).refuting(field, 0, 2, 0) == 0
