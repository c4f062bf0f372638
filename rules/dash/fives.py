"""Fives: runs of five stones of one colour, and how many of them a player can be credited with at once.

Two fives of a colour may share one crossing at most. Fives on different lines cannot share more, since two lines meet
in one crossing. On one line they must start at least four steps apart. So every line is counted on its own, and a run
of L stones holds (L - 1) // 4 fives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from rules.dash.board import WAYS, Board, shift
from rules.game import BadNotation
from rules.notation import point_name
from rules.point import Point

LENGTH = 5
APART = LENGTH - 1
"""The smallest number of steps between the starts of two fives on one line."""

FREE = (0, 0, 0, 0)
"""The argument `taken` of `stretches` while no five is credited."""


class Five(NamedTuple):
    """Five crossings in a straight line, from `first` along `WAYS[way]`; written by its ends, `B3-F3`."""

    first: Point
    way: int

    @property
    def points(self) -> tuple[Point, ...]:
        dx, dy = WAYS[self.way]
        return tuple(Point(self.first.x + dx * step, self.first.y + dy * step) for step in range(LENGTH))

    def __str__(self) -> str:
        return f"{point_name(self.first)}-{point_name(self.points[-1])}"


def five_between(one: Point, other: Point) -> Five:
    """Returns the five with these ends, in either order. Raises BadNotation unless they are five crossings apart."""
    for first, last in ((one, other), (other, one)):
        for way, (dx, dy) in enumerate(WAYS):
            if last == (first.x + dx * APART, first.y + dy * APART):
                return Five(first, way)
    raise BadNotation("no_five", five=f"{point_name(one)}-{point_name(other)}")


class Stretch(NamedTuple):
    """Fives of one line, each starting one step after the one before, that compete for being credited."""

    fives: tuple[Five, ...]

    @property
    def credits(self) -> int:
        """The largest number of these fives that can be credited at once."""
        return (len(self.fives) + APART - 1) // APART

    @property
    def is_choice(self) -> bool:
        return len(self.fives) % APART != 1

    def creditings(self) -> Iterator[frozenset[Five]]:
        """Lists the ways to credit as many as possible. The first, the default, begins at the left end and packs the
        fives closely; on an upright line, at the bottom."""
        slack = len(self.fives) - 1 - APART * (self.credits - 1)
        for shifts in combinations_with_replacement(range(slack + 1), self.credits):
            yield frozenset(self.fives[APART * number + shift] for number, shift in enumerate(shifts))


def stretches(board: Board, stones: int, taken: tuple[int, ...] = FREE) -> Iterator[Stretch]:
    """Lists all fives that `stones` of one colour can be credited with. No five may start at the crossings that
    `taken` has for its direction. Fives of different stretches never compete."""
    for way, step in enumerate(board.steps):
        twos = stones & stones >> step
        fours = twos & twos >> 2 * step
        if not fours:
            continue
        starts = fours & stones >> APART * step & ~taken[way]
        while starts:
            start = starts & -starts
            fives = []
            while starts & start:
                starts ^= start
                fives.append(Five(board.points[start.bit_length() - 1], way))
                start <<= step
            # A falling line is walked from its right end, up and to the left.
            yield Stretch(tuple(reversed(fives) if WAYS[way][0] < 0 else fives))


def count(board: Board, stones: int) -> int:
    """Returns how many fives `stones` of one colour hold."""
    return sum(stretch.credits for stretch in stretches(board, stones))


def taken_by(board: Board, credited: Iterable[Five]) -> tuple[int, ...]:
    """Returns, for each direction, the crossings where no five may start: it would share more than one crossing with a
    credited five."""
    taken = [0, 0, 0, 0]
    for first, way in credited:
        # Off the field this marks crossings of other lines, but none with room for a five in this direction.
        for steps in range(1 - APART, APART):
            taken[way] |= shift(1 << board.cell(first), steps * board.steps[way])
    return tuple(taken)
