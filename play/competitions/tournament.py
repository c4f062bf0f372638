"""A tournament as a frozen value: signing up, withdrawing and cancelling."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from play.challenge.terms import Terms
from play.clock import Blitz, PerMove, Speed
from play.clock.schedule import Span
from play.competitions.standings import Score, Standing, TieBreak, standings
from play.ids import DAY, HOUR, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId, is_person
from play.match.points import FORFEITED, LOST, WON
from play.posts import KeptPost, PostKey, PostKind
from play.refusal import Reason, Refused

TournamentId = NewType("TournamentId", int)

MIN_PLAYERS, MAX_PLAYERS = 3, 64
"""Players. More than 64 would fill a channel for weeks, and their pairings would take seconds to compute."""

MAX_BOARDS = 20
"""Boards of an exhibition: about as many as one player can look after for weeks."""

REMINDER_MILLIS = HOUR
"""From the reminder that a tournament begins to its beginning."""

POSTPONEMENT_MILLIS = DAY
"""A tournament that lacks players begins so much later."""

LAST_PART = 4
"""Players are reminded of a round's end when a quarter of its time is left."""


class Format(StrEnum):
    """`EXHIBITION`: the host plays all who sign up, at once. `DOUBLE_ELIMINATION`: a knock-out in which the second
    defeat is the last."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCK_OUT = "knock-out"
    DOUBLE_ELIMINATION = "double-elimination"
    EXHIBITION = "exhibition"

    @property
    def eliminates(self) -> bool:
        """Whether players who lose are out: there are no draws, and no seat for the computer."""
        return self in (Format.KNOCK_OUT, Format.DOUBLE_ELIMINATION)


TIE_BREAKS = {
    Format.ROUND_ROBIN: (TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
    Format.SWISS: (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
    Format.KNOCK_OUT: (),
    Format.DOUBLE_ELIMINATION: (),
    Format.EXHIBITION: (),
}
"""The tie-breaks of each format. In a knock-out, players who were out in the same round share a place: each
point is a round that they did not lose. In an exhibition all but the host have played one game."""


class Stage(StrEnum):
    SIGN_UP = "sign-up"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


class NoticeKind(StrEnum):
    """What the channel is told by a message of its own."""

    SOON = "soon"  # It begins soon.
    POSTPONED = "postponed"  # Players lack; it begins a day later.
    TOO_FEW = "too-few"  # Players lack once more; it is cancelled.
    TERMS = "terms"  # Its terms have changed after players signed up.
    ROUND = "round"  # A round has begun.
    LATE = "late"  # The round ends soon, and players have not moved.
    ENDED = "ended"  # It has ended.


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice, and the version of the tournament that brought it."""

    kind: NoticeKind
    version: int


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament. `rating` decides their seed. `left_in_round` is that in which they left."""

    user: UserId
    rating: float
    left_in_round: int | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pair of a round, with its present match, and the points of both once it is decided.

    Without `second` it is a bye, or a game against the computer. `replays` counts the drawn games before the present
    one. `unplayed` is one that was decided without a game: a player was gone, did not show up, or cancelled it.
    """

    round: int
    first: UserId
    second: UserId | None
    match: MatchId | None = None
    points: tuple[float, float] | None = None
    replays: int = 0
    unplayed: bool = False

    @property
    def is_bye(self) -> bool:
        """Whether the player has a free round."""
        return self.second is None and self.match is None and self.points is not None

    def opponent(self, user: UserId) -> UserId | None:
        """Returns the opponent of `user`. None in a free round, or if `user` is not in this pair."""
        return {self.first: self.second, self.second: self.first}.get(user)

    def forfeit(self, gone: Collection[UserId]) -> Pairing:
        """Returns the pair, decided if a player has `gone`."""
        if self.first in gone:
            points = FORFEITED if self.second is None or self.second in gone else LOST
        elif self.second in gone:
            points = WON
        else:
            return self
        return replace(self, points=points, unplayed=self.match is None)


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """A tournament in a list, without its pairs. `players` are how many have signed up."""

    id: TournamentId
    channel: ChannelId
    name: str
    format: Format
    stage: Stage
    made: Millis
    players: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament of one server.

    `rounds` is the number of rounds of a Swiss one. `pace` is the time for a round, None for as long as the clocks
    allow, and `round_ends` is when the present round ends, None until its games are posted. `message` shows pairs and
    standings. `key` is the interaction that made it. `begins` is when it begins by itself; it is `postponed` once, a
    day, if players lack. The players are `reminded` once of the beginning, and of the end of each round. `computer`
    is the level of the computer that plays the player with a free round. `notices` tell the channel what happened;
    those up to the version `announced` are posted.
    """

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
    pairings: tuple[Pairing, ...] = ()
    round_ends: Millis | None = None
    message: MessageId | None = None
    version: int = 0
    key: IdempotencyKey | None = None
    begins: Millis | None = None
    postponed: bool = False
    reminded: bool = False
    computer: int | None = None
    notices: tuple[Notice, ...] = ()
    announced: int = 0

    @property
    def post(self) -> KeptPost:
        """Where it is kept."""
        key = PostKey(PostKind.TOURNAMENT, self.id)
        return KeptPost(key, self.guild, self.channel, self.host, self.name, self.playing, is_over=not self.is_open)

    @property
    def is_open(self) -> bool:
        """Whether it takes players, or goes on."""
        return self.stage in (Stage.SIGN_UP, Stage.RUNNING)

    @property
    def due(self) -> Millis | None:
        """When it begins or its round ends, or when its players are reminded of that. None if time alone changes
        nothing."""
        if self.stage is Stage.SIGN_UP and self.begins is not None:
            return self.begins if self.reminded else Millis(self.begins - REMINDER_MILLIS)
        if self.stage is Stage.RUNNING and self.round_ends is not None and self.pace is not None:
            return self.round_ends if self.reminded else Millis(self.round_ends - self.pace // LAST_PART)
        return None

    @property
    def awaits_boards(self) -> bool:
        """Whether the time of the present round begins once its games are posted."""
        return self.stage is Stage.RUNNING and self.pace is not None and self.round_ends is None

    @property
    def pending_notices(self) -> tuple[Notice, ...]:
        """The notices that are still to be posted, the oldest first."""
        return tuple(notice for notice in self.notices if notice.version > self.announced)

    @property
    def round(self) -> int:
        """The present round, from 1; 0 before the first."""
        return self.pairings[-1].round if self.pairings else 0

    @property
    def current_pairings(self) -> tuple[Pairing, ...]:
        """The pairs of the present round."""
        return tuple(pair for pair in self.pairings if pair.round == self.round)

    @property
    def users(self) -> tuple[UserId, ...]:
        """All players who signed up. Once it has begun, the best seed comes first."""
        return tuple(entrant.user for entrant in self.entrants)

    @property
    def playing(self) -> tuple[UserId, ...]:
        """The players who have not left."""
        return tuple(entrant.user for entrant in self.entrants if entrant.left_in_round is None)

    @property
    def gone(self) -> frozenset[UserId]:
        """The players who have left: withdrawn, or excluded by a ban."""
        return frozenset(self.users) - frozenset(self.playing)

    @property
    def table(self) -> list[Standing]:
        """The standings by the decided pairs. Those who left stand last, but not in a knock-out: they lost."""
        scores = [Score(pair.first, pair.second, pair.points, pair.unplayed) for pair in self.pairings if pair.points]
        return standings(self.users, scores, TIE_BREAKS[self.format], () if self.format.eliminates else self.gone)

    @property
    def max_players(self) -> int:
        """How many may sign up."""
        return MAX_BOARDS if self.format is Format.EXHIBITION else MAX_PLAYERS

    @property
    def lacks_players(self) -> bool:
        """Whether it cannot begin: too few have signed up, or the host of an exhibition has deleted their data."""
        without_host = self.format is Format.EXHIBITION and not is_person(self.host)
        return without_host or len(self.entrants) < MIN_PLAYERS

    @property
    def winners(self) -> tuple[UserId, ...]:
        """The players in the first place, as far as they have points."""
        return tuple(row.user for row in self.table if row.place == 1 and row.points > 0)

    def with_notice(self, kind: NoticeKind) -> Tournament:
        """Returns the tournament with a notice of its next version.

        It replaces an older one of the same kind. A new round or the end outdates all that the channel was not told.
        """
        outdated = set(NoticeKind) if kind in (NoticeKind.ROUND, NoticeKind.ENDED) else {kind}
        kept = tuple(notice for notice in self.pending_notices if notice.kind not in outdated)
        return replace(self, notices=(*kept, Notice(kind, self.version + 1)))

    def prolonged(self, downtime: Span) -> Tournament:
        """Returns the tournament with a present round that ends later by a downtime, in which nobody could play."""
        if self.round_ends is None or self.round_ends <= downtime.start:
            return self
        return replace(self, round_ends=Millis(self.round_ends + downtime.millis))

    def require(self, stage: Stage) -> None:
        """Raises Refused in any other stage: `tournament_over`, or `tournament_is_` and the present stage."""
        if self.stage is not stage:
            is_stage = Reason(f"tournament_is_{self.stage.name.lower()}") if self.is_open else Reason.TOURNAMENT_OVER
            raise Refused(is_stage)


def sign_up(tournament: Tournament, user: UserId) -> Tournament:
    """Adds `user` to the players. Raises Refused."""
    tournament.require(Stage.SIGN_UP)
    if user in tournament.users or (tournament.format is Format.EXHIBITION and user == tournament.host):
        raise Refused(Reason.TOURNAMENT_SIGNED_UP)
    if len(tournament.entrants) == tournament.max_players:
        raise Refused(Reason.TOURNAMENT_FULL, most=tournament.max_players)
    return replace(tournament, entrants=(*tournament.entrants, Entrant(user, 0)))


def check_terms(format: Format, terms: Terms) -> None:  # noqa: A002 - as the tournament's field
    """Raises Refused unless a tournament of this format can have such terms: `tournament_of_two`, `exhibition_clock`.

    The host of an exhibition needs more time than the others, which one for each move does not give.
    """
    if terms.game.seats != 2:
        raise Refused(Reason.TOURNAMENT_OF_TWO)
    control = terms.control
    if format is Format.EXHIBITION and control.speed is Speed.LIVE and isinstance(control, PerMove | Blitz):
        raise Refused(Reason.EXHIBITION_CLOCK)


def change_terms(tournament: Tournament, terms: Terms) -> Tournament:
    """Changes the terms of all games, before the first one. Raises Refused."""
    tournament.require(Stage.SIGN_UP)
    check_terms(tournament.format, terms)
    changed = replace(tournament, terms=terms)
    return changed.with_notice(NoticeKind.TERMS) if tournament.entrants and terms != tournament.terms else changed


def withdraw(tournament: Tournament, user: UserId) -> Tournament:
    """Removes `user`: before the start from the list, later from all rounds to come. Their undecided game is lost.

    Raises Refused.
    """
    left = exclude(tournament, user)
    pairings = tuple(pair.forfeit({user}) if pair.points is None else pair for pair in left.pairings)
    return replace(left, pairings=pairings)


def exclude(tournament: Tournament, user: UserId) -> Tournament:
    """Removes `user` as `withdraw` does, but a game that they play already goes on and counts. Raises Refused."""
    if user not in tournament.playing:
        raise Refused(Reason.TOURNAMENT_NOT_IN)
    if tournament.stage is Stage.SIGN_UP:
        return replace(tournament, entrants=tuple(e for e in tournament.entrants if e.user != user))
    tournament.require(Stage.RUNNING)
    entrants = tuple(replace(e, left_in_round=tournament.round) if e.user == user else e for e in tournament.entrants)
    pairings = tuple(
        pair.forfeit({user}) if pair.points is None and pair.match is None else pair for pair in tournament.pairings
    )
    return replace(tournament, entrants=entrants, pairings=pairings)


def move(tournament: Tournament, channel: ChannelId) -> Tournament:
    """Lets a tournament go on in another channel. Raises Refused (`tournament_over`)."""
    if not tournament.is_open:
        raise Refused(Reason.TOURNAMENT_OVER)
    return replace(tournament, channel=channel, message=None)


def cancel(tournament: Tournament) -> Tournament:
    """Cancels the tournament for its host. Raises Refused."""
    if not tournament.is_open:
        raise Refused(Reason.TOURNAMENT_OVER)
    return replace(tournament, stage=Stage.CANCELLED, round_ends=None, notices=())
