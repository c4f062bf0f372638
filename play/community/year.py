"""A year in dots: what a player, or a server, has played in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from play.clock.schedule import UTC
from play.community.own_figures import OwnFigures, PlayedGame
from play.ids import Millis, UserId
from play.people.career import Tally
from play.ratings.leaderboard import FIRST_YEAR, LAST_YEAR
from play.records.openings import Opening
from play.refusal import Reason, Refused

MAX_YEAR_GAMES: Final = 5000
"""The latest games of a year that are counted: fourteen for each day."""

MAX_RULES: Final = 2
"""Rule sets that a card names: those with the most games."""

FIRST_TOLD_DAY: Final = 20
"""The day of December, by UTC, from which on servers are told of their year."""


class Year(NamedTuple):
    """A year of the calendar in a time zone."""

    number: int
    zone: ZoneInfo = UTC

    @classmethod
    def at(cls, moment: Millis, zone: ZoneInfo | None = None) -> Year:
        """Returns the year of a moment."""
        return cls(datetime.fromtimestamp(moment / 1000, zone or UTC).year, zone or UTC)

    @classmethod
    def of(cls, number: int, zone: ZoneInfo | None = None) -> Year:
        """Returns the year of this number. Raises Refused (`old_button`) for one in which nobody has played."""
        if not FIRST_YEAR <= number <= LAST_YEAR:
            raise Refused(Reason.OLD_BUTTON)
        return cls(number, zone or UTC)

    @property
    def start(self) -> Millis:
        return self._first_moment(self.number)

    @property
    def end(self) -> Millis:
        """The first moment of the next year."""
        return self._first_moment(self.number + 1)

    def _first_moment(self, year: int) -> Millis:
        return Millis(int(datetime(year, 1, 1, tzinfo=self.zone).timestamp()) * 1000)


def told_year(now: Millis) -> Year | None:
    """Returns the year of which servers are told at this moment; None in most of it."""
    today = datetime.fromtimestamp(now / 1000, UTC)
    return Year(today.year) if today.month == 12 and today.day >= FIRST_TOLD_DAY else None


@dataclass(frozen=True, slots=True)
class OwnYear:
    """What a player has played in a `year`.

    `rules` have the most games first, `longest` is the longest run of wins, and `capture` the most dots taken with one
    turn. `best` is the highest rating of an opponent whom they beat, `opening` the most usual of those of `openings`
    games, `puzzles` how many were solved at the first try, `live` the milliseconds in live games, and `friend` the
    person whom they met most often, with how often that was.
    """

    year: int
    tally: Tally
    rules: tuple[tuple[str, int], ...] = ()
    longest: int = 0
    capture: int = 0
    best: float | None = None
    opening: Opening | None = None
    openings: int = 0
    puzzles: int = 0
    live: int = 0
    friend: tuple[UserId, int] | None = None

    @classmethod
    def of(cls, year: int, games: Sequence[PlayedGame], puzzles: int, computer: UserId | None) -> OwnYear:
        """Returns the year of a player from its games, the latest first. The `computer` is nobody's friend."""
        decided = [each for each in games if each.result is not None]
        figures = OwnFigures.of(decided)
        opening = next(iter(figures.openings.items()), None)
        met = Counter(other for each in decided for other in each.others if other > 0 and other != computer)
        return cls(
            year,
            Tally.of(each.result for each in decided if each.result),
            tuple((key, each.tally.games) for key, each in figures.rules.items())[:MAX_RULES],
            figures.longest,
            max((each.capture for each in decided), default=0),
            max((each.beaten for each in decided if each.beaten is not None), default=None),
            opening[0] if opening else None,
            opening[1].tally.games if opening else 0,
            puzzles,
            sum(each.live for each in decided),
            next(iter(met.most_common(1)), None),
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.tally.games and not self.puzzles


class Champion(NamedTuple):
    """Who has won a tournament of a server."""

    user: UserId
    tournament: str


class Pair(NamedTuple):
    """Two members of a server who have played so many `games`."""

    one: UserId
    other: UserId
    games: int


@dataclass(frozen=True, slots=True)
class ServerYear:
    """What was played on a server in a `year`, by UTC as its seasons are. `busiest` is the day with most games, with
    their number, and `capture` the most dots that a member took with one turn."""

    year: int
    games: int = 0
    players: int = 0
    busiest: tuple[date, int] | None = None
    capture: tuple[UserId, int] | None = None
    champions: tuple[Champion, ...] = ()
    pairs: tuple[Pair, ...] = ()
