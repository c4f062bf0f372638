"""What kind of turn is due, as sentences, buttons and forms name it."""

from __future__ import annotations

from enum import StrEnum

from play.match.endings import stopped_seat
from play.match.match import Match
from rules.dash import DashPosition


class Duty(StrEnum):
    """A kind of turn. The values are parts of keys of the catalogues; those of Dot Dash name its phases."""

    MOVE = "move"
    PLAY_OUT = "play_out"
    """Dots to place alone, after a STOP of the opponent."""
    SET_UP = "set_up"
    CHOICE = "choice"
    DASH = "dash"

    @classmethod
    def of(cls, match: Match) -> Duty:
        """Returns what the player to act has to do."""
        if isinstance(match.position, DashPosition):
            return cls(match.position.phase.value)
        return cls.MOVE if stopped_seat(match.position) is None else cls.PLAY_OUT

    @property
    def is_dash(self) -> bool:
        """Whether it is a phase of Dot Dash."""
        return self in (Duty.SET_UP, Duty.CHOICE, Duty.DASH)
