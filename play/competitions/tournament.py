"""A tournament as a frozen value."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil, log2
from typing import Final, NewType

from play.challenge.terms import Terms
from play.clock import MAX_DURATION, Speed, TimeControl
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

WEEK: Final = Millis(7 * DAY)
"""The time of a round without another wish."""

EXHIBITION_WEEKS = 4
"""The only round of an exhibition gives its host so many times a week: they play on all boards."""

MAX_REPLAYS = 2
"""How often a drawn game of a knock-out is repeated, with sides changed. After that the better seed goes on."""

MISSED_ROUND = 0.5
"""Points for each round that a player missed who has entered late."""

MIN_TURNS = 2
"""Turns of the longest kind that a round has room for, at least."""


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


def usual_pace(format: Format, control: TimeControl) -> Millis | None:  # noqa: A002 - as the tournament's field
    """Returns the time of a round without another wish: a week, or what games of longer turns need. A live clock ends
    each game within a day, so it needs none."""
    if control.speed is Speed.LIVE:
        return None
    weeks = EXHIBITION_WEEKS if format is Format.EXHIBITION else 1
    return min(MAX_DURATION, max(Millis(weeks * WEEK), Millis(MIN_TURNS * control.start)))


def rounds_for(format: Format, players: int) -> int:  # noqa: A002 - as the tournament's field
    """Returns how many rounds so many players need: of a Swiss system without another wish, one more than a knock-out
    has; of two lives at most so many (docs/decisions/tournaments-and-ladder.md#0285)."""
    lives = ceil(log2(max(players, MIN_PLAYERS)))
    all_meet = players - 1 + players % 2
    match format:
        case Format.ROUND_ROBIN:
            return all_meet
        case Format.SWISS:
            return min(lives + 1, all_meet)
        case Format.KNOCK_OUT:
            return lives
        case Format.DOUBLE_ELIMINATION:
            return ceil(1.5 * lives) + 2
        case Format.EXHIBITION:
            return 1


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
    CHANGED = "changed"  # Its host has changed something after players signed up.
    ROUND = "round"  # A round has begun.
    LATE = "late"  # The round ends soon, and players have not moved.
    ENDED = "ended"  # It has ended.


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice, and the version of the tournament that brought it. `what` are the fields that have changed."""

    kind: NoticeKind
    version: int
    what: tuple[str, ...] = ()


class Attendance(StrEnum):
    HERE = "here"  # They have said so in the hour before it begins.
    AWAY = "away"  # They have left the server, or were not there at the beginning: they may come back.


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament. `rating` decides their seed.

    `left_in_round` is that in which they left: 0 if they were not there at the beginning. Who enters late plays from
    `joined_in_round` on.
    """

    user: UserId
    rating: float
    left_in_round: int | None = None
    joined_in_round: int | None = None
    attendance: Attendance | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pair of a round, with its present match, and the points of both once it is decided.

    Without `second` it is a bye, or a game against the computer. `replays` counts the drawn games before the present
    one; of a pair that its seeds decided, that as well. `unplayed` is one that was decided without a game: a player was
    gone, did not show up, or cancelled it.
    """

    round: int
    first: UserId
    second: UserId | None
    match: MatchId | None = None
    points: tuple[float, float] | None = None
    replays: int = 0
    unplayed: bool = False

    @property
    def is_seeded(self) -> bool:
        """Whether the better seed has gone on, after the last draw or where nobody came."""
        return self.replays > MAX_REPLAYS

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
    """A tournament in a list, without its pairs. `players` are how many have signed up; `ended` and `message` are those
    of the tournament."""

    id: TournamentId
    channel: ChannelId
    name: str
    format: Format
    stage: Stage
    made: Millis
    players: int
    message: MessageId | None = None
    ended: Millis | None = None


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament of one server.

    `rounds` is the number of rounds of a Swiss one; 0 until it begins for as many as its players need. `pace` is the
    time for a round, None for as long as the clocks allow, and `round_ends` is when the present round ends, None until
    its games are posted. `message` shows pairs and standings. `key` is the interaction that made it. `begins` is when
    it begins by itself; it is `postponed` once, a day, if players lack. The players are `reminded` once of the
    beginning, and of the end of each round. `computer` is the level of the computer that plays the player with a free
    round. `notices` tell the channel what happened; those up to the version `announced` are posted. With `check_in`,
    players say within the last hour that they are there. `wishes` are pairs of the next round that the host has made.
    `too_few` players are why it was cancelled. `ended` is when its last round was over.
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
    check_in: bool = False
    wishes: tuple[tuple[UserId, UserId], ...] = ()
    too_few: bool = False
    ended: Millis | None = None

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
        """All players who signed up, without those who were not there at the beginning. Once it has begun, the best
        seed comes first, and who entered late last."""
        return tuple(entrant.user for entrant in self.entrants if entrant.left_in_round != 0)

    @property
    def playing(self) -> tuple[UserId, ...]:
        """The players who have not left."""
        return tuple(entrant.user for entrant in self.entrants if entrant.left_in_round is None)

    @property
    def gone(self) -> frozenset[UserId]:
        """The players who have left: withdrawn, or excluded by a ban."""
        return frozenset(self.users) - frozenset(self.playing)

    @property
    def absent(self) -> tuple[UserId, ...]:
        """The players who were not there at the beginning, and have not come since."""
        return tuple(entrant.user for entrant in self.entrants if entrant.left_in_round == 0)

    @property
    def left_server(self) -> tuple[UserId, ...]:
        """The players who were passed over before this round, since they had left the server."""
        gone = (each for each in self.entrants if each.attendance is Attendance.AWAY)
        return tuple(each.user for each in gone if each.left_in_round == self.round - 1 > 0)

    @property
    def entry_round(self) -> int | None:
        """The first round of a player who signs up now; None if that is not possible any more. A Swiss system takes
        players until half of its rounds."""
        if self.stage is Stage.SIGN_UP:
            return 1
        is_late = self.stage is Stage.RUNNING and self.format is Format.SWISS and self.round <= self.rounds // 2
        return self.round + 1 if is_late else None

    @property
    def late_entrants(self) -> dict[UserId, int]:
        """The round from which on each player plays who has entered late."""
        return {each.user: each.joined_in_round for each in self.entrants if each.joined_in_round is not None}

    def missed_rounds(self, user: UserId) -> int:
        """Returns how many rounds a player missed who has entered late: each is worth half a point."""
        played = {pair.round for pair in self.pairings if user in (pair.first, pair.second)}
        return len(set(range(1, self.late_entrants.get(user, 1))) - played)

    @property
    def is_checking_in(self) -> bool:
        """Whether players say now that they are there."""
        return self.check_in and self.stage is Stage.SIGN_UP and self.reminded

    @property
    def here(self) -> tuple[UserId, ...]:
        """The players who are to be paired in the first round: those who said that they are there, where they have
        to."""
        return tuple(each.user for each in self.entrants if not self.check_in or each.attendance is Attendance.HERE)

    @property
    def has_results(self) -> bool:
        """Whether a game of two is decided: before that, standings say nothing."""
        return any(pair.points is not None and pair.second is not None for pair in self.pairings)

    @property
    def table(self) -> list[Standing]:
        """The standings by the decided pairs. Those who left stand last, but not in a knock-out: they lost."""
        scores = [Score(pair.first, pair.second, pair.points, pair.unplayed) for pair in self.pairings if pair.points]
        given = {user: MISSED_ROUND * self.missed_rounds(user) for user in self.late_entrants}
        gone = () if self.format.eliminates else self.gone
        return standings(self.users, scores, TIE_BREAKS[self.format], gone, given)

    @property
    def max_players(self) -> int:
        """How many may sign up."""
        return MAX_BOARDS if self.format is Format.EXHIBITION else MAX_PLAYERS

    @property
    def planned_rounds(self) -> int:
        """How many rounds it has, or would have with those who have signed up."""
        players = max(len(self.users), MIN_PLAYERS)
        wanted = self.rounds if self.format is Format.SWISS else 0
        return wanted or rounds_for(self.format, players)

    @property
    def lacks_players(self) -> bool:
        """Whether it cannot begin: too few have signed up, or the host of an exhibition has deleted their data."""
        without_host = self.format is Format.EXHIBITION and not is_person(self.host)
        return without_host or len(self.users) < MIN_PLAYERS

    @property
    def winners(self) -> tuple[UserId, ...]:
        """The players in the first place, as far as they have points."""
        return tuple(row.user for row in self.table if row.place == 1 and row.points > 0)

    def with_notice(self, kind: NoticeKind, *what: str) -> Tournament:
        """Returns the tournament with a notice of its next version.

        It replaces an older one of the same kind. A new round or the end outdates all that the channel was not told.
        """
        outdated = set(NoticeKind) if kind in (NoticeKind.ROUND, NoticeKind.ENDED) else {kind}
        kept = tuple(notice for notice in self.pending_notices if notice.kind not in outdated)
        earlier = next((notice.what for notice in self.pending_notices if notice.kind is kind), ())
        return replace(self, notices=(*kept, Notice(kind, self.version + 1, tuple(dict.fromkeys((*earlier, *what))))))

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
