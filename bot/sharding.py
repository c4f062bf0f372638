"""The gateway shards of this process, of those that all processes on one database run together.

Each process takes its share. A process takes over a shard that has been free for a while, and gives it back when
another has room for it. Two processes on one shard would only be a waste: every write carries its version.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, Protocol

from storage.errors import Unavailable

if TYPE_CHECKING:
    import discord

log = logging.getLogger(__name__)

Lock = tuple[int, int]

SHARD, HUNGRY, IDENTIFY = 0x4B720000, 0x4B71, 0x4B70
"""Kinds of locks. The number of shards is added to SHARD, since a shard of another division is another one."""

POLL_SECONDS = 2.0
"""Seconds between two looks at the locks."""

ORPHANED_SECONDS = 15.0
"""Seconds after which a process takes a free shard even above its share: longer than a process needs to find a
restarted database again."""

IDENTIFY_SECONDS = 5.0
"""Seconds within which Discord lets one session of each bucket start."""

RETRY_SECONDS = 0.25


class Locks(Protocol):
    """See storage.advisory."""

    @property
    def held(self) -> frozenset[Lock]: ...

    async def take(self, lock: Lock) -> bool: ...

    async def release(self, lock: Lock) -> None: ...

    async def taken(self, kind: int) -> frozenset[int]: ...


class Sessions(Protocol):
    """The gateway sessions of this process; implemented in bot/connection.py."""

    async def open_shard(self, shard: int) -> None: ...

    async def close_shard(self, shard: int) -> None: ...

    async def tell_readiness(self) -> None: ...


class ShardLeases:
    """This process's share of `total` shards among `processes`. Discord starts `buckets` sessions at once."""

    def __init__(
        self,
        locks: Locks,
        total: int,
        processes: int = 1,
        buckets: int = 1,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.total = total
        self.owned: set[int] = set()
        self.is_taking = False
        self._locks = locks
        self._share = ceil(total / processes)
        self._buckets = buckets
        self._clock = clock
        self._sleep = sleep
        self._free_since: dict[int, float] = {}
        self._settled = -inf
        self._wants_more = (HUNGRY, secrets.randbits(31))
        self._releases: set[asyncio.Task[None]] = set()

    async def run(self, sessions: Sessions) -> None:
        """Runs until it is cancelled. While the database is away, owned shards stay, and no other starts."""
        while True:
            try:
                self.is_taking = True
                await self.round(sessions)
                self.is_taking = False
                await sessions.tell_readiness()
            except Unavailable as error:
                self._settled = self._clock() + ORPHANED_SECONDS  # the others have to find their locks again as well
                log.warning("The database can't be reached, so this process takes no further shards (%s).", error)
            await self._sleep(POLL_SECONDS)

    async def round(self, sessions: Sessions) -> None:
        """Drops leases that another process has taken, takes free ones, and gives back those above the share.

        Raises Unavailable.
        """
        for shard in sorted(self.owned):
            lock = self._lock(shard)
            if lock not in self._locks.held and not await self._locks.take(lock):
                log.warning("shard %d runs in another process now", shard)
                await self._close(sessions, shard)
        taken = await self._locks.taken(SHARD + self.total)
        free = [shard for shard in range(self.total) if shard not in taken and shard not in self.owned]
        now = self._clock()
        self._free_since = {shard: self._free_since.get(shard, now) for shard in free}
        for shard in free:
            orphaned = now - self._free_since[shard] >= ORPHANED_SECONDS
            room = now >= self._settled and len(self.owned) < self._share
            if (room or orphaned) and await self._locks.take(self._lock(shard)):
                log.info("shard %d of %d runs here from now on", shard, self.total)
                self.owned.add(shard)
                await sessions.open_shard(shard)
        await self._balance(sessions)

    async def identify(self, shard: int) -> None:
        """Waits until a session of `shard` may start: one of a bucket in 5 seconds, over all processes."""
        gate = (IDENTIFY, shard % self._buckets)
        while not await self._took(gate):
            await self._sleep(RETRY_SECONDS)
        release = asyncio.create_task(self._reopen(gate))
        self._releases.add(release)
        release.add_done_callback(self._releases.discard)

    async def close(self) -> None:
        """Cancels the timers of session starts; the locks themselves end with their connection."""
        for task in tuple(self._releases):
            task.cancel()
        await asyncio.gather(*self._releases, return_exceptions=True)

    async def _balance(self, sessions: Sessions) -> None:
        if len(self.owned) < self._share:
            await self._locks.take(self._wants_more)
            return
        await self._locks.release(self._wants_more)
        if len(self.owned) > self._share and await self._locks.taken(HUNGRY):
            shard = max(self.owned)
            log.info("shard %d is given back to a process that has room for it", shard)
            await self._close(sessions, shard)
            await self._locks.release(self._lock(shard))

    async def _close(self, sessions: Sessions, shard: int) -> None:
        self.owned.discard(shard)
        await sessions.close_shard(shard)

    def _lock(self, shard: int) -> Lock:
        return SHARD + self.total, shard

    async def _took(self, lock: Lock) -> bool:
        try:
            return await self._locks.take(lock)
        except Unavailable:
            return False

    async def _reopen(self, gate: Lock) -> None:
        await self._sleep(IDENTIFY_SECONDS)
        with suppress(Unavailable):  # then the lock is gone as well
            await self._locks.release(gate)


@dataclass(frozen=True)
class Cluster:
    """All processes on one database: their locks, and how many shards and processes there are.

    Without `shards` Discord's recommendation counts, which differs from day to day: enough for one process.
    """

    locks: AbstractAsyncContextManager[Locks]
    shards: int | None = None
    processes: int = 1

    @asynccontextmanager
    async def leases(self, client: discord.Client) -> AsyncIterator[ShardLeases]:
        """Yields this process's leases, for a client that is logged in. They end with the block."""
        recommended, _, limits = await client.http.get_bot_gateway()
        async with self.locks as locks:
            shards = ShardLeases(locks, self.shards or recommended, self.processes, limits["max_concurrency"])
            try:
                yield shards
            finally:
                await shards.close()
