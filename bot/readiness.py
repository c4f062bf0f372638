"""The line in the log that says that the bot is ready: once at the start, and again after an outage."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection

from storage.errors import Unavailable

log = logging.getLogger(__name__)

Count = Callable[[], Awaitable[int]]


class Readiness:
    """Follows the shards of this process. A single disconnection is routine: Discord asks for one every few hours."""

    def __init__(self, count_servers: Count, count_games: Count) -> None:
        self._count_servers = count_servers
        self._count_games = count_games
        self._connected: set[int] = set()
        self._losses: Counter[int] = Counter()
        self._said = ""

    def note_connection(self, shard: int) -> None:
        """Notes that a session of a shard has begun, or was resumed."""
        self._connected.add(shard)
        if self._losses.pop(shard, 0) > 1:  # a try to connect has failed in between
            self._said = ""

    def note_loss(self, shard: int) -> None:
        """Notes that a shard was disconnected, or could not be connected."""
        self._connected.discard(shard)
        self._losses[shard] += 1

    async def tell(self, owned: Collection[int], total: int) -> None:
        """Logs that this process is ready, or stands by, unless that was the last thing it said.

        `owned` are the shards that it should run, of `total`.
        """
        if not self._connected.issuperset(owned):
            return
        said = "ready" if owned else "standby"
        if said == self._said:
            return
        self._said = said
        if not owned:
            log.info("standing by: other processes run all %d shards", total)
            return
        share = "" if len(owned) == total else f" ({len(owned)} of {total} shards)"
        log.info("ready on %s, %s%s", await self._servers(), await self._games(), share)

    async def _servers(self) -> str:
        return _counted(await self._count_servers(), "server")

    async def _games(self) -> str:
        try:
            return _counted(await self._count_games(), "open game")
        except Unavailable:  # which is told elsewhere
            return "open games unknown"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")
