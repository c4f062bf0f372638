"""The knowledge of a game that a search needs beside its rules: promising moves, and likely results."""

import math
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from rules.game import AnyPosition, Outcome, Seat


class Idea(NamedTuple):
    """A promising move. `promise` is the first estimate of its worth, from 0 to 1; `plain` ones no level overlooks."""

    move: Any
    promise: float
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """A likely end of a position: for each seat the share of the win (0 to 1) and the lead over the best other in
    points. `trail` holds the moves that led there, each with its seat."""

    wins: tuple[float, ...]
    leads: tuple[float, ...]
    trail: tuple[tuple[Seat, Any], ...] = ()


class Moment(Protocol):
    """A position and what the search has computed of it."""

    @property
    def position(self) -> AnyPosition: ...


T = TypeVar("T", bound=Moment)


class Knowledge(Protocol[T]):
    """A game as its player sees it.

    - `exploration` is the weight of moves that were seldom tried.
    - `rave_playouts` is the number of playouts for which the worth of a move elsewhere in them counts (RAVE). It is 0
      where the worth of a move depends on its moment.
    - `expand_after` is the number of playouts through a moment before its moves are searched one by one.
    """

    exploration: float
    rave_playouts: float
    expand_after: int

    def ideas(self, moment: T) -> list[Idea]:
        """Returns the promising moves, the best first; at least one while the game goes on."""

    def after(self, moment: T, move: Any) -> T:
        """Returns the moment after a legal move."""

    def play_out(self, moment: T, chance: Random) -> Result:
        """Returns a likely result of a game that is not over, guessed or played out by `chance`."""


def leads(scores: tuple[float, ...]) -> tuple[float, ...]:
    """Returns the lead of each seat over the best other one."""
    return tuple(
        own - max(score for other, score in enumerate(scores) if other != seat) for seat, own in enumerate(scores)
    )


def win_shares(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """Returns each seat's share of the win."""
    if not outcome.winners:
        return (1 / seats,) * seats
    share = 1 / len(outcome.winners)
    return tuple(share if seat in outcome.winners else 0.0 for seat in range(seats))


def win_chance(lead: float, scale: float) -> float:
    """Returns the share of the win that a lead promises: a half for none, and nearly all for a few times `scale`."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, lead / scale))))
