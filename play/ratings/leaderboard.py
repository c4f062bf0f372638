"""Lines and pages of leaderboards and of season tables."""

from __future__ import annotations

from dataclasses import dataclass

from play.challenge.pool import Pool
from play.ids import UserId
from play.ratings.glicko import Rating
from play.ratings.season import Season

QUALIFYING_GAMES = 8.0
"""The weights of a user's rated games, summed, from which they have a place on a leaderboard. A newcomer's deviation
is then 130 to 180, and 290 in games of three. Games that count for less than a whole one, or not at all, add no more
than their weight."""

MIN_POINTS = 0.5
"""The points of a season from which a user has a place in its table, which shows whole points."""

LINES_PER_PAGE = 10


@dataclass(frozen=True, slots=True)
class Leader:
    """A line of a leaderboard. `place` counts from 1, and equal values share it. None is too far down to be counted, or
    `provisional`: the user does not qualify yet, and follows all who do.

    `games` counts the rated ones that were played where the leaderboard is: on its server, or everywhere.
    """

    place: int | None
    user: UserId
    rating: Rating
    games: int
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class Scorer:
    """A line of a season's table. `place` is None for fewer points than MIN_POINTS, of which tables show none: such
    users come last, those with the most `wins` first."""

    place: int | None
    user: UserId
    points: float
    games: int
    wins: int = 0


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a leaderboard: of one server or of `everywhere`, by ratings or of a season."""

    pool: Pool
    everywhere: bool = False
    season: Season | None = None
    start: int = 0
