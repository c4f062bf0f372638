"""The three kinds of turns of Dot Dash: when each is due, how it is written, and how it is read."""

import re
from dataclasses import dataclass
from enum import StrEnum

from rules.dash.board import Five, five_between
from rules.game import BadNotation, Point, parse_point, point_name
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


class Phase(StrEnum):
    """The kind of turn that is due."""

    SET_UP = "set_up"
    CHOICE = "choice"
    DASH = "dash"


@dataclass(frozen=True, slots=True)
class Opening:
    """The set-up: two stones of one colour, the `pair`, and a `single` one of the other; written `set D4 E5/G7`.
    Raises BadNotation (`same_crossing`) for fewer than three crossings."""

    pair: frozenset[Point]
    single: Point

    def __post_init__(self) -> None:
        if len(self.pair) != 2 or self.single in self.pair:
            raise BadNotation("same_crossing")

    @property
    def points(self) -> tuple[Point, ...]:
        return (*sorted(self.pair), self.single)

    def __str__(self) -> str:
        return f"set {' '.join(map(point_name, sorted(self.pair)))}/{point_name(self.single)}"


class Choice(StrEnum):
    """The stones that the other player takes; the owner of the single one makes the first dash."""

    SINGLE = "take single"
    PAIR = "take pair"

    @property
    def points(self) -> tuple[Point, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Move:
    """A dash from `start` to `end`, written `F7-I10`. With frozen fives a run may leave a choice. Then `fives` says
    which are credited: `F7-I10 five B3-F3`. A choice that is left open is made by default."""

    start: Point
    end: Point
    fives: frozenset[Five] = frozenset()

    @property
    def points(self) -> tuple[Point, ...]:
        return (self.start, self.end, *(point for five in sorted(self.fives) for point in five.points))

    def __str__(self) -> str:
        dash = f"{point_name(self.start)}-{point_name(self.end)}"
        return " ".join((dash, "five", *map(str, sorted(self.fives)))) if self.fives else dash


Turn = Opening | Choice | Move
"""Its `points` are all crossings that it names."""


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
