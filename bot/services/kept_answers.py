"""Answers of Discord about servers, channels and members, asked for when needed: discord.py caches none of them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any, NamedTuple

import discord
from cachetools import TTLCache

from bot.services.discord_errors import ErrorCode, describe
from bot.services.rate_limits import Pace
from play.refusal import Reason, Refused
from use_cases.keyed_locks import KeyedLocks

KEPT_SECONDS = 60.0
"""Seconds for which Discord's answers are kept: a channel that was closed to members is closed here a minute later."""

ANSWER_SECONDS = 2.0
"""Seconds that Discord gets to answer, since a reader or a click waits."""

RETRY_SECONDS = 10.0
"""Seconds after which Discord is asked again for what it did not answer, while an earlier answer counts."""

CACHE_SIZE = 4000
"""Servers, channels and members whose answers are kept, of some kB."""

CHANNEL_FIELDS = ("guild_id", "name", "type", "parent_id", "thread_metadata", "permission_overwrites")
"""What is kept of a channel."""

GUILD_FIELDS = ("id", "name", "owner_id")
"""What is kept of a server, with the names and permissions of its roles."""

ROLE_FIELDS = ("id", "name", "permissions")
"""What is kept of a role."""

MEMBER_FIELDS = ("roles", "communication_disabled_until", "joined_at", "pending")
"""What is kept of a member."""

UNSEEN = frozenset(
    {
        ErrorCode.UNKNOWN_CHANNEL,
        ErrorCode.UNKNOWN_GUILD,
        ErrorCode.UNKNOWN_MEMBER,
        ErrorCode.UNKNOWN_USER,
        ErrorCode.MISSING_ACCESS,
    }
)
"""Codes that say just that the bot doesn't see it, as of many that strangers ask for."""

Json = dict[str, Any]

log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """What Discord has said, and when; None of something that the bot cannot see."""

    told: Json | None
    at: float


class KeptAnswers:
    """The newest answers of Discord, each asked once at a time. All methods raise Refused (`chat_away`)."""

    def __init__(
        self,
        client: discord.Client,
        clock: Callable[[], float] = time.monotonic,
        grace_seconds: float = 0.0,
        *,
        pace: Pace | None = None,
    ) -> None:
        """While Discord does not answer, the answer before counts for `grace_seconds` longer.

        With a `pace` each request waits for its turn: homes are due by the hundred each morning.
        """
        self._client = client
        self._clock = clock
        self._pace = pace
        self._answers: TTLCache[Hashable, Answer] = TTLCache(CACHE_SIZE, KEPT_SECONDS + grace_seconds, clock)
        self._unanswered: TTLCache[Hashable, None] = TTLCache(CACHE_SIZE, RETRY_SECONDS, clock)
        self._locks: KeyedLocks[Hashable] = KeyedLocks()

    async def guild(self, guild: int) -> Json | None:
        """Returns `GUILD_FIELDS` and the roles of a server, of which each has `ROLE_FIELDS`."""

        async def ask() -> Json:
            found = await self._client.http.get_guild(guild, with_counts=False)
            roles = [_part(role, ROLE_FIELDS) for role in found["roles"]]
            return {**_part(found, GUILD_FIELDS), "roles": roles}

        return await self._keep(guild, ask)

    async def channel(self, channel: int) -> Json | None:
        """Returns `CHANNEL_FIELDS` of a channel or thread: none of them if that is closed to the bot."""

        async def ask() -> Json:
            try:
                return _part(await self._client.http.get_channel(channel), CHANNEL_FIELDS)
            except discord.Forbidden as refused:
                _note(refused)
                return {}

        return await self._keep(channel, ask)

    async def member(self, guild: int, user: int) -> Json | None:
        """Returns `MEMBER_FIELDS` of a member of a server."""

        async def ask() -> Json:
            return _part(await self._client.http.get_member(guild, user), MEMBER_FIELDS)

        return await self._keep((guild, user), ask)

    async def is_in_thread(self, thread: int, user: int) -> bool:
        """Returns whether a user has joined a thread."""

        async def ask() -> Json:
            await self._client.http.get_thread_member(thread, user)
            return {}

        return await self._keep(("thread", thread, user), ask) is not None

    async def _keep(self, key: Hashable, ask: Callable[[], Awaitable[Json]]) -> Json | None:
        async with self._locks.of(key):
            known, now = self._answers.get(key), self._clock()
            if known is not None and (now < known.at + KEPT_SECONDS or key in self._unanswered):
                return known.told
            if self._pace is not None:
                await self._pace.wait_turn()
            try:
                told = await _ask(ask)
            except Refused:
                if known is None:
                    raise
                self._unanswered[key] = None
                return known.told
            self._answers[key] = Answer(told, now)
        return told


def _part(found: Mapping[str, Any], names: tuple[str, ...]) -> Json:
    return {name: found[name] for name in names if name in found}


async def _ask(request: Callable[[], Awaitable[Json]]) -> Json | None:
    """Returns the answer to a request; None if the bot cannot see it. Raises Refused (`chat_away`)."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await request()
    except (discord.Forbidden, discord.NotFound) as refused:
        _note(refused)
        return None
    except (discord.HTTPException, OSError, TimeoutError) as error:
        log.warning("Discord does not say who may use a channel: %r", error)
        raise Refused(Reason.CHAT_AWAY) from error


def _note(refused: discord.HTTPException) -> None:
    if refused.code not in UNSEEN:
        log.warning("Discord refuses to show a part of a server: %s", describe(refused))
