"""How players behave towards strangers, and what follows from it: three levels by figures."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

from play.clock import Speed
from play.ids import DAY, MINUTE, MatchId, Millis, UserId

MONTH_MILLIS, WEEK_MILLIS = Millis(30 * DAY), Millis(7 * DAY)
"""The windows of the figures."""

LATER_MILLIS = {Speed.LIVE: Millis(2 * MINUTE), Speed.DAYS: DAY}
"""How much later those of the level LATER count as having come."""

MIN_STRIKES, MIN_SHARE = 2, 0.2
"""Strikes in a month, and their share of the games with strangers, from which on a player comes later."""

MAX_RATED_STRIKES = 4
"""Strikes in a month from which on their games with strangers are unrated."""

MAX_STRIKES, MAX_SHARE = 6, 1 / 3
"""Strikes in a week from which on they play no strangers: as long as the week has so many. With so many in a month, and
such a share, one in the week is enough: who plays seldom has never six in a week, and leaves half of all games."""

MIN_REPORTING = 3
"""Servers whose members have reported a player within a week: their members don't know each other. It counts as
MAX_STRIKES do."""


class Level(StrEnum):
    """What a player may do with strangers."""

    FINE = "fine"
    LATER = "later"
    UNRATED = "unrated"
    OUT = "out"


class Report(NamedTuple):
    """A report: the match, whom of its players it is about, and when it was made. Members of so many `servers` have
    reported them within the week before it is read."""

    match: MatchId
    user: UserId
    at: Millis
    servers: int


@dataclass(frozen=True, slots=True)
class Conduct:
    """A player's games with strangers of the last month, those of them that they left, and missed calls: together their
    strikes, of the month and of the last week; and from how many servers they were `reported` within the week."""

    games: int = 0
    strikes: int = 0
    strikes_of_week: int = 0
    reported: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.games + other.games,
            self.strikes + other.strikes,
            self.strikes_of_week + other.strikes_of_week,
            self.reported + other.reported,
        )

    @property
    def level(self) -> Level:
        """What follows from the figures. Each level ends by itself, with the days that have brought it."""
        if self.strikes_of_week >= MAX_STRIKES or self.reported >= MIN_REPORTING:
            return Level.OUT
        share = self.strikes / max(1, self.games + self.strikes)
        if self.strikes < MIN_STRIKES or share < MIN_SHARE:
            return Level.FINE
        if self.strikes >= MAX_STRIKES and share >= MAX_SHARE and self.strikes_of_week:
            return Level.OUT
        return Level.UNRATED if self.strikes >= MAX_RATED_STRIKES else Level.LATER
