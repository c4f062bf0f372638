"""Sixty days of players who look for strangers, through the use cases: `python -m benchmarks.seeks [SEEKERS] [DAYS]`.

Each of them has a strength, hours, a server and manners. What they want, whether they answer a call, and how their
games end is drawn; the store, the matchmaker and the clock are those of the program.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from pathlib import Path
from statistics import median, quantiles

from sqlalchemy import insert

from benchmarks.figure import Figure
from benchmarks.program import report
from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.community.conduct import Level
from play.community.seek import AGAIN_MILLIS, Seek, SeekCall, SeekState
from play.ids import DAY, HOUR, MINUTE, SECOND, ChannelId, GuildId, IdempotencyKey, MessageId, Millis, UserId
from play.refusal import Refused
from rules.registry import GAMES
from storage import Database, schema
from use_cases import UseCases
from use_cases.limits import Capacity
from use_cases.workers.matchmaker import Matchmaker, Posted

SEEKERS, SERVERS, DAYS = 2000, 200, 60
START = Millis(20_000 * DAY)
LIVE = Terms(GAMES["quick"], parse_control("10m+10s"), rated=True)
OVER_DAYS = replace(LIVE, control=parse_control("3d"))
ROUND_MILLIS = Millis(10 * SECOND)
"""Between two looks of the matchmaker while players wait."""

LOOKS_A_DAY = 0.5
RUDE, LEAVES, MISSES = 0.03, 0.5, 0.5
"""The share of players without manners; of their games that they abandon, and of their calls that they miss. All others
miss one call in fifty."""

MAX_HALF_WAIT, MIN_SHARE = Millis(MINUTE), 0.8
"""With 2,000 seekers: half of the live searches that find a partner take no longer, in the evening; and so many of all
searches end in a game."""


@dataclass(frozen=True, slots=True)
class Player:
    """One who looks from time to time: in the evenings around `hour`, live or over days."""

    id: UserId
    strength: float
    guild: GuildId
    hour: float
    is_rude: bool
    live: float


class Silent:
    """Calls everybody at once; there is no chat."""

    def __init__(self) -> None:
        self.calls = 0

    async def call(self, seek: Seek, opponent: UserId) -> list[Posted]:
        self.calls += 1
        return [Posted(seek.channel, MessageId(10_000_000 + self.calls))]

    async def open_place(self, seek: Seek, opponent: UserId) -> ChannelId | None:
        return None if seek.call is None else ChannelId(seek.call)

    async def settle(self, call: SeekCall) -> None:
        pass


def draw_players(count: int, chance: random.Random) -> list[Player]:
    return [
        Player(
            UserId(number + 1),
            chance.gauss(1500, 250),
            GuildId(1 + chance.randrange(SERVERS)),
            chance.gauss(19, 3) % 24,
            chance.random() < RUDE,
            chance.choice((0.2, 0.5, 0.9)),
        )
        for number in range(count)
    ]


class World:
    """The players and the program, and the time that passes for both."""

    def __init__(self, store: Database, now: list[Millis], players: list[Player], chance: random.Random) -> None:
        self.store, self._now, self.players, self._chance = store, now, players, chance
        self.use_cases = UseCases.over(store, lambda: chance.getrandbits(50))
        capacity = Capacity(max_of_server=1_000_000)
        self.maker = Matchmaker(store, self.use_cases.seeks, self.use_cases.events, capacity, Silent(), lambda: 4)
        self.by_id = {player.id: player for player in players}
        self.ends: list[tuple[Millis, int, UserId, UserId]] = []
        self.refused = Counter[str]()
        self.meetings = list[tuple[frozenset[UserId], Speed, Millis]]()
        self.abandoned, self.games = Counter[bool](), Counter[bool]()

    async def rate(self) -> None:
        """Gives each player the rating of their strength."""
        rows = [
            {"user": each.id, "pool": f"quick-{speed}", "value": each.strength, "deviation": 80.0}
            | {"volatility": 0.06, "at": START, "games": 30}
            for each in self.players
            for speed in Speed
        ]
        async with self.store.write() as tx:
            await tx.connection.execute(insert(schema.rating), rows)

    async def look(self, player: Player, at: Millis) -> None:
        terms = LIVE if self._chance.random() < player.live else OVER_DAYS
        try:
            await self.use_cases.seeks.look(player.id, player.guild, ChannelId(player.guild), terms, at, flexible=True)
        except Refused as refused:
            self.refused[refused.key] += 1

    async def play(self, now: Millis) -> bool:
        """Has the matchmaker go round, players answer, and games end that are over; returns whether one is called."""
        while self.ends and self.ends[0][0] <= now:
            _, number, one, other = heappop(self.ends)
            await self._end(number, one, other, now)
        called = await self.maker.pending(1000)
        for key in called:
            await self.maker.process(key)
            async with self.store.read() as reader:
                first = await reader.seeks.get(key)
                second = first and first.partner and await reader.seeks.get(first.partner)
            if not first or not second:
                continue
            if first.state is SeekState.CALLED:
                for seek in (first, second):
                    if self._chance.random() > (MISSES if self.by_id[seek.user].is_rude else 0.02):
                        await self.use_cases.seeks.answer(seek.id, seek.user, now)
                await self.maker.process(key)
                async with self.store.read() as reader:
                    first = await reader.seeks.get(key)
            if first is not None and first.match is not None:
                self._note(first, second, now)
        return bool(called)

    def _note(self, first: Seek, second: Seek, now: Millis) -> None:
        assert first.match is not None, "their game has begun"
        self.meetings.append((frozenset((first.user, second.user)), first.speed, now))
        length = 15 * MINUTE if first.speed is Speed.LIVE else 5 * DAY
        heappush(self.ends, (Millis(now + length), first.match, first.user, second.user))

    async def _end(self, number: int, one: UserId, other: UserId, now: Millis) -> None:
        match = await self.use_cases.matches.load(number)  # type: ignore[arg-type]
        rude = [user for user in (one, other) if self.by_id[user].is_rude]
        leaves = bool(rude) and self._chance.random() < LEAVES
        self.games[bool(rude)] += 1
        if leaves:
            self.abandoned[True] += 1
            await self.use_cases.actions.abort(match.id, rude[0], now, IdempotencyKey(-number * 10))
            return
        await self.use_cases.matches.resign(match.id, match.players[0], now, IdempotencyKey(-number * 10))


async def live_through(count: int, days: int) -> list[Figure]:
    chance = random.Random(count)  # noqa: S311 - the same each time
    now = [START]
    with tempfile.TemporaryDirectory() as folder:
        async with Database.open(f"sqlite:///{Path(folder) / 'seeks.sqlite'}", now=lambda: now[0]) as store:
            world = World(store, now, draw_players(count, chance), chance)
            await world.rate()
            for day in range(days):
                arrivals = sorted(_arrivals(world.players, day, chance))
                await _live_a_day(world, now, arrivals, Millis(START + (day + 1) * DAY))
            return await _figures(world, Millis(START + days * DAY), count)


def _arrivals(players: list[Player], day: int, chance: random.Random) -> Iterator[tuple[Millis, int]]:
    for place, player in enumerate(players):
        if chance.random() < LOOKS_A_DAY:
            hour = chance.gauss(player.hour, 1.5) % 24
            yield Millis(int(START + day * DAY + hour * HOUR)), place


async def _live_a_day(world: World, now: list[Millis], arrivals: list[tuple[Millis, int]], end: Millis) -> None:
    """Lets players come; while some wait for a live game, the matchmaker looks again and again."""
    last = Millis(0)
    for place, (at, number) in enumerate(arrivals):
        now[0] = max(at, now[0])
        await world.look(world.players[number], now[0])
        until = arrivals[place + 1][0] if place + 1 < len(arrivals) else end
        await world.play(now[0])
        while now[0] + ROUND_MILLIS < until and now[0] - last < HOUR:
            now[0] = Millis(now[0] + ROUND_MILLIS)
            async with world.store.read() as reader:
                if not await reader.seeks.count_waiting(Speed.LIVE, now[0]):
                    break
            await world.play(now[0])
        last = now[0]
    now[0] = end
    await world.play(end)


async def _figures(world: World, end: Millis, count: int) -> list[Figure]:
    async with world.store.read() as reader:
        rows = (await reader.connection.execute(schema.seek.select())).all()
        conduct = await reader.seeks.conduct([each.id for each in world.players], end)
    found = list[Figure]()
    for speed in Speed:
        own = [row for row in rows if row.speed == speed.value and row.state != SeekState.WAITING.value]
        played = [row for row in own if row.state == SeekState.PLAYED.value]
        waits = [(row.met - row.since) / SECOND for row in played]
        if len(waits) < 2:
            continue
        evening = [wait for wait, row in zip(waits, played, strict=True) if 17 <= row.since % DAY // HOUR < 22]
        share = len(played) / len(own)
        limit = MAX_HALF_WAIT / SECOND if speed is Speed.LIVE and count >= SEEKERS else None
        found += [
            Figure(f"{speed}: searches that are over", len(own), ""),
            Figure(f"{speed}: share that ends in a game", share, ""),
            Figure(f"{speed}: half waits at most, in the evening", median(evening or waits), "s", limit),
            Figure(f"{speed}: half waits at most", median(waits), "s"),
            Figure(f"{speed}: 95 of 100 wait at most", quantiles(waits, n=20)[-1], "s"),
        ]
        for low, high in ((0, 1200), (1200, 1500), (1500, 1800), (1800, 9999)):
            band = [
                wait for wait, row in zip(waits, played, strict=True) if low <= world.by_id[row.user].strength < high
            ]
            if len(band) > 1:
                found.append(Figure(f"{speed}: rating {low} to {high}, half wait at most", median(band), "s"))
        gaps = [
            abs(world.by_id[one].strength - world.by_id[other].strength)
            for (one, other), met, _ in ((sorted(pair), met, at) for pair, met, at in world.meetings)
            if met is speed
        ]
        found.append(Figure(f"{speed}: difference of ratings, half at most", median(gaps), "points"))
        found.append(Figure(f"{speed}: difference of ratings, 95 of 100 at most", quantiles(gaps, n=20)[-1], "points"))
    found.append(Figure("pairs that met again too soon", _repeats(world), "", 0))
    rude = [each.id for each in world.players if each.is_rude]
    out = sum(conduct[user].level is not Level.FINE for user in rude) / max(1, len(rude))
    wronged = sum(conduct[each.id].level is not Level.FINE for each in world.players if not each.is_rude)
    found.append(Figure("games abandoned", world.abandoned[True] / max(1, len(world.meetings)), "of all"))
    found.append(Figure("searches refused for conduct", world.refused["seek_out"], ""))
    found.append(Figure("players without manners above the first level", out, "of them"))
    found.append(Figure("players with manners above it", wronged / max(1, count), "of them"))
    return found


def _repeats(world: World) -> int:
    """Counts the pairs that met again before they may."""
    last: dict[tuple[frozenset[UserId], Speed], Millis] = {}
    repeats = 0
    for pair, speed, at in world.meetings:
        before = last.get((pair, speed))
        repeats += before is not None and at - before < AGAIN_MILLIS[speed]
        last[pair, speed] = at
    return repeats


def figures() -> Iterator[Figure]:
    yield from asyncio.run(live_through(200, 7))


if __name__ == "__main__":
    chosen = (int(sys.argv[1]) if len(sys.argv) > 1 else SEEKERS, int(sys.argv[2]) if len(sys.argv) > 2 else DAYS)
    sys.exit(report(asyncio.run(live_through(*chosen))))
