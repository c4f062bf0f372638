"""The breaker: after an answer of the edge, all that can wait pauses.

Discord counts refused requests, also while it has shut an address out. Each place that tries again by itself would
prolong that, so there is one pause for the whole process. It grows as long as the edge answers, and ends with the first
answer of Discord's own. One request tries that; the others wait for it. Answers to interactions go on.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final

import aiohttp

from bot.edge import Blocked, HeldBack, is_of_api
from bot.request import HANDLERS
from use_cases.worker import Backoff

PAUSES: Final = Backoff(2.0, 600.0)
"""The pauses: most blocks that people have reported took seconds, and a ban takes an hour."""

PATIENCE_SECONDS: Final = 10.0
"""Seconds for which a request waits for the end of a pause; one that would have to wait longer fails at once."""

TRIAL_SECONDS: Final = 3.0
"""Seconds for which the others wait for the request that tries whether Discord answers again."""

_URGENT = re.compile(r"/(interactions|webhooks|gateway)(/|$)")
"""The paths of answers to people, and of the session by which their clicks come."""

_MESSAGE = re.compile(r"/(channels/\d+/messages|interactions|webhooks)/?")
"""The paths by which messages are made and changed."""

log = logging.getLogger(__name__)


class Breaker:
    """The one pause of the process, and what passes. `clock` has the seconds of the event loop.

    Attributes:
        messages: how many messages of the bot Discord has taken, new and changed ones.
    """

    def __init__(self, clock: Callable[[], float], pauses: Backoff = PAUSES) -> None:
        self._clock = clock
        self._pauses = pauses
        self._pause = 0.0
        self._ends = float("-inf")
        self._is_tried = False
        self._changed = asyncio.Event()
        self.messages = 0

    @property
    def seconds(self) -> float:
        """The seconds until something that can wait is sent again; 0 while nothing pauses."""
        return max(0.0, self._ends - self._clock())

    def note_refusal(self, why: str, retry_after: float = 0.0) -> None:
        """Notes that the edge has answered, and wants to be left alone for `retry_after` seconds.

        A pause begins, unless there is one: what was sent before it began tells nothing new.
        """
        if self.seconds and not self._is_tried:
            return
        longest = self._pauses.max_seconds
        self._pause = min(max(self._pauses.next(self._pause), retry_after), longest)
        self._set_end(self._clock() + self._pause)
        log.warning("the edge answers in Discord's place (%s); what can wait pauses for %.0f s", why, self._pause)

    def note_answer(self) -> None:
        """Notes an answer of Discord's own, which ends a pause that is over or being tried."""
        if self._pause and (self._is_tried or not self.seconds):
            self._pause = 0.0
            self._set_end(float("-inf"))
            log.warning("Discord answers again")

    async def wait_turn(self, patience: float = PATIENCE_SECONDS) -> None:
        """Returns when a request that can wait may be sent. Raises HeldBack if that takes longer than `patience`."""
        gives_up = self._clock() + patience
        while left := self.seconds:
            if self._clock() >= gives_up or (self._ends > gives_up and not self._is_tried):
                raise HeldBack(left)
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, gives_up - self._clock())):
                    await self._changed.wait()
        if self._pause:
            self._set_end(self._clock() + TRIAL_SECONDS, is_tried=True)

    def watch(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Returns the `trace` of a client that raises Blocked, so that its requests wait for their turn here."""

        async def begin(_: object, __: object, params: aiohttp.TraceRequestStartParams) -> None:
            if is_of_api(params.url) and not _is_urgent(params.url.path):
                await self.wait_turn()

        async def end(_: object, __: object, params: aiohttp.TraceRequestEndParams) -> None:
            status, is_taken = params.response.status, params.response.status < HTTPStatus.MULTIPLE_CHOICES
            if not is_of_api(params.url) or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                return
            self.note_answer()
            if is_taken and params.method in ("POST", "PATCH") and _MESSAGE.search(params.url.path):
                self.messages += 1

        async def fail(_: object, __: object, params: aiohttp.TraceRequestExceptionParams) -> None:
            if isinstance(error := params.exception, Blocked):
                self.note_refusal(f"{error.status}, {error.text}", error.retry_after)

        trace.on_request_start.append(begin)
        trace.on_request_end.append(end)
        trace.on_request_exception.append(fail)
        return trace

    def _set_end(self, ends: float, *, is_tried: bool = False) -> None:
        """Sets when the pause, or the trial after it, ends, and lets those who wait look again."""
        self._ends, self._is_tried = ends, is_tried
        self._changed.set()
        self._changed = asyncio.Event()


def _is_urgent(path: str) -> bool:
    """Returns whether a person waits for the answer to a request, in Discord."""
    task = asyncio.current_task()
    return bool(_URGENT.search(path)) or (task is not None and task.get_name().startswith(HANDLERS))
