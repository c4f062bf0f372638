"""The option values of a game of Dot Dash, and what a position needs to know of them."""

from dataclasses import dataclass
from enum import StrEnum

from rules.dash.board import board
from rules.dash.turn import Turn, parse
from rules.game import BadNotation, BadOption, column_name

MIN_SIDE, MAX_SIDE = 7, 19
"""Crossings a side."""


class Variant(StrEnum):
    """The base game, or a variant with one rule more."""

    BASE = "base"
    FROZEN = "frozen"
    """Stones of a credited five never move again."""
    SACRIFICE = "sacrifice"
    """The moving stone may land on an opponent's stone: both return to their owners' reserves."""


@dataclass(frozen=True, slots=True)
class DashRules:
    """Dot Dash by Phil Leduc on `size` x `size` crossings. Raises BadOption for a size that makes no game."""

    key: str
    size: int = 13
    variant: Variant = Variant.BASE

    def __post_init__(self) -> None:
        if not MIN_SIDE <= self.size <= MAX_SIDE:
            raise BadOption("bad_size", smallest=MIN_SIDE, largest=MAX_SIDE)

    @property
    def freezes(self) -> bool:
        return self.variant is Variant.FROZEN

    @property
    def sacrifices(self) -> bool:
        return self.variant is Variant.SACRIFICE

    @property
    def edges(self) -> dict[str, str | int]:
        """The names of the last column and row, for the refusal of a crossing off the field."""
        return {"column": column_name(self.size - 1), "row": self.size}

    def parse(self, text: str) -> Turn:
        """Returns the turn that `text` names (`rules.dash.turn`). Raises BadNotation, also for crossings off the
        field (`off_field`)."""
        turn = parse(text)
        if not all(map(board(self.size).contains, turn.points)):
            raise BadNotation("off_field", **self.edges)
        return turn
