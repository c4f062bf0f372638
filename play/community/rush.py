"""A rush: ten puzzles one after the other, which one user solves in private."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from heapq import nsmallest
from random import Random
from typing import NamedTuple

from play.community.exercise import TaskId
from play.ids import GuildId, Millis, UserId
from play.ratings.glicko import Rating

LENGTH = 10
"""Puzzles of a rush."""

MAX_OWN = 4
"""Puzzles of a rush that come from the server's own matches; the rest is built in."""

SPREAD_POINTS = 250
"""Points of rating by which the first puzzle of a rush is easier than its user is strong, and the last one harder."""

MAX_NEAREST = 8
"""Puzzles about as hard as one should be, among which chance chooses."""

MAX_LOOKED = 60
"""Puzzles that are somewhat easier, and somewhat harder, that are looked at: there are several kinds among them."""

MAX_OF_KIND = 3
"""Puzzles of a kind in a rush, as long as there are others about as hard."""


@dataclass(frozen=True, slots=True)
class Rush:
    """A user's run through `tasks`. `begun` tells it from their other ones. `answers` are those given, as places
    among the answers of each task; `right` says which were. `before` is the user's puzzle rating at the beginning."""

    user: UserId
    guild: GuildId | None
    begun: Millis
    tasks: tuple[TaskId, ...]
    before: float
    answers: tuple[int, ...] = ()
    right: tuple[bool, ...] = ()

    @property
    def step(self) -> int:
        """Returns the number of answers."""
        return len(self.answers)

    @property
    def over(self) -> bool:
        return self.step == len(self.tasks)

    @property
    def solved(self) -> int:
        """Returns the number of right answers."""
        return sum(self.right)

    def answer(self, answer: int, *, right: bool) -> Rush:
        """Returns the rush after an answer to its next task."""
        return replace(self, answers=(*self.answers, answer), right=(*self.right, right))


class BestRush(NamedTuple):
    """A member's best rush of a week on a server."""

    user: UserId
    solved: int


def rush_week(now: Millis) -> str:
    """Returns the week of a moment, in UTC, as 2026-w47."""
    year, week, _ = datetime.fromtimestamp(now / 1000, UTC).isocalendar()
    return f"{year}-w{week:02}"


class Candidate(NamedTuple):
    """A built-in task that a rush may have: its present rating, and its kind."""

    task: TaskId
    rating: float
    kind: str | None


def choose_tasks(
    unmet: Iterable[Candidate], again: Sequence[Candidate], own: Sequence[TaskId], user: Rating, seed: object
) -> tuple[TaskId, ...]:
    """Returns the tasks of a new rush, the easiest first: from somewhat easier than the user is strong to harder.

    `own` tasks are of the user's server, and nothing is known of their difficulty. Those to come `again` fill up when
    the `unmet` ones run out, from the first of them on.
    """
    chance = Random(f"rush {seed}")  # noqa: S311 - a game, not a secret
    chosen = [Candidate(task, user.value, None) for task in chance.sample(own, min(MAX_OWN, len(own)))]
    left = chance.sample(candidates := [*unmet], len(candidates))  # equals change places
    left.sort(key=lambda each: each.rating)
    wanted = min(LENGTH - len(chosen), len(left))
    for place in range(wanted):
        aim = user.value + SPREAD_POINTS * (2 * place / (wanted - 1) - 1 if wanted > 1 else 0)
        task = _choose(left, aim, Counter(each.kind for each in chosen), chance)
        left.remove(task)
        chosen.append(task)
    chosen += again[: LENGTH - len(chosen)]
    return tuple(each.task for each in sorted(chosen, key=lambda each: each.rating))


def _choose(left: Sequence[Candidate], aim: float, kinds: Counter[str | None], chance: Random) -> Candidate:
    """Returns one of those in order of rating that are about as hard as `aim`, if it can be of a kind still wanted."""
    middle = bisect_left(left, aim, key=lambda each: each.rating)
    near = left[max(0, middle - MAX_LOOKED) : middle + MAX_LOOKED]
    wanted = [each for each in near if kinds[each.kind] < MAX_OF_KIND] or near
    return chance.choice(nsmallest(MAX_NEAREST, wanted, key=lambda each: abs(each.rating - aim)))
