"""Mistakes of a player that come back: after a day, and later each time the better move was found at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from play.ids import MatchId, Millis, UserId
from play.match.match import Match

RETURN_DAYS: Final = (1, 3, 7, 21)
"""Days until a mistake returns: after the game, and after each time it was played right. Then it is learned."""

MIN_ALIKE_DOTS = 6
"""Dots from which on two games of the same dots are not alike by chance."""


class Finding(NamedTuple):
    """A mistake as a review has found it, before the move `number` (from 1) of a match.

    `line` begins with the better turn, and `good` are the names of all that are as good. The better one leads to
    `value`, the expected lead; the one that was played has `lost` so many points of it.
    """

    number: int
    line: tuple[str, ...]
    good: tuple[str, ...]
    value: float
    lost: float


@dataclass(frozen=True, slots=True)
class PastMistake:
    """A mistake of `user` in `match`. It returns on the local `day`, an ordinal of `datetime.date`; None: never again.

    `stage` counts how often in a row it was played right. `at` is when it was last answered, or found before that.
    """

    user: UserId
    match: MatchId
    finding: Finding
    day: int | None
    stage: int
    at: Millis

    @classmethod
    def found(cls, user: UserId, match: MatchId, finding: Finding, today: int, at: Millis) -> PastMistake:
        """Returns a mistake that a review has just found."""
        return cls(user, match, finding, today + RETURN_DAYS[0], 0, at)

    def is_due(self, today: int) -> bool:
        """Returns whether an answer counts today."""
        return self.day is not None and self.day <= today

    def answer(self, today: int, at: Millis, *, right: bool) -> PastMistake:
        """Returns the mistake after the first answer of the day. Later ones are practice and change nothing."""
        if not self.is_due(today):
            return self
        stage = self.stage + 1 if right else 0
        day = today + RETURN_DAYS[stage] if stage < len(RETURN_DAYS) else None
        return replace(self, stage=stage, day=day, at=at)


def could_help(running: Match, match: Match) -> bool:
    """Returns whether the position of `match` could help in a running game: one board has all dots of the other."""
    if running.game.options != match.game.options:
        return False
    dots = [{(stone.point, stone.seat) for stone in each.position.picture().stones} for each in (running, match)]
    small, large = sorted(dots, key=len)
    return len(small) >= MIN_ALIKE_DOTS and small <= large


class Week(NamedTuple):
    """What the reviews of a player's games say of the last seven days: `before` and `now` are the points that the
    biggest mistakes cost in a game, then and in the four weeks before; None with too few games. `right` counts past
    mistakes that were played right."""

    before: float | None
    now: float | None
    right: int

    @property
    def is_better(self) -> bool:
        """Whether mistakes cost less than before, by so much that it is no chance of a few games."""
        return self.before is not None and self.now is not None and self.now <= BETTER_SHARE * self.before


MIN_WEEK_GAMES, MIN_EARLIER_GAMES = 3, 5
"""Reviewed games in a week, and in the four weeks before, from which on they are compared."""

BETTER_SHARE = 0.8
"""Of what mistakes cost before: no more than that is better. Less would say nothing with three games."""


def compare_weeks(now: Sequence[float], before: Sequence[float], right: int) -> Week:
    """Returns the week by what the biggest mistakes cost in each game of it, and in each one before."""
    return Week(_mean(before, MIN_EARLIER_GAMES), _mean(now, MIN_WEEK_GAMES), right)


def _mean(costs: Collection[float], least: int) -> float | None:
    return sum(costs) / len(costs) if len(costs) >= least else None


class ReviewedGame(NamedTuple):
    """A match that was reviewed for a player at that time; the biggest mistakes cost them `lost` points, which
    `causes` has by the kind of exercise that trains it, "" for others. None for a review of a former version."""

    user: UserId
    match: MatchId
    at: Millis
    lost: float
    causes: Mapping[str, float] | None = None
