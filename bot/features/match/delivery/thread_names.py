"""The names of threads: each tells its match from others, and says when that is over."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

import discord
from cachetools import LRUCache

from bot.features.match.delivery.open_threads import is_own_thread
from bot.services.channels import ChannelMessenger
from bot.services.locales import Locales
from bot.services.names import Names
from play.ids import ChannelId, MatchId
from play.match.match import Match
from presentation.text import cut_names, isolate
from presentation.words.words import Words
from storage import Database
from storage.errors import Unavailable

MAX_TITLE = 100
"""Characters of a thread's name; Discord's limit."""

OVER: Final = "🏁 "
"""Before the name of a thread whose match is over."""

MAX_RENAMES, WINDOW_SECONDS = 2, 600.0
"""Discord changes the name of a channel so often in so many seconds. A third change would wait for minutes."""

CACHE_SIZE = 2000
"""Threads whose last changes are remembered."""

_GIVEN = re.compile(r"#(\d{1,18}) ")
"""The beginning of the names that the bot gives, with the number of the match."""

log = logging.getLogger(__name__)


def thread_title(match: Match, names: tuple[str, ...], level: int | None, words: Words) -> str:
    """Returns the name of a match's thread: its number, who plays, at which level, and the rules.

    The names of players are cut so that the rest fits, also behind `OVER`.
    """
    rules = isolate(match.rule_set) if match.rule_set else words(f"preset.{match.game.key}.name")
    rules += f" {match.game.options['size'].replace('x', '×')}"
    rest = " · ".join(("", *((words(f"level.{level}"),) if level is not None else ()), rules))
    number = f"#{match.id} "
    room = MAX_TITLE - len(OVER) - len(number) - len(rest)
    return number + cut_names(" – ".join(names), room) + rest


def plain_title(match: Match) -> str:
    """Returns a name in which no filter finds a word: Discord refuses even some numbers behind a #."""
    return f"Kropka {match.id}"


def new_name(present: str, match: Match, title: str) -> str:
    """Returns the name that a thread should have now. One that a moderator has given it stays, but for `OVER`."""
    bare = present.removeprefix(OVER)
    name = title if _GIVEN.match(bare) else bare
    return f"{OVER}{name}"[:MAX_TITLE] if match.outcome else name


class ThreadNames:
    """Names the threads that the bot has opened. Nothing waits for that, and after a failure a thread keeps its
    name."""

    def __init__(
        self,
        store: Database,
        channels: ChannelMessenger,
        locales: Locales,
        names: Names,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`sleep` sleeps for seconds of `clock`."""
        self._store = store
        self._channels = channels
        self._locales = locales
        self._names = names
        self._clock = clock
        self._sleep = sleep
        self._changed: LRUCache[ChannelId, deque[float]] = LRUCache(CACHE_SIZE)
        self._newest: dict[ChannelId, Match] = {}
        self._tasks: dict[ChannelId, asyncio.Task[None]] = {}

    async def title(self, match: Match) -> str:
        """Returns the name of the thread of a match that goes on."""
        async with self._store.read() as reader:
            challenge = await reader.challenges.of_match(match.id)
        level = challenge.terms.level if challenge else None
        names = await self._names.of_all(match.players, match.guild)
        return thread_title(match, names, level, await self._locales.for_match(match))

    def note_posted(self, match: Match, *, first: bool) -> asyncio.Task[None] | None:
        """Renames the thread of a match that is over, or whose `first` board is in the thread of an earlier one. That
        board may show the computer's first move.

        Returns the task that does it, if there is something to do.
        """
        begins_in_old_thread = first and match.parent is None
        if match.guild is None or not (match.outcome or begins_in_old_thread):
            return None
        self._newest[match.channel] = match
        if match.channel not in self._tasks:
            self._tasks[match.channel] = asyncio.create_task(self._work(match.channel))
        return self._tasks[match.channel]

    async def close(self) -> None:
        """Stops; threads that still wait keep their names."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, channel: ChannelId) -> None:
        """Renames a thread for the newest match that waits for it, as soon as Discord lets that happen."""
        changed = self._changed.setdefault(channel, deque(maxlen=MAX_RENAMES))
        match: Match | None = None
        try:
            while match is not self._newest[channel]:
                if len(changed) == MAX_RENAMES and (wait := changed[0] + WINDOW_SECONDS - self._clock()) > 0:
                    await self._sleep(wait)
                match = self._newest[channel]
                if await self._rename(channel, match):
                    changed.append(self._clock())
        except (discord.HTTPException, OSError, Unavailable) as error:
            log.info("thread %d keeps its name: %s", channel, error)
        finally:
            del self._newest[channel], self._tasks[channel]

    async def _rename(self, channel: ChannelId, match: Match) -> bool:
        """Gives a thread of the bot its name for `match`; returns whether that has changed."""
        present = await self._channels.fetch(channel)
        if not is_own_thread(present, self._names.own_id) or await self._is_of_others(present["name"], match):
            return False
        name = new_name(present["name"], match, await self.title(match))
        if name == present["name"]:
            return False
        await self._channels.rename(channel, name)
        return True

    async def _is_of_others(self, name: str, match: Match) -> bool:
        """Returns whether a name that the bot has given is that of a match of other players, which has left the
        thread."""
        given = _GIVEN.match(name.removeprefix(OVER))
        if given is None or int(given[1]) == match.id:
            return False
        async with self._store.read() as reader:
            named = await reader.matches.get(MatchId(int(given[1])))
        return named is not None and {*named.players} != {*match.players}
