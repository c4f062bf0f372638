"""A server's ladder: a player who beats one above them takes that place."""

from collections.abc import Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import Speed
from play.ids import DAY, ChallengeId, ChannelId, GuildId, MessageId, Millis, UserId
from play.match.match import Match
from play.people.career import quitters
from play.posts import KeptPost, PostKey, PostKind
from play.refusal import Reason, Refused

MAX_STEP: Final = 5
"""How many places above their own players may challenge."""

MAX_PLAYERS: Final = 200
"""Players on a ladder."""

MAX_IDLE_MILLIS: Final = 60 * DAY
"""Milliseconds after which a player without a game of the ladder leaves it."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A place on a ladder. `played` is when its holder played their last game of the ladder, or joined."""

    user: UserId
    played: Millis


@dataclass(frozen=True, slots=True)
class Duel:
    """An undecided challenge for a place."""

    challenge: ChallengeId
    challenger: UserId
    defender: UserId


class DuelEnd(StrEnum):
    """How a duel was decided. The values name sentences of the catalogues (`ladder.news.<value>`) and are stored."""

    WON = "won"  # The challenger has won the game.
    LOST = "lost"  # The defender has won the game.
    DRAWN = "drawn"
    DECLINED = "declined"  # By the defender.
    UNANSWERED = "unanswered"  # The defender let the challenge expire.
    FORFEITED = "forfeited"  # The defender has abandoned the game.
    ABANDONED = "abandoned"  # The challenger has abandoned the game, or both have.

    @property
    def takes_place(self) -> bool:
        """Whether the challenger takes the place."""
        return self in (DuelEnd.WON, DuelEnd.DECLINED, DuelEnd.UNANSWERED, DuelEnd.FORFEITED)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder of a server, the best player first. Its games are played on `terms`.

    Its news and its standing are posted in `channel`; `message` is the standing. `version` counts the changes.
    Those who are `away` have left the server: they are passed over, and have their places again when they are back.
    """

    guild: GuildId
    channel: ChannelId
    terms: Terms
    rungs: tuple[Rung, ...] = ()
    duels: tuple[Duel, ...] = ()
    version: int = 0
    message: MessageId | None = None
    away: Set[UserId] = frozenset()

    @property
    def post(self) -> KeptPost:
        """Where it is kept."""
        return KeptPost(PostKey(PostKind.LADDER, self.guild), self.guild, self.channel, players=self.users)

    @property
    def users(self) -> tuple[UserId, ...]:
        return tuple(rung.user for rung in self.rungs)

    @property
    def present(self) -> tuple[UserId, ...]:
        """The players who are on the server, the best first."""
        return tuple(user for user in self.users if user not in self.away)

    @property
    def due(self) -> Millis | None:
        """When the next player leaves the ladder who has no duel, and plays no other game of it. None without one."""
        busy = {user for duel in self.duels for user in (duel.challenger, duel.defender)}
        last = [rung.played for rung in self.rungs if rung.user not in busy]
        return Millis(min(last) + MAX_IDLE_MILLIS + 1) if last else None

    def place(self, user: UserId) -> int:
        """Returns the place of `user`, from 1. Raises Refused (`ladder_not_on`)."""
        if user not in self.users:
            raise Refused(Reason.LADDER_NOT_ON, user=user)
        return sum(above not in self.away for above in self.users[: self.users.index(user)]) + 1

    def duel_of(self, user: UserId) -> Duel | None:
        """Returns the duel of `user`."""
        return next((duel for duel in self.duels if user in (duel.challenger, duel.defender)), None)


def change_terms(ladder: Ladder, terms: Terms) -> Ladder:
    """Changes the terms of all challenges to come. Raises Refused."""
    if terms.game.seats != 2:
        raise Refused(Reason.SEATS_STAY, count=2)
    return replace(ladder, terms=terms)


def move(ladder: Ladder, channel: ChannelId) -> Ladder:
    """Moves the ladder to another channel, with its news."""
    return replace(ladder, channel=channel, message=None)


def join(ladder: Ladder, user: UserId, now: Millis) -> Ladder:
    """Adds `user` at the lower end. Raises Refused."""
    if user in ladder.users:
        raise Refused(Reason.LADDER_ON_ALREADY)
    if len(ladder.rungs) == MAX_PLAYERS:
        raise Refused(Reason.LADDER_FULL, count=MAX_PLAYERS)
    return replace(ladder, rungs=(*ladder.rungs, Rung(user, now)))


def leave(ladder: Ladder, user: UserId) -> Ladder:
    """Removes `user` and their duel. Raises Refused."""
    ladder.place(user)
    duels = tuple(duel for duel in ladder.duels if user not in (duel.challenger, duel.defender))
    return replace(ladder, rungs=tuple(rung for rung in ladder.rungs if rung.user != user), duels=duels)


def add_duel(ladder: Ladder, user: UserId, opponent: UserId, challenge: ChallengeId) -> Ladder:
    """Adds a duel of `user` for the place of `opponent`. Raises Refused."""
    own, above = ladder.place(user), ladder.place(opponent)
    if opponent in ladder.away:
        raise Refused(Reason.LADDER_NOT_ON, user=opponent)
    if not own - MAX_STEP <= above < own:
        raise Refused(Reason.LADDER_REACH, count=MAX_STEP)
    for each in (user, opponent):
        if ladder.duel_of(each):
            raise Refused(Reason.LADDER_DUEL, user=each)
    return replace(ladder, duels=(*ladder.duels, Duel(challenge, user, opponent)))


def decide_duel(ladder: Ladder, duel: Duel, now: Millis, *, won: bool) -> Ladder:
    """Removes a decided duel. A challenger who has won takes the place, and the players between go down by one."""
    rungs = [replace(r, played=now) if r.user in (duel.challenger, duel.defender) else r for r in ladder.rungs]
    if won:
        own, above = (ladder.users.index(each) for each in (duel.challenger, duel.defender))
        if above < own:
            rungs.insert(above, rungs.pop(own))
    return replace(ladder, rungs=tuple(rungs), duels=tuple(each for each in ladder.duels if each != duel))


def drop_duel(ladder: Ladder, duel: Duel) -> Ladder:
    """Removes a duel that decided nothing."""
    return replace(ladder, duels=tuple(each for each in ladder.duels if each != duel))


def remove_idle(ladder: Ladder, now: Millis) -> Ladder:
    """Removes the players who have not played for long and have no duel."""
    rungs = tuple(rung for rung in ladder.rungs if now - rung.played <= MAX_IDLE_MILLIS or ladder.duel_of(rung.user))
    return ladder if len(rungs) == len(ladder.rungs) else replace(ladder, rungs=rungs)


def players_above(ladder: Ladder, user: UserId) -> tuple[UserId, ...]:
    """Returns the players whose places are within reach of `user`, the best first. Raises Refused."""
    own = ladder.place(user) - 1
    return ladder.present[max(0, own - MAX_STEP) : own]


def has_to_answer(terms: Terms) -> bool:
    """Returns whether a defender who declines a challenge on `terms`, or lets it expire, loses the place."""
    return terms.control.speed is Speed.DAYS


def judge_duel(duel: Duel, challenge: Challenge, match: Match | None) -> DuelEnd | None:
    """Returns how the duel was decided. None if it decides nothing: a game was annulled, a live one never
    began, or nobody could see the challenge."""
    if match is None:
        if challenge.message is None:
            return None
        ends = {ChallengeState.DECLINED: DuelEnd.DECLINED, ChallengeState.EXPIRED: DuelEnd.UNANSWERED}
        return ends.get(challenge.state) if has_to_answer(challenge.terms) else None
    assert match.outcome is not None, "the match is over"
    winners = {match.players[seat] for seat in match.outcome.winners}
    quit_by = {match.players[seat] for seat in quitters(match)}
    if quit_by:
        return DuelEnd.FORFEITED if quit_by == {duel.defender} else DuelEnd.ABANDONED
    if len(winners) == 1:
        return DuelEnd.WON if winners == {duel.challenger} else DuelEnd.LOST
    return DuelEnd.DRAWN if winners else None
