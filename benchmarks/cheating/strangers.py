"""Searches for what accounts of one person make of games with strangers: rating points after sixty days.

Pairs are made by the rules of `play/community`, and games rated by those of `play/ratings`, without a store. Honest
players look in the evening, and some at night; their results are drawn as Elo expects. The first account has an average
strength. The others look at the same moment, and lose to it. Who looks for terms that nobody else wants meets nobody
else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, count
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from benchmarks.cheating.plans import Gains, Plan, Subject
from play.challenge.pool import pool_of
from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.community.seek import AGAIN_MILLIS, RATED_AGAIN_MILLIS, Seek, SeekId
from play.community.seek_pairing import Seeker, pair
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.ratings.glicko import Rating
from play.ratings.leaderboard import QUALIFYING_GAMES, World
from play.ratings.settlement import (
    MIN_MOVES,
    OPPONENT_WINDOW,
    PAIR_WINDOW,
    YOUNG_WEIGHT,
    RatedGame,
    as_opponent,
    is_young,
    rate,
)
from rules.game import Outcome, Seat
from rules.registry import make_game
from tests.play.ratings.attacks import DAY, FULL, GAME, NEW, NOW, SETTLED, SHORT, born

DAYS: Final = 60
HONEST, SPREAD = 60, 250.0
"""Honest players, and the standard deviation of their strengths around 1500."""

CROWDS: Final = {hour: 8 if 18 <= hour < 23 else 1 for hour in range(24)}
"""How many of them look in each hour of the day."""

HOUR = DAY // 24
USUAL = Terms(GAME, parse_control("10m+10s"), rated=True)
ODD = replace(USUAL, game=make_game("zagram", {"size": "13x37"}))
OVER_DAYS = replace(USUAL, control=parse_control("3d"))

POOL: Final = pool_of(GAME, USUAL.control)

HONEST_DAYS: Final = 10
"""How long one plays who settles before the own accounts come."""

PLAYS, BLOCKS, LOSES_FIRST, MEETS_OWN, SETTLES, PLAYS_AND_FLEES = (
    "plays",
    "blocks whom it loses to",
    "loses for a month first",
    "answers calls to its own accounts only",
    "plays strangers for ten days, and its own accounts from then on",
    "gives a game up before its tenth move where the other is stronger",
)
NONE, OLD, NEWCOMERS, YOUNG, PUMPED = (
    "are not there",
    "settled, lose to account 1",
    "old without games, lose to account 1",
    "made anew each week, lose to account 1",
    "settled, lose to one of them for a month, which loses to account 1 then",
)
SHORTLY = "lose to account 1 after one move"
SLOTS: Final = {
    "account 1": (PLAYS, BLOCKS, LOSES_FIRST, MEETS_OWN, SETTLES, PLAYS_AND_FLEES),
    "the other accounts": (NONE, OLD, NEWCOMERS, YOUNG, PUMPED, SHORTLY),
    "how many others": ("3", "2", "1"),
    "when": ("in the evening", "at night", "each hour"),
    "terms": ("usual", "of its own", "over days"),
}
GAIN: Final = "points after sixty days above its strength"
PLACED: Final = "the same with a place everywhere"
MAX_GAINS: Final = {"settled": {GAIN: 60.0, PLACED: 60.0}, "new": {GAIN: 400.0, PLACED: 100.0}}
"""The most points that a plan may bring, by what account 1 is. Luck brings an honest one about 45 in one case of six. A
new account that has met three others moves far: it has no place everywhere."""

SEEDS, SEEDS_ANEW = range(1), range(100, 112)
"""The courses of a plan in the search, and of the best ones."""

HOURS: Final = {"in the evening": (19, 20, 21), "at night": (2, 3, 4), "each hour": tuple(range(24))}
TERMS: Final = {"usual": USUAL, "of its own": ODD, "over days": OVER_DAYS}

ME: Final = born(400 * DAY, 0)


class Meeting(NamedTuple):
    """A rated game of a player: whom they met, when it ended, by how many deviations it moved their rating, and how
    much of a game it counted as."""

    other: UserId
    at: Millis
    moves: float
    weight: float


class Sheet:
    """The ratings of a course, and the games that bound further ones."""

    def __init__(self, own: Rating) -> None:
        self.people = {ME: own}
        self._games: dict[UserId, list[Meeting]] = {}
        self._matches = count(1)

    def rate(self, winner: UserId, loser: UserId, moves: int, at: Millis) -> None:
        """Rates a game that was given up after so many moves of each."""
        players = winner, loser
        found = [self._bounds(winner, loser, at), self._bounds(loser, winner, at)]
        meetings, young, moved = zip(*found, strict=True)
        number, outcome, short = MatchId(next(self._matches)), Outcome((Seat(0),), "resign"), moves < MIN_MOVES
        game = RatedGame(
            *(number, POOL, players, outcome, (0.0, 0.0), meetings, at), short=short, young_meetings=young, moved=moved
        )
        for change in rate(game, {user: self.people.get(user, Rating()) for user in players}):
            self.people[change.user] = change.after
            other = loser if change.user == winner else winner
            self._games.setdefault(change.user, []).append(Meeting(other, at, change.moves, change.weight.value))

    def has_place(self, user: UserId) -> bool:
        """Returns whether a player has a place everywhere; all whom they meet are strangers, each of another server."""
        games = self._games.get(user, [])
        strangers = {each.other for each in games if each.weight > YOUNG_WEIGHT}
        is_listed = not self.people[user].provisional or sum(each.weight for each in games) >= QUALIFYING_GAMES
        return is_listed and World(len(strangers), len(strangers)).qualifies

    def _bounds(self, user: UserId, other: UserId, now: Millis) -> tuple[int, int, float]:
        """Returns how often a player met another within a day, and any young account, if the other is one; and by how
        many deviations such games have moved the rating."""
        games = self._games[user] = [each for each in self._games.get(user, []) if each.at > now - OPPONENT_WINDOW]
        today, like = now - PAIR_WINDOW, as_opponent(other, now)
        young = [each for each in games if is_young(each.other, now)] if is_young(other, now) else []
        moved = (each.moves for each in games if any(each.other in ids for ids in like))
        met = sum(each.other == other and each.at > today for each in games)
        return met, sum(each.at > today for each in young), sum(moved)


class Course:
    """Honest players, and the accounts of a plan."""

    def __init__(self, plan: Plan, rated: str, seed: int) -> None:
        self._act, self._others, number, self._when, terms = plan
        self._chance = Random(seed)  # noqa: S311 - no secret
        self._terms = TERMS[terms]
        self._sheet = Sheet(SETTLED if rated == "settled" else NEW)
        self._honest = {born(400 * DAY, 10 + place): self._chance.gauss(1500, SPREAD) for place in range(HONEST)}
        for user, strength in self._honest.items():
            self._sheet.people[user] = replace(SETTLED, value=strength)
        self._number = int(number) if self._others != NONE else 0
        self._met: dict[frozenset[UserId], int] = {}
        self._blocked = set[frozenset[UserId]]()
        self._seeks = count(1)

    def others(self, day: int) -> list[UserId]:
        """Returns the other accounts of that day."""
        if self._others == YOUNG:
            week = day // 7
            return [born(-week * 7 * DAY, 5000 + 10 * week + place) for place in range(self._number)]
        return [born(400 * DAY, 1000 + place) for place in range(self._number)]

    def play(self) -> Gains:
        """Plays sixty days; returns the points of the first account above its strength."""
        for user in self.others(0):
            if self._others in (OLD, SHORTLY, PUMPED):
                self._sheet.people[user] = SETTLED
        for day in range(DAYS):
            for hour in range(24):
                if hour in HOURS[self._when]:
                    self._go_round(day, hour)
        gain = self._sheet.people[ME].value - 1500
        return {GAIN: gain, PLACED: gain if self._sheet.has_place(ME) else 0.0}

    def _go_round(self, day: int, hour: int) -> None:
        now = day * DAY + hour * HOUR + self._chance.randrange(HOUR // 60)
        helpers = self.others(day)
        looking = self._chance.sample([*self._honest], CROWDS[hour])
        own = self._own(helpers, day, hour)
        speed = self._terms.control.speed
        pairs = map(frozenset, combinations((*looking, *own), 2))
        apart = {
            each for each in pairs if each in self._blocked or now - self._met.get(each, -DAY) < AGAIN_MILLIS[speed]
        }
        theirs = USUAL if speed is Speed.LIVE else OVER_DAYS
        seekers = [self._seeker(user, theirs, now, flexible=True) for user in looking]
        seekers += [self._seeker(user, self._terms, now - HOUR // 2, flexible=False) for user in own]
        for one, other in pair(seekers, Millis(NOW + now), apart):
            self._meet(one, other, day, now, helpers)

    def _own(self, helpers: list[UserId], day: int, hour: int) -> list[UserId]:
        """Returns the accounts that look at once: account 1, or first the one that is to lose to it, and another."""
        if not helpers or (self._act == SETTLES and day < HONEST_DAYS):
            return [ME]
        if self._others != PUMPED:
            return [ME, helpers[(day + hour) % len(helpers)]]
        if day < DAYS // 2 and len(helpers) > 1:
            return [helpers[0], helpers[1 + (day + hour) % (len(helpers) - 1)]]
        return [ME, helpers[0]]

    def _seeker(self, user: UserId, terms: Terms, since: int, *, flexible: bool) -> Seeker:
        number, at = SeekId(next(self._seeks)), Millis(NOW + since)
        seek = Seek(number, user, GuildId(number), ChannelId(number), terms, at, at, flexible)
        return Seeker(seek, self._sheet.people.get(user, Rating()).value)

    def _meet(self, one: Seeker, other: Seeker, day: int, now: int, helpers: list[UserId]) -> None:
        users = one.seek.user, other.seek.user
        meets_own = self._act == MEETS_OWN or (self._act == SETTLES and day >= HONEST_DAYS)
        if ME in users and meets_own and not set(users) & set(helpers):
            return
        both = frozenset(users)
        is_rated = both not in self._met or now - self._met[both] >= RATED_AGAIN_MILLIS
        self._met[both] = now
        winner, loser, moves = self._result(users, day, helpers)
        if is_rated:
            self._sheet.rate(winner, loser, moves, Millis(NOW + now))
        if ME is loser and self._act == BLOCKS and len(self._blocked) < 100:
            self._blocked.add(both)

    def _result(self, users: tuple[UserId, UserId], day: int, helpers: list[UserId]) -> tuple[UserId, UserId, int]:
        """Returns who wins, who loses, and after how many moves of each."""
        one, other = users
        if set(users) <= {ME, *helpers}:
            first = ME if ME in users else helpers[0]
            return first, other if one == first else one, SHORT if self._others == SHORTLY else FULL
        if ME in users:
            stranger = other if one == ME else one
            if self._act == LOSES_FIRST and day < DAYS // 2:
                return stranger, ME, FULL
            if self._act == PLAYS_AND_FLEES and self._honest.get(stranger, 1500) > 1500:
                return stranger, ME, SHORT
        for user, opponent in (users, users[::-1]):
            if user in helpers:
                return opponent, user, FULL
        gap = self._strength(one) - self._strength(other)
        return (one, other, FULL) if self._chance.random() < 1 / (1 + 10 ** (-gap / 400)) else (other, one, FULL)

    def _strength(self, user: UserId) -> float:
        return self._honest.get(user, 1500.0)


def subjects() -> Iterator[Subject]:
    """Yields the search for rating points by games with strangers, of an account that is settled and of a new one."""
    for rated, limits in MAX_GAINS.items():
        play, play_anew = (partial(_play_plan, rated, seeds) for seeds in (SEEDS, SEEDS_ANEW))
        yield Subject(f"games with strangers of a {rated} account", SLOTS, play, limits, play_anew)


async def _play_plan(rated: str, seeds: range, plan: Plan) -> Gains:
    """Returns what a plan brings on average."""
    found = [Course(plan, rated, seed).play() for seed in seeds]
    return {aim: fmean(gains[aim] for gains in found) for aim in (GAIN, PLACED)}
