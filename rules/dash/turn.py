"""The three kinds of turns of Dot Dash: when each is due, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.dash.fives import Five
from rules.game import BadNotation
from rules.notation import point_name
from rules.point import Point


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
