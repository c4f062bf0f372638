"""The hourly arena of the whole world: 45 minutes in which all who are free are paired at once.

Its points are those of lichess' arenas (lichess.org/tournament/help): 2 for a win, 1 for a draw, and twice that for
players who have won their last two games.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, NewType

import rustworkx

from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import HOUR, MINUTE, SECOND, ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.posts import KeptPost, PostKey, PostKind
from play.refusal import Reason, Refused
from rules.registry import DEFAULT, make_game

ArenaId = NewType("ArenaId", int)
"""The hour at which an arena begins, counted from 1970. So no two begin at once."""

GATHER_MILLIS, LENGTH_MILLIS = Millis(15 * MINUTE), Millis(45 * MINUTE)
"""How long before its beginning players may join, and how long it takes: it is over when the next one gathers."""

LATE_MILLIS = Millis(10 * MINUTE)
"""An arena that could not begin for so long, since no process ran, is cancelled."""

LAST_PAIRING_MILLIS = Millis(MINUTE)
"""In the last minute no game begins: none could count."""

FIRST_MOVE_MILLIS = Millis(45 * SECOND)
"""Who has not made the first move by then pauses, and the other one is paired again."""

MIN_PLAYERS, MAX_PLAYERS = 4, 200

WIN, DRAW, STREAK = 2, 1, 2
"""Points, and the wins in a row after which a game counts double."""

CONTROL = parse_control("3m+2s")
"""A game on 9x9 then takes 4 minutes, one on 13x13 about 6, and 11 at most: four or more in each arena."""

SIZES = ("9x9", "13x13")

RATED_TERMS = Terms(make_game(DEFAULT, {"size": SIZES[1]}), CONTROL, rated=True)
"""Those by whose ratings players are paired in each arena: 9x9 is too small to be rated."""

_REACH = 12
"""Places in the ranking between two who may be paired."""


class Stage(StrEnum):
    """What an arena is at. The values end the keys of its sentences (`arena.stage.<value>`) and are stored."""

    GATHERING = "gathering"
    RUNNING = "running"
    ENDED = "ended"
    TOO_FEW = "too_few"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        return self in (Stage.GATHERING, Stage.RUNNING)


@dataclass(frozen=True, slots=True)
class Fighter:
    """A player of an arena, with the rating at which they joined. One who is `paused` is not paired."""

    user: UserId
    rating: float
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Bout:
    """A game of an arena. `points` are those of a game of two, None until it is decided; one that was `unplayed` ended
    before both had moved, or was annulled, and counts for nobody."""

    first: UserId
    second: UserId
    match: MatchId
    points: tuple[float, float] | None = None
    unplayed: bool = False

    @property
    def users(self) -> tuple[UserId, UserId]:
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Arena:
    """An arena; its games are in the order in which they began. `version` counts the changes."""

    id: ArenaId
    stage: Stage = Stage.GATHERING
    fighters: tuple[Fighter, ...] = ()
    bouts: tuple[Bout, ...] = ()
    version: int = 0

    @property
    def starts(self) -> Millis:
        return Millis(self.id * HOUR)

    @property
    def ends(self) -> Millis:
        """When it ends, whatever happens: players plan by the clock on the wall."""
        return Millis(self.starts + LENGTH_MILLIS)

    @property
    def users(self) -> tuple[UserId, ...]:
        return tuple(each.user for each in self.fighters)

    @property
    def present(self) -> tuple[UserId, ...]:
        """The players who are not paused."""
        return tuple(each.user for each in self.fighters if not each.paused)

    @property
    def going(self) -> tuple[MatchId, ...]:
        """The games that are not decided yet."""
        return tuple(bout.match for bout in self.bouts if bout.points is None)

    @property
    def playing(self) -> frozenset[UserId]:
        """The players of games that go on."""
        return frozenset(user for bout in self.bouts if bout.points is None for user in bout.users)

    @property
    def terms(self) -> Terms:
        """The terms of its games: a small board and a larger one by turns, rated where its size is."""
        terms = Terms(make_game(DEFAULT, {"size": SIZES[self.id % len(SIZES)]}), CONTROL, rated=True)
        return replace(terms, rated=terms.pool is not None)

    @property
    def due(self) -> Millis | None:
        """When time alone brings the next change: a running one is looked at again and again."""
        return {Stage.GATHERING: self.starts, Stage.RUNNING: Millis(0)}.get(self.stage)

    def takes_pairs(self, now: Millis) -> bool:
        """Returns whether games may begin at `now`."""
        return self.stage is Stage.RUNNING and now < self.ends - LAST_PAIRING_MILLIS


@dataclass(frozen=True, slots=True)
class Follower:
    """The channel of a server that follows the arenas; its `message` shows an `arena`."""

    guild: GuildId
    channel: ChannelId
    message: MessageId | None = None
    arena: ArenaId | None = None

    @property
    def post(self) -> KeptPost:
        """Where it is kept."""
        return KeptPost(PostKey(PostKind.ARENA, self.guild), self.guild, self.channel)


class Line(NamedTuple):
    """A line of the standing. Equal points and wins share a `place`. The last two games of one with a `streak` were
    won: their next one counts double."""

    place: int
    user: UserId
    points: int
    wins: int
    games: int
    streak: bool


def arena_of(now: Millis) -> ArenaId:
    """Returns the arena whose players would gather or play at `now`."""
    return ArenaId((now + GATHER_MILLIS) // HOUR)


def join(arena: Arena, user: UserId, rating: float) -> Arena:
    """Adds a player, or lets a paused one go on. Raises Refused (`arena_over`, `arena_full`)."""
    if not arena.stage.is_open:
        raise Refused(Reason.ARENA_OVER)
    if user in arena.users:
        return set_paused(arena, {user}, paused=False)
    if len(arena.fighters) == MAX_PLAYERS:
        raise Refused(Reason.ARENA_FULL, count=MAX_PLAYERS)
    return replace(arena, fighters=(*arena.fighters, Fighter(user, rating)))


def set_paused(arena: Arena, users: Set[UserId], *, paused: bool) -> Arena:
    """Returns the arena in which these players are paused, or not."""
    fighters = (replace(each, paused=paused) if each.user in users else each for each in arena.fighters)
    return replace(arena, fighters=tuple(fighters))


def begin_when_due(arena: Arena, now: Millis, waiting: int) -> Arena:
    """Returns the arena after its beginning, if that is due: `waiting` players are there."""
    if arena.stage is not Stage.GATHERING or now < arena.starts:
        return arena
    if now >= arena.starts + LATE_MILLIS:
        return replace(arena, stage=Stage.CANCELLED)
    return replace(arena, stage=Stage.RUNNING if waiting >= MIN_PLAYERS else Stage.TOO_FEW)


def end_when_due(arena: Arena, now: Millis) -> Arena:
    """Returns the arena after its end, if that is due. Games that go on count no more."""
    is_over = arena.stage is Stage.RUNNING and now >= arena.ends
    return replace(arena, stage=Stage.ENDED) if is_over else arena


def standing(arena: Arena) -> list[Line]:
    """Returns the standing, the best first."""
    points, wins, games, row = (dict.fromkeys(arena.users, 0) for _ in range(4))
    for bout in arena.bouts:
        if bout.points is None or bout.unplayed:
            continue
        for user, gained in zip(bout.users, bout.points, strict=True):
            worth = WIN if gained == 1 else DRAW if gained else 0
            points[user] += worth * (2 if row[user] >= STREAK else 1)
            games[user] += 1
            wins[user] += gained == 1
            row[user] = row[user] + 1 if gained == 1 else 0
    ranked = sorted(arena.users, key=lambda user: (-points[user], -wins[user]))
    merits = [(points[user], wins[user]) for user in ranked]
    return [
        Line(merits.index(merit) + 1, user, *merit, games[user], row[user] >= STREAK)
        for user, merit in zip(ranked, merits, strict=True)
    ]


def pair_free(arena: Arena, waiting: Set[UserId], blocked: Set[frozenset[UserId]]) -> list[tuple[UserId, UserId]]:
    """Returns those of the `waiting` players who are to play each other: as many pairs as can be, the nearest in the
    ranking. No two meet who are `blocked`, or twice in a row unless nobody else is there."""
    ratings = {each.user: each.rating for each in arena.fighters}
    points = {line.user: line.points for line in standing(arena)}
    ranked = sorted(waiting, key=lambda user: (-points[user], -ratings[user], user))
    apart = blocked if len(arena.present) == 2 else blocked | _last_pairs(arena.bouts)
    graph = rustworkx.PyGraph[None, int](multigraph=False)
    graph.add_nodes_from([None] * len(ranked))
    for place, user in enumerate(ranked):
        for lower in range(place + 1, min(place + 1 + _REACH, len(ranked))):
            if frozenset((user, ranked[lower])) not in apart:
                graph.add_edge(place, lower, -((lower - place) ** 2))
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(ranked[one], ranked[other]) for one, other in sorted(sorted(pair) for pair in matching)]


def _last_pairs(bouts: Sequence[Bout]) -> set[frozenset[UserId]]:
    """Returns the pairs of each player's last game."""
    last = {user: frozenset(bout.users) for bout in bouts for user in bout.users}
    return set(last.values())
