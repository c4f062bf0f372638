"""An offer to play, on its terms, until somebody takes it, refuses it or the time is over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from play.clock import TimeControl
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, Millis, UserId
from play.refused import Refused
from rules.game import AnyGame

LIFETIME = Millis(7 * 86_400_000)


@dataclass(frozen=True, slots=True)
class Terms:
    """What both sides agree to play."""

    game: AnyGame
    control: TimeControl


class ChallengeState(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Challenge:
    """`challenger` asks `opponent`, or anybody (None). `match` is what an accepted one became."""

    id: ChallengeId
    guild: GuildId | None
    channel: ChannelId
    challenger: UserId
    opponent: UserId | None
    terms: Terms
    made: Millis
    state: ChallengeState = ChallengeState.OPEN
    match: MatchId | None = None

    @property
    def expires(self) -> Millis:
        return Millis(self.made + LIFETIME)


def _open(challenge: Challenge, now: Millis) -> None:
    if challenge.state is not ChallengeState.OPEN:
        raise Refused(f"challenge_{challenge.state}")
    if now >= challenge.expires:
        raise Refused("challenge_expired")


def taken(challenge: Challenge, user: UserId, now: Millis) -> Challenge:
    """The challenge, accepted by `user`. Raises Refused."""
    _open(challenge, now)
    if user == challenge.challenger:
        raise Refused("own_challenge")
    if challenge.opponent not in (None, user):
        raise Refused("not_your_challenge", user=challenge.opponent or 0)
    return replace(challenge, opponent=user, state=ChallengeState.ACCEPTED)


def declined(challenge: Challenge, user: UserId, now: Millis) -> Challenge:
    """The challenge, turned down by the person asked or taken back by who made it. Raises Refused."""
    _open(challenge, now)
    if user == challenge.challenger:
        return replace(challenge, state=ChallengeState.WITHDRAWN)
    if challenge.opponent is None:
        raise Refused("open_challenge_stays", user=challenge.challenger)
    if user != challenge.opponent:
        raise Refused("not_your_challenge", user=challenge.opponent)
    return replace(challenge, state=ChallengeState.DECLINED)
