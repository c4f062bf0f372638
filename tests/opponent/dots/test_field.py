"""The compiled field against rules/, dot by dot over whole random games.

`python -m tests.opponent.dots.test_field 10000` plays as many.
"""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opponent.dots.arrays import CELLS, FREE, SCORES, SIZE, STATE, STRIDE, copy
from opponent.dots.field import empty, from_position, place, rows, without
from opponent.dots.playout import EVERYTHING, TERMS, counted_lead
from opponent.dots.tables import ALIVE, ENCLOSED, TAKEN
from opponent.dots.threats import gain
from rules.dots import Dots, Setup, Turn
from rules.game import Point, Seat

if TYPE_CHECKING:
    from opponent.dots.arrays import Field

GAMES = 200
SIZES = ((3, 3), (5, 5), (6, 7), (8, 8), (9, 5), (12, 12), (13, 9), (16, 16))
LARGE = (39, 32)
"""One game of a hundred is played on a whole page."""

EVERYTHING_COUNTS = np.zeros(TERMS, np.int64)
EVERYTHING_COUNTS[EVERYTHING] = 1


class Duel:
    """One random game, played by both and compared after every dot."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        width, height = LARGE if seed % 100 == 99 else self.chance.choice(SIZES)
        self.position = Dots("test", width, height, Setup.STONES).start(seed=0)
        self.field = empty(width, height)
        self.again = self.chance.choice((0, 0, 0.3, 0.5))
        self.bold = self.chance.choice((0, 0.4, 0.8))

    def play(self) -> None:
        while self.position.outcome is None:
            if self.chance.random() < self.again:
                self.position = self.position.with_to_act(Seat(self.chance.randrange(2)))
            if self.chance.random() < 0.05:
                self.field = from_position(self.position)
            seat, dot = self.position.to_act, self.choice()
            before = self.position.score[seat]
            promised = gain(self.field, seat, cell(self.field, dot))
            own = self.field[cell(self.field, dot)] & ENCLOSED << seat
            kept = self.field.copy()
            self.position = self.position.play(Turn(dot))
            changed = place(self.field, seat, cell(self.field, dot))
            self.compare(thoroughly=changed or self.chance.random() < 0.1)
            if not changed:
                assert self.same(without(self.field, cell(self.field, dot)), kept)
            assert own or bool(promised) == (self.position.score[seat] > before)

    def choice(self) -> Point:
        """Returns a legal crossing, often one in a closed face."""
        legal = [self.dot(each) for each in self.free()]
        if self.chance.random() < self.bold:
            seen = self.chance.sample(legal, min(12, len(legal)))
            closed = [dot for dot in seen if self.field[cell(self.field, dot)] & 3 * ENCLOSED]
            if closed:
                return self.chance.choice(closed)
        return self.chance.choice(legal)

    def compare(self, *, thoroughly: bool) -> None:
        assert tuple(self.field[SCORES : SCORES + 2]) == self.position.score
        assert self.field[FREE] == self.position.free
        if thoroughly:
            assert rows(self.field) == self.position.rows()
            assert self.field[: int(self.field[CELLS])].tolist() == self.read()
            assert counted_lead(self.field, EVERYTHING_COUNTS) == self.held()
        if thoroughly and self.position.outcome is None:
            assert [cell(self.field, move.dot) for move in self.position.moves()] == self.free()

    def same(self, one: Field, other: Field) -> bool:
        """Returns whether two fields have the same dots, bases, closed faces and counts."""
        cells = int(self.field[CELLS])
        counts = [SCORES, SCORES + 1, FREE]
        return bool((one[:cells] == other[:cells]).all() and (one[counts] == other[counts]).all())

    def read(self) -> list[int]:
        """Returns the cells of the field as they are read from the position."""
        field = from_position(self.position)
        cells: list[int] = field[: int(field[CELLS])].tolist()
        return cells

    def held(self) -> int:
        """Returns how many more crossings the first seat's bases hold."""
        owner = self.position.field.owner
        return owner.count(1) - owner.count(2)

    def free(self) -> list[int]:
        free: list[int] = np.flatnonzero((self.field[: int(self.field[CELLS])] & TAKEN) == 0).tolist()
        return free

    def dot(self, at: int) -> Point:
        stride = int(self.field[STRIDE])
        return Point(at % stride - 1, at // stride - 1)


def cell(field: Field, dot: Point) -> int:
    return (dot.y + 1) * int(field[STRIDE]) + dot.x + 1


@pytest.mark.contest
@pytest.mark.parametrize("tenth", [pytest.param(0, marks=pytest.mark.smoke), *range(1, 10)])
def test_random_games_agree_with_the_rules_after_every_dot(tenth: int) -> None:
    for seed in range(tenth * GAMES // 10, (tenth + 1) * GAMES // 10):
        Duel(seed).play()


def test_a_copied_state_is_the_state_before_the_dots_that_followed() -> None:
    position = Dots("test", 6, 6, Setup.CROSS).start(seed=0)
    field, kept = from_position(position), empty(6, 6)
    copy(field, kept)
    before = kept[:STATE].copy()
    for at in (8, 9, 10, 15, 16, 17):
        if not field[at] & TAKEN:
            place(field, at % 2, at)
    assert rows(field) != position.rows()
    copy(kept, field)
    assert rows(field) == position.rows()
    assert (kept[:STATE] == before).all()


def test_a_field_of_the_largest_size_fits() -> None:
    field = empty(60, 60)
    assert int(field[CELLS]) == 61 * 62 + 1
    assert len(field) == SIZE
    assert not (field[: int(field[CELLS])] & 3 * ALIVE).any()


def main() -> None:
    """Plays as many games as the first argument says."""
    for seed in range(int(sys.argv[1])):
        Duel(seed).play()
        if seed % 1000 == 999:
            print(f"{seed + 1} games agree", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
