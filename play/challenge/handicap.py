"""The komi with which players of different ratings are about equally likely to win.

Source: games of the computer with itself (`python -m tools.handicaps`, docs/fair-games.md). For each gap the komi
is the median lead of the stronger player, so that with it each wins half of the games. Extra dots on the quarter points
were worth nothing that could be measured, so none are proposed.
"""

from __future__ import annotations

from rules.dots.options import KOMI
from rules.game import AnyGame

MIN_GAP = 100.0
"""Rating points below which a game is fair as it is: the stronger wins 64 of 100."""

POINTS_PER_100 = 1.4
"""Points of komi for each 100 rating points, from levels 4 and 6 on 15x15, whose ratings differ by 400."""

MEASURED_CROSSINGS = (144, 324)
"""The boards to which the measurement on 15x15 is applied: 12x12 to 18x18."""

MAX_RATED_KOMI = 5.5
"""The largest komi of a rated match: more was not played with seeds of its own."""

_HALVES = tuple(float(value) for value in KOMI if value.endswith(".5"))


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
