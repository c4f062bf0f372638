"""The parts of a player's figures that a link shows to those who have it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from play.ids import UserId
from play.refusal import Reason, Refused


class FigurePart(StrEnum):
    """A part that is shared or not, by the key that is stored, in the order of the page."""

    YEAR = "year"
    LOSSES = "losses"
    RESULTS = "results"
    STRENGTH = "strength"
    OPENINGS = "openings"
    TIME = "time"
    PUZZLES = "puzzles"
    STREAKS = "streaks"


@dataclass(frozen=True, slots=True)
class SharedFigures:
    """What `user` shows to those who have the `link`, a key that nobody guesses."""

    user: UserId
    link: str
    parts: frozenset[FigurePart]

    def __post_init__(self) -> None:
        if not self.parts:
            raise Refused(Reason.BAD_MESSAGE)


def read_parts(names: Iterable[str]) -> frozenset[FigurePart]:
    """Returns the parts with these names. Raises Refused (`bad_message`)."""
    try:
        return frozenset(map(FigurePart, names))
    except ValueError as error:
        raise Refused(Reason.BAD_MESSAGE) from error
