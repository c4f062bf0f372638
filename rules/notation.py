"""The names of crossings: columns A to Z, then AA and on; rows from 1 at the bottom."""

from __future__ import annotations

import re
from functools import lru_cache

from rules.game import BadNotation
from rules.point import Point
from rules.typed_text import plain_text, without_number

MAX_CHARACTERS = 32
"""A longer text is no point, and is not parsed."""

_LOOKALIKES = str.maketrans("АВЕІЈКМНОРСТУХЅҮ", "ABEIJKMHOPCTYXSY")
_EDGES = " .,:;()[]«»„“”\"'"
"""Characters around a point that mean nothing."""

_SIGNS = "-‐‑‒–—−.,:;/|"
_JOINED = rf"(?: ?[{_SIGNS}] ?| ?)"
_APART = rf"(?: ?[{_SIGNS}] ?| )"
_POINT = re.compile(
    rf"[-–— ]*(?:(?P<column>[A-Z]{{1,2}}){_JOINED}(?P<row>\d{{1,3}})|"
    rf"(?P<row2>\d{{1,3}}){_JOINED}(?P<column2>[A-Z]{{1,2}}))"
)
_PAIR = re.compile(rf"([1-9]\d{{0,2}}){_APART}([1-9]\d{{0,2}})")
_SIZE = re.compile(r"(\d{1,3})(?:\s*[x×хX*: ]\s*(\d{1,3}))?")


@lru_cache(maxsize=128)
def column_name(x: int) -> str:
    """Returns the letters of column `x` (from 0): A, B, ... Z, AA, AB and on, as in a spreadsheet."""
    letters = ""
    x += 1
    while x:
        x, digit = divmod(x - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def point_name(point: Point) -> str:
    """Returns the name of a crossing, as in K12."""
    return f"{column_name(point.x)}{point.y + 1}"


def parse_point(text: str) -> Point:
    """Returns the crossing that `text` names, which may lie on no field.

    Case and order do not matter, and one sign or spaces may stand between column and row: `K12`, `k-12`, `12 K`. Two
    numbers are column and row: `11 12`. A numbered move is the one that it names: `1. K12`. Cyrillic letters that look
    like Latin ones are read as them, and `rules.typed_text` says what is passed over. Raises BadNotation (`no_point`).
    """
    if len(text) > MAX_CHARACTERS:
        raise BadNotation("no_point")
    plain = without_number(plain_text(text).strip(_EDGES)).upper().translate(_LOOKALIKES)
    if pair := _PAIR.fullmatch(plain):
        column, row = int(pair[1]), int(pair[2])
    elif match := _POINT.fullmatch(plain):
        column = 0
        for letter in match["column"] or match["column2"]:
            column = column * 26 + ord(letter) - ord("A") + 1
        row = int(match["row"] or match["row2"])
    else:
        raise BadNotation("no_point")
    if column < 1 or row < 1:
        raise BadNotation("no_point")
    return Point(column - 1, row - 1)


def parse_size(text: str) -> tuple[int, int] | None:
    """Returns the columns and rows of a field (`39x32`, or `20` for a square), or None for any other text."""
    match = _SIZE.fullmatch(text.strip())
    return (int(match[1]), int(match[2] or match[1])) if match else None
