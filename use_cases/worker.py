"""Background work: what the store says is pending, processed by a task, ever more seldom where it fails."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)

log = logging.getLogger(__name__)

POLL_SECONDS = 15.0
"""Between two looks at the store, for what another process left behind and for what only time makes due."""

MIN_BACKOFF_SECONDS, MAX_BACKOFF_SECONDS = 1.0, 600.0
"""The shortest and the longest pause before a key that has failed is tried again."""

MAX_PLAY_BACKOFF_SECONDS = 60.0
"""The longest such pause for what players wait for: boards, and turns of the computer."""

MAX_PENDING = 50
"""Keys that a worker asks the store for at once."""

FRESH_SECONDS = 120.0
"""For so long an attempt may tell what it has read. Another process may have told it meanwhile, which the chat
recognises by a nonce: for a few minutes, of which three are counted on."""


class RetryLater(Exception):
    """A known reason why a key cannot be processed now; the log gets no traceback of it. The next try is after
    `seconds`, if it is known when one may help."""

    def __init__(self, reason: str, seconds: float | None = None) -> None:
        super().__init__(reason)
        self.seconds = seconds


class ChannelClosed(RetryLater):
    """A channel takes no message of the bot, until a moderator opens it to the bot again."""


class Unshowable(Exception):
    """The chat takes a message in no form, though its channel is there."""


class Undeliverable(Exception):
    """No try will ever bring this to its channel: it is gone, or the bot may not write there."""


class Unsendable(Exception):
    """The chat fails at this message each time, and takes others: later ones may reach the same channel."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """The pauses before each further try, in seconds: the shortest, then twice as long each time, up to the longest."""

    min_seconds: float = MIN_BACKOFF_SECONDS
    max_seconds: float = MAX_BACKOFF_SECONDS

    def next(self, pause: float) -> float:
        """Returns the pause after `pause`; 0 stands for none."""
        return min(2 * pause or self.min_seconds, self.max_seconds)


@dataclass(frozen=True, slots=True)
class Timing:
    """When a worker polls and tries again. `sleep` sleeps for seconds of `clock`."""

    poll_seconds: float = POLL_SECONDS
    backoff: Backoff = Backoff()
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def polling(self, seconds: float) -> Timing:
        """Returns the same with a poll every so many seconds."""
        return replace(self, poll_seconds=seconds)

    @property
    def for_play(self) -> Timing:
        """The same for what players wait for, which is tried again more often."""
        return replace(self, backoff=replace(self.backoff, max_seconds=MAX_PLAY_BACKOFF_SECONDS))


@dataclass(frozen=True, slots=True)
class Retry:
    """The pause after the last try of a key that has failed, and when it ends."""

    pause: float
    at: float


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a key by `task`, which `began` at that second of the `clock`."""

    task: asyncio.Task[object] | None
    clock: Callable[[], float]
    began: float


_attempt: ContextVar[Attempt | None] = ContextVar("attempt", default=None)


def check_fresh() -> None:
    """Raises RetryLater in an attempt that has begun too long ago to tell anybody what it has read: its process was
    frozen, or kept waiting. Outside of attempts, and in tasks that one has left behind, it does nothing."""
    attempt = _attempt.get()
    if attempt is None or attempt.task is not asyncio.current_task():
        return
    age = attempt.clock() - attempt.began
    if age > FRESH_SECONDS:
        raise RetryLater(f"what was read {age:.0f} s ago is too old to be told; it is read again")


