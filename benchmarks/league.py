"""Plays a league of 120 for 20 seasons: `python -m benchmarks.league`, `--seed 1`.

Players drop out of each season in five ways (see PLANS). Everything is decided by `play/competitions`; only strengths,
results and the length of games are drawn.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import sqrt
from statistics import mean
from typing import Final, NamedTuple

from benchmarks.figure import Figure
from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions import league as leagues
from play.competitions.league import League, NoticeKind, first_season
from play.competitions.season import LeagueGame, Season, enter_result, set_match
from play.ids import DAY, ChannelId, GuildId, MatchId, Millis, UserId
from play.match.points import DRAWN, LOST, WON
from rules.registry import GAMES
from tools.program import say
from use_cases.competitions.league_director import EDIT_MILLIS, REQUESTS_A_GAME

PLAYERS: Final = 120
SEASONS: Final = 20
SETTLED: Final = 6
"""Seasons after which the divisions have to follow the strengths."""

DROP_OUTS: Final = 0.3
"""The share of a season's players who drop out of it."""

SPREAD, DOUBT, DRAWS = 350.0, 150.0, 0.1
"""The standard deviations of strengths and of what ratings miss of them, in points; the share of drawn games."""

GAME_DAYS: Final = 6.0
"""The average length of a game."""

OPENED: Final = Millis(1_750_000_000_000)


class Plan(NamedTuple):
    """How players drop out: the share of each season's players, the share of these who come back, and whether those do
    so only after a pause."""

    name: str
    drop_outs: float
    returning: float
    pausing: bool = False
    least: float | None = None
    """The correlation that is promised after six seasons."""


PLANS: Final = (
    Plan("30 % drop out of each season and play in the next", DROP_OUTS, 1.0, least=0.9),
    Plan("30 % drop out of each season and skip the next", DROP_OUTS, 1.0, pausing=True),
    Plan("30 % drop out of each season, a tenth of them for good", DROP_OUTS, 0.9),
    Plan("30 % drop out of each season, all for good", DROP_OUTS, 0.0),
    Plan("30 % of all players drop out for good in 20 seasons", DROP_OUTS / SEASONS, 0.0),
)


