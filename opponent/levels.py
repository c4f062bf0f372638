"""The strengths of the computer, from a child's first opponent to a match for a club player."""

from __future__ import annotations

from dataclasses import dataclass

from opponent.budget import Budget

SLOW_MILLIS = 1500
"""Milliseconds after which a search in plain Python ends on a slow machine; elsewhere its nodes end it."""

WITHIN_MILLIS = 4000
"""Milliseconds after which the compiled search ends on a machine too busy to give it its time, the same at every level.
A clock on which the computer does not hurry has seven times as much."""


@dataclass(frozen=True, slots=True)
class Level:
    """The budget of each kind of search, and the share of the moves that it overlooks. Where the compiled one has a
    time, its tree is kept from move to move."""

    number: int
    compiled: Budget
    """For Dots on the compiled field."""
    plain: Budget
    """For the search in plain Python."""
    oversight: float
    """The share of moves that the plain search ignores, except its own captures. Like people it misses nets and the
    plans of its opponent."""


LEVELS = (
    Level(1, Budget(20), Budget(4, SLOW_MILLIS), 0.8),
    Level(2, Budget(50), Budget(12, SLOW_MILLIS), 0.6),
    Level(3, Budget(80), Budget(30, SLOW_MILLIS), 0.42),
    Level(4, Budget(170), Budget(75, SLOW_MILLIS), 0.28),
    Level(5, Budget(370, 120, 250, WITHIN_MILLIS), Budget(180, SLOW_MILLIS), 0.16),
    Level(6, Budget(1500, 220, 700, WITHIN_MILLIS), Budget(420, SLOW_MILLIS), 0.08),
    Level(7, Budget(8000, 450, 1600, WITHIN_MILLIS), Budget(800, SLOW_MILLIS), 0.0),
    Level(8, Budget(None, 1000, 4000, WITHIN_MILLIS), Budget(millis=1500), 0.0),
)
"""In order, level 1 first. From the fifth on each has half the time of the next: so the levels keep their distance on
large fields and slow machines. The minimum of playouts takes a tenth of a second at level 8 on 20x20."""

EASIEST, HARDEST = LEVELS[0].number, LEVELS[-1].number


def level_of(number: int) -> Level:
    """Returns the level of that number. Raises IndexError for a number outside 1 to 8."""
    if not EASIEST <= number <= HARDEST:
        raise IndexError(number)
    return LEVELS[number - 1]
