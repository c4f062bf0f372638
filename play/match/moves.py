"""Decisions about turns: moving, resigning, calling the match off, and what happens when the time is over."""

import random
from itertools import islice
from typing import NamedTuple

from play.clock import Blitz
from play.clock.clock import NOTHING_LOST
from play.ids import IdempotencyKey, Millis, UserId
from play.match.endings import STOP, STOP_WAITING, can_stop_waiting, stopped_seat
from play.match.events import Event, EventKind
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.game import Outcome, RuleError, Seat

FLAG_GRACE = Millis(2000)
"""The time between a deadline and the fall of the flag: a move that was made in time may still arrive. It lengthens no
turn."""

MAX_RANDOM_MOVES = 3
"""Random moves for each seat in a row, after which a match without moves of its players is abandoned."""

MAX_DRAWN_TURNS = 5000
"""Legal turns among which chance draws. A board of 60x60 has 3,600; the set-up of Dot Dash has millions."""


def acting_seat(match: Match, user: UserId) -> Seat:
    """Returns the seat of `user`, who may act in the match. Raises Refused (`not_your_match`, `match_over`)."""
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    return seat


def move(match: Match, user: UserId, text: str, at: Millis, key: IdempotencyKey, lost: Millis = NOTHING_LOST) -> Match:
    """Plays `text` for `user`, at the time that the chat gives; what they have `lost` before it counts against nobody.

    Raises Refused.
    """
    seat, at = acting_seat(match, user), match.clock.after_downtime(at)
    notation = read_turn(match, seat, text)
    if is_late(match, Millis(at - lost)):
        raise Refused(Reason.TURN_OVER if isinstance(match.clock.control, Blitz) else Reason.TIME_OVER)
    try:
        return match.after(Event(EventKind.MOVE, seat, notation, at, key, lost=lost))
    except RuleError as error:
        raise Refused.by_rules(error) from error


def read_turn(match: Match, seat: Seat, text: str) -> str:
    """Returns the notation of a turn that `seat` writes as `text`; on the opponent's turn only STOP is one.

    Raises Refused (`not_your_turn`, and what the game cannot read).
    """
    try:
        notation = str(match.game.parse(text))
    except RuleError as error:
        if seat == match.to_act:
            raise Refused.by_rules(error) from error
        notation = ""
    if notation == STOP_WAITING:
        notation = STOP
    if seat == match.to_act:
        return notation
    if notation != STOP or not can_stop_waiting(match.position):
        raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
    return STOP_WAITING


def resign(match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> Match:
    """Resigns for `user`, also during the opponent's turn. Raises Refused."""
    return match.after(Event(EventKind.RESIGN, acting_seat(match, user), "", at, key))


def abort(match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> Match:
    """Cancels, for `user`, a match in which a player has not moved yet. Raises Refused (`too_late_to_abort`)."""
    return match.after(Event(EventKind.ABORT, cancelling_seat(match, user), "", at, key))


def cancelling_seat(match: Match, user: UserId) -> Seat:
    """Returns the seat of `user`, who may cancel the match. Raises Refused (`too_late_to_abort`)."""
    seat = acting_seat(match, user)
    if match.all_have_moved:
        raise Refused(Reason.TOO_LATE_TO_ABORT)
    return seat


def is_late(match: Match, at: Millis) -> bool:
    """Returns whether the time of the seat to act is over `at` that time, by which the chat received the click."""
    return match.clock.deadline is not None and at > match.clock.deadline


def is_flag_due(match: Match, now: Millis) -> bool:
    """Returns whether the flag of the seat to act has fallen by `now`."""
    return is_late(match, Millis(now - FLAG_GRACE))


def flag(match: Match, now: Millis) -> Match:
    """Returns the match after its flag has fallen by `now`, or the same match if none has.

    In a blitz, chance then plays a move, the first one included. It is drawn by the match's seed and the number of the
    event, so that all processes draw the same one. Chance does not play while a player plays out after a STOP, after
    chance alone has played for a while, or where there are too many turns to choose from.
    """
    if match.outcome or not is_flag_due(match, now):
        return match
    seat = match.position.to_act
    if isinstance(match.clock.control, Blitz) and stopped_seat(match.position) is None and not _abandoned(match):
        turns = list(islice(match.position.moves(), MAX_DRAWN_TURNS + 1))
        if len(turns) <= MAX_DRAWN_TURNS:
            drawn = random.Random(f"{match.seed} {match.version}").choice(turns)  # noqa: S311 - not a secret
            return match.after(Event(EventKind.RANDOM, seat, str(drawn), now, None))
    return match.after(Event(EventKind.TIME, seat, "", now, None))


def _abandoned(match: Match) -> bool:
    last = match.moves[-MAX_RANDOM_MOVES * match.game.seats :]
    return len(last) == MAX_RANDOM_MOVES * match.game.seats and all(each.kind is EventKind.RANDOM for each in last)


class TurnPreview(NamedTuple):
    """The result of a turn that is not played: the outcome, if the turn ends the game, and the scores."""

    outcome: Outcome | None
    score: tuple[float, ...]
