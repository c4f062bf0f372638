"""What a game of two brings its players in a tournament or a league, also if it is not over in time."""

from play.ids import UserId
from play.match.match import Match
from play.match.points import DRAWN, FORFEITED, LOST, WON
from play.people.career import quitters
from rules.game import Seat


def leader(match: Match) -> UserId | None:
    """Returns the winner of a game of two that is not over in time; None makes it a draw.

    The player who leads wins or, if not both have moved, the one who did not keep the other waiting.
    """
    if not match.all_have_moved:
        return match.players[1 - match.position.to_act]
    first, second = match.score
    return None if first == second else match.players[Seat(0) if first > second else Seat(1)]


def match_points(match: Match) -> tuple[float, float] | None:
    """Returns the points of a finished match by seat. None if a moderator has annulled it.

    A player who abandoned it has lost.
    """
    assert match.outcome is not None, "it is over"
    winners, fled = match.outcome.winners, quitters(match)
    if len(winners) == 1:
        return WON if winners == (Seat(0),) else LOST
    if fled:
        return FORFEITED if len(fled) == 2 else LOST if Seat(0) in fled else WON
    return DRAWN if winners else None
