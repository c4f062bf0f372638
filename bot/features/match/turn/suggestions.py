"""The turns that `/move` suggests to a typing player: the likeliest first, or in Dot Dash those that fit the phase."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice, starmap
from typing import NamedTuple

from opponent.suggest import rank_points
from play.match.match import Match
from play.turns import choose_closings, leaves_choice, recent_points
from presentation.typed_turns import read_code
from presentation.words.words import Words
from rules.dash import Choice, DashPosition, Phase
from rules.dots import DotsPosition
from rules.game import BadNotation, RuleError, column_name, parse_point, point_name
from rules.typed_text import plain_text, without_number

MAX_MOVES = 5000
"""Moves that are read; in Dot Dash, with several ways to declare fives, there may be more."""

_BETWEEN = re.compile(r"\s*(?:[-‐–—−>→,\s]+|\bto\b)\s*", re.IGNORECASE)

MAX_SUGGESTIONS = 25
"""Suggestions in a list; Discord's limit."""

MAX_CHOICE = 100
"""Characters of a suggested turn; Discord's limit."""


def suggest_dash_turns(match: Match, position: DashPosition, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    """Yields turns, whole or begun, with their lines in the list, the likeliest first."""
    if position.phase is Phase.SET_UP:
        yield from _set_ups(match, typed.strip(), words)
    elif position.phase is Phase.CHOICE:
        yield from _sides(match, typed, words)
    else:
        yield from _dashes(position, typed, words)


def _set_ups(match: Match, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    """Yields the set-up as far as it is typed, which buttons can complete."""
    if not typed:
        yield "set", words("button.begin.set_up")
        return
    with suppress(RuleError):
        code = read_code(match, typed)
        yield code, words("point.begun", points=code.removeprefix("set ")) if leaves_choice(match, code) else code


def _sides(match: Match, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    sides = [*Choice]
    with suppress(RuleError, ValueError):
        sides = [Choice(read_code(match, typed))]
    for side in sides:
        yield side.value, words(f"step.take.{side.name.lower()}")


def _dashes(position: DashPosition, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    """Yields the dashes that begin as typed, those first that make a five."""
    begun = "-".join(map(_name, filter(None, _BETWEEN.split(without_number(plain_text(typed))))))
    moves = [move for move in islice(position.moves(), MAX_MOVES) if str(move).startswith(begun)]
    mover = position.to_act
    gains = {move: position.play(move).score[mover] - position.score[mover] for move in moves}
    whole = (f"{begun}-", f"{begun} ")
    for move in sorted(moves, key=lambda move: (not str(move).startswith(whole), -gains[move])):
        fives = gains[move]
        yield str(move), words("point.fives", move=str(move), count=fives) if fives > 0 else str(move)


def _name(typed: str) -> str:
    """Returns the name of the crossing that is typed, or what is typed of one."""
    with suppress(BadNotation):
        return point_name(parse_point(typed))
    return typed.upper()


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
