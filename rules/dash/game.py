"""The rule set of Dot Dash as a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.dash.board import board
from rules.dash.notation import parse
from rules.dash.position import DashPosition
from rules.dash.turn import Phase, Turn
from rules.game import BadNotation, BadOption, Seat
from rules.notation import column_name

SMALLEST, LARGEST = 7, 19
"""Crossings a side."""

_SIZE = re.compile(r"(\d{1,3})(?:\s*[x×хX*: ]\s*(\d{1,3}))?")


class Variant(StrEnum):
    """The base game, or what else holds."""

    BASE = "base"
    FROZEN = "frozen"
    """Stones of a credited five never move again."""
    SACRIFICE = "sacrifice"
    """The moving stone may land on an enemy stone: both return to their owners' reserves."""


@dataclass(frozen=True, slots=True)
class Dash:
    """Dot Dash by Phil Leduc on `size` x `size` crossings. Raises BadOption for values that make no game."""

    key: str
    size: int = 13
    variant: Variant = Variant.BASE

    def __post_init__(self) -> None:
        if not SMALLEST <= self.size <= LARGEST:
            raise BadOption("bad_size", smallest=SMALLEST, largest=LARGEST)

    @property
    def seats(self) -> int:
        return 2

    @property
    def counts(self) -> str:
        return "fives"

    @property
    def freezes(self) -> bool:
        return self.variant is Variant.FROZEN

    @property
    def sacrifices(self) -> bool:
        return self.variant is Variant.SACRIFICE

    @property
    def options(self) -> Mapping[str, str]:
        return {"size": f"{self.size}x{self.size}", "variant": self.variant.value}

    def configured(self, options: Mapping[str, str]) -> Dash:
        """Reads `size` (`13`, `13x13`; other rectangles are `not_square`) and `variant` (`base`, `frozen`,
        `sacrifice`)."""
        for option in options:
            if option not in self.options:
                raise BadOption("unknown_option", option=option)
        values = {**self.options, **options}
        if values["variant"] not in set(Variant):
            raise BadOption("bad_variant")
        return replace(self, size=_size(values["size"]), variant=Variant(values["variant"]))

    @property
    def edges(self) -> dict[str, str | int]:
        """The names of the last column and row, for whoever missed the field."""
        return {"column": column_name(self.size - 1), "row": self.size}

    def settled(self, seed: int) -> Dash:
        """Nothing is left to chance."""
        return self

    def start(self, seed: int) -> DashPosition:
        """The empty field, where seat 0 sets up."""
        return DashPosition(self, Phase.SET_UP, Seat(0), stones=(0, 0))

    def parse(self, text: str) -> Turn:
        """The turn that `text` names (`rules.dash.notation`); BadNotation `off_field` for a crossing off this field."""
        turn = parse(text)
        if not all(map(board(self.size).holds, turn.points)):
            raise BadNotation("off_field", **self.edges)
        return turn


def _size(text: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise BadOption("bad_size", smallest=SMALLEST, largest=LARGEST)
    if match[2] and int(match[2]) != int(match[1]):
        raise BadOption("not_square")
    return int(match[1])