class Worker(Generic[K]):
    """Polls the store for pending keys and processes them; a key that fails holds up no other.

    It processes one key after the other, or (`concurrent`) each in a task of its own. What is woken or has failed
    waits in the store, so nothing is lost when the process ends.

    A subclass defines `pending` and `process`. One without keys defines `poll`, and `pause` if that varies.
    """

    def __init__(self, timing: Timing, *, concurrent: bool = False) -> None:
        self._timing = timing
        self._concurrent = concurrent
        self._group: asyncio.TaskGroup | None = None
        self._stopping = asyncio.Event()
        self._rescheduled = asyncio.Event()
        self._poll_at = -inf
        self._retries: dict[K, Retry] = {}
        self._busy: set[K] = set()
        self._woken: set[K] = set()
        self._found: Sequence[K] = ()

    async def pending(self, limit: int) -> Sequence[K]:
        """Returns keys that have something to process, `limit` at most."""
        raise NotImplementedError

    async def process(self, key: K) -> bool | None:
        """Processes a key; returns True if it is still pending, to be called again at once.

        Raises RetryLater, or anything else: then the key is tried again.
        """
        raise NotImplementedError

    def wake(self, key: K | None = None) -> None:
        """Polls soon, or starts on a single key; while a worker does not run, its keys wait in the store."""
        if key is None:
            self._poll_by(-inf)
        elif self._group is not None:
            self._start(key, self._group)

    def stop(self) -> None:
        """Ends `run` when the keys at work are processed, or have failed once more."""
        self._stopping.set()
        self._rescheduled.set()

    async def run(self) -> None:
        """Polls, at once and from time to time, until it is told to stop."""
        async with asyncio.TaskGroup() as group:
            self._group = group if self._concurrent else None
            try:
                while not self._stopping.is_set():
                    self._poll_at = inf
                    try:
                        await self.poll()
                    except Exception:
                        log.exception("%s failed in a round", type(self).__name__)
                    self._poll_by(self._timing.clock() + self.pause())
                    await self._wait_for_poll()
                for key in tuple(self._retries) if self._concurrent else ():
                    self._start(key, group, at_once=True)
            finally:
                self._group = None

    async def poll(self) -> None:
        """Processes what is pending, except keys that have failed and still have to wait."""
        limit = MAX_PENDING + len(self._retries)
        found = await self.pending(limit)
        self._retries = {key: self._retries[key] for key in found if key in self._retries}
        for key in found:
            if self._group is not None:
                self._start(key, self._group)
            elif not self._waits(key):
                await self._try(key)
        if len(found) == limit and found != self._found:  # there may be more
            self.wake()
        self._found = found

    def pause(self) -> float:
        """Returns the seconds until the next poll, if nothing wakes the worker before.

        However many keys fail, it polls for them no more often than after the shortest pause.
        """
        now = self._timing.clock()
        waits = (retry.at - now for key, retry in self._retries.items() if key not in self._busy)
        return min(self._timing.poll_seconds, max(min(waits, default=inf), self._timing.backoff.min_seconds))

    async def rest(self, seconds: float) -> bool:
        """Sleeps; returns False if the worker is to stop."""
        await self._sleep_unless(self._stopping, seconds)
        return not self._stopping.is_set()

    def _waits(self, key: K) -> bool:
        return key in self._retries and self._retries[key].at > self._timing.clock()

    def _start(self, key: K, group: asyncio.TaskGroup, *, at_once: bool = False) -> None:
        """Processes a key in its own task; again after that, if it is being processed."""
        if key in self._busy:
            self._woken.add(key)
        elif at_once or not self._waits(key):
            self._busy.add(key)
            self._woken.add(key)
            group.create_task(self._work(key))

    async def _work(self, key: K) -> None:
        try:
            while key in self._woken:
                self._woken.remove(key)
                if not await self._try(key):
                    self._poll_by(self._retries[key].at if key in self._retries else inf)
                    break
        finally:
            self._busy.remove(key)
            self._woken.discard(key)

    async def _try(self, key: K) -> bool:
        """Processes a key until it is pending no more; returns False if that fails."""
        try:
            while await self._attempt(key):
                self._retries.pop(key, None)
        except Exception as error:
            if isinstance(error, RetryLater):
                log.warning("%s, %s: %s", type(self).__name__, key, error)
            else:
                log.exception("%s failed at %s", type(self).__name__, key)
            before = self._retries.pop(key, None)
            if not self._stopping.is_set():
                known = error.seconds if isinstance(error, RetryLater) else None
                pause = known or self._timing.backoff.next(before.pause if before else 0.0)
                self._retries[key] = Retry(pause, self._timing.clock() + pause)
            return False
        self._retries.pop(key, None)
        return True

    async def _attempt(self, key: K) -> bool | None:
        clock = self._timing.clock
        before = _attempt.set(Attempt(asyncio.current_task(), clock, clock()))
        try:
            return await self.process(key)
        finally:
            _attempt.reset(before)

    def _poll_by(self, moment: float) -> None:
        if moment < self._poll_at:
            self._poll_at = moment
            self._rescheduled.set()

    async def _wait_for_poll(self) -> None:
        await asyncio.sleep(0)  # other tasks get their turn however often it polls
        while not self._stopping.is_set() and (seconds := self._poll_at - self._timing.clock()) > 0:
            self._rescheduled.clear()
            await self._sleep_unless(self._rescheduled, seconds)

    async def _sleep_unless(self, event: asyncio.Event, seconds: float) -> None:
        waiting = [asyncio.ensure_future(self._timing.sleep(seconds)), asyncio.ensure_future(event.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waiting:
                each.cancel()
