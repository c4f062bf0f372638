"""What both sides of a match agree on before it: the game, its clocks, who begins, and who may take it."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from play.challenge.pool import Pool, pool_of
from play.clock import TimeControl
from play.clock.agreement import NOTHING, Agreement
from play.refusal import Reason, Refused
from rules.game import AnyGame


class Order(StrEnum):
    """When the challenger moves: before the others, after them, or as is drawn when the match begins."""

    DRAWN = "drawn"
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Window:
    """The ratings, both included, that somebody may have who takes an open challenge."""

    least: int
    most: int


def parse_window(text: str) -> Window:
    """The window that `text` names, as `1400-1700`. Raises Refused (`bad_window`)."""
    found = re.fullmatch(r"\s*(\d{1,4})\s*[-–—]\s*(\d{1,4})\s*", text)
    if not found or int(found[1]) > int(found[2]):
        raise Refused(Reason.BAD_WINDOW)
    return Window(int(found[1]), int(found[2]))


@dataclass(frozen=True, slots=True)
class Terms:
    """What both sides agree to play; `level` is the computer's, where it plays."""

    game: AnyGame
    control: TimeControl
    order: Order = Order.DRAWN
    rated: bool = False
    window: Window | None = None
    agreement: Agreement = NOTHING
    level: int | None = None

    @property
    def pool(self) -> Pool | None:
        """Where the match is rated; None if it is not, be it that nobody wants it or that it cannot be."""
        with suppress(Refused):
            return pool_of(self.game, self.control, computer=self.level is not None) if self.rated else None
        return None
