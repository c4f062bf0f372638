"""Chains as short codes, so that a custom id can hold a long one: the first dot, then a letter a dot, as in `A1abc`."""

from __future__ import annotations

import re
from itertools import pairwise
from string import ascii_lowercase

from rules.game import BadNotation, Point, parse_point, point_name

NEIGHBOURS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_KNIGHT = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
_DOUBLE = tuple((2 * dx, 2 * dy) for dx, dy in NEIGHBOURS)

LINKS = (*NEIGHBOURS, *_KNIGHT, *_DOUBLE)
"""Columns to the right and rows up from a dot to the next: to a neighbour, then what far links allow besides."""

_LINKS_BY_LETTER = dict(zip(ascii_lowercase, LINKS, strict=False))
_LETTERS_BY_LINK = {link: letter for letter, link in _LINKS_BY_LETTER.items()}
_CODE = re.compile(r"([A-Z]+\d+)([a-x]*)")


def write_chain(chain: tuple[Point, ...]) -> str | None:
    """Returns the code of a chain; None if two of its dots are farther apart than any link reaches."""
    letters = [_LETTERS_BY_LINK.get((b.x - a.x, b.y - a.y), "") for a, b in pairwise(chain)]
    return point_name(chain[0]) + "".join(letters) if all(letters) else None


def read_chain(code: str) -> tuple[Point, ...]:
    """Returns the chain of a code. Raises BadNotation (`no_point`)."""
    match = _CODE.fullmatch(code)
    if match is None:
        raise BadNotation("no_point")
    chain = [parse_point(match[1])]
    for letter in match[2]:
        dx, dy = _LINKS_BY_LETTER[letter]
        chain.append(Point(chain[-1].x + dx, chain[-1].y + dy))
    return tuple(chain)
