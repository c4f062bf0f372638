"""The hourly arena in a world of players who look for strangers: who joins it, and how each hour ends.

The director is that of the program. A player who wants a live game while an arena gathers or goes on may join it
instead, and one who follows the arenas joins at an hour of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.figure import Figure
from play.community.seek import SeekState
from play.competitions.arena import CONTROL, GATHER_MILLIS, MIN_PLAYERS, Arena, ArenaId, Stage, arena_of
from play.ids import HOUR, MINUTE, SECOND, ChannelId, IdempotencyKey, MatchId, Millis, UserId
from play.refusal import Refused
from tests.director import called_games
from tools.program import say
from use_cases.competitions.arena_director import ArenaDirector

if TYPE_CHECKING:
    from benchmarks.seekers import Player, World
    from play.match.match import Match

JOINS, FOLLOWS = 0.1, 0.02
"""The share of those who come to look for a live game and join an arena that is open instead; and of those who read of
each arena at an hour of the day that is theirs, and join."""

LOOK_MILLIS = Millis(30 * SECOND)
"""Between two looks of the director at an arena. In the program it is five seconds, and at once when a game ends."""

NEAR_HOURS = 1.5
"""How far an arena may be from the hour of a player who follows them."""

FIRST_MOVES, LENGTH = Millis(10 * SECOND), Millis(5 * MINUTE)
"""After so long both have moved in a game; and it ends."""


class Hour(NamedTuple):
    """An hour that was full: its arena as it was stored last, and how many were there when it was to begin."""

    arena: Arena
    came: int


class ArenaGoers:
    """The arenas of a world, and the players who join them."""

    def __init__(self, world: World) -> None:
        uses = world.use_cases
        self._world = world
        self._director = ArenaDirector(world.store, uses.seeks, called_games(uses), uses.events)
        self._came: dict[ArenaId, int] = {}
        self.is_open = False
        self._next_look = Millis(0)

    async def look_again(self) -> None:
        """Has the director look at an arena that is open, if it is time."""
        if self.is_open and self._world.now[0] >= self._next_look:
            await self.look()
            self._next_look = Millis(self._world.now[0] + LOOK_MILLIS)

    async def gather(self) -> None:
        """Opens the arena of the next hour, if that is a full one, and lets those who follow the arenas join."""
        await self.look()
        arena = await self._world.use_cases.arenas.newest()
        self.is_open = arena is not None and arena.id == arena_of(self._world.now[0])
        if arena is None or not self.is_open:
            return
        self._came[arena.id] = 0
        hour = arena.starts % (24 * HOUR) / HOUR
        for player in self._world.players:
            is_near = abs((player.hour - hour + 12) % 24 - 12) <= NEAR_HOURS
            if is_near and not player.is_weekly and self._world.chance.random() < FOLLOWS * player.live:
                self._plan_join(player)

    def _plan_join(self, player: Player) -> None:
        self._world.plan(self._world.chance.random() * (GATHER_MILLIS - SECOND), lambda: self.join(player))

    async def join(self, player: Player) -> None:
        """Lets a player join the arena that gathers or goes on."""
        world = self._world
        try:
            await world.use_cases.arenas.join(player.id, player.guild, ChannelId(player.id + 1), world.now[0])
        except Refused as refused:
            world.refused[f"arena: {refused.key}"] += 1

    async def look(self) -> None:
        """Has the director look at what is open."""
        for key in await self._director.pending(10):
            before, waiting = await self._load(key)
            if before.stage is Stage.GATHERING:
                self._came[key] = waiting
            await self._director.process(key)
            after, _ = await self._load(key)
            self.is_open = after.stage.is_open

    async def _load(self, key: ArenaId) -> tuple[Arena, int]:
        """Returns an arena, and how many wait there for a partner."""
        async with self._world.store.read() as reader:
            arena, seeks = await reader.arenas.get(key), await reader.seeks.of_arena(key)
        assert arena is not None, "the director has opened it"
        return arena, sum(seek.state is SeekState.WAITING for seek in seeks)

    def takes(self, match: Match) -> bool:
        """Returns whether a match that has begun is one of an arena, and plans its moves and its end."""
        if match.clock.control != CONTROL:
            return False
        self._world.plan(FIRST_MOVES, lambda: self._move(match))
        return True

    async def _move(self, match: Match) -> None:
        """Plays the first moves, or lets the game be cancelled by who has no manners."""
        world = self._world
        for user in match.players:
            if world.leaves(world.by_id[user]):
                await world.use_cases.actions.abort(match.id, user, world.now[0], IdempotencyKey(-match.id * 10))
                return
        for number in (1, 2):
            assert match.to_act is not None, "it goes on"
            text, key = str(next(iter(match.position.moves()))), IdempotencyKey(-match.id * 10 - number)
            player = match.players[match.to_act]
            match = await world.use_cases.matches.move(match.id, player, text, world.now[0], key)
        loser = world.chance.choice(match.players)
        world.plan(LENGTH, lambda: self._end(match.id, loser))

    async def _end(self, number: MatchId, loser: UserId) -> None:
        world = self._world
        await world.use_cases.matches.resign(number, loser, world.now[0], IdempotencyKey(-number * 10))

    async def hours(self) -> list[Hour]:
        """Returns the hours that were full."""
        async with self._world.store.read() as reader:
            found = [await reader.arenas.get(number) for number in self._came]
        return [Hour(arena, self._came[arena.id]) for arena in found if arena is not None]


def arena_figures(hours: list[Hour]) -> Iterator[Figure]:
    """Prints the hours of the day at which arenas began, and yields how many played, and which did not begin."""
    over = [each for each in hours if not each.arena.stage.is_open]
    held = [each.arena for each in over if each.arena.stage is Stage.ENDED]
    few = [each for each in over if each.arena.stage is Stage.TOO_FEW]
    _print_day(over)
    yield Figure("arenas: full hours, of which players were told", len(over), "")
    yield Figure("arenas that were held", len(held), "")
    yield Figure("arenas that did not begin, and said so", len(few), "")
    yield Figure("arenas that did not begin though enough were there", sum(_enough(each) for each in few), "", 0)
    yield Figure(
        "arenas that began with too few",
        sum(not _enough(each) for each in over if each.arena.stage is Stage.ENDED),
        "",
        0,
    )
    if held:
        yield Figure("arenas that were held: players, half at least", median(len(each.fighters) for each in held), "")
        yield Figure("arenas that were held: games, half at least", median(len(each.bouts) for each in held), "")
        games = [each for arena in held for each in _games_each(arena)]
        yield Figure("games of a player in an arena, half at least", median(games), "")


def _enough(hour: Hour) -> bool:
    return hour.came >= MIN_PLAYERS


def _games_each(arena: Arena) -> list[int]:
    played = Counter(user for bout in arena.bouts if not bout.unplayed for user in bout.users)
    return [played[user] for user in arena.users]


def _print_day(hours: list[Hour]) -> None:
    """Prints by the hour of the day (UTC) how many arenas were opened and held, and the median of their players."""
    by_hour: dict[int, list[Arena]] = {}
    for each in hours:
        by_hour.setdefault(each.arena.id % 24, []).append(each.arena)
    for hour in sorted(by_hour):
        held = [len(each.fighters) for each in by_hour[hour] if each.stage is Stage.ENDED]
        players = f", half with {median(held):.0f} players or more" if held else ""
        say(f"     arenas at {hour:02d}:00: {len(by_hour[hour])} opened, {len(held)} held{players}")
