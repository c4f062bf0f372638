"""A rush: ten puzzles one after the other, which one user solves in private."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

from play.community.puzzle import TaskId
from play.ids import GuildId, Millis, UserId
from play.ratings.glicko import Rating

LENGTH = 10
"""Puzzles of a rush."""

MAX_OWN = 4
"""Puzzles of a rush that come from the server's own matches; the rest is built in."""

MAX_NEAREST = 20
"""Unseen puzzles, those nearest to the user's rating, among which a rush chooses."""


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


def choose_tasks(
    built_in: Mapping[TaskId, Rating],
    own: Iterable[TaskId],
    tried: Sequence[TaskId],
    user: Rating,
    seed: object,
) -> tuple[TaskId, ...]:
    """Returns the tasks of a new rush, the easiest first: unseen ones about as hard as the user is strong.

    `tried` are those that the user has answered, the longest ago first: they come again once there are no others.
    `built_in` and `own` are all tasks; nothing is known of the difficulty of `own` ones.
    """
    chance = Random(f"rush {seed}")  # noqa: S311 - a game, not a secret
    seen = set(tried)
    fresh = [task for task in own if task not in seen]
    chosen = chance.sample(fresh, min(MAX_OWN, len(fresh)))
    unseen = sorted((task for task in built_in if task not in seen), key=lambda task: _distance(built_in[task], user))
    nearest = unseen[: max(MAX_NEAREST, LENGTH)]
    chosen += chance.sample(nearest, min(LENGTH - len(chosen), len(nearest)))
    again = [task for task in tried if task in built_in]
    chosen += again[: LENGTH - len(chosen)]
    return tuple(sorted(chosen, key=lambda task: built_in[task].value if task in built_in else user.value))


def _distance(task: Rating, user: Rating) -> float:
    return abs(task.value - user.value)
