"""Games that players without manners leave, with the three levels and without: `python -m benchmarks.conduct`.

Days and manners are drawn, and `play.community.conduct` says what follows; there is no store and no other player. Each
looks so many times a day, misses half of the calls, and leaves half of the games; half of those who are left report it.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.figure import Figure
from benchmarks.program import report
from benchmarks.seekers import LEAVES, MISSES, MISSES_ONCE, REPORTS, SERVERS
from play.community.conduct import MONTH_MILLIS, WEEK_MILLIS, Conduct, Level
from play.ids import DAY
from tools.program import argument_parser

PLAYERS, DAYS, LOOKS = 200, 60, 10
"""Players of each kind, and the moments of a day at which one may look."""

MAX_LEFT = {0.5: 0.7, 1: 0.5, 2: 0.3, 4: 0.2}
"""By searches in a day, the most of the games that players without manners may leave, of those that they would."""

CARELESS = 0.05
"""Of calls missed, and of games left, by players who mean no harm."""


class Manners(NamedTuple):
    """The share of calls that a player misses, and of games that they leave."""

    misses: float
    leaves: float


class Day(NamedTuple):
    """A search that has ended: on which day, whether it became a game and is a strike, and from which server it was
    reported."""

    at: float
    is_game: bool
    is_strike: bool
    server: int | None = None


def live_through(manners: Manners, rate: float, *, has_levels: bool) -> tuple[int, Counter[Level]]:
    """Returns how many games such players leave, and at which levels they look."""
    chance, left, seen = random.Random(1), 0, Counter[Level]()  # noqa: S311 - the same each time
    for _ in range(PLAYERS):
        days: list[Day] = []
        for moment in range(DAYS * LOOKS):
            if chance.random() >= rate / LOOKS:
                continue
            level = _conduct(days, moment / LOOKS).level if has_levels else Level.FINE
            seen[level] += 1
            if level is Level.OUT:
                continue
            if chance.random() < manners.misses:
                days.append(Day(moment / LOOKS, is_game=False, is_strike=True))
                continue
            leaves = chance.random() < manners.leaves
            server = chance.randrange(SERVERS) if leaves and chance.random() < REPORTS else None
            days.append(Day(moment / LOOKS, is_game=True, is_strike=leaves, server=server))
            left += leaves
    return left, seen


def _conduct(days: list[Day], now: float) -> Conduct:
    month = [each for each in days if each.at > now - MONTH_MILLIS / DAY]
    week = [each for each in month if each.at > now - WEEK_MILLIS / DAY]
    return Conduct(
        sum(each.is_game for each in month),
        sum(each.is_strike for each in month),
        sum(each.is_strike for each in week),
        len({each.server for each in week} - {None}),
    )


def figures() -> Iterator[Figure]:
    for rate, limit in MAX_LEFT.items():
        rude = Manners(MISSES, LEAVES)
        left, _ = live_through(rude, rate, has_levels=True)
        without, _ = live_through(rude, rate, has_levels=False)
        name = f"games left by players without manners, {rate} searches a day"
        yield Figure(name, left / without, "of those without levels", limit)
        for kind, manners in (("polite", Manners(MISSES_ONCE, 0)), ("careless", Manners(CARELESS, CARELESS))):
            _, seen = live_through(manners, rate, has_levels=True)
            share = seen[Level.OUT] / seen.total()
            yield Figure(f"searches of {kind} players that are refused, {rate} a day", share, "", 0.01)


def main() -> int:
    argument_parser(__doc__).parse_args()
    return report(figures())


if __name__ == "__main__":
    sys.exit(main())
