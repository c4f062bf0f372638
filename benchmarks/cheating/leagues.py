"""Searches for what three accounts of one person make of a league of 48: points of a season, and divisions in four.

The rules of `play/competitions` decide divisions, tables and who moves; results are drawn as Elo expects. The first
account has an average strength, and is rated so, or too high. The others may join, rated as the plan says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from random import Random
from statistics import fmean
from typing import Final

from benchmarks.cheating.plans import Gains, Plan, Subject
from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions import league as leagues
from play.competitions.league import League, first_season
from play.competitions.season import Season, enter_result, leave_unplayed, set_match
from play.ids import ChannelId, GuildId, MatchId, UserId
from play.match.points import DRAWN, LOST, WON
from rules.registry import make_game
from tests.clock import NOON

MEMBERS: Final = 48
SPREAD, DOUBT, DRAWS = 300.0, 100.0, 0.1
"""The standard deviations of strengths around 1500 and of what ratings miss of them; the share of drawn games."""

SEASONS: Final = 4
PLAYED: Final = MatchId(1)
"""The match of each game that is played."""

FIRST: Final = UserId(1)
OWN: Final = (FIRST, UserId(2), UserId(3))

PLAYS, LOSES, BLOCKS_STRONGER, BLOCKS_ALL, PAUSES = (
    "plays",
    "loses each game",
    "blocks who is stronger",
    "blocks all others",
    "pauses each second season",
)
AWAY, GIVES, GIVES_AND_BLOCKS, DROPS_OUT = (
    "is not there",
    "loses to account 1",
    "loses to account 1, blocks the others",
    "loses to account 1, drops out",
)
RATED: Final = {"rated as account 1": 1500.0, "rated best": 3000.0, "rated last": 0.0}
SLOTS: Final = {
    "account 1": (PLAYS, LOSES, BLOCKS_STRONGER, BLOCKS_ALL, PAUSES),
    "accounts 2 and 3": (AWAY, *(f"{act}, {rated}" for act in (GIVES, GIVES_AND_BLOCKS, DROPS_OUT) for rated in RATED)),
}
POINTS, RISEN = "points of 7 above an honest one's, in a season", "divisions above an honest one, after four seasons"


class Course:
    """A league of honest players and the accounts of a plan."""

    def __init__(self, plan: Plan, rated: float, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret
        self._acts = dict(zip(OWN, (*plan, plan[-1]), strict=True))
        terms = Terms(make_game("zagram", {"size": "13x13"}), parse_control("3d"), rated=True)
        self.league = League(GuildId(1), ChannelId(2), UserId(9), terms, first_season(NOON))
        own = [user for user in OWN if self._acts[user] != AWAY]
        self.strengths = {UserId(100 + n): self._random.gauss(1500, SPREAD) for n in range(MEMBERS - 1)}
        self.ratings = {user: value + self._random.gauss(0, DOUBT) for user, value in self.strengths.items()}
        for user in own:
            self.strengths[user] = 1500.0
            self.ratings[user] = next((value for name, value in RATED.items() if name in self._acts[user]), rated)
        for user in self.strengths:
            self.league = leagues.join(self.league, user, NOON)

    def play(self) -> tuple[float, int]:
        """Plays all seasons; returns the first account's points of the first one, and the divisions it has risen."""
        points, begun_in = 0.0, None
        for number in range(SEASONS):
            if self._acts[FIRST] == PAUSES and number % 2:
                self.league = leagues.pause(self.league, FIRST)
            self.league = leagues.begin_season(self.league, self.ratings, self.league.begins, computer=True)
            assert self.league.season is not None, "there are players for it"
            season = self._play(self.league.season)
            if begun_in is None:
                begun_in = season.division_of(FIRST)
                assert begun_in is not None, "it plays in the first season"
                points = next(row.points for row in season.divisions[begun_in].table if row.user == FIRST)
            self.league = leagues.end_season(replace(self.league, season=season))
        place = self.league.member(FIRST).division
        assert begun_in is not None, "there were seasons"
        assert place is not None, "it has played"
        return points, begun_in - place

    def _play(self, season: Season) -> Season:
        for index, division in enumerate(season.divisions):
            for game in division.games:
                first, second = game.users
                if self._blocks(first, second) or self._blocks(second, first):
                    season = leave_unplayed(season, index, game)
                else:
                    season = set_match(season, index, game, PLAYED)
                    season = enter_result(season, index, replace(game, match=PLAYED), self._result(first, second))
        return season

    def _blocks(self, user: UserId, other: UserId) -> bool:
        act = self._acts.get(user, "")
        if other in OWN:
            return False
        return (
            "blocks all" in act
            or GIVES_AND_BLOCKS in act
            or (act == BLOCKS_STRONGER and self.strengths[other] > self.strengths[user])
        )

    def _result(self, first: UserId, second: UserId) -> tuple[float, float]:
        for user, other, lost in ((first, second, LOST), (second, first, WON)):
            act = self._acts.get(user, "")
            if act == LOSES or (user in OWN[1:] and (other == FIRST)):
                return lost
        if self._random.random() < DRAWS:
            return DRAWN
        odds = 1 / (1 + 10 ** ((self.strengths[second] - self.strengths[first]) / 400))
        return WON if self._random.random() < odds else LOST


async def play_plan(rated: float, courses: int, plan: Plan) -> Gains:
    """Returns what a plan brings the first account, on average over leagues."""
    played = [(Course(plan, rated, seed).play(), _play_honestly(rated, seed)) for seed in range(courses)]
    points, risen = (fmean(own[n] - honest[n] for own, honest in played) for n in range(2))
    return {POINTS: points, RISEN: risen}


@cache
def _play_honestly(rated: float, seed: int) -> tuple[float, int]:
    return Course((PLAYS, AWAY), rated, seed).play()


def subjects(courses: int = 8) -> Iterator[Subject]:
    """Yields leagues in which the first account is where it belongs, and where it is two divisions above that."""
    for name, rated in (("in its division", 1500.0), ("rated 250 too high", 1750.0)):
        yield Subject(f"leagues ({name})", SLOTS, partial(play_plan, rated, courses), {POINTS: 1.5, RISEN: 1.0})
