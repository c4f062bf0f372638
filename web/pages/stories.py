"""What the pages of a server need of the rest of the program. bot/ implements it, since it knows names and words."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from play.challenge.pool import Pool
from play.ids import MatchId, UserId
from play.ratings.season import Season
from play.services.public_servers import PublicServer
from play.tournaments.tournament import TournamentId
from renderer.bracket import Side
from renderer.crosstable import Cell


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
    """A tournament. `labels` are those of the cells; `bracket` has the rounds of a knock-out, `rounds` those so far."""

    name: str
    stage: str
    terms: tuple[str, ...]
    entrants: tuple[Person, ...]
    labels: tuple[str, ...]
    standings: tuple[StandingLine, ...]
    bracket: tuple[tuple[str, tuple[tuple[Side, Side], ...]], ...]
    rounds: tuple[tuple[str, tuple[PairLine, ...]], ...]


class LadderStory(NamedTuple):
    """A page of a ladder: places with their players, and whether they have a game of the ladder."""

    rules: tuple[str, ...]
    places: tuple[tuple[int, Person, bool], ...]
    more: bool


class Places(Protocol):
    """The pages of a server, in words. Pages count from 0. All methods raise Refused (`no_page`, `discord_away`)."""

    async def leaderboard(
        self, server: PublicServer, pool: Pool | None, season: Season | None, page: int, language: str
    ) -> LeaderboardStory:
        """Returns a page of a leaderboard; without a pool, of that with the most players."""

    async def player(
        self, server: PublicServer, user: UserId, pool: Pool | None, page: int, language: str
    ) -> ProfileStory:
        """Returns a profile, with the curve of `pool` or of the most played one."""

    async def tournaments(self, server: PublicServer, page: int, language: str) -> tuple[list[TournamentLine], bool]:
        """Returns a page of the tournaments, the newest first, and whether there are more."""

    async def tournament(self, server: PublicServer, number: TournamentId, language: str) -> TournamentStory:
        """Returns a tournament."""

    async def ladder(self, server: PublicServer, page: int, language: str) -> LadderStory:
        """Returns a page of the ladder."""
