"""What a search must know of a game beside its rules: which moves are worth a thought, and how a position may end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from rules.game import AnyPosition, Outcome
from rules.point import Seat


class Idea(NamedTuple):
    """A move worth a thought. `promise` is what it seems to be worth at first sight, from 0 to 1; `plain` ones nobody
    overlooks."""

    move: Any
    promise: float
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a position may end: for each seat the part of the win (0 to 1) and the lead over the best other
    in points; and the moves that led there, each with its seat."""

    wins: tuple[float, ...]
    leads: tuple[float, ...]
    trail: tuple[tuple[Seat, Any], ...] = ()


class Moment(Protocol):
    """A position and what is remembered of it."""

    @property
    def position(self) -> AnyPosition: ...


T = TypeVar("T", bound=Moment)


class Knowledge(Protocol[T]):
    """A game as its player sees it.

    `curiosity` says how much a search of it tries what it has seldom tried, `likeness` for how many playouts it counts
    what a move was worth elsewhere in them (RAVE; 0 where a move's worth depends on its moment), and `patience` how
    many playouts go through a moment before its moves are told apart.
    """

    curiosity: float
    likeness: float
    patience: int

    def ideas(self, moment: T) -> list[Idea]:
        """The moves worth a thought, the most promising first; at least one while the game goes on."""

    def after(self, moment: T, move: Any) -> T:
        """The moment after a legal move."""

    def ending(self, moment: T, chance: Random) -> Ending:
        """How a game that is not over may end, guessed or played out by `chance`."""


def leads(scores: tuple[float, ...]) -> tuple[float, ...]:
    """The lead of each seat over the best other one."""
    return tuple(
        own - max(score for other, score in enumerate(scores) if other != seat) for seat, own in enumerate(scores)
    )


def parts(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """What each seat has of the win."""
    if not outcome.winners:
        return (1 / seats,) * seats
    share = 1 / len(outcome.winners)
    return tuple(share if seat in outcome.winners else 0.0 for seat in range(seats))


def hope(lead: float, scale: float) -> float:
    """The part of the win that a lead promises: a half for none, and nearly all for a few times `scale`."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, lead / scale))))
