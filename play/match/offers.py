"""Decisions between the players: draws, take-backs, pauses, ending by agreement, and time as a gift."""

from __future__ import annotations

from play.clock import LONGEST, Untimed
from play.clock.calendar import Span
from play.ids import Millis, SourceId, UserId
from play.match.endings import agreed
from play.match.events import Event, EventKind, OfferKind
from play.match.match import Match
from play.match.moves import acting, expired
from play.refusal import Reason, Refused
from rules.game import Seat

TAKEBACK_GRACE = Millis(10_000)
"""So long after it was played one may take one's move back without asking, if nothing has happened since."""

PAUSE = Millis(7 * 86_400_000)
"""How long an agreed pause lasts, unless somebody ends it or something else was asked for."""


def offer(match: Match, user: UserId, kind: OfferKind, at: Millis, source: SourceId, *, pause: Millis = PAUSE) -> Match:
    """`user` offers something. If somebody else has offered it already, that is agreeing. Raises Refused:
    `offered_already` (by himself, or declined and he has not moved since), and what the kind needs: `nothing_to_undo`,
    `paused_already`, `nothing_to_pause`, `no_agreed_end`.
    """
    seat, standing = acting(match, user), match.offer(kind)
    if standing and not standing.declined and seat not in standing.agreed:
        return agree(match, user, kind, at, source)
    if standing and (not standing.declined or standing.seat == seat):
        raise Refused(Reason.OFFERED_ALREADY)
    _sensible(match, seat, kind, at)
    text = f"{kind} {pause}" if kind is OfferKind.PAUSE else kind.value
    return match.after(Event(EventKind.OFFER, seat, text, at, source))


def agree(match: Match, user: UserId, kind: OfferKind, at: Millis, source: SourceId) -> Match:
    """`user` agrees to what was offered; when everybody has, it happens. Raises Refused (`no_offer`, `own_offer`)."""
    return match.after(Event(EventKind.AGREE, _answering(match, user, kind), kind.value, at, source))


def decline(match: Match, user: UserId, kind: OfferKind, at: Millis, source: SourceId) -> Match:
    """`user` does not want what was offered. Raises Refused (`no_offer`, `own_offer`)."""
    return match.after(Event(EventKind.DECLINE, _answering(match, user, kind), kind.value, at, source))


def take_back(match: Match, user: UserId, at: Millis, source: SourceId) -> Match:
    """`user` takes his last move back: at once if he has just played it and nothing has happened since, and his time
    goes on as if he had not moved; else he asks, as with `offer`. Raises Refused as that does."""
    seat, last = acting(match, user), match.last_move
    own = last is not None and match.undo is not None and (last.kind, last.seat) == (EventKind.MOVE, seat)
    if last is None or not own or at > last.at + TAKEBACK_GRACE:
        return offer(match, user, OfferKind.TAKEBACK, at, source)
    undone = match.after(Event(EventKind.TAKEBACK, seat, "", at, source))
    if expired(undone, at):
        raise Refused(Reason.TIME_OVER)
    return undone


def resume(match: Match, user: UserId, at: Millis, source: SourceId) -> Match:
    """`user` ends the pause. Raises Refused (`not_paused`)."""
    seat = acting(match, user)
    if match.clock.pause(at) is None:
        raise Refused(Reason.NOT_PAUSED)
    return match.after(Event(EventKind.RESUME, seat, "", at, source))


def give(match: Match, user: UserId, time: Millis, at: Millis, source: SourceId) -> Match:
    """`user` gives everybody else `time`. Raises Refused (`no_time_to_give`, `too_much_time`)."""
    seat = acting(match, user)
    others = tuple(other for other in match.seats if other != seat)
    has_room(match, others, time)
    return match.after(Event(EventKind.GIVE, seat, str(time), at, source))


def has_room(match: Match, seats: tuple[Seat, ...], time: Millis) -> None:
    """Raises Refused if the clocks of `seats` cannot be given `time`."""
    if isinstance(match.clock.control, Untimed):
        raise Refused(Reason.NO_TIME_TO_GIVE)
    if not 0 < time <= LONGEST or any(match.clock.left[seat] + time > 2 * LONGEST for seat in seats):
        raise Refused(Reason.TOO_MUCH_TIME)


def leave(match: Match, user: UserId, until: Millis, at: Millis) -> Match:
    """`user` is on vacation until then. Raises Refused (`no_vacation`)."""
    seat = acting(match, user)
    if not match.agreement.vacation:
        raise Refused(Reason.NO_VACATION)
    return match.after(Event(EventKind.AWAY, seat, str(until), at, None))


def come_back(match: Match, user: UserId, at: Millis) -> Match:
    """The vacation of `user` ends early; the same match if he is not on one."""
    seat = acting(match, user)
    return match if absence(match, seat, at) is None else match.after(Event(EventKind.BACK, seat, "", at, None))


def absence(match: Match, seat: Seat, now: Millis) -> Span | None:
    """The vacation that a player is on."""
    return match.clock.absence(seat, now)


def _answering(match: Match, user: UserId, kind: OfferKind) -> Seat:
    seat, standing = acting(match, user), match.offer(kind)
    if standing is None or standing.declined:
        raise Refused(Reason.NO_OFFER)
    if seat in standing.agreed:
        raise Refused(Reason.OWN_OFFER)
    return seat


def _sensible(match: Match, seat: Seat, kind: OfferKind, at: Millis) -> None:
    if kind is OfferKind.TAKEBACK and all(move.seat != seat for move in match.moves):
        raise Refused(Reason.NOTHING_TO_UNDO)
    if kind is OfferKind.PAUSE and isinstance(match.clock.control, Untimed):
        raise Refused(Reason.NOTHING_TO_PAUSE)
    if kind is OfferKind.PAUSE and match.clock.pause(at):
        raise Refused(Reason.PAUSED_ALREADY)
    if kind is OfferKind.END and agreed(match.position) is None:
        raise Refused(Reason.NO_AGREED_END)
