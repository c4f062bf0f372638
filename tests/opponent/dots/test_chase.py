"""Captures that can be forced, against the exact solver of the ladders."""

from __future__ import annotations

import numpy as np
import pytest

from opponent.dots.arrays import SIZE, STRIDE
from opponent.dots.chase import Chaser, got_away
from opponent.dots.field import from_rows
from opponent.dots.playout import TERMS
from opponent.dots.search import play_chase
from rules.dots import DotsPosition, Turn
from rules.game import Point, parse_point
from tests.opponent.dots.hunt import Hunt, cell_of
from tests.opponent.dots.ladders import BROKEN, LADDERS, Ladder
from tests.opponent.dots.problems import CAPTURE, NET


def forced(position: DotsPosition) -> tuple[int, list[Turn]]:
    """Returns how many dots the player to act can force a capture of, and the turns up to it."""
    field = from_rows(position.rows(), (0, 0))
    won, line = Chaser().find(field, int(position.to_act))
    stride = int(field[STRIDE])
    return won, [Turn(Point(int(cell) % stride - 1, int(cell) // stride - 1)) for cell in line]


@pytest.mark.parametrize("ladder", LADDERS, ids=str)
def test_a_ladder_that_works_captures_the_prey_and_all_that_fled(ladder: Ladder) -> None:
    position = ladder.position
    won, line = forced(position)
    assert won == ladder.prey + ladder.steps - 1
    for turn in line[:-1]:
        position = position.play(turn)
    assert position.score[ladder.hunter] == 0
    assert position.play(line[-1]).score[ladder.hunter] >= won


@pytest.mark.parametrize("ladder", BROKEN, ids=str)
def test_a_ladder_that_fails_is_no_chase(ladder: Ladder) -> None:
    assert forced(ladder.position) == (0, [])


@pytest.mark.sample(4)
@pytest.mark.parametrize("ladder", BROKEN[::8], ids=str)
def test_a_dot_presses_the_prey_if_the_next_one_would_capture_it(ladder: Ladder) -> None:
    hunt, chaser = Hunt.at(ladder.position, ladder.hunter, ladder.first, ladder.first), Chaser()
    cells = [cell_of(hunt.field, turn.dot) for turn in ladder.position.moves()]
    pressing = {cell for cell in cells if hunt.strike(cell).blows()}
    assert 0 < len(pressing) < 20
    assert {cell for cell in cells if chaser.presses(hunt.field, ladder.hunter, cell, hunt.prey)} == pressing


@pytest.mark.parametrize("ladder", BROKEN[::8], ids=str)
def test_a_prey_gets_away_by_the_dot_that_would_have_captured_it(ladder: Ladder) -> None:
    hunt, prey = Hunt.at(ladder.position, ladder.hunter, ladder.first, ladder.first), 1 - ladder.hunter
    cells = [cell_of(hunt.field, turn.dot) for turn in ladder.position.moves()]
    threat = next(cell for cell in cells if hunt.strike(cell).blows())
    after = hunt.strike(threat)
    blow, *_ = after.blows()
    elsewhere = next(cell for cell in cells if cell not in {threat, *after.blows()})
    assert got_away(after.flee(blow).field, prey, blow)
    assert not got_away(after.flee(elsewhere).field, prey, elsewhere)
    assert not got_away(hunt.flee(blow).field, prey, blow)


def test_a_quiet_net_is_no_chase() -> None:
    assert forced(NET.problem.position) == (0, [])


def test_after_the_whole_line_of_a_chase_nothing_behind_it_is_read() -> None:
    """The memory there named a dot that captures, or one so far away that the process ended."""
    position = CAPTURE.problem.position
    mover, [answer] = int(position.to_act), CAPTURE.problem.answers
    field = from_rows(position.rows(), (0, 0))
    memory = np.array([0, cell_of(field, parse_point(answer))], np.int64)
    played = play_chase(field, np.zeros(SIZE, np.int16), np.zeros(TERMS, np.int64), memory[:1], 1, mover, 2)
    assert played == (mover, 0, 2)
