"""Turns that are voted about: when their votes close, and what the count decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from play.ids import MINUTE, Millis, side_of
from play.match.events import OfferKind
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from play.votes.side import Side
from play.votes.vote import Choice, Count, rank
from rules.game import RuleError, Seat

COUNTING_MILLIS = MINUTE
"""A vote ends so long before the flag falls: time to count it, and to do so again after a failure."""

ARRIVAL_MILLIS = FLAG_GRACE
"""The time between the end of a vote and its count, as for moves: a vote cast in time may still arrive."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a side does: it plays `text`, resigns or, if it `DRAW`s, agrees to a draw or offers one without a move.

    `offers_draw` says that a draw is offered after the move.
    """

    choice: Choice
    text: str = ""
    offers_draw: bool = False


def turn_of(match: Match) -> int:
    """Returns the version with which the present turn began. Offers and gifts of time begin no other turn."""
    return next((n for n in range(match.version, 0, -1) if match.events[n - 1].changes_position), 0)


def turn_of_move(match: Match, number: int) -> int:
    """Returns the version with which the turn began that a move, from 1, has ended."""
    made = match.events.index(match.moves[number - 1])
    return next((n for n in range(made, 0, -1) if match.events[n - 1].changes_position), 0)


def decided_move(match: Match, seat: Seat | None = None) -> int:
    """Returns the number, from 1, of the newest move that a side at home in this place has played, or that of a seat; 0
    without one."""
    sides = {host for host in match.hosts if side_of(match.players[host]) is not None and seat in (None, host)}
    return next((n for n in range(len(match.moves), 0, -1) if match.moves[n - 1].seat in sides), 0)


def at_vote(match: Match, turn: int) -> Match:
    """Returns the match as it was when a turn was voted about, to be looked at and never stored."""
    made = sum(event.is_move for event in match.events[:turn])
    return match if made == len(match.moves) else match.before_move(made + 1)


def closing(match: Match, side: Side) -> Millis:
    """Returns when the present vote of `side`, whose turn it is, closes: for the first time, or for good."""
    return _when_left(match, _left_after_vote(match, side))


def last_closing(match: Match) -> Millis:
    """Returns when a vote closes, however few votes there are."""
    return _when_left(match, COUNTING_MILLIS)


def time_to_vote(match: Match, side: Side, now: Millis) -> Millis:
    """Returns how long the present vote of a side is open yet, or for how long its next one will be."""
    left = match.clock.left(side.seat, now)
    assert left is not None, "a vote game has a clock"
    return Millis(max(0, left - _left_after_vote(match, side)))


def _left_after_vote(match: Match, side: Side) -> Millis:
    """Returns what the clock of a side has left when its present vote closes, or its next one."""
    return COUNTING_MILLIS if side.prolonged == turn_of(match) else side.period


def _when_left(match: Match, time: Millis) -> Millis:
    moment = match.clock.when_left(time)
    assert moment is not None, "the clock of a vote game runs"
    return moment


def decide(match: Match, seat: Seat, counts: Sequence[Count]) -> Verdict | None:
    """Returns what most votes are for, among what is legal now; None if that is nothing.

    Resigning, a draw and moves that end the game need two thirds of all votes; else the next choice follows.
    """
    total = sum(count.votes for count in counts)
    wanted = [each for each in rank(counts) if not each.needs_two_thirds or 3 * each.votes >= 2 * total]
    agreed = {each.choice for each in wanted}
    offer = match.offer(OfferKind.DRAW)
    if Choice.RESIGN in agreed:
        return Verdict(Choice.RESIGN)
    is_drawn = Choice.DRAW in agreed
    if is_drawn and offer is not None and not offer.declined and seat not in offer.agreed:
        return Verdict(Choice.DRAW)
    for each in wanted:
        if each.choice is Choice.MOVE and _is_legal(match, each.text):
            return Verdict(Choice.MOVE, each.text, offers_draw=is_drawn)
    return Verdict(Choice.DRAW) if is_drawn and offer is None else None


def _is_legal(match: Match, text: str) -> bool:
    try:
        match.position.play(match.game.parse(text))
    except RuleError:
        return False
    return True
