"""What is the same for all readers of the site, kept for seconds: open seats, the arena, the best game of strangers."""

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, Final, TypeVar

from cachetools import TTLCache

from play.community.featured import FeaturedGame
from play.competitions.arena import Arena
from play.ids import MatchId, Millis
from use_cases.competitions.arenas import Arenas
from use_cases.featured import Featured
from use_cases.keyed_locks import KeyedLocks
from use_cases.open_seats import OpenSeat, OpenSeats

T = TypeVar("T")

KEPT_SECONDS, MAX_KEPT = 4.0, 64
"""Seconds for which what was found is told again, however many ask, and how much is kept: of games those that are
watched to their end."""

SEATS: Final = "seats"
ARENA: Final = "arena"


class World:
    """Reads what players of all servers do, once for all who look at the same moment."""

    def __init__(self, seats: OpenSeats, arenas: Arenas, featured: Featured, clock: Callable[[], float]) -> None:
        """`clock` has seconds."""
        self._open_seats = seats
        self._arenas = arenas
        self._featured = featured
        self._kept: TTLCache[Hashable, Any] = TTLCache(MAX_KEPT, KEPT_SECONDS, timer=clock)
        self._locks = KeyedLocks[Hashable]()
        self._forgotten = 0

    async def seats(self) -> Sequence[OpenSeat]:
        """Returns the open seats: those of live games first, and of these the newest."""
        return await self._keep(SEATS, self._open_seats.everywhere)

    async def arena(self) -> tuple[Arena | None, Millis]:
        """Returns the arena that goes on or gathers, else the last one, and when it was read."""
        return await self._keep(ARENA, self._arenas.newest_at)

    async def game(self, shown: MatchId | None) -> FeaturedGame | None:
        """Returns the game that everybody may watch, as `Featured.follow` finds it."""
        return await self._keep(shown, lambda: self._featured.follow(shown))

    def forget(self) -> None:
        """Drops seats and arena, which a player has changed: they read at once what has come of it."""
        self._forgotten += 1
        for name in (SEATS, ARENA):
            self._kept.pop(name, None)

    async def _keep(self, name: Hashable, read: Callable[[], Awaitable[T]]) -> T:
        async with self._locks.of(name):
            kept: tuple[T] | None = self._kept.get(name)  # a tuple, since nothing may have been found
            if kept is None:
                before = self._forgotten
                kept = (await read(),)
                if (
                    self._forgotten == before
                ):  # what was read before a change is told to those alone who asked before it
                    self._kept[name] = kept
        return kept[0]
