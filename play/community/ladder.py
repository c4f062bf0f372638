"""A server's ladder: whoever beats somebody above takes his place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import Speed
from play.ids import ChallengeId, ChannelId, GuildId, Millis, UserId
from play.match.match import Match
from play.people.career import quitters
from play.refusal import Reason, Refused

REACH: Final = 5
"""How many places above one may challenge."""

MOST: Final = 200
"""People on a ladder."""

IDLE: Final = 60 * 86_400_000
"""Whoever has played no game of the ladder for so long leaves it."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A place; `played` is when its holder played his last game of the ladder, or joined."""

    user: UserId
    played: Millis


@dataclass(frozen=True, slots=True)
class Duel:
    """A challenge for a place that is not decided."""

    challenge: ChallengeId
    challenger: UserId
    defender: UserId


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder of a server, the best first; its games are played on `terms`, and told of in `channel`."""

    guild: GuildId
    channel: ChannelId
    terms: Terms
    rungs: tuple[Rung, ...] = ()
    duels: tuple[Duel, ...] = ()
    version: int = 0

    @property
    def users(self) -> tuple[UserId, ...]:
        return tuple(rung.user for rung in self.rungs)

    def place(self, user: UserId) -> int:
        """From 1. Raises Refused (`ladder_not_on`)."""
        if user not in self.users:
            raise Refused(Reason.LADDER_NOT_ON, user=user)
        return self.users.index(user) + 1

    def duel_of(self, user: UserId) -> Duel | None:
        """The one in which `user` has part."""
        return next((duel for duel in self.duels if user in (duel.challenger, duel.defender)), None)


def joined(ladder: Ladder, user: UserId, now: Millis) -> Ladder:
    """With `user` at the foot. Raises Refused."""
    if user in ladder.users:
        raise Refused(Reason.LADDER_ON_ALREADY)
    if len(ladder.rungs) == MOST:
        raise Refused(Reason.LADDER_FULL, most=MOST)
    return replace(ladder, rungs=(*ladder.rungs, Rung(user, now)))


def left(ladder: Ladder, user: UserId) -> Ladder:
    """Without `user`; a duel of his decides nothing any more. Raises Refused."""
    ladder.place(user)
    duels = tuple(duel for duel in ladder.duels if user not in (duel.challenger, duel.defender))
    return replace(ladder, rungs=tuple(rung for rung in ladder.rungs if rung.user != user), duels=duels)


def dared(ladder: Ladder, user: UserId, opponent: UserId, challenge: ChallengeId) -> Ladder:
    """With a duel of `user` for the place of `opponent`. Raises Refused."""
    own, above = ladder.place(user), ladder.place(opponent)
    if not own - REACH <= above < own:
        raise Refused(Reason.LADDER_REACH, reach=REACH)
    for each in (user, opponent):
        if ladder.duel_of(each):
            raise Refused(Reason.LADDER_DUEL, user=each)
    return replace(ladder, duels=(*ladder.duels, Duel(challenge, user, opponent)))


def decided(ladder: Ladder, duel: Duel, now: Millis, *, won: bool) -> Ladder:
    """With the outcome of a duel: a challenger who has won takes the place, and those between go down by one."""
    rungs = [replace(r, played=now) if r.user in (duel.challenger, duel.defender) else r for r in ladder.rungs]
    if won:
        own, above = ladder.place(duel.challenger) - 1, ladder.place(duel.defender) - 1
        if above < own:
            rungs.insert(above, rungs.pop(own))
    return replace(ladder, rungs=tuple(rungs), duels=tuple(each for each in ladder.duels if each != duel))


def dropped(ladder: Ladder, duel: Duel) -> Ladder:
    """Without a duel of which nothing came."""
    return replace(ladder, duels=tuple(each for each in ladder.duels if each != duel))


def awake(ladder: Ladder, now: Millis) -> Ladder:
    """Without those who have not played for long, and have no duel."""
    rungs = tuple(rung for rung in ladder.rungs if now - rung.played <= IDLE or ladder.duel_of(rung.user))
    return ladder if len(rungs) == len(ladder.rungs) else replace(ladder, rungs=rungs)


def outcome(duel: Duel, challenge: Challenge, match: Match | None) -> bool | None:
    """Whether the challenger has won; None if the duel decides nothing. A draw keeps the place, as does a game that the
    challenger lets come to nothing. Whoever turns a game by the day down, or lets its challenge pass, has lost."""
    if match is None:
        refused = challenge.state in (ChallengeState.DECLINED, ChallengeState.EXPIRED)
        return True if refused and challenge.terms.control.speed is Speed.DAYS else None
    assert match.outcome is not None, "it is over"
    winners = {match.players[seat] for seat in match.outcome.winners}
    fled = {match.players[seat] for seat in quitters(match)}
    if not winners and not fled:
        return None
    return winners == {duel.challenger} or fled == {duel.defender}


class LadderReader(Protocol):
    """What the ladders' part of a store answers."""

    async def ladder(self, guild: GuildId) -> Ladder | None: ...

    async def ladders_of(self, user: UserId) -> list[GuildId]:
        """The servers on whose ladders somebody is."""

    async def decided_duels(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        """Duels whose match, or whose challenge, is over."""


class LadderWriter(LadderReader, Protocol):
    """What a transaction can do with ladders."""

    async def add_ladder(self, ladder: Ladder) -> None:
        """Stores a new one. Raises Stale if the server has one."""

    async def save_ladder(self, ladder: Ladder) -> Ladder:
        """Stores what became of a ladder, as its next version. Raises Stale if something else has happened."""
