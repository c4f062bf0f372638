"""Decisions of a server's moderators about its matches. Discord's permissions say who is a moderator."""

from __future__ import annotations

from play.ids import IdempotencyKey, Millis, UserId
from play.match.events import Event, EventKind
from play.match.match import Match
from play.match.offers import check_time_fits
from play.refusal import Reason, Refused


def annul(match: Match, moderator: UserId, at: Millis, key: IdempotencyKey) -> Match:
    """Ends the match undecided. Raises Refused (`match_over`, `own_match`)."""
    _check_moderator(match, moderator)
    return match.after(Event(EventKind.ANNUL, match.position.to_act, "", at, key, moderator))


def adjudge(match: Match, moderator: UserId, winner: UserId | None, at: Millis, key: IdempotencyKey) -> Match:
    """Ends the match with a `winner`, or (None) as a draw.

    Raises Refused (`match_over`, `own_match`, `not_a_player`).
    """
    _check_moderator(match, moderator)
    return _adjudicate(match, moderator, winner, at, key)


def check(match: Match, moderator: UserId, winner: UserId | None) -> None:
    """Raises what `adjudge` raises."""
    _check_moderator(match, moderator)
    _check_winner(match, winner)


def close(match: Match, program: UserId, winner: UserId | None, at: Millis, key: IdempotencyKey) -> Match:
    """Ends a match whose round is over, also one that the `program` plays as the computer.

    Raises Refused (`match_over`, `not_a_player`).
    """
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    return _adjudicate(match, program, winner, at, key)


def _adjudicate(match: Match, judge: UserId, winner: UserId | None, at: Millis, key: IdempotencyKey) -> Match:
    _check_winner(match, winner)
    seat = match.position.to_act if winner is None else match.seat_of(winner)
    text = "draw" if winner is None else "win"
    return match.after(Event(EventKind.ADJUDGE, seat, text, at, key, judge))


def extend(match: Match, moderator: UserId, player: UserId, time: Millis, at: Millis, key: IdempotencyKey) -> Match:
    """Gives `player` more `time`.

    Raises Refused (`match_over`, `own_match`, `not_a_player`, `no_time_to_give`, `too_much_time`).
    """
    _check_moderator(match, moderator)
    if player not in match.players:
        raise Refused(Reason.NOT_A_PLAYER)
    seat = match.seat_of(player)
    check_time_fits(match, (seat,), time)
    return match.after(Event(EventKind.EXTEND, seat, str(time), at, key, moderator))


def _check_winner(match: Match, winner: UserId | None) -> None:
    if winner is not None and winner not in match.players:
        raise Refused(Reason.NOT_A_PLAYER)


def _check_moderator(match: Match, moderator: UserId) -> None:
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if moderator in match.players:
        raise Refused(Reason.OWN_MATCH)
