"""Reads what a homeserver tells, from where the last run has left off.

Rooms are worked off side by side, each in its order. The position in the store is that up to which all is done; a run
that ends before hears the rest once more, and each line and press has a key by which it counts once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Final

from matrix.events import KINDS, MADE, Batch, Event, Gap, Reacted, Said, read_batch, read_event
from matrix.homeserver import Homeserver, Json, SignedOut, Unreachable
from matrix.listener import Listener, Moment
from play.ids import Platform
from play.refusal import Refused
from storage import Database
from storage.errors import Unavailable
from use_cases.match_writer import retry_on_conflict
from use_cases.outages import Outages, Reach
from use_cases.worker import Backoff, RetryLater, Timing, Undeliverable, Unsendable

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 30.0
"""How long a homeserver waits for something to tell. Some proxies cut what takes a minute."""

MAX_AHEAD: Final = 8
"""Batches that are read while earlier ones are at work."""

MAX_GAP_EVENTS: Final = 1_000
"""Events of a room that are read after an outage; what is older than those is lost, and told in the log."""

PAGE_EVENTS, TIMELINE_EVENTS = 100, 50

BACKOFF: Final = Backoff(1.0, 30.0)

FAILURES: Final = (RetryLater, Undeliverable, Unsendable, Unavailable)

HOLD_SECONDS: Final = 5.0
"""How long an event holds up those after it in its room: a review by the computer takes longer."""

MAX_TRIES: Final = 5
"""Tries of one event. What fails each time, as nothing should, holds up no other."""


class Sync:
    """The loop of one account."""

    def __init__(
        self,
        homeserver: Homeserver,
        store: Database,
        listener: Listener,
        outages: Outages,
        timing: Timing = Timing(),  # noqa: B008 - frozen
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._homeserver = homeserver
        self._store = store
        self._listener = listener
        self._reach = Reach(store, outages, Platform.MATRIX)
        self._timing = timing
        self._wait_seconds = wait_seconds
        self._ahead = asyncio.Semaphore(MAX_AHEAD)
        self._rooms: dict[str, asyncio.Event] = {}
        """By room: what is set once its next batch may begin."""
        self._kept: asyncio.Task[None] | None = None
        self._position: str | None = None
        self.is_connected = False

    async def run(self, log_in: Callable[[], Awaitable[str]]) -> None:
        """Reads until it is cancelled. `log_in` returns the account.

        Once the homeserver knows the token no more, it only notes that nobody can play.
        """
        pause, account = 0.0, None
        async with asyncio.TaskGroup() as group:
            while True:
                try:
                    account = account or await self._begin_session(log_in)
                    await self._read(account, group)
                except SignedOut as error:
                    log.error("Matrix stops until a start with another KROPKA_MATRIX_TOKEN: %s", error)
                    break
                except FAILURES as error:
                    log.log(logging.WARNING if self.is_connected or not pause else logging.DEBUG, "Matrix: %s", error)
                    pause = BACKOFF.next(0.0 if self.is_connected else pause)
                self.is_connected = False
                await self._reach.note_silence()
                await self._timing.sleep(pause)
            self.is_connected = False
            while True:
                await self._reach.note_silence()
                await self._timing.sleep(BACKOFF.max_seconds)

    async def _begin_session(self, log_in: Callable[[], Awaitable[str]]) -> str:
        """Logs in, and finds out from where to read on."""
        await self._reach.begin()
        account = await log_in()
        async with self._store.read() as reader:
            self._position = await reader.platforms.position(Platform.MATRIX, account)
        return account

    async def _read(self, account: str, group: asyncio.TaskGroup) -> None:
        while True:
            position = self._position
            # What was said before the first start is passed over, and one that follows an outage comes at once.
            wait = self._wait_seconds if self.is_connected else 0.0
            found = await self._homeserver.sync(position, wait, _filter(account, TIMELINE_EVENTS if position else 0))
            batch = read_batch(found, account)
            if batch is None:
                raise Unreachable("what answers at the homeserver's address is none")
            was_out, heard = self._reach.is_out, await self._reach.note_answer()
            if was_out:
                group.create_task(self._try(partial(self._listener.come_back, heard.end)))
            if not self.is_connected:
                log.warning("Matrix: the homeserver answers")
            moment, self.is_connected = Moment(heard.start, heard.end), True
            await self._ahead.acquire()
            tasks = [*self._begin(batch, position, account, moment, group)]
            self._kept = group.create_task(self._keep(self._kept, tasks, account, batch.position))
            self._position = batch.position

    def _begin(
        self, batch: Batch, since: str | None, account: str, moment: Moment, group: asyncio.TaskGroup
    ) -> Iterator[asyncio.Task[None]]:
        """Yields a task for each room of a batch, which begins when that of the room's earlier batch lets it."""
        work: dict[str, list[Callable[[], Awaitable[None]]]] = {}
        for own in batch.own:
            encrypted = own.room in batch.encrypted
            work.setdefault(own.room, []).append(partial(self._listener.note_own, own, encrypted=encrypted))
        joined: dict[str, int] = {}
        for room in batch.fresh if since is not None else ():
            work.setdefault(room, []).append(partial(self._find_join, room, account, joined))
        if since is not None:
            for gap in batch.gaps:
                work.setdefault(gap.room, []).append(partial(self._fill, gap, since, account, moment, joined))
        for event in batch.events:
            if since is not None or not isinstance(event, Said | Reacted):
                work.setdefault(event.room, []).append(partial(self._hear, event, moment, joined))
        for room, steps in work.items():
            before, self._rooms[room] = self._rooms.get(room), asyncio.Event()
            yield group.create_task(self._work_off(room, before, self._rooms[room], steps, group))

    async def _work_off(
        self,
        room: str,
        before: asyncio.Event | None,
        after: asyncio.Event,
        steps: Sequence[Callable[[], Awaitable[None]]],
        group: asyncio.TaskGroup,
    ) -> None:
        """Takes the steps of a room in their order, and ends when all are done, also those that take long."""
        tasks = list[asyncio.Task[None]]()
        if before is not None:
            await before.wait()
        for step in steps:
            passed = asyncio.Event()
            tasks.append(group.create_task(self._try(step, passed)))
            await passed.wait()
        after.set()
        if self._rooms.get(room) is after:
            del self._rooms[room]
        await asyncio.wait(tasks)

    async def _try(self, step: Callable[[], Awaitable[None]], passed: asyncio.Event | None = None) -> None:
        """Takes a step, however often it fails for a while. One that fails for ever is told in the log and left.

        `passed` is set when it is done, or when one try takes too long for those who wait behind it.
        """
        passed = passed or asyncio.Event()
        try:
            await self._try_on(step, passed)
        finally:
            passed.set()

    async def _try_on(self, step: Callable[[], Awaitable[None]], passed: asyncio.Event) -> None:
        pause, tries = 0.0, 0
        while True:
            holding = asyncio.get_running_loop().call_later(HOLD_SECONDS, passed.set)
            try:
                return await step()
            except (RetryLater, Unavailable) as error:
                log.log(logging.DEBUG if pause else logging.WARNING, "Matrix, an event waits: %s", error)
                pause = getattr(error, "seconds", None) or BACKOFF.next(pause)
            except (Undeliverable, Unsendable, Refused) as error:
                return log.info("Matrix: %s", error)
            except Exception:
                tries += 1
                log.exception("Matrix: an event can't be worked off")
                if tries == MAX_TRIES:
                    return None
                pause = BACKOFF.next(pause)
            finally:
                holding.cancel()
            await self._timing.sleep(pause)

    async def _find_join(self, room: str, account: str, joined: dict[str, int]) -> None:
        """Notes when the bot has joined a room: what was said before is none of its business."""
        joined[room] = await self._homeserver.joined_at(room, account)

    async def _hear(self, event: Event, moment: Moment, joined: dict[str, int]) -> None:
        if not isinstance(event, Said | Reacted) or event.at >= joined.get(event.room, 0):
            await self._listener.hear(event, moment)

    async def _fill(self, gap: Gap, since: str, account: str, moment: Moment, joined: dict[str, int]) -> None:
        """Works off what sync has left out of a room, the earliest first."""
        found: list[Event] = []
        before: str | None = gap.before
        while before is not None and len(found) < MAX_GAP_EVENTS:
            page = await self._homeserver.history(gap.room, before, since, PAGE_EVENTS, _events(account))
            events = page.get("chunk")
            for event in events if isinstance(events, list) else ():
                found += read_event(gap.room, event)
            end = page.get("end")
            before = end if events and isinstance(end, str) and end != before else None
        if before is not None:
            log.warning("Matrix: a room has told more than %d events at once; older ones are not read", MAX_GAP_EVENTS)
        for event in reversed(found):
            await self._try(partial(self._hear, event, moment, joined))

    async def _keep(
        self, before: asyncio.Task[None] | None, tasks: Sequence[asyncio.Task[None]], account: str, position: str
    ) -> None:
        """Stores a position once all before it is done."""
        try:
            await asyncio.wait([*tasks, *([before] if before else ())]) if tasks or before else None
            await self._try(partial(self._store_position, account, position))
        finally:
            self._ahead.release()

    async def _store_position(self, account: str, position: str) -> None:
        async def attempt() -> None:
            async with self._store.write() as tx:
                await tx.platforms.keep_position(Platform.MATRIX, account, position)

        await retry_on_conflict(attempt)


def _events(account: str) -> Json:
    """Returns the filter of a room's events: no own ones, and members only where they say something."""
    return {"types": [*KINDS], "not_senders": [account], "lazy_load_members": True}


def _filter(account: str, limit: int) -> Json:
    """Returns the filter of a sync. Source: https://spec.matrix.org/latest/client-server-api/#filtering"""
    nothing: Json = {"types": []}
    room = {
        "timeline": {**_events(account), "limit": limit},
        "state": {"types": [*KINDS, MADE], "lazy_load_members": True},
        "ephemeral": nothing,
        "account_data": nothing,
    }
    return {"room": room, "presence": nothing, "account_data": nothing}
