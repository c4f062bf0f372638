"""Parses the turns of Dot Dash."""

from __future__ import annotations

import re

from rules.dash.fives import five_between
from rules.dash.turn import Choice, Move, Opening, Turn
from rules.game import BadNotation
from rules.notation import parse_point
from rules.typed_text import plain_text, without_number

MAX_CHARACTERS = 400
"""More than all the fives that one move can make need. A longer text is no turn, and is not parsed."""

POINT = r"[^\W\d_]{1,2} ?\d{1,3}"
_TO = r" ?[-‐–—−>→]+ ?"
_AND = r"[ ,;+&/|]{0,3}"
_ASIDE = re.compile(r"[/|]")
"""Splits the single stone from the pair."""

_OPENING = re.compile(rf"(?:set )?({POINT})({_AND})({POINT})({_AND})({POINT})")
_CHOICE = re.compile(r"(?:take )?(single|pair)")
_MOVE = re.compile(rf"({POINT})(?:{_TO}|[ ,]*| to )({POINT})(?: fives?((?:[ ,]+{POINT}{_TO}{POINT})+))?")
_FIVE = re.compile(rf"({POINT}){_TO}({POINT})")


def parse(text: str) -> Turn:
    """Returns the turn that `text` names, on a field of any size; `rules.dash.turn` shows how each kind is written.

    `set` and `take` may be left out. Of three crossings the last is the single stone, or the one behind or before a
    slash. Case and spaces do not matter, dashes may be long, arrows or missing, and points are read by `parse_point`.
    Raises BadNotation (`no_turn`, `no_point`, `same_crossing`, `no_five`).
    """
    plain = plain_turn(text)
    if match := _CHOICE.fullmatch(plain):
        return Choice[match[1].upper()]
    if match := _OPENING.fullmatch(plain):
        one, between, other, behind, last = match.groups()
        if _ASIDE.search(between) and not _ASIDE.search(behind):
            one, other, last = other, last, one
        return Opening(frozenset((parse_point(one), parse_point(other))), parse_point(last))
    if match := _MOVE.fullmatch(plain):
        start, end, fives = match.groups("")
        ends = (map(parse_point, five) for five in _FIVE.findall(fives))
        return Move(parse_point(start), parse_point(end), frozenset(five_between(*pair) for pair in ends))
    raise BadNotation("no_turn")


def plain_turn(text: str) -> str:
    """Returns a typed turn in lower case, without its number. Raises BadNotation (`no_turn`) for a long text."""
    if len(text) > MAX_CHARACTERS:
        raise BadNotation("no_turn")
    return without_number(plain_text(text)).casefold()
