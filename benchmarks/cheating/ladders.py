"""Searches for a place on a ladder of 60 that three accounts of one person take or keep without strength.

The rules of `play/competitions/ladder.py` decide who may challenge whom, and what a duel brings; results are drawn as
Elo expects. The first account has an average strength. It begins in the middle, or near the top, where only luck had
brought it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import count
from random import Random
from statistics import fmean
from typing import Final

from benchmarks.cheating.plans import Gains, Plan, Subject
from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.ladder import Duel, Ladder, Rung, add_duel, decide_duel, players_above, remove_idle
from play.ids import ChallengeId, ChannelId, GuildId, Millis, UserId
from rules.registry import make_game
from tests.clock import DAY, NOON

PLAYERS, DAYS = 60, 180
SPREAD: Final = 250.0
CHALLENGES_A_DAY: Final = 1 / 7
"""How often an honest player without a duel challenges another."""

DUEL_DAYS, SLOW_DAYS = 14, 400
"""How long a game takes, and how long it may be made to take at three days a move."""

FIRST: Final = UserId(1)
OWN: Final = (FIRST, UserId(2), UserId(3))
PLAYS, SITS, ONLY_OWN = "plays", "never challenges", "challenges its own accounts alone"
AWAY, SITS_BY, SHIELDS, SHIELDS_SLOWLY = (
    "is not there",
    "loses to account 1",
    "challenges account 1 and loses",
    "challenges account 1 and plays slowly",
)
SLOTS: Final = {
    "account 1": (PLAYS, SITS, ONLY_OWN),
    **{
        f"account {number}": (
            AWAY,
            *(
                f"{act}, {where}"
                for act in (SITS_BY, SHIELDS, SHIELDS_SLOWLY)
                for where in ("from above", "from below")
            ),
        )
        for number in (2, 3)
    },
}
PLACES = "places above an honest one, after half a year"


class Course:
    """A ladder of honest players and the accounts of a plan."""

    def __init__(self, plan: Plan, start: int, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret
        self._acts = dict(zip(OWN, plan, strict=True))
        self._strengths = {UserId(100 + n): self._random.gauss(1500, SPREAD) for n in range(PLAYERS - 1)}
        order = sorted(self._strengths, key=lambda user: -self._strengths[user])
        order.insert(start - 1, FIRST)
        for user in OWN[1:]:
            if self._acts[user] != AWAY:
                place = order.index(FIRST)
                order.insert(max(0, place - 2) if "above" in self._acts[user] else place + 1, user)
        terms = Terms(make_game("zagram", {"size": "13x13"}), parse_control("3d"), rated=True)
        rungs = tuple(Rung(user, NOON) for user in order)
        self._ladder = Ladder(GuildId(1), ChannelId(2), terms, rungs)
        self._ends: dict[ChallengeId, Millis] = {}
        self._numbers = map(ChallengeId, count(1))

    def play(self) -> float:
        """Returns the place that the first account has on average in the last third of the time."""
        places = []
        for day in range(DAYS):
            now = Millis(NOON + day * DAY)
            for duel in self._ladder.duels:
                if self._ends[duel.challenge] <= now:
                    self._ladder = decide_duel(self._ladder, duel, now, won=self._is_won(duel))
            self._ladder = remove_idle(self._ladder, now)
            for user in self._random.sample(self._ladder.users, len(self._ladder.users)):
                self._challenge(user, now)
            if 3 * day >= 2 * DAYS:
                on_it = FIRST in self._ladder.users
                places.append(self._ladder.place(FIRST) if on_it else len(self._ladder.users) + 1)
        return fmean(places)

    def _challenge(self, user: UserId, now: Millis) -> None:
        """Lets a player challenge one above them, if they want to."""
        act = self._acts.get(user, "")
        if (user not in OWN and self._random.random() >= CHALLENGES_A_DAY) or self._ladder.duel_of(user):
            return
        free = [each for each in players_above(self._ladder, user) if not self._ladder.duel_of(each)]
        if user in OWN:
            own = [each for each in free if each in OWN]
            wanted = own if act == ONLY_OWN or "challenges account 1" in act else free if act == PLAYS else []
        else:
            wanted = free
        if not wanted:
            return
        opponent = self._random.choice(wanted)
        self._ladder = add_duel(self._ladder, user, opponent, number := next(self._numbers))
        days = SLOW_DAYS if SHIELDS_SLOWLY in act and opponent == FIRST else DUEL_DAYS
        self._ends[number] = Millis(now + days * DAY)

    def _is_won(self, duel: Duel) -> bool:
        if duel.challenger in OWN and duel.defender in OWN:
            return duel.challenger == FIRST
        first, second = (self._strengths.get(user, 1500.0) for user in (duel.challenger, duel.defender))
        return self._random.random() < 1 / (1 + 10 ** ((second - first) / 400))


async def play_plan(start: int, courses: int, plan: Plan) -> Gains:
    """Returns how far above an honest player's place a plan ends, on average over ladders."""
    places = [_honest_place(start, seed) - Course(plan, start, seed).play() for seed in range(courses)]
    return {PLACES: fmean(places)}


@cache
def _honest_place(start: int, seed: int) -> float:
    return Course((PLAYS, AWAY, AWAY), start, seed).play()


def subjects(courses: int = 6) -> Iterator[Subject]:
    """Yields a search for a way up from the middle, and one for a way to stay near the top."""
    for start in (PLAYERS // 2, 3):
        yield Subject(
            f"ladders (from place {start} of {PLAYERS})", SLOTS, partial(play_plan, start, courses), {PLACES: 5.0}
        )
