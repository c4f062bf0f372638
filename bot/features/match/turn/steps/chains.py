"""Chains written in a letter a dot, so that a custom id can hold a long one: `A1` and the steps from there, `A1abc`."""

from __future__ import annotations

import re
from itertools import pairwise
from string import ascii_lowercase

from rules.game import BadNotation
from rules.notation import parse_point, point_name
from rules.point import Point

_NEAR = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_KNIGHT = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
_DOUBLE = tuple((2 * dx, 2 * dy) for dx, dy in _NEAR)

STEPS = dict(zip(ascii_lowercase, (*_NEAR, *_KNIGHT, *_DOUBLE), strict=False))
"""Columns to the right and rows up: those to a neighbour, then what far links allow besides."""

NEIGHBOURS = len(_NEAR)

_LETTERS = {step: letter for letter, step in STEPS.items()}
_CODE = re.compile(r"([A-Z]+\d+)([a-x]*)")


def write_chain(chain: tuple[Point, ...]) -> str | None:
    """The code of a chain, dot by dot; None if it has a step that no chain has."""
    steps = [_LETTERS.get((b.x - a.x, b.y - a.y)) for a, b in pairwise(chain)]
    letters = [letter for letter in steps if letter]
    return point_name(chain[0]) + "".join(letters) if len(letters) == len(steps) else None


def read_chain(code: str) -> tuple[Point, ...]:
    """The chain of a code. Raises BadNotation (`no_point`)."""
    match = _CODE.fullmatch(code)
    if match is None:
        raise BadNotation("no_point")
    chain = [parse_point(match[1])]
    for letter in match[2]:
        dx, dy = STEPS[letter]
        chain.append(Point(chain[-1].x + dx, chain[-1].y + dy))
    return tuple(chain)
