"""The names of crossings: columns A to Z, then AA and on; rows from 1 at the bottom."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rules.game import BadNotation
from rules.point import Point

MAX_CHARACTERS = 32
"""A longer text is no point, and is not parsed."""

_LOOKALIKES = str.maketrans("АВЕІЈКМНОРСТУХЅҮ", "ABEIJKMHOPCTYXSY")
_POINT = re.compile(r"(?:(?P<column>[A-Z]{1,2})(?P<row>\d{1,3})|(?P<row2>\d{1,3})(?P<column2>[A-Z]{1,2}))")
_SIZE = re.compile(r"(\d{1,3})(?:\s*[x×хX*: ]\s*(\d{1,3}))?")
_PAIR = re.compile(r"(\d{1,3})\D+(\d{1,3})")


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

    Case, order, spaces and punctuation do not matter: `K12`, `k-12`, `12K`. Two numbers are column and row: `11 12`.
    Cyrillic letters that look like Latin ones are read as them. Raises BadNotation (`no_point`).
    """
    if len(text) > MAX_CHARACTERS:
        raise BadNotation("no_point")
    plain = unicodedata.normalize("NFKC", text).upper().translate(_LOOKALIKES).strip()
    if pair := _PAIR.fullmatch(plain):
        column, row = int(pair[1]), int(pair[2])
    elif match := _POINT.fullmatch(re.sub(r"[\s\-–—_.,:;]+", "", plain)):
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
