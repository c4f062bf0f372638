"""Endings that only some games have: by agreement, and after a STOP. `rules.game.Position` knows neither."""

from typing import Protocol, runtime_checkable

from rules.game import AnyPosition, Outcome, Seat

STOP = "stop"
"""The notation of a turn that stops."""

STOP_WAITING = "stop-waiting"
"""The notation of a STOP on the opponent's turn. Players write it like the other one."""

LAND = "land"
"""The notation of a turn that lands."""


class Ending(Protocol):
    """The outcome and the scores with which a game would end."""

    @property
    def outcome(self) -> Outcome: ...

    @property
    def scores(self) -> tuple[float, ...]: ...


@runtime_checkable
class _Endable(Protocol):
    def agreed_end(self) -> Ending: ...


def agreed_ending(position: AnyPosition) -> Ending | None:
    """Returns how the game would end now if both players agreed. None if it has no agreed end."""
    return position.agreed_end() if isinstance(position, _Endable) and len(position.score) == 2 else None


def stopped_seat(position: AnyPosition) -> Seat | None:
    """Returns the seat that has stopped while its opponent plays on."""
    stopped: Seat | None = getattr(position, "stopped", None)  # to ask for a protocol takes as long as the move
    return stopped


def can_stop_waiting(position: AnyPosition) -> bool:
    """Returns whether a player may stop on the opponent's turn."""
    return bool(getattr(position, "can_stop_waiting", False))
