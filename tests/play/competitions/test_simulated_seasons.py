"""Leagues over whole seasons, with players who drop out, are banned, leave and come back: each season ends by itself
on its day, and a second program finds the same tables and the same order for the next one.

A game takes a random time around what its clock and board let expect. What goes on when a season is over is judged.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import count

import pytest

from play.competitions import league as leagues
from play.competitions.league import MOVING, Presence
from play.competitions.season import (
    MAX_AT_ONCE,
    Division,
    LeagueGame,
    Season,
    close_waiting,
    enter_result,
    leave_unplayed,
    set_match,
)
from play.ids import DAY, MatchId, Millis, UserId
from play.match.length import expected_moves, usual_move_time
from play.match.points import DRAWN, LOST, WON
from tests.play.competitions.test_league import opened

SEASONS = 10
"""Seasons of each league."""

COUNT = 1000
"""Seasons in all."""


@dataclass
class Course:
    """A league that is played season by season; what is counted is of all its seasons."""

    seed: int
    games: int = 0
    judged: int = 0
    never_begun: int = 0
    latest_days: float = 0.0
    dropped: int = 0
    strangers: count[int] = field(default_factory=lambda: count(10_000))
    matches: count[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.lot = random.Random(self.seed)
        self.league = opened(self.lot.choice((3, 5, 8, 12, 13, 15, 20, 31, 60)))
        self.computer = self.lot.random() < 0.8
        self.missed: Counter[UserId] = Counter()
        terms = self.league.terms
        self.usual = expected_moves(terms.game) * usual_move_time(terms.control)

    @property
    def season(self) -> Season:
        assert self.league.season is not None
        return self.league.season

    @property
    def _away(self) -> set[UserId]:
        return {each.user for each in self.league.members if each.presence is Presence.AWAY}

    def play_seasons(self, number: int) -> None:
        for _ in range(number):
            self._fill()
            ratings = {user: self.lot.gauss(1500, 300) for user in self.league.users}
            self.league = leagues.begin_season(self.league, ratings, self.league.begins, computer=self.computer)
            if self.league.season is not None:  # else players lack, and it begins a week later
                self._play()

    def _fill(self) -> None:
        """Lets some members pause, come back, and strangers join."""
        for member in self.league.members:
            if member.presence is not Presence.PLAYING and self.lot.random() < 0.7:
                self.league = leagues.join(self.league, member.user, self.league.begins)
            elif member.presence is Presence.PLAYING and self.lot.random() < 0.05:
                self.league = leagues.pause(self.league, member.user)
        for _ in range(self.lot.randint(0, 3)):
            self.league = leagues.join(self.league, UserId(next(self.strangers)), self.league.begins)

    def _play(self) -> None:
        """Plays the present season until it is over."""
        self.missed.clear()
        over: dict[MatchId, Millis] = {}
        now, ends = self.season.begins, self.season.ends
        while now < ends:
            self._disturb()
            for index, game in self.season.startable(now):
                if game.taken is None and self.lot.random() < 0.01:  # one has blocked the other
                    self.league = replace(self.league, season=leave_unplayed(self.season, index, game))
                    continue
                match = MatchId(next(self.matches))
                over[match] = Millis(now + round(self.usual * self.lot.uniform(0.05, 1.3)))
                self.league = replace(self.league, season=set_match(self.season, index, game, match))
                self.games += 1
                self.latest_days = max(self.latest_days, (now - self.season.begins) / DAY)
            running = Counter(user for game in self.season.games if game.is_running for user in game.people)
            assert now >= self.season.last_call or max(running.values(), default=0) <= MAX_AT_ONCE
            for match in [match for match, at in over.items() if at <= now]:
                del over[match]
                self._end(match, now)
            now = min(ends, *over.values(), self.season.due if self.season.due > now else ends)
        self.judged += len(over)
        for match in over:
            self._end(match, ends)
        self.never_begun += sum(game.is_waiting for game in self.season.games)
        self.league = replace(self.league, season=close_waiting(self.season))
        self._check(now)

    def _disturb(self) -> None:
        """Lets some players leave, be banned, be away from the server, or be back."""
        for user in self.season.users:
            if self.lot.random() < 0.0008 and user in self.league.users:
                drop = self.lot.choice((leagues.leave, leagues.miss))
                self.league = drop(self.league, user, self.season.begins)
                self.dropped += 1
            elif self.lot.random() < 0.001 and user in self._away:
                self.league = leagues.join(self.league, user, self.season.begins)

    def _end(self, match: MatchId, now: Millis) -> None:
        index, game = next(
            (index, game)
            for index, division in enumerate(self.season.divisions)
            for game in division.games
            if game.match == match
        )
        if self.lot.random() < 0.04:
            self._miss(index, game, now)
            return
        points = self.lot.choices((WON, DRAWN, LOST), (47, 6, 47))[0]
        annulled = self.lot.random() < 0.01
        season = enter_result(self.season, index, game, DRAWN if annulled else points, unplayed=annulled)
        self.league = replace(self.league, season=season)

    def _miss(self, index: int, game: LeagueGame, now: Millis) -> None:
        """Ends a game without a first move; who does so twice is out."""
        late = self.lot.choice(game.people)
        season = enter_result(self.season, index, game, LOST if late == game.first else WON, unplayed=True)
        self.league = replace(self.league, season=season)
        self.missed[late] += 1
        if self.missed[late] > 1 and late in self.league.users:
            self.league = leagues.miss(self.league, late, now)
            self.dropped += 1

    def _check(self, now: Millis) -> None:
        """Checks the end of a season, and what follows from it, by a count of its own."""
        over = self.season
        assert now == over.ends
        tables = [recount(division) for division in over.divisions]
        for division, table in zip(over.divisions, tables, strict=True):
            assert all(game.points is not None for game in division.games)
            assert [(row.user, row.points) for row in division.table] == table, self.seed
        members = self.league
        self.league = leagues.end_season(self.league)
        playing = [each.user for each in self.league.members if each.user in over.users]
        assert playing == [user for user in next_order(over, tables) if user in members.users]


def recount(division: Division) -> list[tuple[UserId, float]]:
    """Returns the players of a division in order with their points, counted from its games alone: those who stayed
    first; then by points, by those of the opponents that they beat, and by games won at the board."""
    points = dict.fromkeys(division.users, 0.0)
    for game in division.games:
        assert game.points is not None
        points[game.first] += game.points[0]
        points[game.second] += game.points[1]

    def merit(user: UserId) -> tuple[float, ...]:
        beaten = wins = 0.0
        for game in division.games:
            if user not in game.users or game.unplayed or game.points is None:
                continue
            gained = game.points[game.users.index(user)]
            beaten += gained * points[game.users[1 - game.users.index(user)]]
            wins += gained == 1
        stayed = next(seat.left is None for seat in division.seats if seat.user == user)
        return stayed, points[user], beaten, wins

    return [(user, points[user]) for user in sorted(division.users, key=merit, reverse=True)]


def next_order(over: Season, tables: list[list[tuple[UserId, float]]]) -> list[UserId]:
    """Returns the order of a season's players for the next one: in each division those who stay, those who come up from
    below, and those who come down from above it."""
    order: list[list[UserId]] = [[] for _ in over.divisions]
    last = len(over.divisions) - 1
    stay, up, down = [], [], []
    for index, (division, table) in enumerate(zip(over.divisions, tables, strict=True)):
        gone = {seat.user for seat in division.seats if seat.left is not None}
        there = [user for user, _ in table if user not in gone]
        rising = there[:MOVING] if index else []
        rest = there[len(rising) :]
        falling = max(0, MOVING - len(gone)) if index < last else 0
        stay.append(rest[: max(0, len(rest) - falling)])
        up.append(rising)
        down.append([*rest[len(stay[-1]) :], *(user for user, _ in table if user in gone)])
    for index in range(len(order)):
        order[index] = [*stay[index], *(up[index + 1] if index < last else []), *down[index]]
    return [user for users in order for user in users]


@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, COUNT // SEASONS), marks=pytest.mark.contest)], ids=str
)
def test_each_season_ends_on_its_day_and_its_tables_are_right(seeds: range) -> None:
    for seed in seeds:
        course = Course(seed)
        course.play_seasons(SEASONS)
        assert course.games


def report() -> None:
    """Writes how 1,000 seasons ended."""
    courses = [Course(seed) for seed in range(COUNT // SEASONS)]
    for course in courses:
        course.play_seasons(SEASONS)
    seasons, games = sum(each.league.seasons for each in courses), sum(each.games for each in courses)
    judged, never = sum(each.judged for each in courses), sum(each.never_begun for each in courses)
    sys.stdout.write(
        f"{seasons} seasons ended on their day, {games} games; {judged / games:.1%} judged, {never} never begun; "
        f"{sum(each.dropped for each in courses)} players dropped out; "
        f"the last game began on day {max(each.latest_days for each in courses):.1f} of 28\n"
    )


if __name__ == "__main__":
    report()
