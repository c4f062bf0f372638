"""Processes share the gateway shards among themselves; no operator has to say which process runs which."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from bot.sharding import HUNGRY, IDENTIFY, IDENTIFY_SECONDS, ORPHANED_SECONDS, POLL_SECONDS, SHARD, ShardLeases
from storage.errors import Unavailable

Lock = tuple[int, int]


class Server:
    """The locks of all processes, and whether they can be reached."""

    def __init__(self) -> None:
        self.locks: dict[Lock, ProcessLocks] = {}
        self.is_reachable = True


class ProcessLocks:
    """The locks on the server as one process takes them."""

    def __init__(self, server: Server) -> None:
        self._server = server

    @property
    def held(self) -> frozenset[Lock]:
        return frozenset(lock for lock, holder in self._server.locks.items() if holder is self)

    async def take(self, lock: Lock) -> bool:
        self._require_server()
        if lock in self._server.locks:
            return False
        self._server.locks[lock] = self
        return True

    async def release(self, lock: Lock) -> None:
        self._require_server()
        if self._server.locks.get(lock) is self:
            del self._server.locks[lock]

    async def taken(self, kind: int) -> frozenset[int]:
        self._require_server()
        return frozenset(number for each, number in self._server.locks if each == kind)

    def _require_server(self) -> None:
        if not self._server.is_reachable:
            self.lose()
            raise Unavailable

    def lose(self) -> None:
        for lock in self.held:
            del self._server.locks[lock]


class Process:
    """A process with its sessions. Its clock moves only when a round begins."""

    def __init__(self, server: Server, total: int, processes: int, buckets: int = 1) -> None:
        self.locks = ProcessLocks(server)
        self.time = 0.0
        self.open: set[int] = set()
        self.begun = Counter[int]()
        self.told: list[set[int]] = []
        self.paced = asyncio.Event()
        self.shards = ShardLeases(self.locks, total, processes, buckets, lambda: self.time, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        await (self.paced.wait() if seconds == IDENTIFY_SECONDS else asyncio.sleep(0))

    async def tell_readiness(self) -> None:
        self.told.append(set(self.shards.owned))

    async def open_shard(self, shard: int) -> None:
        self.open.add(shard)
        self.begun[shard] += 1

    async def close_shard(self, shard: int) -> None:
        self.open.remove(shard)

    async def round(self, after: float = POLL_SECONDS) -> None:
        self.time += after
        await self.shards.round(self)

    def die(self) -> None:
        self.locks.lose()


@pytest.fixture
def server() -> Server:
    return Server()


async def test_one_process_keeps_all_shards(server: Server) -> None:
    alone = Process(server, total=3, processes=1)
    await alone.round()
    assert alone.open == {0, 1, 2}


async def test_two_processes_keep_half_each(server: Server) -> None:
    one, other = (Process(server, total=5, processes=2) for _ in range(2))
    for process in (one, other, one, other):
        await process.round()
    assert (one.open, other.open) == ({0, 1, 2}, {3, 4})


async def test_a_second_process_of_a_fleet_of_one_stands_by(server: Server) -> None:
    old, new = (Process(server, total=2, processes=1) for _ in range(2))
    for process in (old, new, new):
        await process.round()
    assert (old.open, new.open) == ({0, 1}, set())


async def test_who_stands_by_takes_over_as_soon_as_the_old_one_ends(server: Server) -> None:
    old, new = (Process(server, total=2, processes=1) for _ in range(2))
    await old.round()
    await new.round()
    old.die()
    await new.round()
    assert new.open == {0, 1}


async def test_orphans_are_adopted_by_a_process_that_has_its_share_already(server: Server) -> None:
    one, other = (Process(server, total=4, processes=2) for _ in range(2))
    await one.round()
    await other.round()
    other.die()
    await one.round()
    assert one.open == {0, 1}
    await one.round(after=ORPHANED_SECONDS)
    assert one.open == {0, 1, 2, 3}


async def test_an_adopted_shard_is_given_back_to_a_process_with_room(server: Server) -> None:
    one, other = (Process(server, total=4, processes=2) for _ in range(2))
    await one.round()
    await one.round(after=ORPHANED_SECONDS)
    assert one.open == {0, 1, 2, 3}
    for _ in range(3):
        await other.round()
        await one.round()
    assert (one.open, other.open) == ({0, 1}, {2, 3})


async def test_no_process_wants_more_when_all_have_their_share(server: Server) -> None:
    one, other = (Process(server, total=4, processes=2) for _ in range(2))
    for process in (one, other, one, other):
        await process.round()
    assert await one.locks.taken(HUNGRY) == frozenset()


async def test_while_the_locks_are_away_what_is_kept_is_kept(server: Server) -> None:
    alone = Process(server, total=2, processes=1)
    await alone.round()
    server.is_reachable = False
    with pytest.raises(Unavailable):
        await alone.round()
    assert alone.open == {0, 1}


async def test_locks_that_were_lost_are_taken_again_without_a_new_session(server: Server) -> None:
    one, other = (Process(server, total=4, processes=2) for _ in range(2))
    await one.round()
    await other.round()
    server.locks.clear()  # the database was restarted
    for process in (other, one, other, one):
        await process.round()
    assert (one.open, other.open) == ({0, 1}, {2, 3})
    assert one.begun + other.begun == Counter({0: 1, 1: 1, 2: 1, 3: 1})


async def test_a_process_with_room_waits_until_the_others_have_found_their_locks_again(server: Server) -> None:
    full, roomy = (Process(server, total=3, processes=2) for _ in range(2))
    await full.round()
    await roomy.round()
    running = asyncio.create_task(roomy.shards.run(roomy))
    await asyncio.sleep(0)
    server.is_reachable = False
    await _pass_rounds(3)
    full.die()
    server.is_reachable = True
    await _pass_rounds(3)
    assert roomy.open == {2}
    await full.round()
    assert full.open == {0, 1}
    assert sum((full.begun + roomy.begun).values()) == 3
    running.cancel()


async def test_after_each_round_the_process_may_tell_that_it_is_ready(server: Server) -> None:
    process = Process(server, total=3, processes=1)
    running = asyncio.create_task(process.shards.run(process))
    await _pass_rounds(2)
    running.cancel()
    assert process.told[0] == {0, 1, 2}
    assert not process.shards.is_taking


async def _pass_rounds(count: int) -> None:
    for _ in range(2 * count):
        await asyncio.sleep(0)


async def test_a_shard_that_somebody_took_meanwhile_is_given_up(server: Server) -> None:
    frozen, quick = (Process(server, total=1, processes=1) for _ in range(2))
    await frozen.round()
    server.locks.clear()
    await quick.round()
    await frozen.round()
    assert (frozen.open, quick.open) == (set(), {0})


async def test_another_division_has_shards_of_its_own(server: Server) -> None:
    old, new = Process(server, total=2, processes=1), Process(server, total=4, processes=1)
    await old.round()
    await new.round()
    assert (old.open, new.open) == ({0, 1}, {0, 1, 2, 3})
    assert set(server.locks) >= {(SHARD + 2, 0), (SHARD + 4, 0)}


async def test_one_session_of_a_bucket_begins_at_a_time_over_all_processes(server: Server) -> None:
    one, other = (Process(server, total=2, processes=2) for _ in range(2))
    await one.shards.identify(0)
    waiting = asyncio.create_task(other.shards.identify(1))
    await _pass_rounds(5)
    assert not waiting.done()
    one.paced.set()
    await waiting
    assert (IDENTIFY, 0) in other.locks.held
    await one.shards.close()
    await other.shards.close()


async def test_sessions_of_two_buckets_begin_at_once(server: Server) -> None:
    one = Process(server, total=2, processes=1, buckets=2)
    await one.shards.identify(0)
    await one.shards.identify(1)
    assert {(IDENTIFY, 0), (IDENTIFY, 1)} <= one.locks.held
    await one.shards.close()


async def test_no_session_begins_while_the_locks_are_away(server: Server) -> None:
    one = Process(server, total=1, processes=1)
    server.is_reachable = False
    waiting = asyncio.create_task(one.shards.identify(0))
    await _pass_rounds(5)
    assert not waiting.done()
    server.is_reachable = True
    await waiting
    await one.shards.close()
