"""Rate limits: how much one player, or one server, may ask for at once, and a pace that all share.

Threads have a pace of their own: Discord opens 50 in five minutes in one channel, for all who open any there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from math import ceil
from typing import Final

from cachetools import LRUCache

from bot.settings import DEFAULT_REQUESTS
from play.ids import MINUTE, ChannelId, Millis
from play.refusal import Reason, Refused
from use_cases.worker import RetryLater

CACHE_SIZE: Final = 50_000
"""Players and servers that are counted; evicted ones start with a full allowance."""

TRUSTED_FAILURES = 1
"""Failures that anybody may have: a code that Discord refuses, or another request that goes on."""

PATIENCE_SECONDS = 8.0
"""Seconds that a thread may take to open. Discord answers within one; what takes longer is turned away meanwhile."""

WINDOW_MILLIS = Millis(5 * MINUTE)
"""The time in which Discord counts the threads of a channel, after which another one opens for certain."""

PAUSE_SECONDS = 60.0
"""Seconds without another try in a channel. Discord counts requests that it turns away, too."""

MAX_CHANNELS = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` requests at once, and one more every `every` seconds."""

    burst: int
    every: float


class RateLimiter:
    """A rate limiter of many keys: each has the time at which its allowance is full again.

    Source: the generic cell rate algorithm.
    """

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._whole: LRUCache[int, float] = LRUCache(CACHE_SIZE)

    def wait(self, who: int, now: float, spare: int = 0) -> float:
        """Counts a request of a key at `now`, in seconds, and returns 0; or returns the seconds to wait, after which
        `spare` further ones would pass."""
        whole = max(self._whole.get(who, 0.0), now) + self._rate.every
        wait = whole - now - (self._rate.burst - spare) * self._rate.every
        if wait > 1e-9:
            return wait
        self._whole[who] = whole
        return 0.0

    def used(self, who: int, now: float) -> float:
        """Returns how many requests of a key count at `now`, in seconds."""
        return max(0.0, self._whole.get(who, 0.0) - now) / self._rate.every

    def give_back(self, who: int) -> None:
        """Takes back a request that was counted."""
        self._whole[who] = self._whole.get(who, 0.0) - self._rate.every


