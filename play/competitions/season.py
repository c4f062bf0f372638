"""A season of a league: who plays whom in which division, and when each game begins."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NewType

from play.competitions.pairing import round_robin
from play.competitions.standings import Score, Standing, TieBreak, standings
from play.ids import DAY, MatchId, Millis, UserId
from play.match.points import DRAWN, FORFEITED, LOST, WON
from play.ratings.settlement import level_rating

SeasonId = NewType("SeasonId", int)

SEASON_MILLIS: Final = 28 * DAY
"""The length of a season."""

OPENING_MILLIS: Final = 21 * DAY
"""From the beginning of a season on, its games begin within so much time, if their players have room for them."""

LAST_CALL_PART: Final = 10
"""After `OPENING_MILLIS`, games begin that had no room, spread over this part of that time: two days."""

MAX_AT_ONCE: Final = 4
"""Games of the league that a player has at once, until `OPENING_MILLIS` are over."""

MAX_SHARED: Final = 2
"""Games of a season that bring a player half a point since the two don't meet. By more of them, a player who blocks all
others would keep a division."""

MAX_COMPUTER_LEVEL: Final = 14
"""The highest level of the computer."""

TIE_BREAKS: Final = (TieBreak.SONNEBORN_BERGER, TieBreak.WINS)
"""As in a round robin tournament."""


@dataclass(frozen=True, slots=True)
class LeagueSeat:
    """A player of a division. `left` is when they dropped out; from then on the computer has the seat."""

    user: UserId
    left: Millis | None = None


@dataclass(frozen=True, slots=True)
class LeagueGame:
    """A game of a division, which begins at `begins` or later, with its points once it is decided.

    `taken` is the player in whose place the computer plays. `unplayed` is a game that was decided without being played,
    or that a moderator annulled.
    """

    round: int
    first: UserId
    second: UserId
    begins: Millis
    match: MatchId | None = None
    points: tuple[float, float] | None = None
    taken: UserId | None = None
    unplayed: bool = False

    @property
    def users(self) -> tuple[UserId, UserId]:
        return self.first, self.second

    @property
    def people(self) -> tuple[UserId, ...]:
        """The players who play it themselves."""
        return tuple(user for user in self.users if user != self.taken)

    @property
    def is_waiting(self) -> bool:
        """Whether it has yet to begin."""
        return self.match is None and self.points is None

    @property
    def is_running(self) -> bool:
        return self.match is not None and self.points is None


@dataclass(frozen=True, slots=True)
class Division:
    """Players who all play each other, the best seed first. `level` is that of the computer on seats that were left;
    without a computer (None) such a game is won without being played."""

    seats: tuple[LeagueSeat, ...]
    games: tuple[LeagueGame, ...]
    level: int | None = None

    @property
    def users(self) -> tuple[UserId, ...]:
        return tuple(seat.user for seat in self.seats)

    @property
    def gone(self) -> frozenset[UserId]:
        return frozenset(seat.user for seat in self.seats if seat.left is not None)

    @property
    def table(self) -> list[Standing]:
        """The standings by the decided games; those who dropped out stand last."""
        scores = [Score(*game.users, game.points, game.unplayed) for game in self.games if game.points is not None]
        return standings(self.users, scores, TIE_BREAKS, self.gone)

    @property
    def ranking(self) -> list[UserId]:
        """The players in the order of the table."""
        return [row.user for row in self.table]


@dataclass(frozen=True, slots=True)
class Season:
    """A season, the best division first. `number` counts from 1. It ends on its day, whatever is still being played."""

    id: SeasonId
    number: int
    begins: Millis
    ends: Millis
    divisions: tuple[Division, ...]

    @property
    def last_call(self) -> Millis:
        """From when on games begin whose players have no room for them."""
        return Millis(self.begins + OPENING_MILLIS)

    def _latest(self, game: LeagueGame) -> Millis:
        """Returns when a game begins at the latest."""
        return Millis(self.last_call + (game.begins - self.begins) // LAST_CALL_PART)

    @property
    def games(self) -> Iterator[LeagueGame]:
        for division in self.divisions:
            yield from division.games

    @property
    def users(self) -> tuple[UserId, ...]:
        return tuple(user for division in self.divisions for user in division.users)

    def division_of(self, user: UserId) -> int | None:
        """Returns the index of the division of `user`. None if they do not play in this season."""
        return next((number for number, each in enumerate(self.divisions) if user in each.users), None)

    def startable(self, now: Millis) -> list[tuple[int, LeagueGame]]:
        """Returns the games that begin now, with the indexes of their divisions."""
        running = self._running()
        found = []
        for number, division in enumerate(self.divisions):
            for game in division.games:
                if game.is_waiting and game.begins <= now and (now >= self._latest(game) or _has_room(game, running)):
                    found.append((number, game))
                    running.update(game.people)
        return found

    @property
    def due(self) -> Millis:
        """When the next game begins if none ends before, or the season ends."""
        running = self._running()
        waiting = [
            game.begins if _has_room(game, running) else self._latest(game) for game in self.games if game.is_waiting
        ]
        return min([*waiting, self.ends])

    def _running(self) -> Counter[UserId]:
        return Counter(user for game in self.games if game.is_running for user in game.people)


def _has_room(game: LeagueGame, running: Mapping[UserId, int]) -> bool:
    return all(running[user] < MAX_AT_ONCE for user in game.people)


def make_season(
    number: int, begins: Millis, groups: Sequence[Sequence[tuple[UserId, float]]], *, computer: bool
) -> Season:
    """Returns a season before its first game; `groups` are the divisions with their players' ratings.

    The games begin one after the other, evenly spread, each round of a division before its next one: so no day has more
    of them than others.
    """
    order, divisions = [], []
    for index, group in enumerate(groups):
        rounds = round_robin([user for user, _ in group])
        for turn, pairs in enumerate(rounds):
            share = (turn + index / len(groups)) / len(rounds)
            order += [(share, index, turn, first, second) for first, second in pairs if second is not None]
    order.sort(key=lambda each: each[0])
    step = OPENING_MILLIS // len(order)
    games = [
        (index, LeagueGame(turn, first, second, Millis(begins + step * place)))
        for place, (_, index, turn, first, second) in enumerate(order)
    ]
    for index, group in enumerate(groups):
        level = _level([rating for _, rating in group]) if computer else None
        seats = tuple(LeagueSeat(user) for user, _ in group)
        divisions.append(Division(seats, tuple(game for place, game in games if place == index), level))
    return Season(SeasonId(0), number, begins, Millis(begins + SEASON_MILLIS), tuple(divisions))


def _level(ratings: Sequence[float]) -> int:
    """Returns the level of the computer whose rating is the closest to the average."""
    average = sum(ratings) / len(ratings)
    return min(range(1, MAX_COMPUTER_LEVEL + 1), key=lambda level: abs(level_rating(level).value - average))


def set_match(season: Season, index: int, game: LeagueGame, match: MatchId) -> Season:
    """Notes the match in which a game is played."""
    return _with_game(season, index, game, replace(game, match=match))


def enter_result(
    season: Season, index: int, game: LeagueGame, points: tuple[float, float], *, unplayed: bool = False
) -> Season:
    """Enters the result of a game of the division with this index."""
    return _with_game(season, index, game, replace(game, points=points, unplayed=unplayed))


def leave_unplayed(season: Season, index: int, game: LeagueGame) -> Season:
    """Decides a game of two players of whom one has blocked the other: each has half a point, for `MAX_SHARED` such
    games of the season. It is the same for both, so that it does not tell who has blocked whom."""
    apart = Counter(user for each in season.divisions[index].games if _is_apart(each) for user in each.users)
    first, second = (0.5 if apart[user] < MAX_SHARED else 0.0 for user in game.users)
    return enter_result(season, index, game, (first, second), unplayed=True)


def _is_apart(game: LeagueGame) -> bool:
    return game.points is not None and game.match is None and game.taken is None


def drop_out(season: Season, user: UserId, now: Millis) -> Season:
    """Gives the seat of `user` to the computer, in all games that have not begun. Those that have go on.

    A game of two who dropped out is lost by both.
    """
    index = season.division_of(user)
    if index is None or user in season.divisions[index].gone:
        return season
    division = season.divisions[index]
    seats = tuple(replace(seat, left=now) if seat.user == user else seat for seat in division.seats)
    games = tuple(_without(game, user, division) for game in division.games)
    return _with_division(season, index, replace(division, seats=seats, games=games))


def _without(game: LeagueGame, user: UserId, division: Division) -> LeagueGame:
    if not game.is_waiting or user not in game.users:
        return game
    if game.taken is not None:
        return replace(game, points=FORFEITED, unplayed=True)
    if division.level is None:
        return replace(game, points=LOST if user == game.first else WON, taken=user, unplayed=True)
    return replace(game, taken=user)


def close_waiting(season: Season) -> Season:
    """Draws the games that could never begin, so that the season can end: the bot was away, or its channel closed."""
    for index, division in enumerate(season.divisions):
        for game in division.games:
            if game.is_waiting:
                season = enter_result(season, index, game, DRAWN, unplayed=True)
    return season


def _with_game(season: Season, index: int, game: LeagueGame, changed: LeagueGame) -> Season:
    division = season.divisions[index]
    games = tuple(changed if each == game else each for each in division.games)
    return _with_division(season, index, replace(division, games=games))


def _with_division(season: Season, index: int, division: Division) -> Season:
    divisions = tuple(division if number == index else each for number, each in enumerate(season.divisions))
    return replace(season, divisions=divisions)
