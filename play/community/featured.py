"""The best game of strangers at this moment, which everybody may watch."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from play.clock import Speed
from play.match.match import Match

POINT_WORTH = 15.0
"""Rating points for which one point of the score makes up: between good players a game that is still open is worth
more than one between somewhat better ones that is decided."""


@dataclass(frozen=True, slots=True)
class FeaturedGame:
    """A game, and the `ratings` of its players by seats."""

    match: Match
    ratings: tuple[float, ...]

    @property
    def worth(self) -> tuple[bool, float]:
        """How much there is to see: live games first, then by the ratings and how close the score is."""
        first, second, *_ = sorted(self.match.score, reverse=True)
        is_live = self.match.clock.control.speed is Speed.LIVE
        return is_live, fmean(self.ratings) - POINT_WORTH * (first - second)


def best_game(games: Sequence[FeaturedGame]) -> FeaturedGame | None:
    """Returns the game that is worth the most; of equals the one that began first."""
    return max(games, key=lambda each: (each.worth, -each.match.id), default=None)
