"""A tournament from its sign-up to its last round: a frozen value, and what can happen to it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from play.challenge import Terms
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.refused import Refused
from play.tournaments import pairing
from play.tournaments.pairing import NoPairing, Pair, Record
from play.tournaments.standings import Score, Standing, standings

TournamentId = NewType("TournamentId", int)

FEWEST, MOST = 3, 64
"""Players. More than 64 would hold a channel's attention for weeks, and its pairings the computer for seconds."""

REPLAYS = 2
"""How often a drawn game of a knock-out is played again, with the first move changed; then the better seed goes on."""

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


@dataclass(frozen=True, slots=True)
class Tournament:
    """`rounds` is how many a Swiss one has; `pace` is the time for a round, None for as long as its clocks allow;
    `until` is when the present round ends. `message` shows pairs and standings."""

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


def signed_up(tournament: Tournament, user: UserId) -> Tournament:
    """With `user` among the players. Raises Refused."""
    _in(tournament, Stage.SIGN_UP)
    if user in tournament.users:
        raise Refused("tournament_signed_up")
    if len(tournament.entrants) == MOST:
        raise Refused("tournament_full", most=MOST)
    return replace(tournament, entrants=(*tournament.entrants, Entrant(user, 0)))


def withdrawn(tournament: Tournament, user: UserId) -> Tournament:
    """Without `user`: not signed up any longer or, once it runs, out of all rounds to come; his undecided game is
    lost. Raises Refused."""
    if user not in tournament.playing:
        raise Refused("tournament_not_in")
    if tournament.stage is Stage.SIGN_UP:
        return replace(tournament, entrants=tuple(e for e in tournament.entrants if e.user != user))
    _in(tournament, Stage.RUNNING)
    entrants = tuple(replace(e, left=tournament.round) if e.user == user else e for e in tournament.entrants)
    bouts = tuple(_forfeited(bout, {user}) if bout.points is None else bout for bout in tournament.bouts)
    return replace(tournament, entrants=entrants, bouts=bouts)


def cancelled(tournament: Tournament) -> Tournament:
    """Given up by its host. Raises Refused."""
    if tournament.stage in (Stage.ENDED, Stage.CANCELLED):
        raise Refused("tournament_over")
    return replace(tournament, stage=Stage.CANCELLED, until=None)


def begun(tournament: Tournament, ratings: Mapping[UserId, float], seed: int, now: Millis) -> Tournament:
    """With the first round paired: seeded by rating, equals by lot. Raises Refused."""
    _in(tournament, Stage.SIGN_UP)
    if len(tournament.entrants) < FEWEST:
        raise Refused("tournament_too_few", least=FEWEST)
    entrants = [Entrant(user, ratings[user]) for user in tournament.users]
    random.Random(seed).shuffle(entrants)  # noqa: S311 - a lot among equals
    entrants.sort(key=lambda entrant: -entrant.rating)
    seeded = replace(tournament, stage=Stage.RUNNING, entrants=tuple(entrants))
    return _paired(seeded, now)


def opened(tournament: Tournament, bout: Bout, match: MatchId) -> Tournament:
    """With the match in which `bout` is played."""
    return _with(tournament, bout, replace(bout, match=match))


def scored(tournament: Tournament, bout: Bout, points: tuple[float, float]) -> Tournament:
    """With the result of a game: it decides its bout, but a draw of a knock-out is played again first."""
    if tournament.format is Format.KNOCK_OUT and points[0] == points[1]:
        if bout.replays < REPLAYS and bout.second is not None and points != FORFEITED:
            again = Bout(bout.round, bout.second, bout.first, replays=bout.replays + 1)
            return _with(tournament, bout, again)
        points = WON if _seed(tournament, bout.first) < _seed(tournament, bout.second) else LOST
    return _with(tournament, bout, replace(bout, points=points))


def advanced(tournament: Tournament, now: Millis) -> Tournament:
    """In the next round, or ended, if all pairs of the present one are decided; the same tournament if not."""
    if tournament.stage is not Stage.RUNNING or any(bout.points is None for bout in tournament.present):
        return tournament
    return _paired(tournament, now)


def _paired(tournament: Tournament, now: Millis) -> Tournament:
    pairs = _pairs(tournament)
    if not pairs:
        return replace(tournament, stage=Stage.ENDED, until=None)
    gone = set(tournament.users) - set(tournament.playing)
    bouts = [_forfeited(Bout(tournament.round + 1, *pair), gone) for pair in pairs]
    until = None if tournament.pace is None else Millis(now + tournament.pace)
    return advanced(replace(tournament, bouts=(*tournament.bouts, *bouts), until=until), now)


def _pairs(tournament: Tournament) -> list[Pair]:
    """The next round; empty when there is none."""
    match tournament.format:
        case Format.ROUND_ROBIN:
            rounds = pairing.round_robin(tournament.users)
            over = len(tournament.playing) < 2 or tournament.round == len(rounds)
            return [] if over else rounds[tournament.round]
        case Format.KNOCK_OUT:
            if not tournament.bouts:
                return pairing.bracket(tournament.users)
            return [] if len(tournament.present) == 1 else pairing.advanced([*map(_winner, tournament.present)])
        case Format.SWISS:
            if tournament.round == tournament.rounds or len(tournament.playing) < 2:
                return []
            try:
                return pairing.swiss(_records(tournament))
            except NoPairing:
                return []


def _records(tournament: Tournament) -> list[Record]:
    bouts = tournament.bouts
    return [
        Record(
            user=row.user,
            points=row.points,
            firsts=sum(bout.first == row.user for bout in bouts if bout.second is not None),
            met=frozenset(other for bout in bouts if (other := bout.opponent(row.user)) is not None),
            had_free_round=any(bout.first == row.user and bout.second is None for bout in bouts),
        )
        for row in tournament.table
        if row.user in tournament.playing
    ]


def _forfeited(bout: Bout, gone: set[UserId]) -> Bout:
    """The bout as it is decided already where somebody has gone, or has a free round."""
    if bout.first in gone:
        return replace(bout, points=FORFEITED if bout.second is None or bout.second in gone else LOST)
    if bout.second is None or bout.second in gone:
        return replace(bout, points=WON)
    return bout


def _winner(bout: Bout) -> UserId:
    """Who goes on; of two who have both gone the first keeps the place in the bracket, and loses in the next round."""
    assert bout.points is not None, "the round is over"
    return bout.second if bout.second is not None and bout.points[1] > bout.points[0] else bout.first


def _seed(tournament: Tournament, user: UserId | None) -> int:
    return len(tournament.users) if user is None else tournament.users.index(user)


def _with(tournament: Tournament, bout: Bout, changed: Bout) -> Tournament:
    return replace(tournament, bouts=tuple(changed if each == bout else each for each in tournament.bouts))


def _in(tournament: Tournament, stage: Stage) -> None:
    if tournament.stage is not stage:
        over = tournament.stage in (Stage.ENDED, Stage.CANCELLED)
        raise Refused("tournament_over" if over else f"tournament_is_{tournament.stage.name.lower()}")
