"""Decisions between players: draws, take-backs, pauses, agreed ends, gifts of time, and vacations."""

from play.clock import MAX_DURATION, Speed, Untimed, duration_text
from play.ids import DAY, MINUTE, IdempotencyKey, Millis, UserId, side_of
from play.match.endings import agreed_ending
from play.match.events import Event, EventKind, OfferKind
from play.match.match import Match
from play.match.moves import acting_seat, is_late
from play.refusal import Reason, Refused
from rules.game import Seat

TAKEBACK_GRACE = Millis(10_000)
"""The time in which a player may take their move back without asking, if nothing has happened since."""

DEFAULT_PAUSE = {Speed.LIVE: Millis(15 * MINUTE), Speed.DAYS: Millis(7 * DAY)}
"""How long an agreed pause lasts by default, by speed, unless a player ends it."""

MIN_PAUSE = MINUTE
"""The shortest pause."""

MAX_PAUSE = {Speed.LIVE: DAY, Speed.DAYS: MAX_DURATION}
"""The longest pause, by speed. A live game may wait for the next day."""


def offer(
    match: Match, user: UserId, kind: OfferKind, at: Millis, key: IdempotencyKey, *, pause: Millis | None = None
) -> Match:
    """Offers something for `user`, or agrees to it if another player has offered it already.

    Raises Refused: `offered_already` (by `user`), `declined_already` (since their last move), and by kind
    `nothing_to_undo`, `paused_already`, `nothing_to_pause`, `bad_pause`, `no_agreed_end`, `side_votes`.
    """
    if kind is not OfferKind.DRAW:
        _check_no_side(match)
    seat, present = acting_seat(match, user), match.offer(kind)
    if present and not present.declined and seat not in present.agreed:
        return agree(match, user, kind, at, key)
    if present and not present.declined:
        raise Refused(Reason.OFFERED_ALREADY)
    if present and present.seat == seat:
        raise Refused(Reason.DECLINED_ALREADY)
    _check_possible(match, seat, kind, at)
    text = f"{kind} {_pause_length(match, pause)}" if kind is OfferKind.PAUSE else kind.value
    return match.after(Event(EventKind.OFFER, seat, text, at, key))


def agree(match: Match, user: UserId, kind: OfferKind, at: Millis, key: IdempotencyKey) -> Match:
    """Agrees to an offer for `user`. It takes effect when all have agreed. Raises Refused (`no_offer`, `own_offer`)."""
    return match.after(Event(EventKind.AGREE, _answering_seat(match, user, kind), kind.value, at, key))


def decline(match: Match, user: UserId, kind: OfferKind, at: Millis, key: IdempotencyKey) -> Match:
    """Declines an offer for `user`; one of their own is taken back. Raises Refused (`no_offer`, `own_offer`)."""
    seat = acting_seat(match, user)
    if not has_offered(match, seat, kind):
        seat = _answering_seat(match, user, kind)
    return match.after(Event(EventKind.DECLINE, seat, kind.value, at, key))


def has_offered(match: Match, seat: Seat, kind: OfferKind) -> bool:
    """Returns whether an offer of `seat` waits for an answer."""
    present = match.offer(kind)
    return present is not None and not present.declined and present.seat == seat


def can_undo(match: Match, seat: Seat, at: Millis, *, practice: bool) -> bool:
    """Returns whether the player of `seat` may take their last move back without asking.

    That is within TAKEBACK_GRACE, if nothing has happened since; in an unrated match against the computer (`practice`)
    nothing but its reply.
    """
    count = match.moves_since(seat)
    if not 1 <= count <= len(match.clocks_before):
        return False
    own, *since = match.moves[-count:]
    answered = practice and all(move.is_automatic for move in since)
    return own.kind is EventKind.MOVE and (not since or answered) and at <= match.events[-1].at + TAKEBACK_GRACE


