"""What games may know beyond `rules.game.Position` about how they end: by agreement, and after a STOP."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rules.game import AnyPosition, Outcome
from rules.point import Seat

STOP = "stop"
"""How a turn is written that stops."""


class Ending(Protocol):
    """How a game would end, and with which scores."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def scores(self) -> tuple[float, ...]: ...


@runtime_checkable
class _Endable(Protocol):
    def agreed(self) -> Ending: ...


@runtime_checkable
class _Stoppable(Protocol):
    @property
    def stopped(self) -> Seat | None: ...


def agreed(position: AnyPosition) -> Ending | None:
    """How the game would end now if both agreed to it; None if it is not of those that two may end."""
    return position.agreed() if isinstance(position, _Endable) and len(position.score) == 2 else None


def stopped(position: AnyPosition) -> Seat | None:
    """Who has stopped while the other plays on."""
    return position.stopped if isinstance(position, _Stoppable) else None
