"""The turns that `/move` suggests to a typing player: the likeliest first, with what they capture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, starmap
from typing import NamedTuple

from bot.features.match.turn.dash_suggestions import suggest_dash_turns
from opponent.suggest.point_ranking import rank_points
from play.match.match import Match
from play.turns import choose_closings, recent_points
from presentation.words.words import Words
from rules.dash import DashPosition
from rules.dots import DotsPosition
from rules.game import BadNotation
from rules.notation import column_name, parse_point, point_name
from rules.typed_text import plain_text

MAX_SUGGESTIONS = 25
"""Suggestions in a list; Discord's limit."""

MAX_CHOICE = 100
"""Characters of a suggested turn; Discord's limit."""

MAX_MOVES = 5000
"""Moves that are read in games that cannot be ranked."""


class Suggestion(NamedTuple):
    """A turn, and its line in the list."""

    turn: str
    label: str


def suggest_turns(match: Match, typed: str, words: Words) -> list[Suggestion]:
    """Returns up to 25 legal turns that begin as typed; a point that is typed in full comes first."""
    if isinstance(match.position, DashPosition):
        dashes = starmap(Suggestion, suggest_dash_turns(match, match.position, typed, words))
        return [each for each in islice(dashes, MAX_SUGGESTIONS) if len(each.turn) <= MAX_CHOICE]
    exact, pattern = _parse_name(typed), _name_pattern(plain_text(typed))
    names = [name for name in _ranked_names(match) if pattern.match(name)]
    names.sort(key=lambda name: name != exact)
    found = (suggestion for name in names for suggestion in _suggestions(match, name, words))
    return [*islice(found, MAX_SUGGESTIONS)]


def _ranked_names(match: Match) -> Iterable[str]:
    """Returns the legal turns; those of Dots the likeliest first."""
    position = match.position
    if isinstance(position, DotsPosition):
        return (point_name(one.point) for one in rank_points(position, recent_points(match)))
    return islice(map(str, position.moves()), MAX_MOVES)


def _suggestions(match: Match, name: str, words: Words) -> Iterator[Suggestion]:
    """Yields a turn; where a dot could close something, first the dot with it, then the dot alone."""
    position = match.position
    if not isinstance(position, DotsPosition):
        yield Suggestion(name, name)
        return
    would = position.consequences_of(parse_point(name))
    closing = choose_closings(match, name) if would.offers else None
    if closing is not None:
        if len(closing.turn) <= MAX_CHOICE:
            yield Suggestion(closing.turn, words("point.closes", point=name, count=closing.dots))
        yield Suggestion(name, words("point.could_capture", point=name, count=closing.dots))
    elif would.captures:
        yield Suggestion(name, words("point.captures", point=name, count=would.captures))
    elif would.loses:
        yield Suggestion(name, words("point.loses", point=name, count=would.loses))
    else:
        yield Suggestion(name, name)


def _name_pattern(typed: str) -> re.Pattern[str]:
    """Returns what `typed` may become: `k` is column K, `к1` is K1 or K10 and on, `12` is row 12."""
    if not typed:
        return re.compile("")
    if typed.isdecimal():
        return re.compile(f"[A-Z]+{int(typed)}$")
    return re.compile(_parse_name(typed) or _column_pattern(typed) or "(?!)")


def _parse_name(typed: str) -> str | None:
    try:
        return point_name(parse_point(typed))
    except BadNotation:
        return None


def _column_pattern(typed: str) -> str | None:
    """Returns the pattern of a column whose letters are typed, and whose row is yet to come."""
    try:
        return column_name(parse_point(f"{typed}1").x) + r"\d"
    except BadNotation:
        return None
