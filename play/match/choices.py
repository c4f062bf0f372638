"""What a player may do at a version of a match beside a turn, on every surface."""

from enum import StrEnum

from play.match.endings import agreed_ending, can_stop_waiting
from play.match.events import OfferKind
from play.match.match import Match
from rules.dots import DotsPosition
from rules.game import Seat


class Action(StrEnum):
    """An action of a player. The values are parts of custom ids and of messages of the web board."""

    STOP = "stop"
    LAND = "land"
    END = "end"
    DRAW = "draw"
    TAKEBACK = "takeback"
    ABORT = "abort"
    RESIGN = "resign"


ACTIONS = frozenset(Action)

ENDINGS = (Action.STOP, Action.LAND, Action.END, Action.RESIGN)
"""Actions that end a game or offer to. Their result is shown before they count."""

ASKED_FIRST = frozenset({*ENDINGS, Action.ABORT})
"""Actions that cannot be undone: every surface asks before them."""


def available_actions(match: Match, seat: Seat) -> frozenset[Action]:
    """Returns what the player of `seat` may do now beside a turn; nothing once the match is over."""
    return frozenset(action for action in Action if is_available(match, seat, action))


def is_available(match: Match, seat: Seat, action: Action) -> bool:
    """Returns whether the player of `seat` may do this now."""
    if match.outcome is not None:
        return False
    match action:
        case Action.STOP if seat != match.to_act:
            return can_stop_waiting(match.position)
        case Action.STOP | Action.LAND:
            calls = match.position.calls() if isinstance(match.position, DotsPosition) else ()
            return seat == match.to_act and action in map(str, calls)
        case Action.END:
            offer = match.offer(OfferKind.END)
            waits = offer is not None and (offer.declined or seat in offer.agreed)
            return agreed_ending(match.position) is not None and match.all_have_moved and not waits
        case Action.DRAW:
            offer = match.offer(OfferKind.DRAW)
            return offer is None or (offer.declined and offer.seat != seat)
        case Action.TAKEBACK:
            return match.offer(OfferKind.TAKEBACK) is None and any(move.seat == seat for move in match.moves)
        case Action.ABORT:
            return not match.all_have_moved
        case Action.RESIGN:
            return True
