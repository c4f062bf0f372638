"""A world of players who look for strangers: who they are, what they do, and the program that brings them together.

What they want, whether they answer a call, and how their games end is drawn. The store, the matchmaker and the clock
are those of the program.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heappop, heappush
from itertools import count

from sqlalchemy import insert, update

from benchmarks.arena_goers import JOINS, ArenaGoers
from play.challenge.pool import pool_of
from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.community.full_hours import WEEKS
from play.community.seek import CALL_MILLIS, LIFETIME, Seek, SeekCall, SeekId, SeekState
from play.competitions.arena import GATHER_MILLIS
from play.ids import (
    DAY,
    EPOCH,
    HOUR,
    MINUTE,
    SECOND,
    ChannelId,
    GuildId,
    IdempotencyKey,
    MatchId,
    MessageId,
    Millis,
    Platform,
    UserId,
    ids_since,
)
from play.match.match import Match
from play.refusal import Refused
from rules.registry import GAMES
from storage import Database, schema
from use_cases import UseCases
from use_cases.limits import Capacity
from use_cases.workers.matchmaker import Matchmaker, Posted

SERVERS = 200
START = Millis(20_000 * DAY)
CONTROLS = {Speed.LIVE: parse_control("10m+10s"), Speed.DAYS: parse_control("3d")}
RULES = {"quick": 6, "sport": 3, "classic": 2}
"""The usual rules of players, by how many of them have these."""

FLEXIBLE, IN_SERVERS = 0.6, 0.8
"""The share of players who take any terms, and of those who look from a server."""

LOOKS_A_DAY, WEEKLY, GONE = 0.5, 0.1, 0.2
"""Searches of a player in a day; the share who want a game a week instead, and of those who leave for good halfway."""

ZONES = {0: 7, -6: 2, 8: 1}
"""Hours between the evening of a player and that of most, by how many players have it."""

RUDE, LEAVES, MISSES, MISSES_ONCE = 0.05, 0.5, 0.5, 0.02
"""The share of players without manners; of their games that they leave and of their calls that they miss; and of the
calls that all others miss."""

REPORTS = 0.5
"""The share of players who report whom they were left by."""

DOUBT = 80.0
"""The standard deviation of ratings around strengths."""

LENGTHS = {Speed.LIVE: 15 * MINUTE, Speed.DAYS: 5 * DAY}
ROUND_MILLIS = Millis(10 * SECOND)
"""Between two looks of the matchmaker while two or more wait for a live game: each time ratings may differ by more."""

FORMER = 1_000_000
"""Added to the ids of players for those who were there in the weeks before."""


@dataclass(frozen=True, slots=True)
class Player:
    """One who looks from time to time around an `hour` of the day, live in that share of searches, or once a week."""

    id: UserId
    guild: GuildId | None
    strength: float
    rating: float
    hour: float
    rules: str
    is_flexible: bool
    is_rude: bool
    live: float
    is_weekly: bool
    gone_on: int | None


def draw_players(number: int, chance: random.Random, days: int) -> list[Player]:
    return [_draw(place, chance, days) for place in range(number)]


def _draw(place: int, chance: random.Random, days: int) -> Player:
    server, strength = chance.randrange(SERVERS), chance.gauss(1500, 250)
    ids = ids_since([*Platform][server % len(Platform)], EPOCH)
    is_weekly = chance.random() < WEEKLY
    return Player(
        UserId(ids[100_000 + place]),
        GuildId(ids[1 + server]) if chance.random() < IN_SERVERS else None,
        strength,
        chance.gauss(strength, DOUBT),
        (chance.gauss(19, 2) + chance.choices([*ZONES], [*ZONES.values()])[0]) % 24,
        chance.choices([*RULES], [*RULES.values()])[0],
        chance.random() < FLEXIBLE,
        chance.random() < RUDE,
        chance.choice((0.2, 0.5, 0.9)),
        is_weekly,
        days // 2 if is_weekly and chance.random() < GONE else None,
    )


Act = Callable[[], Awaitable[None]]


@dataclass
class World:
    """The players and the program, and the time that passes for both. It is the chat, too: it hears of each call."""

    store: Database
    now: list[Millis]
    players: list[Player]
    chance: random.Random
    has_levels: bool = True
    events: list[tuple[Millis, int, Act]] = field(default_factory=list)
    calls: Counter[UserId] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    meetings: list[tuple[frozenset[UserId], Speed, Millis]] = field(default_factory=list)
    blocks: dict[frozenset[UserId], Millis] = field(default_factory=dict)
    left_by_rude: int = 0
    spoilt: int = 0
    """Games left by the other, as a player with manners sees it."""
    played_by_polite: int = 0
    rounds: int = 0

    def __post_init__(self) -> None:
        self.use_cases = UseCases.over(self.store, lambda: self.chance.getrandbits(50))
        capacity = Capacity(max_of_server=1_000_000)
        self.maker = Matchmaker(self.store, self.use_cases.seeks, self.use_cases.events, capacity, self, lambda: 4)
        self.by_id = {player.id: player for player in self.players}
        self.arenas = ArenaGoers(self)
        self._numbers = count(1)
        self.use_cases.events.match_changed.subscribe(self.note_match)

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        self.calls[seek.user] += 1
        if seek.speed is Speed.LIVE:
            if self.chance.random() > (MISSES if self.by_id[seek.user].is_rude else MISSES_ONCE):
                self.plan(self.chance.uniform(3, 12) * SECOND, lambda: self._answer(seek))
            self.plan(CALL_MILLIS + 1, _do_nothing)
        return [Posted(seek.channel, MessageId(10_000_000 + next(self._numbers)))]

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        return None if seek.call is None else ChannelId(seek.call)

    async def settle(self, call: SeekCall) -> None:
        """Is called by another worker, which does not run here."""

    def note_match(self, match: Match) -> None:
        """Notes a game that has begun, and when it is to end."""
        if match.version or match.outcome is not None or self.arenas.takes(match):
            return
        users, speed = [*match.players], match.clock.control.speed
        self.meetings.append((frozenset(users), speed, self.now[0]))
        self.plan(LENGTHS[speed], lambda: self._end(match.id, users))

    def plan(self, after: float, act: Act) -> None:
        heappush(self.events, (Millis(int(self.now[0] + after)), next(self._numbers), act))

    async def rate(self) -> None:
        """Gives each player a rating near their strength."""
        pools = {str(pool_of(GAMES[key], control)) for key in RULES for control in CONTROLS.values()}
        rows = [
            {"user": each.id, "pool": pool, "value": each.rating, "deviation": DOUBT}
            | {"volatility": 0.06, "at": START, "games": 30}
            for each in self.players
            for pool in pools
        ]
        async with self.store.write() as tx:
            await tx.connection.execute(insert(schema.rating), rows)

    async def fill_weeks(self) -> None:
        """Notes the live games of as many other players in the weeks before: the arena begins at hours that were
        full."""
        async with self.store.write() as tx:
            for at, player in _arrivals(self.players, 7 * WEEKS, self.chance):
                if player.is_weekly or self.chance.random() > player.live:
                    continue
                terms, met = Terms(GAMES[player.rules], CONTROLS[Speed.LIVE], rated=True), Millis(at - WEEKS * 7 * DAY)
                former = UserId(player.id + FORMER)
                seek = Seek(SeekId(0), former, player.guild, ChannelId(1), terms, met, met, state=SeekState.PLAYED)
                await tx.seeks.add(replace(seek, met=met))

    async def live_through(self, days: int) -> None:
        """Lets time pass to each thing that happens; while two wait for a live game, the matchmaker goes round."""
        for hour in range(24 * days):
            starts = Millis(START + hour * HOUR)
            heappush(self.events, (Millis(starts - GATHER_MILLIS), next(self._numbers), self.arenas.gather))
            heappush(self.events, (starts, next(self._numbers), _do_nothing))
        for at, player in _arrivals(self.players, days, self.chance):
            look: Act = partial(self._look, player)
            heappush(self.events, (at, next(self._numbers), look))
        waiting, end = 0, Millis(START + days * DAY)
        while self.events and self.events[0][0] <= end:
            at, _, act = heappop(self.events)
            while waiting > 1 and self.now[0] + ROUND_MILLIS < at:
                self.now[0] = Millis(self.now[0] + ROUND_MILLIS)
                waiting = await self._round()
                at, act = self._earlier(at, act)
            self.now[0] = max(at, self.now[0])
            await act()
            waiting = await self._round()

    def _earlier(self, at: Millis, act: Act) -> tuple[Millis, Act]:
        """Returns what happens next: a round may have brought something that is earlier."""
        if not self.events or self.events[0][0] >= at:
            return at, act
        heappush(self.events, (at, next(self._numbers), act))
        at, _, act = heappop(self.events)
        return at, act

    async def _round(self) -> int:
        """Has the matchmaker go round; returns how many wait for a live game then."""
        self.rounds += 1
        await self.arenas.look_again()
        for key in await self.maker.pending(1000):
            await self.maker.process(key)
        async with self.store.read() as reader:
            return await reader.seeks.count_waiting(Speed.LIVE, self.now[0])

    async def _look(self, player: Player) -> None:
        speed = Speed.LIVE if not player.is_weekly and self.chance.random() < player.live else Speed.DAYS
        terms = Terms(GAMES[player.rules], CONTROLS[speed], rated=True)
        if speed is Speed.LIVE and self.arenas.is_open and self.chance.random() < JOINS:
            await self.arenas.join(player)
            return
        if not player.is_weekly:
            self.plan(LIFETIME[speed] + 1, _do_nothing)
        async with self.store.read() as reader:
            if any(seek.speed is speed for seek in await reader.seeks.open_of(player.id)):
                return  # it goes on, and keeps its place
        try:
            await self.use_cases.seeks.look(
                player.id,
                player.guild,
                ChannelId(player.id + 1),
                terms,
                self.now[0],
                flexible=player.is_flexible,
                weekly=player.is_weekly,
            )
        except Refused as refused:
            self.refused[refused.key] += 1

    async def _answer(self, seek: Seek) -> None:
        try:
            await self.use_cases.seeks.answer(seek.id, seek.user, self.now[0])
        except Refused as refused:  # the other one could not be called
            self.refused[refused.key] += 1

    async def _end(self, number: MatchId, users: list[UserId]) -> None:
        players = [self.by_id[user] for user in users]
        self.played_by_polite += sum(not each.is_rude for each in players)
        leavers = [each for each in players if self.leaves(each)]
        if not leavers:
            loser = self.chance.choice(users)
            await self.use_cases.matches.resign(number, loser, self.now[0], IdempotencyKey(-number * 10))
            return
        self.left_by_rude += 1
        await self.use_cases.actions.abort(number, leavers[0].id, self.now[0], IdempotencyKey(-number * 10))
        for other in players:
            if other is leavers[0] or other.is_rude:
                continue
            self.spoilt += 1
            if self.chance.random() < REPORTS:
                await self.use_cases.seeks.report(number, other.id, self.now[0])
                self.blocks.setdefault(frozenset(users), self.now[0])
        if not self.has_levels:
            await self._forget()

    def leaves(self, player: Player) -> bool:
        """Returns whether a player leaves a game."""
        is_gone = player.gone_on is not None and self.now[0] >= START + player.gone_on * DAY
        return is_gone or (player.is_rude and self.chance.random() < LEAVES)

    async def _forget(self) -> None:
        """Removes all strikes and reports."""
        missed = update(schema.seek).where(schema.seek.c.state == SeekState.MISSED.value)
        async with self.store.write() as tx:
            await tx.connection.execute(missed.values(state=SeekState.LEFT.value))
            await tx.connection.execute(update(schema.seat).where(schema.seat.c.quit).values(quit=False))
            await tx.connection.execute(schema.report.delete())


async def _do_nothing() -> None:
    """Lets the matchmaker look again at a moment."""


def _arrivals(players: list[Player], days: int, chance: random.Random) -> Iterator[tuple[Millis, Player]]:
    for player in players:
        if player.is_weekly:
            yield Millis(int(START + chance.random() * min(days, 7) * DAY)), player
            continue
        for day in range(days):
            if chance.random() < LOOKS_A_DAY:
                hour = chance.gauss(player.hour, 1.5) % 24
                yield Millis(int(START + day * DAY + hour * HOUR)), player
