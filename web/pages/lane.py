"""The lane in which the parts of public pages are made: a few at once and with rests, however many strangers ask.

So players' boards go before them.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from play.refusal import Reason, Refused

AT_ONCE = 2
"""Parts that are made at once: each takes up to 5 ms of the event loop at a time, and players' boards wait for that."""

REST, MAX_REST_SECONDS = 4.0, 1.0
"""A place in the lane rests so many times as long as it took to make a part, and at most so long. Then strangers take
two fifths of the event loop at worst. A reader who comes alone waits for no rest."""

MAX_OF_NETWORK, MAX_WAITING = 16, 64
"""Parts that wait for one network, and for all."""


class Lane:
    """Networks take turns, so that one that asks for a hundred pages delays no other; and where there is no room for
    more, those that wait for the most parts give way."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        most_of_network: int = MAX_OF_NETWORK,
        most_waiting: int = MAX_WAITING,
        rest: float = REST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` has seconds."""
        self._free = at_once
        self._rest = rest
        self._clock = clock
        self._most_of_network = most_of_network
        self._most_waiting = most_waiting
        self._waiting: dict[int, deque[asyncio.Future[None]]] = {}
        """The network at the front is the next one."""

    @asynccontextmanager
    async def turn(self, network: int) -> AsyncIterator[None]:
        """Waits for the turn of a network, which lasts for the block. Raises Refused (`too_fast`, `lane_busy`)."""
        await self._wait(network)
        began = self._clock()
        try:
            yield
        finally:
            rest = min(MAX_REST_SECONDS, self._rest * (self._clock() - began))
            asyncio.get_running_loop().call_later(rest, self._pass_on)

    async def _wait(self, network: int) -> None:
        if self._free:
            self._free -= 1
            return
        if len(self._waiting.get(network, ())) >= self._most_of_network:
            raise Refused(Reason.TOO_FAST, count=1)
        if sum(map(len, self._waiting.values())) >= self._most_waiting:
            self._make_room(network)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had come
                self._pass_on()
            raise

    def _make_room(self, network: int) -> None:
        """Refuses the newest part of the network that waits for the most. Raises Refused (`lane_busy`) if that would be
        the one which asks for more."""
        longest = max(self._waiting.values(), key=len)
        if len(longest) <= len(self._waiting.get(network, ())) + 1:
            raise Refused(Reason.LANE_BUSY)
        turn = longest.pop()
        if not turn.done():
            turn.set_exception(Refused(Reason.LANE_BUSY))

    def _pass_on(self) -> None:
        """Gives a turn to the next network; one that goes on waiting goes to the end."""
        while self._waiting:
            network = next(iter(self._waiting))
            line = self._waiting.pop(network)
            turn = line.popleft()
            if line:
                self._waiting[network] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
