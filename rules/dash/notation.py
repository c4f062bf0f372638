"""Parses the turns of Dot Dash."""

from __future__ import annotations

import re
import unicodedata

from rules.dash.fives import five_between
from rules.dash.turn import Choice, Move, Opening, Turn
from rules.game import BadNotation
from rules.notation import parse_point

MAX_CHARACTERS = 400
"""More than all the fives that one move can make need. A longer text is no turn, and is not parsed."""

_POINT = r"[^\W\d_]{1,2} ?\d{1,3}"
_TO = r" ?[-‐–—−>→]+ ?"
_OPENING = re.compile(rf"set ({_POINT})[ ,]*({_POINT}) ?/ ?({_POINT})")
_MOVE = re.compile(rf"({_POINT}){_TO}({_POINT})(?: fives?((?:[ ,]+{_POINT}{_TO}{_POINT})+))?")
_FIVE = re.compile(rf"({_POINT}){_TO}({_POINT})")


def parse(text: str) -> Turn:
    """Returns the turn that `text` names, on a field of any size; `rules.dash.turn` shows how each kind is written.

    Case and spaces do not matter, dashes may be long or arrows, and points are read by `parse_point`. Raises
    BadNotation (`no_turn`, `no_point`, `same_crossing`, `no_five`).
    """
    if len(text) > MAX_CHARACTERS:
        raise BadNotation("no_turn")
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if plain in set(Choice):
        return Choice(plain)
    if match := _OPENING.fullmatch(plain):
        one, other, single = map(parse_point, match.groups())
        return Opening(frozenset((one, other)), single)
    if match := _MOVE.fullmatch(plain):
        start, end, fives = match.groups("")
        ends = (map(parse_point, five) for five in _FIVE.findall(fives))
        return Move(parse_point(start), parse_point(end), frozenset(five_between(*pair) for pair in ends))
    raise BadNotation("no_turn")