@dataclass
class Course:
    """A league that runs for as long as it is told, and what is counted meanwhile."""

    plan: Plan
    chance: random.Random
    players: int = PLAYERS
    strengths: dict[UserId, float] = field(default_factory=dict)
    ratings: dict[UserId, float] = field(default_factory=dict)
    requests: Counter[int] = field(default_factory=Counter)
    late_ends: int = 0
    judged: int = 0
    games: int = 0
    crowded: int = 0
    correlations: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ids = count(1000)
        self._matches = count(1)
        terms = Terms(GAMES["zagram"], parse_control("3d"), rated=True)
        self.league = League(GuildId(1), ChannelId(2), UserId(3), terms, first_season(OPENED))
        self._edited = Millis(0)

    def run(self, seasons: int) -> None:
        for _ in range(seasons):
            while len(self.league.members) < self.players:
                self._join()
            begins = self.league.begins
            self.league = leagues.begin_season(self.league, self.ratings, begins, computer=True)
            self._tell(begins, self.league)
            assert self.league.season is not None
            self._play(self.league.season.ends)

    def _join(self) -> None:
        user = UserId(next(self._ids))
        self.strengths[user] = self.chance.gauss(1500, SPREAD)
        self.ratings[user] = self.strengths[user] + self.chance.gauss(0, DOUBT)
        self.league = leagues.join(self.league, user, self.league.begins)

    def _play(self, ends: Millis) -> None:
        """Plays the present season until it is over."""
        season = self._season
        quitting = {
            user: Millis(int(self.chance.uniform(season.begins, ends)))
            for user in season.users
            if self.chance.random() < self.plan.drop_outs
        }
        over: dict[MatchId, Millis] = {}
        now = season.begins
        while now < ends:
            for user in [user for user, at in quitting.items() if at <= now]:
                del quitting[user]
                self._drop_out(user, now)
            for index, game in self._season.startable(now):
                match = MatchId(next(self._matches))
                over[match] = Millis(now + int(self.chance.expovariate(1 / GAME_DAYS) * DAY))
                self._change(set_match(self._season, index, game, match))
                self._request(now, REQUESTS_A_GAME)
                self.games += 1
            ended = [match for match, at in over.items() if at <= now]
            for match in ended:
                del over[match]
                self._end(match)
            if self.league.changed == self.league.version + 1 and now >= self._edited + EDIT_MILLIS:
                self._edit(now)
            running = Counter(user for game in self._season.games if game.is_running for user in game.people)
            self.crowded += now < season.last_call and max(running.values(), default=0) > 4
            now = Millis(min(ends, *over.values(), *quitting.values(), max(now + 1, self._season.due)))
        self.judged += len(over)
        for match in over:
            self._end(match)
        self.late_ends += now != season.ends
        self.correlations.append(self._correlation())
        self.league = leagues.end_season(self.league)
        self._tell(now, self.league)

    @property
    def _season(self) -> Season:
        assert self.league.season is not None
        return self.league.season

    def _change(self, season: Season) -> None:
        self.league = replace(self.league, season=season)

    def _drop_out(self, user: UserId, now: Millis) -> None:
        if self.chance.random() < self.plan.returning:
            self.league = leagues.miss(self.league, user, now)
            self.league = leagues.join(self.league, user, now)
            if self.plan.pausing:
                self.league = leagues.pause(self.league, user)
        else:
            self.league = leagues.leave(self.league, user, now)

    def _end(self, match: MatchId) -> None:
        index, game = next(
            (index, game)
            for index, division in enumerate(self._season.divisions)
            for game in division.games
            if game.match == match
        )
        self._change(enter_result(self._season, index, game, self._result(index, game)))
        self.league = self.league.renewed()

    def _result(self, index: int, game: LeagueGame) -> tuple[float, float]:
        level = self._season.divisions[index].level or 1
        first, second = (600.0 + 200 * level if user == game.taken else self.strengths[user] for user in game.users)
        if self.chance.random() < DRAWS:
            return DRAWN
        return WON if self.chance.random() < 1 / (1 + 10 ** ((second - first) / 400)) else LOST

    def _request(self, now: Millis, number: int) -> None:
        self.requests[now // DAY] += number

    def _edit(self, now: Millis) -> None:
        self._request(now, 1)
        self._edited = now
        self.league = replace(self.league, changed=self.league.version)

    def _tell(self, now: Millis, league: League) -> None:
        """Posts the notices, and the table at once."""
        for notice in league.pending_notices:
            assert notice.kind is not NoticeKind.WAITING
            self._request(now, 1)
        self.league = replace(league, notices=())
        self._edit(now)

    def _correlation(self) -> float:
        """Returns Spearman's rank correlation of the present division and the strength."""
        playing = [
            (index, -self.strengths[user])
            for index, division in enumerate(self._season.divisions)
            for user in division.users
        ]
        return _pearson(*(_ranks(column) for column in zip(*playing, strict=True)))


def _ranks(values: Sequence[float]) -> list[float]:
    """Returns the rank of each value; equal ones share the average."""
    ordered = sorted(values)
    first = {value: number for number, value in reversed(list(enumerate(ordered)))}
    counts = Counter(values)
    return [first[value] + (counts[value] - 1) / 2 for value in values]


def _pearson(one: Sequence[float], other: Sequence[float]) -> float:
    middle, centre = mean(one), mean(other)
    shared = sum((a - middle) * (b - centre) for a, b in zip(one, other, strict=True))
    return shared / sqrt(sum((a - middle) ** 2 for a in one) * sum((b - centre) ** 2 for b in other))


def figures(seed: int = 1, plans: Sequence[Plan] = PLANS, seasons: int = SEASONS) -> Iterator[Figure]:
    for plan in plans:
        course = Course(plan, random.Random(seed))  # noqa: S311 - no secret
        course.run(seasons)
        days = course.requests.values()
        yield Figure(f"{plan.name}: seasons late", course.late_ends, "", 0)
        after = course.correlations[SETTLED]
        yield Figure("  correlation of division and strength after six", after, "", plan.least, least=True)
        yield Figure("  the least after that", min(course.correlations[SETTLED:]), "")
        yield Figure("  times with more than four games at once", course.crowded, "", 0)
        yield Figure("  games that the end of the season decides", 100 * course.judged / course.games, "%")
        yield Figure("  requests a day", mean(days), "", 50)
        yield Figure("  requests on the busiest day", max(days), "", 50)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    found = list(figures(parser.parse_args().seed))
    for figure in found:
        say(figure)
    return not all(figure.holds for figure in found)


if __name__ == "__main__":
    sys.exit(main())
