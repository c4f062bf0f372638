"""How much one person, or one server, may ask for at once, so that nobody keeps the others waiting."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from play.refusal import Reason, Refused

CAPACITY: Final = 50_000
"""Askers remembered; whoever is forgotten has his whole allowance again."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` requests at once, and one more every `every` seconds."""

    burst: int
    every: float


class Limit:
    """Counts by the time at which an asker's allowance would be whole again (the generic cell rate algorithm)."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._whole: OrderedDict[int, float] = OrderedDict()

    def wait(self, who: int, now: float) -> float:
        """Counts a request at `now`, in seconds, and returns 0; or the seconds to wait before it would be granted."""
        whole = max(self._whole.get(who, 0.0), now) + self._rate.every
        wait = whole - now - self._rate.burst * self._rate.every
        if wait > 1e-9:
            return wait
        self._whole[who] = whole
        self._whole.move_to_end(who)
        if len(self._whole) > CAPACITY:
            self._whole.popitem(last=False)
        return 0.0


USUAL = 120
PERSON, SERVER = Rate(USUAL // 4, 60 / USUAL), Rate(300, 0.02)
"""A move by the keypad is four clicks; fifty boards a second are all that Discord takes from a bot."""

TYPING = Rate(60, 0.1)
"""Suggestions, which are asked for with every letter that a person types."""

IMPORTS = Rate(5, 30.0)
"""Records that a person brings along: to read one may take a second."""


POSTS = Rate(8, 1 / 36)
"""Boards and edits by the bot's own right, of all processes together: 44 in any second, of Discord's 50."""

CARDS = Rate(4, 4.0)
"""Challenges in one channel, where Discord takes five messages in five seconds: the rest is for boards."""


class Pace:
    """Lets requests pass in their order: those of the burst at once, then one every so many seconds.

    Discord counts the requests that it refuses as well, and bans an address after 10,000 of them in ten minutes. So
    what would be refused waits here.
    """

    def __init__(
        self,
        rate: Rate,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._rate = rate
        self._clock = clock
        self._sleep = sleep
        self._next = 0.0

    async def turn(self) -> None:
        """Returns when the next request may be made."""
        now = self._clock()
        self._next = max(self._next, now - self._rate.burst * self._rate.every) + self._rate.every
        if self._next > now:
            await self._sleep(self._next - now)


class Limits:
    """What is counted in this process; what is stored is counted by the use cases."""

    def __init__(
        self,
        person: Rate = PERSON,
        server: Rate = SERVER,
        typing: Rate = TYPING,
        imports: Rate = IMPORTS,
        cards: Rate = CARDS,
    ) -> None:
        self._person, self._server = Limit(person), Limit(server)
        self._typing, self._imports, self._cards = Limit(typing), Limit(imports), Limit(cards)

    @classmethod
    def a_minute(cls, requests: int) -> Limits:
        """So many requests a minute for each person, a quarter of them at once; a server may ask for more in the same
        proportion, but never for less than usual."""
        more = max(1.0, requests / USUAL)
        server = Rate(int(SERVER.burst * more), SERVER.every / more)
        return cls(Rate(max(1, requests // 4), 60 / requests), server)

    def request(self, user: int, guild: int | None, now: float) -> None:
        """Somebody asks for something. Raises Refused (`too_fast`, `server_too_fast`)."""
        if wait := self._person.wait(user, now):
            raise Refused(Reason.TOO_FAST, count=_seconds(wait))
        if guild is not None and (wait := self._server.wait(guild, now)):
            raise Refused(Reason.SERVER_TOO_FAST, count=_seconds(wait))

    def imported(self, user: int, now: float) -> None:
        """Somebody brings a record along. Raises Refused (`too_many_imports`)."""
        if wait := self._imports.wait(user, now):
            raise Refused(Reason.TOO_MANY_IMPORTS, count=_seconds(wait))

    def card(self, channel: int, now: float) -> None:
        """A challenge is to be posted in a channel. Raises Refused (`too_many_cards`)."""
        if wait := self._cards.wait(channel, now):
            raise Refused(Reason.TOO_MANY_CARDS, count=_seconds(wait))

    def suggestion(self, user: int, now: float) -> bool:
        """Whether somebody who types gets suggestions."""
        return not self._typing.wait(user, now)


def _seconds(wait: float) -> int:
    return int(wait) + 1
