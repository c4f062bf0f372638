"""Challenges: offers to play on certain terms, until a player accepts or declines them or their time is over."""

import random
from dataclasses import dataclass, replace
from enum import StrEnum

from play.challenge.pool import Pool
from play.challenge.terms import Order, Terms
from play.clock import Speed
from play.ids import DAY, HOUR, ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.refusal import Reason, Refused

LIFETIME = {Speed.LIVE: Millis(2 * HOUR), Speed.DAYS: Millis(7 * DAY)}
"""How long a challenge stays open, by speed: a player who wants a live game will not come back to it tomorrow."""

MAX_CHANGES = 10
"""Changes of the terms of one challenge. Each of them mentions the players who have to agree again."""


class ChallengeState(StrEnum):
    """Whether a challenge waits, or what became of it. `OVERTAKEN`: another live game of who offers it has begun."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    OVERTAKEN = "overtaken"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Challenge:
    """An offer of `challenger` to `opponent`, or to anyone (None), until enough players have `joined` for all seats.

    The terms are the challenger's own, or a counter-offer of `countered_by`. `original_terms` are set if the terms
    have changed, and `changes` counts how often. `counters` is the open challenge that this one answers with other
    terms. `rematch_of` is the match after which it offers another one. `message` is its card, and `match` what it
    became when accepted. `key` is the interaction that made it. `version` counts all changes of any kind. `delay` is
    how much longer it stays open because the bot was down.
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
    countered_by: UserId | None = None
    original_terms: Terms | None = None
    changes: int = 0
    counters: ChallengeId | None = None
    rematch_of: MatchId | None = None
    message: MessageId | None = None
    match: MatchId | None = None
    version: int = 0
    key: IdempotencyKey | None = None
    delay: Millis = Millis(0)  # noqa: RUF009 - a number

    @property
    def expires(self) -> Millis:
        return Millis(self.made + LIFETIME[self.terms.control.speed] + self.delay)

    @property
    def pool(self) -> Pool | None:
        """The pool in which the match is rated, if it is: the one that the card has named.

        Its speed shows in how long the challenge stays open. So a match that began before the limit of live games was
        raised is rated as agreed.
        """
        pool, lifetime = self.terms.pool, self.expires - self.made
        return pool and replace(pool, speed=Speed.DAYS if lifetime >= LIFETIME[Speed.DAYS] else Speed.LIVE)

    @property
    def seats(self) -> int:
        return self.terms.game.seats

    @property
    def proposer(self) -> UserId:
        """The player whose terms are offered. The others have to agree."""
        return self.countered_by or self.challenger

    @property
    def free_seats(self) -> int:
        """How many more players may join. A seat is kept for the opponent."""
        kept = self.opponent is not None and self.opponent not in self.joined
        return self.seats - 1 - len(self.joined) - kept

    def awaits(self, user: UserId) -> bool:
        """Returns whether the challenge waits for the answer of `user` and no other player."""
        if self.state is not ChallengeState.OPEN or user == self.proposer:
            return False
        if self.countered_by is not None:
            return user == self.challenger
        return user == self.opponent and user not in self.joined

    def players(self, chance: random.Random) -> tuple[UserId, ...]:
        """Returns all players in the order of the seats."""
        if self.terms.order is Order.FIRST:
            return (self.challenger, *self.joined)
        if self.terms.order is Order.LAST:
            return (*self.joined, self.challenger)
        players = [self.challenger, *self.joined]
        chance.shuffle(players)
        return tuple(players)


def _next_version(challenge: Challenge) -> Challenge:
    return replace(challenge, version=challenge.version + 1)


def _check_open(challenge: Challenge, now: Millis, changes: int | None = None) -> None:
    if challenge.state is not ChallengeState.OPEN:
        raise Refused(Reason(f"challenge_{challenge.state}"))
    if now >= challenge.expires:
        raise Refused(Reason.CHALLENGE_EXPIRED)
    if changes not in (None, challenge.changes):
        raise Refused(Reason.CHALLENGE_CHANGED)


def accept(
    challenge: Challenge, user: UserId, now: Millis, *, changes: int | None = None, rating: float | None = None
) -> Challenge:
    """Accepts the terms, as they are after so many `changes`, for `user`. With the last seat the match may begin.

    `rating` is that of `user`, None for an unrated challenge. Raises Refused.
    """
    _check_open(challenge, now, changes)
    if user == challenge.proposer:
        raise Refused(Reason.OWN_CHALLENGE)
    if challenge.countered_by is not None:
        if user != challenge.challenger:
            raise Refused(Reason.NOT_YOUR_CHALLENGE, user=challenge.challenger)
        return _next_version(replace(challenge, joined=(challenge.countered_by,), state=ChallengeState.ACCEPTED))
    if user in challenge.joined:
        raise Refused(Reason.JOINED_ALREADY)
    if user != challenge.opponent:
        if not challenge.free_seats:
            raise Refused(Reason.NOT_YOUR_CHALLENGE, user=challenge.opponent or challenge.challenger)
        window = challenge.terms.window
        if window and rating is not None and not window.least <= rating <= window.most:
            raise Refused(Reason.OUTSIDE_WINDOW, least=window.least, most=window.most)
    joined = (*challenge.joined, user)
    full = len(joined) == challenge.seats - 1
    return _next_version(
        replace(challenge, joined=joined, state=ChallengeState.ACCEPTED if full else ChallengeState.OPEN)
    )


