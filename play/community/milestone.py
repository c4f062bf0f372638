"""Milestones: what players reach once, shown to them in private as a card."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

HIGH_LEVEL = 8
"""The level of the computer from which on the first win over it is a milestone."""


class Milestone(StrEnum):
    """A milestone, by the key that is stored."""

    RATED_WIN = "rated-win"
    HIGH_LEVEL = "high-level"
    STREAK_10 = "streak-10"
    GAMES_10 = "games-10"
    GAMES_50 = "games-50"
    GAMES_100 = "games-100"
    GAMES_500 = "games-500"

    @property
    def kind(self) -> str:
        """Returns what it counts; those of one kind follow each other."""
        return self.partition("-")[0]

    @property
    def is_count(self) -> bool:
        """Whether it is a number of things, and not a first time."""
        return self.kind in ("games", "streak")

    @property
    def number(self) -> int:
        """Returns what its card shows large: how many games or days, or the level."""
        _, _, number = self.partition("-")
        return int(number) if number.isdecimal() else HIGH_LEVEL if self is Milestone.HIGH_LEVEL else 1


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a player has come: finished games, the longest streak of the daily, whether they have won a rated game,
    and a game over a high level of the computer."""

    games: int = 0
    streak: int = 0
    won_rated: bool = False
    beat_high_level: bool = False

    @property
    def reached(self) -> frozenset[Milestone]:
        """Returns all milestones up to here."""
        reach = {"games": self.games, "streak": self.streak, "rated": self.won_rated, "high": self.beat_high_level}
        needed = {each: each.number if each.is_count else 1 for each in Milestone}
        return frozenset(each for each in Milestone if reach[each.kind] >= needed[each])


def news(reached: Collection[Milestone]) -> tuple[Milestone, ...]:
    """Returns which of those that a player has reached together to tell: of each kind the furthest one, so that a
    player of years is not told of their tenth game."""
    last = {each.kind: each for each in Milestone if each in reached}
    return tuple(last.values())