def take_back(match: Match, user: UserId, at: Millis, key: IdempotencyKey, *, practice: bool) -> Match:
    """Takes the last move of `user` back if they may undo it, or offers that.

    The player's time then goes on as if they had not moved. Raises Refused as `offer` does, and `time_over`.
    """
    seat = acting_seat(match, user)
    _check_no_side(match)
    if not can_undo(match, seat, at, practice=practice):
        return offer(match, user, OfferKind.TAKEBACK, at, key)
    undone = match.after(Event(EventKind.TAKEBACK, seat, "", at, key))
    if is_late(undone, at):
        raise Refused(Reason.TIME_OVER)
    return undone


def resume(match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> Match:
    """Ends the pause for `user`. Raises Refused (`not_paused`)."""
    seat = acting_seat(match, user)
    if match.clock.current_pause(at) is None:
        raise Refused(Reason.NOT_PAUSED)
    return match.after(Event(EventKind.RESUME, seat, "", at, key))


def give_time(match: Match, user: UserId, time: Millis, at: Millis, key: IdempotencyKey) -> Match:
    """Gives all opponents of `user` more `time`. Raises Refused (`no_time_to_give`, `too_much_time`, `side_votes`)."""
    seat = acting_seat(match, user)
    _check_no_side(match)
    others = tuple(other for other in match.seats if other != seat)
    check_time_fits(match, others, time)
    return match.after(Event(EventKind.GIVE, seat, str(time), at, key))


def check_time_fits(match: Match, seats: tuple[Seat, ...], time: Millis) -> None:
    """Raises Refused if `time` cannot be added for these `seats` (`no_time_to_give`, `too_much_time`)."""
    if isinstance(match.clock.control, Untimed):
        raise Refused(Reason.NO_TIME_TO_GIVE)
    if not 0 < time <= MAX_DURATION or any(match.clock.remaining[seat] + time > 2 * MAX_DURATION for seat in seats):
        raise Refused(Reason.TOO_MUCH_TIME)


def start_vacation(match: Match, user: UserId, until: Millis, at: Millis) -> Match:
    """Stops the clock of `user`, who is on vacation `until` then. Raises Refused (`no_vacation`)."""
    seat = acting_seat(match, user)
    if not match.agreement.vacation:
        raise Refused(Reason.NO_VACATION)
    return match.after(Event(EventKind.AWAY, seat, str(until), at, None))


def end_vacation(match: Match, user: UserId, at: Millis) -> Match:
    """Ends the vacation of `user` early. Returns the same match if they are not on one."""
    seat = acting_seat(match, user)
    return (
        match
        if match.clock.current_absence(seat, at) is None
        else match.after(Event(EventKind.BACK, seat, "", at, None))
    )


def _check_no_side(match: Match) -> None:
    """Raises Refused (`side_votes`) if a side plays: its votes are about one position, and end when they should."""
    if any(side_of(player) is not None for player in match.players):
        raise Refused(Reason.SIDE_VOTES)


def _answering_seat(match: Match, user: UserId, kind: OfferKind) -> Seat:
    seat, present = acting_seat(match, user), match.offer(kind)
    if present is None or present.declined:
        raise Refused(Reason.NO_OFFER)
    if seat in present.agreed:
        raise Refused(Reason.OWN_OFFER)
    return seat


def _pause_length(match: Match, asked: Millis | None) -> Millis:
    """Returns the length of a pause, `asked` for or (None) the default. Raises Refused (`bad_pause`)."""
    speed = match.clock.control.speed
    length = DEFAULT_PAUSE[speed] if asked is None else asked
    if not MIN_PAUSE <= length <= MAX_PAUSE[speed]:
        raise Refused(Reason.BAD_PAUSE, least=duration_text(MIN_PAUSE), most=duration_text(MAX_PAUSE[speed]))
    return length


def _check_possible(match: Match, seat: Seat, kind: OfferKind, at: Millis) -> None:
    if kind is OfferKind.TAKEBACK and all(move.seat != seat for move in match.moves):
        raise Refused(Reason.NOTHING_TO_UNDO)
    if kind is OfferKind.PAUSE and isinstance(match.clock.control, Untimed):
        raise Refused(Reason.NOTHING_TO_PAUSE)
    if kind is OfferKind.PAUSE and match.clock.current_pause(at):
        raise Refused(Reason.PAUSED_ALREADY)
    if kind is OfferKind.END and agreed_ending(match.position) is None:
        raise Refused(Reason.NO_AGREED_END)
