"""Pages of games and servers as values, in words, with players by name."""

from collections.abc import Collection
from typing import NamedTuple

from play.challenge.pool import Pool
from play.competitions.tournament import TournamentId
from play.ids import GuildId, MatchId, UserId, is_forgotten, is_person
from play.ratings.leaderboard import Season
from play.refusal import Reason, Refused
from presentation.people import Names
from presentation.words.words import Words
from renderer.bracket import Section
from renderer.crosstable import Cell
from rules.game import Seat


class Person(NamedTuple):
    """A player by name. Only one with a page has a `user`."""

    name: str
    user: UserId | None = None


class LeaderLine(NamedTuple):
    """A line of a leaderboard; a `place` of 0 is none. A `faint` one is that of a player without a place, or who has
    not played recently."""

    place: int
    person: Person
    value: str
    games: int
    faint: bool


class LeaderboardStory(NamedTuple):
    """A page of a leaderboard; `more` says that lines follow. `seasons` are all with a table, by their names."""

    title: str
    pool: Pool
    season: Season | None
    lines: tuple[LeaderLine, ...]
    more: bool
    notes: tuple[str, ...]
    seasons: tuple[tuple[str, Season], ...]


class RatingLine(NamedTuple):
    """A rating of a player; without a `place` they have none on the leaderboard."""

    pool: Pool
    value: str
    games: int
    place: int | None


class TallyLine(NamedTuple):
    """The counts of some of a player's games: all, those by some rules, or those against an opponent."""

    what: Person
    won: int
    drawn: int
    lost: int


class GameLine(NamedTuple):
    """A finished game, with its result for the player whose page it is on."""

    match: MatchId
    result: str
    opponents: tuple[Person, ...]
    score: str
    change: str
    rules: str
    date: str


class Curve(NamedTuple):
    """A rating game by game: each with its range. `first` and `last` are the dates of its ends."""

    pool: Pool
    alt: str
    values: tuple[tuple[float, float, float], ...]
    first: str
    last: str


class ProfileStory(NamedTuple):
    """What everyone may see of a player on a server, and a page of their games. `capture` has its dots, as text."""

    name: str
    ratings: tuple[RatingLine, ...]
    curve: Curve | None
    tallies: tuple[TallyLine, ...]
    streak: str
    capture: tuple[str, MatchId] | None
    games: tuple[GameLine, ...]
    more: bool


class TournamentLine(NamedTuple):
    """A tournament in the list."""

    id: TournamentId
    name: str
    format: str
    stage: str
    players: int
    date: str


class StandingLine(NamedTuple):
    """A player's line of a tournament, with the results of the crosstable; `left` says that they withdrew."""

    place: str
    person: Person
    cells: tuple[Cell, ...]
    points: str
    left: bool


class PairLine(NamedTuple):
    """A pair of a round. A decided one that was played has a `match`."""

    first: Person
    second: Person
    result: str
    match: MatchId | None


class TournamentStory(NamedTuple):
    """A tournament. `labels` are those of the cells, and `note` says what a mark in them means; `bracket` has the
    sections of a knock-out, `rounds` those so far."""

    name: str
    stage: str
    terms: tuple[str, ...]
    entrants: tuple[Person, ...]
    labels: tuple[str, ...]
    standings: tuple[StandingLine, ...]
    note: str
    bracket: tuple[Section, ...]
    rounds: tuple[tuple[str, tuple[PairLine, ...]], ...]


class LadderStory(NamedTuple):
    """A page of a ladder: places with their players, and whether they have a game of the ladder."""

    rules: tuple[str, ...]
    places: tuple[tuple[int, Person, bool], ...]
    more: bool


class LeagueStory(NamedTuple):
    """A division's table in a season of a league; before the first season its `members`. `dates` says when the season
    ends or the next one begins; `rules` are empty where there is no league. Seasons and divisions count from 1."""

    title: str
    dates: str
    rules: tuple[str, ...]
    members: tuple[Person, ...] = ()
    season: int = 0
    division: int = 1
    seasons: int = 0
    divisions: int = 0
    labels: tuple[str, ...] = ()
    standings: tuple[StandingLine, ...] = ()
    note: str = ""


class GameStory(NamedTuple):
    """A finished game in words, for its page; `scores` are those of each position, from the first to the last.

    `profiles` are the players who have one, None for others. `facts` are its rules and clock, `ratings` what it changed
    of them; `alt` is its last board. Each of the `moves` has its seat, its text and what it gained.
    """

    names: tuple[str, ...]
    profiles: tuple[UserId | None, ...]
    theme: str
    points: tuple[str, ...]
    score: str
    result: str
    facts: tuple[str, ...]
    ratings: tuple[str, ...]
    alt: str
    moves: tuple[tuple[Seat, str, str], ...]
    scores: tuple[tuple[float, ...], ...]


class People:
    """The members of a server, as their server knows them. Who has left it is not named any more."""

    def __init__(self, names: Names, guild: GuildId, words: Words) -> None:
        self._names = names
        self._guild = guild
        self._words = words

    async def of(self, user: UserId) -> Person:
        """Returns a player. Sides, and those who left the server or have deleted their data, have no page."""
        if is_forgotten(user):
            return Person(self._words("player.forgotten"))
        name = await self._names.of(user, self._guild)
        if not is_person(user):  # a side has no page: its games are on those of its server
            return Person(name)
        if self._names.has_left(user, self._guild):
            return Person(self._words("web.server.left"))
        return Person(name, user)

    async def of_all(self, users: Collection[UserId]) -> dict[UserId, Person]:
        """Returns players by their numbers."""
        return {user: await self.of(user) for user in users}

    async def require(self, user: UserId) -> Person:
        """Returns a player with a page. Raises Refused (`no_page`)."""
        person = await self.of(user)
        if person.user is None:
            raise Refused(Reason.NO_PAGE)
        return person
