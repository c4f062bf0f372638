"""Moves that one board tells with the move before them: a conditional one, and the computer's if it is made soon."""

from __future__ import annotations

from play.ids import Millis, UserId
from play.match.events import EventKind
from play.match.match import Match

REPLY_MILLIS = Millis(2000)
"""How long the board of a move waits for the reply. The strongest level thinks for 1 s, and Discord takes the answer to
a click for 3 s."""


def awaits_reply(match: Match, computer: UserId) -> bool:
    """Returns whether the computer is to reply to a player's move and then that player is to move; so also whether it
    begins a match of two."""
    if match.to_act is None or match.players[match.to_act] != computer:
        return False
    if not match.events:
        return match.game.seats == 2
    event = match.events[-1]
    return event.is_move and (match.to_act + 1) % match.game.seats == event.seat


def is_reply(match: Match, computer: UserId | None) -> bool:
    """Returns whether the last event is a conditional move, or a move of the `computer`."""
    event = match.events[-1] if match.events else None
    if event is None or not event.is_move:
        return False
    return event.kind is EventKind.PLANNED or match.players[event.seat] == computer


def time_for_reply(match: Match, now: Millis) -> Millis:
    """Returns how much longer the board of the last event, or of the start, waits for the reply; 0 for no longer.

    Clocks may differ a little. An event further in the future is the work of a clock that has jumped.
    """
    waited = now - (match.events[-1].at if match.events else match.started)
    return Millis(min(REPLY_MILLIS, REPLY_MILLIS - waited)) if abs(waited) < REPLY_MILLIS else Millis(0)
