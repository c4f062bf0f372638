"""Decisions about turns: a move, giving up, calling off, and what happens when the time is over."""

from __future__ import annotations

import random

from play.clock import Blitz
from play.ids import Millis, SourceId, UserId
from play.match.endings import stopped
from play.match.events import Event, EventKind
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.game import RuleError, Seat

GRACE = Millis(2000)
"""A flag falls this long after the deadline, so that a move made in time can still arrive."""

ABANDONED = 3
"""After so many random dots for each seat, and none of their own, nobody is there any more."""


def acting(match: Match, user: UserId) -> Seat:
    """The seat of a player in a match that goes on. Raises Refused (`not_your_match`, `match_over`)."""
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    return seat


def move(match: Match, user: UserId, text: str, at: Millis, source: SourceId) -> Match:
    """`user` plays `text`, at the time that Discord gives. Raises Refused."""
    seat, at = acting(match, user), match.clock.awake(at)
    if seat != match.to_act:
        raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
    if expired(match, at):
        raise Refused(Reason.TIME_OVER)
    try:
        notation = str(match.game.parse(text))
        return match.after(Event(EventKind.MOVE, seat, notation, at, source))
    except RuleError as error:
        raise Refused.by_rules(error) from error


def resign(match: Match, user: UserId, at: Millis, source: SourceId) -> Match:
    """`user` gives the match up, whoever's turn it is. Raises Refused."""
    return match.after(Event(EventKind.RESIGN, acting(match, user), "", at, source))


def abort(match: Match, user: UserId, at: Millis, source: SourceId) -> Match:
    """`user` calls off a match in which not everybody has moved yet. Raises Refused (`too_late_to_abort`)."""
    seat = acting(match, user)
    if match.all_have_moved:
        raise Refused(Reason.TOO_LATE_TO_ABORT)
    return match.after(Event(EventKind.ABORT, seat, "", at, source))


def expired(match: Match, now: Millis) -> bool:
    """Whether the flag of the seat to act has fallen by `now`."""
    deadline = match.clock.deadline
    return deadline is not None and now > deadline + GRACE


def flag(match: Match, now: Millis) -> Match:
    """The match after its flag has fallen at `now`; the same match if none has.

    Where chance plays for whoever is late, that is a move: drawn by the match's seed and the number of the event, so
    that every process draws the same. It plays for nobody as long as not everybody has moved, while somebody plays
    out after a STOP, and when it alone has been playing for a while.
    """
    if match.outcome or not expired(match, now):
        return match
    seat, chance = match.position.to_act, isinstance(match.clock.control, Blitz)
    if chance and match.all_have_moved and stopped(match.position) is None and not _abandoned(match):
        drawn = random.Random(f"{match.seed} {match.version}").choice(list(match.position.moves()))  # noqa: S311
        return match.after(Event(EventKind.RANDOM, seat, str(drawn), now, None))
    return match.after(Event(EventKind.TIME, seat, "", now, None))


def _abandoned(match: Match) -> bool:
    last = match.moves[-ABANDONED * match.game.seats :]
    return len(last) == ABANDONED * match.game.seats and all(each.kind is EventKind.RANDOM for each in last)
