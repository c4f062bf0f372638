"""Seeks: players who look for a stranger to play with, on any server, and what becomes of each search."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from play.challenge.terms import USUAL_CONTROL, Order, Terms
from play.clock import Speed, parse_control
from play.ids import DAY, HOUR, MINUTE, SECOND, ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.refusal import Reason, Refused

SeekId = NewType("SeekId", int)

LIFETIME = {Speed.LIVE: Millis(20 * MINUTE), Speed.DAYS: Millis(7 * DAY)}
"""How long a search goes on, by speed: a player who wants a live game looks at the clock."""

CALL_MILLIS = Millis(20 * SECOND)
"""How long both players of a live game have to say that they are there."""

AGAIN_MILLIS = {Speed.LIVE: Millis(HOUR), Speed.DAYS: DAY}
"""After a game with a stranger the two do not meet for so long."""

WEEKLY_MILLIS = Millis(7 * DAY)
"""Between two games of a player who wants one a week."""

RATED_AGAIN_MILLIS = Millis(7 * DAY)
"""For so long after they have met, another game of two strangers is unrated."""

USUAL = {Speed.LIVE: parse_control("10m+10s"), Speed.DAYS: USUAL_CONTROL}
"""The clocks of players whose own terms have another speed."""


class SeekState(StrEnum):
    """What a search is at. `CALLED`: a partner is found. `MISSED`: the player was called to a live game in vain.
    `OFFERED`: a friend with its code may take it."""

    WAITING = "waiting"
    CALLED = "called"
    PLAYED = "played"
    LEFT = "left"
    MISSED = "missed"
    EXPIRED = "expired"
    OFFERED = "offered"

    @property
    def goes_on(self) -> bool:
        return self in (SeekState.WAITING, SeekState.CALLED, SeekState.OFFERED)


@dataclass(frozen=True, slots=True)
class Seek:
    """The search of `user` for a game on certain terms, or on any of that speed if it is `flexible`.

    The board is to come into `channel`, on the server `guild` or (None) in direct messages. The window of the terms is
    for the partner's rating. It looks from `since` on, which is later for a `weekly` one, until `ends`. `partner` is
    the search that it was paired with at `met`, `call` the message that has told the player so, and `ready` whether
    they have answered it. `match` is the game that has begun. `version` counts the changes.
    In an `arena` its director pairs, and nobody is asked whether they are there.
    A `private` one is for a friend who has its code. Its player plays the computer in the match `meanwhile`.
    """

    id: SeekId
    user: UserId
    guild: GuildId | None
    channel: ChannelId
    terms: Terms
    made: Millis
    since: Millis
    flexible: bool = False
    weekly: bool = False
    state: SeekState = SeekState.WAITING
    partner: SeekId | None = None
    met: Millis | None = None
    call: MessageId | None = None
    ready: bool = False
    match: MatchId | None = None
    version: int = 0
    private: bool = False
    meanwhile: MatchId | None = None
    arena: int | None = None

    @property
    def speed(self) -> Speed:
        return self.terms.control.speed

    @property
    def ends(self) -> Millis | None:
        """When it ends without a partner; None for a weekly one, which the player ends, and in an arena."""
        return None if self.weekly or self.arena is not None else Millis(self.since + LIFETIME[self.speed])

    @property
    def call_ends(self) -> Millis | None:
        """When the player has to have answered the call; None where they need not."""
        is_asked = self.speed is Speed.LIVE and self.arena is None
        return Millis(self.met + CALL_MILLIS) if self.met is not None and is_asked else None


@dataclass(frozen=True, slots=True)
class SeekCall:
    """A `message` that has called the player of a search, and what was `told` there since: the state of the search that
    came of it, the `match` that has begun, and when."""

    message: MessageId
    channel: ChannelId
    seek: SeekId
    user: UserId
    guild: GuildId | None
    told: SeekState | None = None
    match: MatchId | None = None
    at: Millis | None = None


def seek_terms(own: Terms | None, offered: Terms, speed: Speed) -> Terms:
    """Returns the terms of a search at a speed: the player's `own` usual ones, else those `offered`; rated, unless the
    player has chosen otherwise."""
    terms = own or offered
    control = terms.control if terms.control.speed is speed else USUAL[speed]
    return replace(terms, control=control, level=None, rated=terms.rated if own else True)


def agree(one: Seek, other: Seek) -> Terms | None:
    """Returns the terms on which both would play; None if there are none. Those of the longer search come first."""
    first, second = (one, other) if one.since <= other.since else (other, one)
    if first.speed is not second.speed:
        return None
    if second.flexible:
        agreed = first.terms
    elif first.flexible:
        agreed = second.terms
    elif (first.terms.game, first.terms.control) == (second.terms.game, second.terms.control):
        agreed = first.terms
    else:
        return None
    return replace(agreed, order=Order.DRAWN, window=None, rated=first.terms.rated and second.terms.rated)


def sit_down(seat: Seek, user: UserId, guild: GuildId | None, channel: ChannelId, now: Millis) -> Seek:
    """Returns the search of a user who takes an open seat, on its terms."""
    return Seek(SeekId(0), user, guild, channel, replace(seat.terms, window=None), now, now)


def meet(seek: Seek, partner: SeekId, now: Millis, *, ready: bool = False) -> Seek:
    """Returns a search that has found its partner. Its player is `ready` who has just sat down."""
    return _changed(seek, state=SeekState.CALLED, partner=partner, met=now, call=None, ready=ready)


def answer(seek: Seek, user: UserId, now: Millis) -> Seek:
    """Returns the search after its player has said that they are there. Raises Refused (`seek_over`)."""
    if user != seek.user or seek.state is not SeekState.CALLED or (seek.call_ends or now) < now:
        raise Refused(Reason.SEEK_OVER)
    return _changed(seek, ready=True)


def look_on(seek: Seek) -> Seek:
    """Returns the search as it goes on without the partner: it has waited since it began. For a friend it is offered
    again, and over for the friend who has taken it."""
    state = SeekState.WAITING
    if seek.private:
        is_own = seek.partner is None or seek.id < seek.partner
        state = SeekState.OFFERED if is_own else SeekState.EXPIRED
    return _changed(seek, state=state, partner=None, met=None, call=None, ready=False)


def end(seek: Seek, state: SeekState) -> Seek:
    """Returns a search that is over; one that is over already stays as it is."""
    return _changed(seek, state=state) if seek.state.goes_on else seek


def begin(seek: Seek, match: MatchId) -> Seek:
    """Returns a search whose game has begun."""
    return _changed(seek, state=SeekState.PLAYED, match=match)


def renewed(seek: Seek, now: Millis) -> Seek | None:
    """Returns the next search of a player who wants a game a week; None for all others."""
    if not seek.weekly:
        return None
    fresh = Seek(SeekId(0), seek.user, seek.guild, seek.channel, seek.terms, now, Millis(now + WEEKLY_MILLIS))
    return replace(fresh, flexible=seek.flexible, weekly=True)


def _changed(seek: Seek, **changes: object) -> Seek:
    return replace(seek, version=seek.version + 1, **changes)  # type: ignore[arg-type]
