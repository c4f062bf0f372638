"""The rule set of Dots as a value: its options, and the field that they start with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from rules.dots.closing import place
from rules.dots.field import Field
from rules.dots.grid import grid
from rules.dots.position import DotsPosition
from rules.dots.turn import Turn
from rules.game import BadNotation, BadOption, IllegalMove, Point, Seat
from rules.notation import column_name, parse_point, point_name
from rules.picture import Zone

SMALLEST_OFFERED, LARGEST = 5, 60
"""Crossings a side: matches are offered from 5x5; the rules themselves, and records, go down to 1x1."""

_SIZE = re.compile(r"(\d{1,3})(?:\s*[x×хX*: ]\s*(\d{1,3}))?")


class Setup(StrEnum):
    """What lies on the field before the first move (RULES section 3)."""

    EMPTY = "empty"
    CROSS = "cross"
    STONES = "stones"
    """That of a record: the dots of `Dots.stones`."""


@dataclass(frozen=True, slots=True)
class Dots:
    """Dots with automatic closing. Raises BadOption for values that make no game."""

    key: str
    width: int
    height: int
    setup: Setup
    seats: int = 2
    stones: tuple[tuple[Seat, Point], ...] = ()

    def __post_init__(self) -> None:
        if not (1 <= self.width <= LARGEST and 1 <= self.height <= LARGEST):
            raise BadOption("bad_size", smallest=1, largest=LARGEST)
        if not 2 <= self.seats <= 4:
            raise BadOption("bad_seats")
        if self.setup is Setup.CROSS and (self.seats != 2 or min(self.width, self.height) < 2):
            raise BadOption("no_room_for_cross")
        if self.stones and self.setup is not Setup.STONES:
            raise BadOption("bad_start")
        if not all(0 <= seat < self.seats for seat, _ in self.stones):
            raise BadOption("bad_seats")

    @property
    def options(self) -> Mapping[str, str]:
        options = {"size": f"{self.width}x{self.height}", "start": self.setup.value}
        if self.setup is Setup.STONES:
            options["stones"] = " ".join(f"{seat}:{point_name(point)}" for seat, point in self.stones)
        return options

    def configured(self, options: Mapping[str, str]) -> Dots:
        """Reads `size` (`39x32`, `20`), in the bounds in which matches are offered, and `start` (`empty`, `cross`, or
        `stones` with the option `stones`: a record's dots in their order, each after its seat, `0:K12 1:K11`)."""
        for option in options:
            if option not in ("size", "start", "stones"):
                raise BadOption("unknown_option", option=option)
        values = {**self.options, **options}
        width, height = _size(values["size"])
        start = values["start"]
        if start not in set(Setup) or ("stones" in options and start != Setup.STONES):
            raise BadOption("bad_start")
        if start == Setup.STONES and "stones" not in values:
            raise BadOption("bad_start")
        stones = _read_stones(values["stones"]) if start == Setup.STONES else ()
        return replace(self, width=width, height=height, setup=Setup(start), stones=stones)

    @property
    def edges(self) -> dict[str, str | int]:
        """The names of the last column and row, for whoever missed the field."""
        return {"column": column_name(self.width - 1), "row": self.height}

    @property
    def opening_zone(self) -> Zone | None:
        """The central third, where each player's first dot must lie on a field that starts empty."""
        if self.setup is not Setup.EMPTY:
            return None
        x, y = self.width // 3, self.height // 3
        return Zone(Point(x, y), Point(self.width - x - 1, self.height - y - 1))

    def start(self, seed: int) -> DotsPosition:
        """The field with its set-up; nothing is left to chance. Raises IllegalMove if a record's set-up has two dots
        on one crossing, or one off the field."""
        field = Field(grid(self.width, self.height), self.seats)
        for seat, point in self._stones():
            if not field.grid.holds(point):
                raise IllegalMove("off_field", **self.edges)
            cell = field.grid.index(point)
            if field.placed[cell]:
                raise IllegalMove("occupied", point=point_name(point))
            put = field.lay if field.owner[cell] else partial(place, field)
            put(seat + 1, cell)
        return DotsPosition(self, field, Seat(0))

    def parse(self, text: str) -> Turn:
        point = parse_point(text)
        if not (point.x < self.width and point.y < self.height):
            raise BadNotation("off_field", **self.edges)
        return Turn(point)

    def _stones(self) -> tuple[tuple[Seat, Point], ...]:
        if self.setup is not Setup.CROSS:
            return self.stones
        left, top = self.width // 2 - 1, self.height - self.height // 2
        first, second = Seat(0), Seat(1)
        return (
            (first, Point(left, top)),
            (second, Point(left + 1, top)),
            (second, Point(left, top - 1)),
            (first, Point(left + 1, top - 1)),
        )


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text.strip())
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (SMALLEST_OFFERED <= width <= LARGEST and SMALLEST_OFFERED <= height <= LARGEST):
        raise BadOption("bad_size", smallest=SMALLEST_OFFERED, largest=LARGEST)
    return width, height


def _read_stones(text: str) -> tuple[tuple[Seat, Point], ...]:
    try:
        pairs = [dot.split(":") for dot in text.split()]
        return tuple((Seat(int(seat)), parse_point(name)) for seat, name in pairs)
    except (ValueError, BadNotation) as error:
        raise BadOption("bad_start") from error
