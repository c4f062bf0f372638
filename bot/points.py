"""Which points `/move` suggests while one types."""

from __future__ import annotations

import heapq
import re

from play.match import Match
from rules.game import BadNotation, Point
from rules.notation import column_name, parse_point, point_name

CHOICES = 25
RECENT = 4
"""Measured on 16,759 recorded moves: 89 % lie within 9x9 of one of the last four dots."""


def suggested(match: Match, typed: str) -> list[str]:
    """Up to 25 legal moves that begin as typed, those nearest to the last ones first."""
    exact, wanted = _name(typed), _pattern(typed.strip())
    recent = [point for event in match.moves[-RECENT:] if (point := _place(event.text))]
    if not recent:
        picture = match.position.picture()
        recent = [Point(picture.width // 2, picture.height // 2)]

    def remoteness(name: str) -> tuple[bool, int]:
        x, y = _place(name) or recent[0]
        return name != exact, min((x - near.x) ** 2 + (y - near.y) ** 2 for near in recent)

    names = (str(move) for move in match.position.moves())
    return heapq.nsmallest(CHOICES, filter(wanted.match, names), key=remoteness)


def _place(move: str) -> Point | None:
    """Where a move lies: its first point."""
    try:
        return parse_point(move.partition(" ")[0])
    except BadNotation:
        return None


def _pattern(typed: str) -> re.Pattern[str]:
    """What the names look like that `typed` may become: `k` is column K, `к1` is K1 or K10 and on, `12` is row 12."""
    if not typed:
        return re.compile("")
    if typed.isdecimal():
        return re.compile(f"[A-Z]+{typed}")
    return re.compile(_name(typed) or _column(typed) or "(?!)")


def _name(typed: str) -> str | None:
    try:
        return point_name(parse_point(typed))
    except BadNotation:
        return None


def _column(typed: str) -> str | None:
    try:
        return column_name(parse_point(f"{typed}1").x)
    except BadNotation:
        return None
