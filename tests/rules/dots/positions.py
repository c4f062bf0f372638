"""Positions of Dots with their options, laid out as diagrams.

    .A.
    AbA   A letter is a dot of the set-up and its case the colour: capitals for Red (seat 0), small letters for Blue
    .C.   (seat 1). They are set up in the order of the alphabet, those of one letter in reading order.

Crossings are named here by their column and row in the diagram, both from 0, rows from the top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.game import IllegalMove, Point
from tests.rules.dots.diagram import AS_DRAWN, BLUE, RED, Symmetry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rules.dots import Call

Place = tuple[int, int]


def lay_out(diagram: str, symmetry: Symmetry = AS_DRAWN, **options: Any) -> DotsPosition:
    """Returns the position of a diagram under rules with these options; Red is to act."""
    rows = symmetry.rows(diagram.split())
    height = len(rows)
    letters = sorted(
        ((letter, x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "."),
        key=lambda dot: dot[0].lower(),
    )
    stones = tuple((RED if letter.isupper() else BLUE, Point(x, height - 1 - y)) for letter, x, y in letters)
    return Dots("laid", len(rows[0]), height, Setup.STONES, stones=stones, **options).start(0)


def place(position: DotsPosition, at: Place, symmetry: Symmetry = AS_DRAWN) -> Point:
    """Returns the place of a crossing of the diagram, if the diagram was laid so."""
    width, height = position.rules.width, position.rules.height
    size = (height, width) if symmetry.transposed else (width, height)
    column, row = symmetry.dot(*at, *size)
    return Point(column, height - 1 - row)


def turn(
    position: DotsPosition,
    at: Place,
    paints: Iterable[Place] = (),
    chains: Iterable[Iterable[Place]] = (),
    symmetry: Symmetry = AS_DRAWN,
) -> Turn:
    """Returns a dot with the areas that are painted and drawn with it."""

    def point(at: Place) -> Point:
        return place(position, at, symmetry)

    drawn = tuple(tuple(map(point, chain)) for chain in chains)
    return Turn(point(at), tuple(map(point, paints)), drawn)


def refusal(position: DotsPosition, move: Turn | Call) -> str:
    """Returns the reason for which the rules refuse a move."""
    with pytest.raises(IllegalMove) as refused:
        position.play(move)
    return refused.value.key
