"""Decisions of moderators about matches. The chat's permissions say who is a moderator.

Of a game of two servers the moderators of one propose a ruling, to which those of the other have to agree.
"""

from dataclasses import dataclass
from enum import StrEnum

from play.ids import DAY, GuildId, IdempotencyKey, MatchId, Millis, UserId, side_of
from play.match.events import Event, EventKind
from play.match.match import Match
from play.match.offers import check_time_fits
from play.refusal import Reason, Refused
from rules.game import Seat

RULING_MILLIS = Millis(3 * DAY)
"""Milliseconds after which a proposal lapses: as long as the slowest move that games of servers usually have."""


class RulingKind(StrEnum):
    """`ANNUL`: the game ends undecided. `DRAW`, `WIN`: it ends so, the latter for `seat`. `EXTEND`: `seat` gets more
    time."""

    ANNUL = "annul"
    DRAW = "draw"
    WIN = "win"
    EXTEND = "extend"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is to be done; `time` is that of an extension."""

    kind: RulingKind
    seat: Seat | None = None
    time: Millis | None = None

    def needs_both(self, match: Match) -> bool:
        """Returns whether the server that `match` is looked at from may not do this alone: all but what costs nobody
        on the other server anything.

        A server gives up a game of its own player, gives time to the other one, and calls off what has hardly begun, as
        its player may. A game of sides has no such player.
        """
        if self.kind is RulingKind.ANNUL:
            return match.all_have_moved or any(side_of(player) is not None for player in match.players)
        return self.kind is RulingKind.DRAW or self.seat in match.hosts


@dataclass(frozen=True, slots=True)
class ProposedRuling:
    """A ruling that the moderators of `guild` have proposed."""

    match: MatchId
    guild: GuildId
    ruling: Ruling
    made: Millis

    def holds(self, now: Millis) -> bool:
        """Returns whether the other server may still agree to it."""
        return now < self.made + RULING_MILLIS


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
