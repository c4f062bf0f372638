"""A tournament: a frozen value, who signs up for it and withdraws from it, and how it is given up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from play.challenge.terms import Terms
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, SourceId, UserId
from play.refusal import Reason, Refused
from play.tournaments.standings import Score, Standing, standings

TournamentId = NewType("TournamentId", int)

FEWEST, MOST = 3, 64
"""Players. More than 64 would hold a channel's attention for weeks, and its pairings the computer for seconds."""

WON, LOST, FORFEITED = (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)


class Format(StrEnum):
    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCK_OUT = "knock-out"


class Stage(StrEnum):
    SIGN_UP = "sign-up"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who plays; `rating` is what he is seeded by; `left` says in which round he withdrew."""

    user: UserId
    rating: float
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Bout:
    """A pair of a round: its present match, and the points of both once it is decided. Without `second`, a free
    round. `replays` counts the drawn games before the present one."""

    round: int
    first: UserId
    second: UserId | None
    match: MatchId | None = None
    points: tuple[float, float] | None = None
    replays: int = 0

    def opponent(self, user: UserId) -> UserId | None:
        """Whom `user` meets in it; None if nobody, or if he does not play in it."""
        return {self.first: self.second, self.second: self.first}.get(user)

    def without(self, gone: Collection[UserId]) -> Bout:
        """The bout as it is decided already where somebody has `gone`, or has a free round."""
        missed = self.second is None or self.second in gone
        if self.first in gone:
            return replace(self, points=FORFEITED if missed else LOST)
        return replace(self, points=WON) if missed else self


@dataclass(frozen=True, slots=True)
class Tournament:
    """`rounds` is how many a Swiss one has; `pace` is the time for a round, None for as long as its clocks allow;
    `until` is when the present round ends. `message` shows pairs and standings. `source` is the interaction that made
    it."""

    id: TournamentId
    guild: GuildId
    channel: ChannelId
    host: UserId
    name: str
    format: Format
    terms: Terms
    made: Millis
    rounds: int
    pace: Millis | None = None
    stage: Stage = Stage.SIGN_UP
    entrants: tuple[Entrant, ...] = ()
    bouts: tuple[Bout, ...] = ()
    until: Millis | None = None
    message: MessageId | None = None
    version: int = 0
    source: SourceId | None = None

    @property
    def round(self) -> int:
        """The present round, from 1; 0 before the first."""
        return self.bouts[-1].round if self.bouts else 0

    @property
    def present(self) -> tuple[Bout, ...]:
        """The pairs of the present round."""
        return tuple(bout for bout in self.bouts if bout.round == self.round)

    @property
    def users(self) -> tuple[UserId, ...]:
        """Everybody who signed up; once it has begun, the best seed first."""
        return tuple(entrant.user for entrant in self.entrants)

    @property
    def playing(self) -> tuple[UserId, ...]:
        """Those who have not withdrawn."""
        return tuple(entrant.user for entrant in self.entrants if entrant.left is None)

    @property
    def table(self) -> list[Standing]:
        """The standings after what is decided."""
        scores = [Score(bout.first, bout.second, bout.points) for bout in self.bouts if bout.points]
        return standings(self.users, scores, swiss=self.format is Format.SWISS)

    def require(self, stage: Stage) -> None:
        """Raises Refused (`tournament_over`, `tournament_is_` and its stage) in any other stage."""
        if self.stage is not stage:
            over = self.stage in (Stage.ENDED, Stage.CANCELLED)
            raise Refused(Reason.TOURNAMENT_OVER if over else Reason(f"tournament_is_{self.stage.name.lower()}"))


def signed_up(tournament: Tournament, user: UserId) -> Tournament:
    """With `user` among the players. Raises Refused."""
    tournament.require(Stage.SIGN_UP)
    if user in tournament.users:
        raise Refused(Reason.TOURNAMENT_SIGNED_UP)
    if len(tournament.entrants) == MOST:
        raise Refused(Reason.TOURNAMENT_FULL, most=MOST)
    return replace(tournament, entrants=(*tournament.entrants, Entrant(user, 0)))


def withdrawn(tournament: Tournament, user: UserId) -> Tournament:
    """Without `user`: not signed up any longer or, once it runs, out of all rounds to come; his undecided game is
    lost. Raises Refused."""
    if user not in tournament.playing:
        raise Refused(Reason.TOURNAMENT_NOT_IN)
    if tournament.stage is Stage.SIGN_UP:
        return replace(tournament, entrants=tuple(e for e in tournament.entrants if e.user != user))
    tournament.require(Stage.RUNNING)
    entrants = tuple(replace(e, left=tournament.round) if e.user == user else e for e in tournament.entrants)
    bouts = tuple(bout.without({user}) if bout.points is None else bout for bout in tournament.bouts)
    return replace(tournament, entrants=entrants, bouts=bouts)


def cancelled(tournament: Tournament) -> Tournament:
    """Given up by its host. Raises Refused."""
    if tournament.stage in (Stage.ENDED, Stage.CANCELLED):
        raise Refused(Reason.TOURNAMENT_OVER)
    return replace(tournament, stage=Stage.CANCELLED, until=None)
