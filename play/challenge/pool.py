"""Rating pools: the matches that are rated together, of one family of rules at one speed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from play.challenge.handicap import MAX_RATED_KOMI, worth
from play.clock import Speed, TimeControl
from play.refusal import Reason, Refused
from rules.game import AnyGame, BadOption
from rules.registry import preset_of, with_seats


class Family(StrEnum):
    """Rules so similar that a player strong at one is strong at all of them."""

    DOTS = "dots"
    PAINTED = "painted"
    DRAWN = "drawn"
    FAR = "far"
    QUICK = "quick"
    DASH = "dash"
    TABLE = "table"
    """Three and four players, by rules that are of the family DOTS for two."""
    COMPUTER = "computer"
    """All games against the computer, whose level is not comparable with that of players."""


FAMILIES: Mapping[str, Family] = {
    "zagram": Family.DOTS,
    "zagram-no-territory": Family.DOTS,
    "classic": Family.DOTS,
    "sport": Family.DOTS,
    "sport-blitz": Family.DOTS,
    "sport-territory": Family.PAINTED,
    "zagram-territory": Family.DRAWN,
    "szkrab": Family.DRAWN,
    "paper": Family.DRAWN,
    "german-count": Family.DRAWN,
    "two-squares": Family.FAR,
    "quick": Family.QUICK,
    "three": Family.TABLE,
    "four": Family.TABLE,
    "dot-dash": Family.DASH,
    "dot-dash-frozen": Family.DASH,
    "dot-dash-sacrifice": Family.DASH,
}
"""The family of each preset. A test checks that none is missing."""

FREE_OPTIONS = frozenset({"size", "start", "crosses", "handicap", "komi"})
"""The options that may differ from the preset in a rated match; a handicap only where its worth is known."""

MIN_RATED_SIDE, MAX_RATED_SIDE = 10, 45
"""Sides of the board in a rated match, in crossings, unless they are the preset's own."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A family at a speed. Written `dots-live`."""

    family: Family
    speed: Speed

    def __str__(self) -> str:
        return f"{self.family}-{self.speed}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns the pool that `text` names. Raises Refused (`no_pool`)."""
        family, _, speed = text.partition("-")
        try:
            return cls(Family(family), Speed(speed))
        except ValueError as error:
            raise Refused(Reason.NO_POOL) from error


POOLS = tuple(Pool(family, speed) for family in Family for speed in Speed)


def pool_of(game: AnyGame, control: TimeControl, *, computer: bool = False) -> Pool:
    """Returns the pool in which a match on these terms is rated.

    Raises Refused: `unrated_options` (with the first `option` that differs from the preset), `unrated_size`,
    `unrated_handicap`, and `unrated_computer` for three or four players with the computer among them.
    """
    if computer and game.seats > 2:
        raise Refused(Reason.UNRATED_COMPUTER)
    family, preset = _family(game), _preset(game).options
    for option, value in game.options.items():
        if option not in FREE_OPTIONS and value != preset.get(option):
            raise Refused(Reason.UNRATED_OPTIONS, option=option)
    sides = [int(side) for side in game.options["size"].split("x")]
    if game.options["size"] != preset["size"] and not MIN_RATED_SIDE <= min(sides) <= max(sides) <= MAX_RATED_SIDE:
        raise Refused(Reason.UNRATED_SIZE, least=MIN_RATED_SIDE, most=MAX_RATED_SIDE)
    points = worth(game)
    if points is None or (points and family is not Family.DOTS):
        raise Refused(Reason.UNRATED_HANDICAP, most=f"{MAX_RATED_KOMI:g}")
    return Pool(Family.COMPUTER if computer else family, control.speed)


def _family(game: AnyGame) -> Family:
    family = FAMILIES[game.key]
    if game.seats > 2 and family is Family.DOTS:
        return Family.TABLE
    if (game.seats > 2) != (family is Family.TABLE):
        raise Refused(Reason.UNRATED_OPTIONS, option="seats")
    return family


def _preset(game: AnyGame) -> AnyGame:
    """Returns the preset of a game, for as many players. Raises Refused (`unrated_options`)."""
    preset = preset_of(game)
    try:
        return preset if preset.seats == game.seats else with_seats(preset, game.seats)
    except BadOption as error:
        raise Refused(Reason.UNRATED_OPTIONS, option="seats") from error
