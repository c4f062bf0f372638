"""The threads of running games: their names, their players in them, and that they stay open.

Discord archives a thread after a week without activity, and takes no click and no command of its players then. Activity
is a message, opening an archived thread, and a change of the time after which it is archived.

Source: https://discord.com/developers/docs/topics/threads#active--archived-threads
"""

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final

import discord
from cachetools import LRUCache

from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import FAILURES, ErrorCode, describe, is_final
from bot.services.locales import Locales
from bot.services.names import Names
from play.ids import ChannelId, MatchId, is_person
from play.match.listed import OpenMatch
from play.match.match import Match, MatchPlace
from presentation.text import cut_names, isolate
from presentation.words.words import Words
from storage import Database
from storage.errors import Unavailable
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)

ARCHIVE_MINUTES: Final = 10080
"""Minutes without activity after which Discord archives a thread: a week, the longest that it offers."""

ADDING_SECONDS: Final = 5.0
"""Seconds that Discord gets to add a player: the board that is posted already waits for it to be noted as posted."""

OTHER_MINUTES: Final = 4320
"""Another time that Discord offers: a change to it and back is activity."""

PUBLIC_THREADS: Final = (discord.ChannelType.news_thread.value, discord.ChannelType.public_thread.value)
THREADS: Final = (*PUBLIC_THREADS, discord.ChannelType.private_thread.value)

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


class LockedThread(discord.Forbidden):
    """A thread that a moderator has locked. It takes nothing of its players, even if it takes boards of the bot."""

    def __init__(self, channel: ChannelId) -> None:
        response: Any = SimpleNamespace(status=403, reason="Forbidden")
        super().__init__(response, {"code": ErrorCode.THREAD_LOCKED, "message": f"thread {channel} is locked"})


def is_own_thread(there: Mapping[str, Any], own_id: int | None) -> bool:
    """Returns whether what Discord says of a channel is about a thread that the bot has opened."""
    return there["type"] in THREADS and there.get("owner_id") == str(own_id)


class OpenThreads:
    """Keeps threads open, and adds players to them.

    `leave` has the newest board of a match posted again, which finds another place if its thread is closed; it returns
    False for a match that is over or lost.
    """

    def __init__(
        self, channels: ChannelMessenger, names: Names, leave: Callable[[MatchPlace], Awaitable[bool]]
    ) -> None:
        self._channels = channels
        self._names = names
        self._leave = leave

    async def add_players(self, match: Match) -> None:
        """Adds the players of a match to the thread that it is played in; whatever fails is left alone."""
        for user in (match.players[seat] for seat in match.hosts):
            if not is_person(user) or user == self._names.own_id:
                continue
            try:
                async with asyncio.timeout(ADDING_SECONDS):
                    await self._channels.add_to_thread(match.channel, user)
            except FAILURES as error:
                log.info("match %d, user %d is not in its thread: %r", match.id, user, error)

    async def find_parent(self, match: Match) -> ChannelId | None:
        """Returns the channel in which a match can go on without its thread; None if only that thread is its place.

        Those who read the channel also read the bot's threads, but for private ones.
        """
        if match.parent is not None or match.guild is None:
            return match.parent
        try:
            there = await self._channels.fetch(match.channel)
        except discord.HTTPException as error:
            log.info("match %d, nothing is known of its thread: %s", match.id, describe(error))
            return None
        is_own = is_own_thread(there, self._names.own_id) and there["type"] in PUBLIC_THREADS
        return ChannelId(int(there["parent_id"])) if is_own else None

    async def open(self, match: Match | OpenMatch, *, for_a_week: bool = False) -> bool:
        """Opens the thread of a match if it is archived; `for_a_week` without a message, if it is not.

        Returns whether the match is in a thread to which players can be added: only its members say who is in a private
        one. A thread that is not the match's own stays as it is. Raises discord.HTTPException: where the thread is
        closed to the players (LockedThread, too), and where another try may help.
        """
        if match.guild is None or self._channels.is_user_install(match.channel):
            return False
        try:
            there = await self._channels.fetch(match.channel)
        except discord.HTTPException as error:
            if match.parent is not None or not is_final(error):
                raise
            log.info("match %d, nothing is known of its channel: %s", match.id, describe(error))
            return False
        is_own = is_own_thread(there, self._names.own_id)
        if is_own or match.parent is not None:
            if there["thread_metadata"]["locked"]:
                raise LockedThread(match.channel)
            if there["thread_metadata"]["archived"]:
                await self._channels.reopen_thread(match.channel)
            elif for_a_week and is_own:
                await self._channels.change_thread(match.channel, minutes=OTHER_MINUTES)
                await self._channels.change_thread(match.channel, minutes=ARCHIVE_MINUTES)
        return there["type"] in PUBLIC_THREADS

    async def keep_open(self, match: Match) -> bool:
        """See use_cases.workers.outbox_relay.MatchThreads. Raises discord.HTTPException."""
        try:
            return await self.open(match, for_a_week=True)
        except discord.HTTPException as error:
            if not is_final(error):
                raise
            log.info("match %d, its thread stays closed: %s", match.id, describe(error))
            await self._leave(match.place)
            return False

    async def prepare_link(self, match: Match | OpenMatch) -> None:
        """Opens the thread of a match for players who get a link to it.

        Raises RetryLater where it stays closed, until the match has its board in the channel.
        """
        try:
            await self.open(match)
        except discord.HTTPException as error:
            if is_final(error) and await self._leave(match.place):
                raise RetryLater(f"match {match.id} leaves its thread: {describe(error)}") from error


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