def leave(challenge: Challenge, user: UserId, now: Millis) -> Challenge:
    """Removes `user`, who had joined, before the match begins. Raises Refused."""
    _check_open(challenge, now)
    if user not in challenge.joined:
        raise Refused(Reason.NOT_JOINED)
    return _next_version(_without(challenge, user))


def decline(challenge: Challenge, user: UserId, now: Millis) -> Challenge:
    """Declines the challenge for its opponent, or withdraws it for its challenger. Raises Refused.

    With three or four seats, the seat of an opponent who declines is open to anyone.
    """
    _check_open(challenge, now)
    if user == challenge.challenger:
        return _next_version(replace(challenge, state=ChallengeState.WITHDRAWN))
    if challenge.opponent is None:
        raise Refused(Reason.OPEN_CHALLENGE_STAYS, user=challenge.challenger)
    if user != challenge.opponent:
        raise Refused(Reason.NOT_YOUR_CHALLENGE, user=challenge.opponent)
    if challenge.seats > 2:
        return _next_version(replace(_without(challenge, user), opponent=None))
    return _next_version(replace(challenge, state=ChallengeState.DECLINED))


def check_negotiable(challenge: Challenge, user: UserId, now: Millis, *, changes: int | None = None) -> None:
    """Raises Refused if `user` may not offer other terms."""
    _check_open(challenge, now, changes)
    if challenge.terms.game.opening is not None:
        raise Refused(Reason.FIXED_TERMS)
    if user != challenge.challenger and (challenge.opponent not in (None, user) or challenge.seats > 2):
        raise Refused(Reason.NOT_YOUR_TERMS, user=challenge.challenger)


def change(challenge: Challenge, user: UserId, terms: Terms, now: Millis, *, changes: int) -> Challenge:
    """Offers other `terms`, by the challenger or as a counter-offer of the opponent. All others have to agree again.

    Raises Refused.
    """
    check_negotiable(challenge, user, now, changes=changes)
    _check_different(challenge, terms)
    if challenge.changes >= MAX_CHANGES:
        raise Refused(Reason.TOO_MANY_CHANGES, count=MAX_CHANGES)
    first = challenge.original_terms or challenge.terms
    return _next_version(
        replace(
            challenge,
            terms=terms,
            joined=(),
            countered_by=None if user == challenge.challenger else user,
            original_terms=None if terms == first else first,
            changes=challenge.changes + 1,
        )
    )


def counter(
    challenge: Challenge, user: UserId, terms: Terms, now: Millis, *, changes: int, key: IdempotencyKey | None = None
) -> Challenge:
    """Returns a new challenge by which `user` answers an open one with other `terms`. Raises Refused."""
    check_negotiable(challenge, user, now, changes=changes)
    _check_different(challenge, terms)
    return Challenge(
        ChallengeId(0),
        challenge.guild,
        challenge.channel,
        user,
        challenge.challenger,
        replace(terms, window=None),
        made=now,
        original_terms=challenge.terms,
        counters=challenge.id,
        key=key,
    )


def _check_different(challenge: Challenge, terms: Terms) -> None:
    if terms.game.seats != challenge.seats:
        raise Refused(Reason.SEATS_STAY, count=challenge.seats)
    if terms == challenge.terms:
        raise Refused(Reason.NOTHING_CHANGED)


def withdraw(challenge: Challenge) -> Challenge:
    """Withdraws an open challenge without its challenger, and leaves any other as it is.

    They play on a counter-offer to it, or left the ladder or the server; its card is gone; or a moderator withdraws it.
    """
    if challenge.state is not ChallengeState.OPEN:
        return challenge
    return _next_version(replace(challenge, state=ChallengeState.WITHDRAWN))


def give_way(challenge: Challenge, user: UserId) -> Challenge:
    """Returns a challenge as it is when another live game of `user` has begun.

    A live one that they offer ends, and a seat of it that they have joined is free again. One that asks for their
    answer stays, since they answer when they like; so does one over days.
    """
    if challenge.state is not ChallengeState.OPEN or challenge.terms.control.speed is not Speed.LIVE:
        return challenge
    if user in (challenge.challenger, challenge.countered_by):
        return _next_version(replace(challenge, state=ChallengeState.OVERTAKEN))
    return _next_version(_without(challenge, user)) if user in challenge.joined else challenge


def _without(challenge: Challenge, user: UserId) -> Challenge:
    return replace(challenge, joined=tuple(other for other in challenge.joined if other != user))


def expire(challenge: Challenge, now: Millis) -> Challenge:
    """Expires the challenge if its time is over and no player has accepted it."""
    if challenge.state is ChallengeState.OPEN and now >= challenge.expires:
        return _next_version(replace(challenge, state=ChallengeState.EXPIRED))
    return challenge
