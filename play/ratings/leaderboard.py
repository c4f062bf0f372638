"""Seasons, quarters of a year that count points from zero, and the lines and pages of leaderboards and season
tables."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Self

from play.challenge.pool import Family, Pool
from play.ids import Millis, UserId
from play.ratings.glicko import Rating
from play.refusal import Reason, Refused

FIRST_YEAR, LAST_YEAR = 2015, 2999
"""Nobody has played before, and `datetime` must be able to hold the end of every season."""

WIN_POINTS, DRAW_POINTS = 3.0, 1.0
"""Points for a game that counts in full. Seasons reward playing often; ratings already say who is stronger."""

QUALIFYING_GAMES = 8.0
"""The weights of a user's rated games, summed, from which they have a place on a leaderboard. A newcomer's deviation
is then 130 to 180, and 290 in games of three. Games that count for less than a whole one, or not at all, add no more
than their weight."""

STRANGERS, STRANGER_SERVERS = 10, 3
"""Different strangers met in rated games, and the servers that these play on, from which a user has a place
*everywhere*, beside what a place on a server needs. Four accounts of one person are not enough, nor young ones. Those
who play in direct messages count as one server."""

MIN_POINTS = 0.5
"""The points of a season from which a user has a place in its table, which shows whole points."""

LINES_PER_PAGE = 10


@dataclass(frozen=True, slots=True, order=True)
class Season:
    """A quarter of a year. Written `2026q4`."""

    year: int
    quarter: int

    def __str__(self) -> str:
        return f"{self.year}q{self.quarter}"

    @classmethod
    def at(cls, moment: Millis) -> Self:
        """Returns the season of a moment, by UTC."""
        day = datetime.fromtimestamp(moment / 1000, UTC)
        return cls(day.year, (day.month + 2) // 3)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Returns the season that `text` names. Raises Refused (`no_season`)."""
        year, _, quarter = text.strip().lower().partition("q")
        if not (year.isdecimal() and len(year) == 4 and quarter in {"1", "2", "3", "4"}):
            raise Refused(Reason.NO_SEASON)
        if not FIRST_YEAR <= int(year) <= LAST_YEAR:
            raise Refused(Reason.NO_SEASON)
        return cls(int(year), int(quarter))

    @property
    def previous(self) -> Self:
        """The season before."""
        return type(self)(self.year, self.quarter - 1) if self.quarter > 1 else type(self)(self.year - 1, 4)

    @property
    def ends(self) -> Millis:
        """The first moment of the next season."""
        year, month = divmod(self.year * 12 + self.quarter * 3, 12)
        return Millis(int(datetime(year, month + 1, 1, tzinfo=UTC).timestamp()) * 1000)


def points(result: float, weight: float) -> float:
    """Returns the points that a game brings: for a win, a shared win or a loss, times its `weight`."""
    return weight * (WIN_POINTS if result == 1 else DRAW_POINTS if result else 0.0)


class World(NamedTuple):
    """The different `strangers` that a user has met in rated games of a pool, and on how many `servers` these play."""

    strangers: int = 0
    servers: int = 0

    @property
    def qualifies(self) -> bool:
        """Whether they bring a place everywhere."""
        return self.strangers >= STRANGERS and self.servers >= STRANGER_SERVERS


def needs_strangers(pool: Pool) -> bool:
    """Returns whether a place everywhere needs games against strangers: where they can meet, who are two people."""
    return pool.family not in (Family.COMPUTER, Family.TABLE)


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
