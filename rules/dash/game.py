"""The game of Dot Dash: its options as text, its first position, and the variants in which it is offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.dash.position import DashPosition
from rules.dash.rules import MAX_SIDE, MIN_SIDE, DashRules, Variant
from rules.dash.turn import Phase
from rules.game import BadOption, Opening, Seat, parse_size
from rules.opening import opening_text, parse_opening, play_opening


@dataclass(frozen=True, slots=True)
class Dash(DashRules):
    """A rule set of Dot Dash."""

    opening: Opening | None = None

    @property
    def seats(self) -> int:
        return 2

    @property
    def score_unit(self) -> str:
        return "fives"

    @property
    def options(self) -> Mapping[str, str]:
        options = {"size": f"{self.size}x{self.size}", "variant": self.variant.value}
        return options | {"opening": opening_text(self.opening)} if self.opening else options

    def with_options(self, options: Mapping[str, str]) -> Dash:
        """Returns this game with other options: `size` (`13`, `13x13`; other rectangles are `not_square`) and `variant`
        (`base`, `frozen`, `sacrifice`). An `opening` stays only where it is given again."""
        own = self.options
        for option in options:
            if option not in (*own, "opening"):
                raise BadOption("unknown_option", option=option)
        values = {**own, **options}
        if values["variant"] not in set(Variant):
            raise BadOption("bad_variant")
        return replace(
            self,
            size=_size(values["size"]),
            variant=Variant(values["variant"]),
            opening=parse_opening(options.get("opening", "")) if options else self.opening,
        )

    def resolve_chance(self, seed: int) -> Dash:
        """Returns this game: chance decides nothing in it."""
        return self

    def start(self, seed: int) -> DashPosition:
        """Returns the empty field, where seat 0 sets up, or that after the opening. Raises BadNotation and IllegalMove
        for a turn of it that breaks a rule."""
        return play_opening(self, DashPosition(self, Phase.SET_UP, Seat(0), stones=(0, 0)))


PRESETS = (
    Dash("dot-dash"),
    Dash("dot-dash-frozen", variant=Variant.FROZEN),
    Dash("dot-dash-sacrifice", variant=Variant.SACRIFICE),
)
"""The variants offered, once an operator has switched the game on."""


def _size(text: str) -> int:
    sides = parse_size(text)
    if not sides:
        raise BadOption("bad_size", smallest=MIN_SIDE, largest=MAX_SIDE)
    if sides[0] != sides[1]:
        raise BadOption("not_square")
    return sides[0]