PERSON, SERVER = Rate(DEFAULT_REQUESTS // 4, 60 / DEFAULT_REQUESTS), Rate(300, 0.02)
"""A move by the keypad is four clicks; fifty boards a second are all that Discord takes from a bot."""

TYPING = Rate(60, 0.1)
"""Suggestions, for which Discord asks with every letter that a player types; and what turns would do, in a browser."""

IMPORTS = Rate(5, 30.0)
"""Records that a player imports: reading one may take a second."""

POSTS = Rate(8, 1 / 36)
"""Requests that count towards Discord's 50 a second, of all processes together: 44 in any second."""

DIGESTS = Rate(2, 0.5)
"""Morning digests: most players of a server wake in one time zone, and each digest takes two of Discord's requests."""

ANNOUNCEMENTS = Rate(2, 0.5)
"""Servers that get the operator's announcement, of all processes together: each takes four or five of Discord's
requests, and 10,000 of them an hour and a half."""

FEEDBACK, ALL_FEEDBACK = Rate(3, 1200.0), Rate(30, 60.0)
"""Feedback of one player, and of all players together: people read it."""

VISITS = Rate(90, 1 / 30)
"""Requests for public pages and their parts from one network: everyone may send them. Those of all networks together
are bounded by the lane in which the pages are made."""

LOADS, NETWORK_LOADS = Rate(60, 0.1), Rate(300, 0.02)
"""Boards, words and sockets that one user opens in a browser, and what is asked for from one network by those who have
no session. Behind Discord's proxy all players are one network."""

EXCHANGES = Rate(10, 0.5)
"""Codes that are exchanged at Discord, of all processes together: strangers send them."""

INSTANCES = Rate(20, 0.2)
"""Questions to Discord about an Activity before a code of it is exchanged, of all processes together."""

LINKS = Rate(5, 0.5)
"""Requests of workers about linked roles, of all processes together: nobody waits for them."""

FAILED_ENTRIES = Rate(20, 30.0)
"""Attempts of one network to enter the same room that go on or have failed. A room is an instance of the Activity, a
link, or an address to which Discord leads back."""

CODES, SERVER_CODES = Rate(5, 30.0), Rate(10, 30.0)
"""Codes that one user tries, and all of a server: a guess among 2 to the 60."""

PHRASES = Rate(1, 60.0)
"""Times that a player says the same phrase to strangers."""

CARDS = Rate(4, 4.0)
"""Challenges in one channel, where Discord takes five messages in five seconds: the rest is for boards."""


class Pace:
    """Lets requests pass in their order: those of the burst at once, then one every so many seconds.

    Discord counts the requests that it refuses as well, and bans an address after 10,000 of them in ten minutes.
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

    async def wait_turn(self) -> None:
        """Returns when the next request may be made."""
        now = self._clock()
        self._next = max(self._next, now - self._rate.burst * self._rate.every) + self._rate.every
        if self._next > now:
            await self._sleep(self._next - now)


class RateLimits:
    """The limits of this process; use_cases/limits.py counts what is stored."""

    def __init__(
        self,
        person: Rate = PERSON,
        server: Rate = SERVER,
        typing: Rate = TYPING,
        imports: Rate = IMPORTS,
        cards: Rate = CARDS,
        feedback: Rate = FEEDBACK,
        visits: Rate = VISITS,
        loads: Rate = LOADS,
        network_loads: Rate = NETWORK_LOADS,
        failed_entries: Rate = FAILED_ENTRIES,
    ) -> None:
        self._person, self._server = RateLimiter(person), RateLimiter(server)
        self._typing, self._imports, self._cards = RateLimiter(typing), RateLimiter(imports), RateLimiter(cards)
        self._visits = RateLimiter(visits)
        self._loads, self._network_loads = RateLimiter(loads), RateLimiter(network_loads)
        self._entries = RateLimiter(failed_entries)
        self._phrases = RateLimiter(PHRASES)
        self._codes, self._server_codes = RateLimiter(CODES), RateLimiter(SERVER_CODES)
        self._feedback, self._all_feedback = RateLimiter(feedback), RateLimiter(ALL_FEEDBACK)

    @classmethod
    def per_minute(cls, requests: int) -> RateLimits:
        """Returns limits of so many requests a minute for each player, a quarter of them at once.

        The limit of a server grows in the same proportion, and never falls below the default.
        """
        more = max(1.0, requests / DEFAULT_REQUESTS)
        server = Rate(int(SERVER.burst * more), SERVER.every / more)
        return cls(Rate(max(1, requests // 4), 60 / requests), server)

    def count_request(self, user: int, guild: int | None, now: float) -> None:
        """Counts a request. Raises Refused (`too_fast`, `server_too_fast`)."""
        if wait := self._person.wait(user, now):
            raise Refused(Reason.TOO_FAST, count=_seconds(wait))
        if guild is not None and (wait := self._server.wait(guild, now)):
            raise Refused(Reason.SERVER_TOO_FAST, count=_seconds(wait))

    def count_visit(self, network: int, now: float) -> None:
        """Counts a request from a network for a public page. Raises Refused (`too_fast`)."""
        if wait := self._visits.wait(network, now):
            raise Refused(Reason.TOO_FAST, count=_seconds(wait))

    def count_load(self, user: int, now: float) -> None:
        """Counts what a user opens in a browser. Raises Refused (`too_fast`)."""
        if wait := self._loads.wait(user, now):
            raise Refused(Reason.TOO_FAST, count=_seconds(wait))

    def count_network_load(self, network: int, now: float) -> None:
        """Counts what is asked for from a network by one without a session. Raises Refused (`too_fast`)."""
        if wait := self._network_loads.wait(network, now):
            raise Refused(Reason.TOO_FAST, count=_seconds(wait))

    def count_entry(self, network: int, room: str, now: float) -> None:
        """Counts an attempt to enter a room from a network as one that fails. Raises Refused (`entrance_busy`)."""
        if wait := self._entries.wait(hash((network, room)), now):
            raise Refused(Reason.ENTRANCE_BUSY, count=_seconds(wait))

    def give_back_entry(self, network: int, room: str) -> None:
        """Takes the last attempt from a network back: it has not failed."""
        self._entries.give_back(hash((network, room)))

    def count_import(self, user: int, now: float) -> None:
        """Counts an imported record. Raises Refused (`too_many_imports`)."""
        if wait := self._imports.wait(user, now):
            raise Refused(Reason.TOO_MANY_IMPORTS, count=_seconds(wait))

    def count_card(self, channel: int, now: float) -> None:
        """Counts a card that is to be posted in a channel. Raises Refused (`too_many_cards`)."""
        if wait := self._cards.wait(channel, now):
            raise Refused(Reason.TOO_MANY_CARDS, count=_seconds(wait))

    def count_phrase(self, user: int, phrase: str, now: float) -> None:
        """Counts a phrase that a player says to a stranger. Raises Refused (`too_fast`)."""
        if wait := self._phrases.wait(hash((user, phrase)), now):
            raise Refused(Reason.TOO_FAST, count=_seconds(wait))

    def count_code(self, user: int, guild: int | None, now: float) -> None:
        """Counts a code that a user tries, in a server or outside. Raises Refused (`too_many_codes`)."""
        if wait := self._codes.wait(user, now) or (guild and self._server_codes.wait(guild, now)):
            raise Refused(Reason.TOO_MANY_CODES, count=_seconds(wait))

    def count_feedback(self, user: int, now: float) -> None:
        """Counts feedback of a player. Raises Refused (`too_much_feedback`)."""
        if wait := self._feedback.wait(user, now) or self._all_feedback.wait(0, now):
            raise Refused(Reason.TOO_MUCH_FEEDBACK, count=ceil(wait / 60))

    def allows_suggestion(self, user: int, now: float) -> bool:
        """Returns whether a player who types, or tries turns in a browser, gets an answer."""
        return not self._typing.wait(user, now)


def _seconds(wait: float) -> int:
    return int(wait) + 1


class SharedPace:
    """The pace of requests to Discord that anybody may cause, whom it refuses by the reason `failure`.

    Who has failed more than once lately is not served from the half that is kept for the others. `failures` says how
    soon a failure is forgotten, and after how many of them further ones are not counted.
    """

    def __init__(self, pace: Rate, failure: Reason, failures: Rate) -> None:
        self._pace, self._half = RateLimiter(pace), pace.burst // 2
        self._failure, self._failures = failure, RateLimiter(failures)

    @contextmanager
    def turn(self, who: int, now: float) -> Iterator[None]:
        """Lets one of all make a request in the block, at `now` in seconds. It counts as failed while it goes on.
        Raises Refused (`entrance_busy`)."""
        is_trusted = self._failures.used(who, now) <= TRUSTED_FAILURES
        may_fail = not self._failures.wait(who, now)
        has_failed = False
        try:
            if wait := self._pace.wait(0, now, 0 if is_trusted else self._half):
                raise Refused(Reason.ENTRANCE_BUSY, count=ceil(wait))
            yield
        except Refused as refused:
            has_failed = refused.key == self._failure
            raise
        finally:
            if may_fail and not has_failed:
                self._failures.give_back(who)


CALLED = Rate(20, 12.0)
"""Threads for games that tournaments, contests and leagues call: 45 in any five minutes. The rest is for challenges."""


class ThreadsLimited(RetryLater):
    """Discord opens no thread in a channel for some minutes."""


class ThreadBudget:
    """The threads of all channels that one process opens."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._clock = clock
        self._patience_seconds = patience_seconds
        self._called = RateLimiter(CALLED)
        self._limited: LRUCache[ChannelId, float] = LRUCache(MAX_CHANNELS)

    def count_call(self, channel: ChannelId) -> None:
        """Counts a game that is called in a channel, in a thread to come. Raises RetryLater if it has to wait."""
        self._check_limit(channel)
        if wait := self._called.wait(channel, self._clock()):
            raise RetryLater(f"channel {channel} gets its next thread in {wait:.0f} s", wait)

    @asynccontextmanager
    async def opening(self, channel: ChannelId) -> AsyncIterator[None]:
        """Surrounds the request that opens a thread in a channel. Raises ThreadsLimited if that takes too long, and
        without a request for a while after that."""
        self._check_limit(channel)
        try:
            async with asyncio.timeout(self._patience_seconds):
                yield
        except TimeoutError as slow:
            self._limited[channel] = self._clock() + PAUSE_SECONDS
            raise ThreadsLimited(f"Discord opens no thread in channel {channel} for now", PAUSE_SECONDS) from slow

    def _check_limit(self, channel: ChannelId) -> None:
        if (wait := self._limited.get(channel, 0.0) - self._clock()) > 0:
            raise ThreadsLimited(f"Discord opens no thread in channel {channel} for now", wait)
