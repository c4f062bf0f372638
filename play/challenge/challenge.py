"""An offer to play, on its terms, until somebody takes it, refuses it or the time is over."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from play.challenge.terms import Order, Terms
from play.clock import Speed
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, MessageId, Millis, SourceId, UserId
from play.refusal import Reason, Refused

LIFETIME = {Speed.LIVE: Millis(2 * 3_600_000), Speed.DAYS: Millis(7 * 86_400_000)}
"""How long a challenge stands: who wants to play at once does not come back to it tomorrow."""

MAX_CHANGES = 10
"""How often the terms of one challenge change. Each change mentions those who have to agree anew."""


class ChallengeState(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Challenge:
    """`challenger` asks `opponent`, or anybody (None), until as many have `joined` as the game has seats for them.

    The terms are the challenger's own, or a counter-offer of `by`; `first` are those that were offered at first, if
    they have changed, and `changes` says how often. `instead` is the open challenge that this one answers with other
    terms, `rematch` the match after which it offers another one. `message` is its card, and `match` what an accepted
    one became. `source` is the interaction that made it. `version` counts all that has happened. It stands longer by
    what is `put_off`, while the bot was away.
    """

    id: ChallengeId
    guild: GuildId | None
    channel: ChannelId
    challenger: UserId
    opponent: UserId | None
    terms: Terms
    made: Millis
    state: ChallengeState = ChallengeState.OPEN
    joined: tuple[UserId, ...] = ()
    by: UserId | None = None
    first: Terms | None = None
    changes: int = 0
    instead: ChallengeId | None = None
    rematch: MatchId | None = None
    message: MessageId | None = None
    match: MatchId | None = None
    version: int = 0
    source: SourceId | None = None
    put_off: Millis = Millis(0)  # noqa: RUF009 - a number

    @property
    def expires(self) -> Millis:
        return Millis(self.made + LIFETIME[self.terms.control.speed] + self.put_off)

    @property
    def seats(self) -> int:
        return self.terms.game.seats

    @property
    def proposer(self) -> UserId:
        """Whose terms are on the table: the others have to agree."""
        return self.by or self.challenger

    @property
    def free(self) -> int:
        """How many more may join, whoever they are: a seat is kept for the opponent."""
        kept = self.opponent is not None and self.opponent not in self.joined
        return self.seats - 1 - len(self.joined) - kept

    def players(self, chance: random.Random) -> tuple[UserId, ...]:
        """Everybody in the order of the seats."""
        if self.terms.order is Order.FIRST:
            return (self.challenger, *self.joined)
        if self.terms.order is Order.LAST:
            return (*self.joined, self.challenger)
        players = [self.challenger, *self.joined]
        chance.shuffle(players)
        return tuple(players)

    def _next(self, **values: Any) -> Challenge:
        return replace(self, version=self.version + 1, **values)


def _standing(challenge: Challenge, now: Millis, changes: int | None = None) -> None:
    if challenge.state is not ChallengeState.OPEN:
        raise Refused(Reason(f"challenge_{challenge.state}"))
    if now >= challenge.expires:
        raise Refused(Reason.CHALLENGE_EXPIRED)
    if changes not in (None, challenge.changes):
        raise Refused(Reason.CHALLENGE_CHANGED)


def taken(
    challenge: Challenge, user: UserId, now: Millis, *, changes: int | None = None, rating: float | None = None
) -> Challenge:
    """`user` agrees to the terms after so many `changes`; with the last seat the challenge is accepted.

    `rating` is his, None where there are no ratings. Raises Refused.
    """
    _standing(challenge, now, changes)
    if user == challenge.proposer:
        raise Refused(Reason.OWN_CHALLENGE)
    if challenge.by is not None:
        if user != challenge.challenger:
            raise Refused(Reason.NOT_YOUR_CHALLENGE, user=challenge.challenger)
        return challenge._next(joined=(challenge.by,), state=ChallengeState.ACCEPTED)
    if user in challenge.joined:
        raise Refused(Reason.JOINED_ALREADY)
    if user != challenge.opponent:
        if not challenge.free:
            raise Refused(Reason.NOT_YOUR_CHALLENGE, user=challenge.opponent or challenge.challenger)
        window = challenge.terms.window
        if window and rating is not None and not window.least <= rating <= window.most:
            raise Refused(Reason.OUTSIDE_WINDOW, least=window.least, most=window.most)
    joined = (*challenge.joined, user)
    full = len(joined) == challenge.seats - 1
    return challenge._next(joined=joined, state=ChallengeState.ACCEPTED if full else ChallengeState.OPEN)


def left(challenge: Challenge, user: UserId, now: Millis) -> Challenge:
    """`user`, who had joined, thinks better of it before the match begins. Raises Refused."""
    _standing(challenge, now)
    if user not in challenge.joined:
        raise Refused(Reason.NOT_JOINED)
    return challenge._next(joined=tuple(other for other in challenge.joined if other != user))


def declined(challenge: Challenge, user: UserId, now: Millis) -> Challenge:
    """Turned down by the person asked, or taken back by who made it. Raises Refused.

    Among three or four, the seat of an opponent who declines is anybody's.
    """
    _standing(challenge, now)
    if user == challenge.challenger:
        return challenge._next(state=ChallengeState.WITHDRAWN)
    if challenge.opponent is None:
        raise Refused(Reason.OPEN_CHALLENGE_STAYS, user=challenge.challenger)
    if user != challenge.opponent:
        raise Refused(Reason.NOT_YOUR_CHALLENGE, user=challenge.opponent)
    if challenge.seats > 2:
        return challenge._next(opponent=None, joined=tuple(other for other in challenge.joined if other != user))
    return challenge._next(state=ChallengeState.DECLINED)


def negotiable(challenge: Challenge, user: UserId, now: Millis, *, changes: int | None = None) -> None:
    """Raises Refused if `user` may not offer other terms."""
    _standing(challenge, now, changes)
    if user != challenge.challenger and (challenge.opponent not in (None, user) or challenge.seats > 2):
        raise Refused(Reason.NOT_YOUR_TERMS, user=challenge.challenger)


def changed(challenge: Challenge, user: UserId, terms: Terms, now: Millis, *, changes: int) -> Challenge:
    """Other `terms`, by the challenger or as a counter-offer of his opponent: all others have to agree anew.

    Raises Refused.
    """
    negotiable(challenge, user, now, changes=changes)
    _really_other(challenge, terms)
    if challenge.changes >= MAX_CHANGES:
        raise Refused(Reason.TOO_MANY_CHANGES, count=MAX_CHANGES)
    first = challenge.first or challenge.terms
    return challenge._next(
        terms=terms,
        joined=(),
        by=None if user == challenge.challenger else user,
        first=None if terms == first else first,
        changes=challenge.changes + 1,
    )


def answered(
    challenge: Challenge, user: UserId, terms: Terms, now: Millis, *, changes: int, source: SourceId | None = None
) -> Challenge:
    """A challenge of its own by which `user` answers somebody's open one with other `terms`. Raises Refused."""
    negotiable(challenge, user, now, changes=changes)
    _really_other(challenge, terms)
    return Challenge(
        ChallengeId(0),
        challenge.guild,
        challenge.channel,
        user,
        challenge.challenger,
        replace(terms, window=None),
        made=now,
        first=challenge.terms,
        instead=challenge.id,
        source=source,
    )


def _really_other(challenge: Challenge, terms: Terms) -> None:
    if terms.game.seats != challenge.seats:
        raise Refused(Reason.SEATS_STAY, count=challenge.seats)
    if terms == challenge.terms:
        raise Refused(Reason.NOTHING_CHANGED)


def withdrawn(challenge: Challenge) -> Challenge:
    """An open challenge that came to nothing because its challenger plays by a counter-offer to it."""
    return challenge._next(state=ChallengeState.WITHDRAWN)


def expired(challenge: Challenge, now: Millis) -> Challenge:
    """The challenge, over if nobody took it in time."""
    if challenge.state is ChallengeState.OPEN and now >= challenge.expires:
        return challenge._next(state=ChallengeState.EXPIRED)
    return challenge
