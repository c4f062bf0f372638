"""Rating pools: the matches that are rated together, of one family of rules at one speed.

A komi makes players of different ratings about equally likely to win.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from play.clock import Speed, TimeControl
from play.refusal import Reason, Refused
from rules.dots.options import KOMI
from rules.game import AnyGame, BadOption
from rules.registry import preset_of, with_seats

MIN_GAP = 100.0
"""Rating points below which a game is fair as it is: the stronger wins 64 of 100."""

POINTS_PER_100 = 1.4
"""Points of komi for each 100 rating points, from levels 4 and 6 on 15x15, whose ratings differ by 400."""

MEASURED_CROSSINGS = (144, 324)
"""The boards to which the measurement on 15x15 is applied: 12x12 to 18x18."""

MAX_RATED_KOMI = 5.5
"""The largest komi of a rated match: more was not played with seeds of its own."""

_HALVES = tuple(float(value) for value in KOMI if value.endswith(".5"))

FREE_OPTIONS = frozenset({"size", "start", "crosses", "handicap", "komi"})
"""The options that may differ from the preset in a rated match; a handicap only where its worth is known."""

MIN_RATED_SIDE, MAX_RATED_SIDE = 10, 45
"""Sides of the board in a rated match, in crossings, unless they are the preset's own."""


def serves(game: AnyGame) -> bool:
    """Returns whether a fair komi is known for these rules: for two players, and where the score decides."""
    options = game.options
    if "komi" not in options or options["seats"] != "2" or options["win"] != "none":
        return False
    width, height = map(int, options["size"].split("x"))
    return MEASURED_CROSSINGS[0] <= width * height <= MEASURED_CROSSINGS[1]


def fair_komi(gap: float) -> float:
    """Returns the komi of the weaker player, by how many rating points the other is stronger; 0 below MIN_GAP.

    It always has half a point, so that no game is drawn.
    """
    if gap < MIN_GAP:
        return 0.0
    return min(_HALVES, key=lambda komi: abs(komi - POINTS_PER_100 * gap / 100))


def worth(game: AnyGame) -> float | None:
    """Returns by how many rating points a handicap makes the first seat stronger: 0 without one, None where it was not
    measured."""
    options = game.options
    komi = float(options.get("komi", 0))
    if options.get("handicap", "0") == "0" and not komi:
        return 0.0
    measured = serves(game) and options["handicap"] == "0" and komi <= MAX_RATED_KOMI
    return 100 * komi / POINTS_PER_100 if measured else None


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
