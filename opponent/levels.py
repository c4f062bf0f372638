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
    Level(2, Budget(50), Budget(6, SLOW_MILLIS), 0.7),
    Level(3, Budget(20), Budget(8, SLOW_MILLIS), 0.62),
    Level(4, Budget(70), Budget(12, SLOW_MILLIS), 0.54),
    Level(5, Budget(140), Budget(17, SLOW_MILLIS), 0.46),
    Level(6, Budget(125, 25, 100, WITHIN_MILLIS), Budget(25, SLOW_MILLIS), 0.39),
    Level(7, Budget(240, 40, 160, WITHIN_MILLIS), Budget(37, SLOW_MILLIS), 0.32),
    Level(8, Budget(520, 63, 250, WITHIN_MILLIS), Budget(53, SLOW_MILLIS), 0.25),
    Level(9, Budget(1100, 100, 400, WITHIN_MILLIS), Budget(77, SLOW_MILLIS), 0.19),
    Level(10, Budget(2400, 160, 630, WITHIN_MILLIS), Budget(110, SLOW_MILLIS), 0.14),
    Level(11, Budget(5400, 250, 1000, WITHIN_MILLIS), Budget(160, SLOW_MILLIS), 0.09),
    Level(12, Budget(13_000, 400, 1600, WITHIN_MILLIS), Budget(250, SLOW_MILLIS), 0.04),
    Level(13, Budget(32_000, 630, 2500, WITHIN_MILLIS), Budget(450, SLOW_MILLIS), 0.0),
    Level(14, Budget(None, 1000, 4000, WITHIN_MILLIS), Budget(millis=SLOW_MILLIS), 0.0),
)
"""In order, level 1 first; docs/computer-lab.md has their results. Level 3 sees captures at once, so it
needs fewer playouts than level 2. From the sixth on each has 1.6 times the time of the one below, so that the levels
still differ on large fields and slow machines. The minimum of playouts takes a tenth of a second at the highest
level on 20x20."""

EASIEST, HARDEST = LEVELS[0].number, LEVELS[-1].number

DEFAULT_LEVEL = 4
"""The level of a challenge to the computer that names none."""


def level_of(number: int) -> Level:
    """Returns the level of that number. Raises IndexError for a number outside 1 to 14."""
    if not EASIEST <= number <= HARDEST:
        raise IndexError(number)
    return LEVELS[number - 1]
