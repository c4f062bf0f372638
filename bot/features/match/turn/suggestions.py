"""Which turns `/move` suggests while one types: the likeliest first, with what they capture."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bot.features.match.turn.steps import recent_points
from opponent.suggest.point_ranking import likely
from rules.dots import DotsPosition
from rules.game import BadNotation
from rules.notation import column_name, parse_point, point_name
from rules.point import Point

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.match.match import Match

CHOICES = 25
"""Suggestions; Discord's limit."""


class Suggestion(NamedTuple):
    """A turn, and how it is shown in the list."""

    turn: str
    shown: str


def suggest_turns(match: Match, typed: str, words: Words) -> list[Suggestion]:
    """Up to 25 legal turns that begin as typed."""
    exact, wanted = _name(typed), _pattern(typed.strip())
    names = [name for name in _ranked(match) if wanted.match(name)]
    # Whoever has typed a whole point gets that one first.
    names.sort(key=lambda name: name != exact)
    return [Suggestion(name, _shown(match, name, words)) for name in names[:CHOICES]]


def _ranked(match: Match) -> Iterable[str]:
    """The turns that can be played, the likeliest first; those of another game than Dots by how near they are."""
    position, last = match.position, recent_points(match)
    if isinstance(position, DotsPosition):
        return (point_name(one.point) for one in likely(position, last))
    picture = position.picture()
    near = last or [Point(picture.width // 2, picture.height // 2)]
    some = islice(map(str, position.moves()), MAX_MOVES)
    return heapq.nsmallest(MAX_MOVES, some, key=lambda name: _remoteness(name, near))


MAX_MOVES = 5000
"""Turns that are looked at; there are 2,370,732 ways to set up Dot Dash."""


def _remoteness(name: str, near: Iterable[Point]) -> int:
    points = [*_points(name)] or [*near]
    return min((point.x - other.x) ** 2 + (point.y - other.y) ** 2 for point in points for other in near)


def _points(name: str) -> Iterator[Point]:
    return (parse_point(found) for found in re.findall(r"[A-Z]{1,2}\d{1,2}", name))


def _shown(match: Match, name: str, words: Words) -> str:
    position = match.position
    if not isinstance(position, DotsPosition):
        return name
    point = parse_point(name)
    would = position.would(point)
    dots = would.captures or max((offer.dots for offer in would.offers if point in offer.chain), default=0)
    if dots:
        return words("point.captures", point=name, count=dots)
    if would.loses:
        return words("point.loses", point=name, count=would.loses)
    return name


def _pattern(typed: str) -> re.Pattern[str]:
    """What the names look like that `typed` may become: `k` is column K, `к1` is K1 or K10 and on, `12` is row 12."""
    if not typed:
        return re.compile("")
    if typed.isdecimal():
        return re.compile(f"[A-Z]+{int(typed)}$")
    return re.compile(_name(typed) or _column(typed) or "(?!)")


def _name(typed: str) -> str | None:
    try:
        return point_name(parse_point(typed))
    except BadNotation:
        return None


def _column(typed: str) -> str | None:
    """The letters of a column, with or without digits behind them to come."""
    try:
        return column_name(parse_point(f"{typed}1").x) + r"\d"
    except BadNotation:
        return None
