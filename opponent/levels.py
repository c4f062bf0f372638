"""The strengths of the computer, from a child's first opponent to a fight for a club player."""

from __future__ import annotations

from dataclasses import dataclass

from opponent.budget import Budget

SLOW = 1500
"""Milliseconds after which a thought ends on a slow machine; elsewhere its nodes end it."""


@dataclass(frozen=True, slots=True)
class Level:
    """How long each kind of search may think, and which part of the moves it overlooks."""

    number: int
    compiled: Budget
    """For the compiled field of Dots."""
    plain: Budget
    """For the search in plain Python."""
    oversight: float
    """The part of the moves that the plain search never sees, its own captures aside: nets, and what the other is up
    to, are missed as people miss them."""


LEVELS = (
    Level(1, Budget(120, SLOW), Budget(4, SLOW), 0.8),
    Level(2, Budget(260, SLOW), Budget(12, SLOW), 0.6),
    Level(3, Budget(240, SLOW), Budget(30, SLOW), 0.42),
    Level(4, Budget(390, SLOW), Budget(75, SLOW), 0.28),
    Level(5, Budget(1100, 120), Budget(180, SLOW), 0.16),
    Level(6, Budget(3400, 220), Budget(420, SLOW), 0.08),
    Level(7, Budget(11_000, 450), Budget(800, SLOW), 0.0),
    Level(8, Budget(millis=1000), Budget(millis=1500), 0.0),
)
"""In order, level 1 first. From the fifth on each has half the time of the next, so that they keep their distance where
a field is large or a machine slow."""

EASIEST, HARDEST = LEVELS[0].number, LEVELS[-1].number


def level_of(number: int) -> Level:
    """The level of that number. Raises IndexError for another one than 1 to 8."""
    if not EASIEST <= number <= HARDEST:
        raise IndexError(number)
    return LEVELS[number - 1]
