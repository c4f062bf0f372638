"""Searches for what accounts of one person make of games with strangers: rating points after sixty days.

Pairs are made by the rules of `play/community`, and games rated by the real ledger. Honest players look in the evening,
and some at night; their results are drawn as Elo expects. The first account has an average strength. The others look at
the same moment, and lose to it. Who looks for terms that nobody else wants meets nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random
from statistics import fmean
from typing import Final

from benchmarks.cheating.plans import Gains, Plan, Subject
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.community.seek import AGAIN_MILLIS, RATED_AGAIN_MILLIS, Seek, SeekId
from play.community.seek_pairing import Seeker, pair
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, Millis, UserId
from play.ratings.glicko import Rating
from rules.registry import make_game
from tests.play.ratings.attacks import DAY, FULL, GAME, NEW, NOW, SETTLED, SHORT, Book, a_game, born
from use_cases.ratings import rate_match

DAYS: Final = 60
HONEST, SPREAD = 60, 250.0
"""Honest players, and the standard deviation of their strengths around 1500."""

CROWDS: Final = {hour: 8 if 18 <= hour < 23 else 1 for hour in range(24)}
"""How many of them look in each hour of the day."""

HOUR = DAY // 24
USUAL = Terms(GAME, parse_control("10m+10s"), rated=True)
ODD = replace(USUAL, game=make_game("zagram", {"size": "13x37"}))
OVER_DAYS = replace(USUAL, control=parse_control("3d"))

PLAYS, BLOCKS, LOSES_FIRST, MEETS_OWN, PLAYS_AND_FLEES = (
    "plays",
    "blocks whom it loses to",
    "loses for a month first",
    "answers calls to its own accounts only",
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
    "account 1": (PLAYS, BLOCKS, LOSES_FIRST, MEETS_OWN, PLAYS_AND_FLEES),
    "the other accounts": (NONE, OLD, NEWCOMERS, YOUNG, PUMPED, SHORTLY),
    "how many others": ("3", "2", "1"),
    "when": ("in the evening", "at night", "each hour"),
    "terms": ("usual", "of its own", "over days"),
}
GAIN: Final = "points after sixty days above its strength"
MAX_GAINS: Final = {"settled": 100.0, "new": 450.0}
"""The most points that a plan may bring, by what account 1 is. Challenges to them bring 539 in half the time."""

HOURS: Final = {"in the evening": (19, 20, 21), "at night": (2, 3, 4), "each hour": tuple(range(24))}
TERMS: Final = {"usual": USUAL, "of its own": ODD, "over days": OVER_DAYS}

ME: Final = born(400 * DAY, 0)


class Course:
    """Honest players, and the accounts of a plan."""

    def __init__(self, plan: Plan, rated: str, seed: int) -> None:
        self._act, self._others, number, self._when, terms = plan
        self._chance = Random(seed)  # noqa: S311 - no secret
        self._terms = TERMS[terms]
        self._book = Book(SETTLED if rated == "settled" else NEW)
        self._honest = {born(400 * DAY, 10 + place): self._chance.gauss(1500, SPREAD) for place in range(HONEST)}
        for user, strength in self._honest.items():
            self._book.people[user] = replace(SETTLED, value=strength)
        self._number = int(number) if self._others != NONE else 0
        self._met: dict[frozenset[UserId], int] = {}
        self._blocked = set[frozenset[UserId]]()
        self._matches = count(1)
        self._seeks = count(1)

    def others(self, day: int) -> list[UserId]:
        """Returns the other accounts of that day."""
        if self._others == YOUNG:
            week = day // 7
            return [born(-week * 7 * DAY, 5000 + 10 * week + place) for place in range(self._number)]
        return [born(400 * DAY, 1000 + place) for place in range(self._number)]

    async def play(self) -> float:
        """Plays sixty days; returns the points of the first account."""
        for user in self.others(0):
            if self._others in (OLD, SHORTLY, PUMPED):
                self._book.people[user] = SETTLED
        for day in range(DAYS):
            for hour in range(24):
                if hour in HOURS[self._when]:
                    await self._go_round(day, hour)
        return self._book.people[ME].value

    async def _go_round(self, day: int, hour: int) -> None:
        now = day * DAY + hour * HOUR + self._chance.randrange(HOUR // 60)
        helpers = self.others(day)
        looking = self._chance.sample([*self._honest], CROWDS[hour])
        own = self._own(helpers, day, hour)
        speed = self._terms.control.speed
        apart = {pair for pair, at in self._met.items() if now - at < AGAIN_MILLIS[speed]} | self._blocked
        theirs = USUAL if speed is Speed.LIVE else OVER_DAYS
        seekers = [self._seeker(user, theirs, now, flexible=True) for user in looking]
        seekers += [self._seeker(user, self._terms, now - HOUR // 2, flexible=False) for user in own]
        for one, other in pair(seekers, Millis(NOW + now), apart):
            await self._meet(one, other, day, now, helpers)

    def _own(self, helpers: list[UserId], day: int, hour: int) -> list[UserId]:
        """Returns the accounts that look at once: account 1, or first the one that is to lose to it, and another."""
        if not helpers:
            return [ME]
        if self._others != PUMPED:
            return [ME, helpers[(day + hour) % len(helpers)]]
        if day < DAYS // 2 and len(helpers) > 1:
            return [helpers[0], helpers[1 + (day + hour) % (len(helpers) - 1)]]
        return [ME, helpers[0]]

    def _seeker(self, user: UserId, terms: Terms, since: int, *, flexible: bool) -> Seeker:
        number, at = SeekId(next(self._seeks)), Millis(NOW + since)
        seek = Seek(number, user, GuildId(number), ChannelId(number), terms, at, at, flexible)
        return Seeker(seek, self._book.people.get(user, Rating()).value)

    async def _meet(self, one: Seeker, other: Seeker, day: int, now: int, helpers: list[UserId]) -> None:
        users = one.seek.user, other.seek.user
        if ME in users and self._act == MEETS_OWN and not set(users) & set(helpers):
            return
        both = frozenset(users)
        is_rated = both not in self._met or now - self._met[both] >= RATED_AGAIN_MILLIS
        self._met[both] = now
        winner, loser, moves = self._result(users, day, helpers)
        if is_rated:
            await self._rate(winner, loser, moves, now)
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

    async def _rate(self, winner: UserId, loser: UserId, moves: int, now: int) -> None:
        played = a_game(moves, "resign")
        last = replace(played.events[-1], at=Millis(NOW + now))
        number = MatchId(next(self._matches))
        match = replace(played, id=number, players=(winner, loser), events=(*played.events[:-1], last))
        terms, state = Terms(played.game, USUAL.control, rated=True), ChallengeState.ACCEPTED
        begun = Challenge(ChallengeId(1), GuildId(7), ChannelId(1), winner, loser, terms, NOW, state, (loser,))
        await rate_match(self._book, self._book, match, begun)  # type: ignore[arg-type]


def subjects(seeds: int = 3) -> Iterator[Subject]:
    """Yields the search for rating points by games with strangers, of an account that is settled and of a new one."""
    for rated, limit in MAX_GAINS.items():

        async def gain(plan: Plan, rated: str = rated) -> Gains:
            return {GAIN: fmean([await Course(plan, rated, seed).play() for seed in range(seeds)]) - 1500}

        yield Subject(f"games with strangers of a {rated} account", SLOTS, gain, {GAIN: limit})
