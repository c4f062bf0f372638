"""Display names: they are never stored, only kept for an hour. A side is called as its server, or as its role.

What Discord says along with a name is noted: whether its user is a member of the server.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, Protocol, TypeVar

import discord
from cachetools import LRUCache, TTLCache

from bot.services.discord_errors import FAILURES, ErrorCode, describe
from bot.services.locales import ANSWER_SECONDS, Locales
from chat.names import ChatNames
from play.ids import GuildId, Platform, RoleId, SideId, UserId, is_forgotten, platform_of, side_of
from play.votes import everyone
from presentation.text import nameless, plain_name, readable_name
from storage import Database
from use_cases.keyed_locks import KeyedLocks

T = TypeVar("T")

log = logging.getLogger(__name__)

NAME_SECONDS = 3600.0
"""Seconds for which a name is kept."""

PAUSE_SECONDS = 30.0
"""Seconds for which nobody waits for a name, after one that did not come in time."""

CACHE_SIZE = 20_000
"""Names that are kept."""

MAX_SERVER_NAME = 100
"""Characters of a server's name; Discord's limit."""


class NoteMember(Protocol):
    """Notes whether a user is a member of a server."""

    async def __call__(self, guild: GuildId, user: UserId, *, is_member: bool) -> None: ...


class _Known(NamedTuple):
    """A name as it was when it was kept; `has_left` says that its user was no member of the server then."""

    name: str
    has_left: bool


class Names:
    """A bounded cache of display names; a server's own name for a person wins, elsewhere what they have chosen."""

    def __init__(
        self,
        client: discord.Client,
        locales: Locales,
        store: Database,
        note_member: NoteMember,
        clock: Callable[[], float] = time.monotonic,
        size: int = CACHE_SIZE,
    ) -> None:
        self._client = client
        self._locales = locales
        self._store = store
        self._note_member = note_member
        self._names: TTLCache[tuple[int, int], _Known] = TTLCache(size, NAME_SECONDS, clock)
        self._servers: TTLCache[GuildId, str] = TTLCache(size, NAME_SECONDS, clock)
        self._roles: TTLCache[RoleId, str] = TTLCache(size, NAME_SECONDS, clock)
        self._sides: LRUCache[SideId, tuple[GuildId, RoleId | None]] = LRUCache(size)
        self._locks: KeyedLocks[tuple[int, int]] = KeyedLocks()
        self._clock = clock
        self._resumes = -math.inf
        self.elsewhere: dict[Platform, ChatNames] = {}
        """The names of people of other platforms."""

    @property
    def own_id(self) -> UserId | None:
        """The bot's own account; None before it is logged in."""
        return UserId(self._client.user.id) if self._client.user else None

    async def meet(self, user: discord.User | discord.Member, guild: GuildId | None) -> None:
        """Keeps the name of a user who acts on a server, and so is a member of it."""
        known = self._names.get((guild or 0, user.id))
        alias = None if guild is not None or known is not None else await self._alias(UserId(user.id))
        if guild is not None or known is None:
            self._keep(guild, user.id, alias or readable_name(user.id, user.display_name, user.name))
        if guild is not None and (known is None or known.has_left):
            await self._note_member(guild, UserId(user.id), is_member=True)

    def remember(self, user: discord.User | discord.Member, guild: GuildId | None) -> None:
        """Keeps the name of a user whom Discord has just named, as `guild` knows them. That of one who is no member is
        asked for when it is needed."""
        if guild is None or isinstance(user, discord.Member):
            self._keep(guild, user.id, readable_name(user.id, user.display_name, user.name))

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        """Returns whether a user whose name was fetched lately was no member of the server any more."""
        if (names := self.elsewhere.get(platform_of(user))) is not None:
            return names.has_left(user, guild)
        known = self._names.get((guild or 0, user))
        return known is not None and known.has_left

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        """Returns the plain name of a user in a server, or in a direct message; fetches it if it is not kept."""
        if (names := self.elsewhere.get(platform_of(user))) is not None:
            here = guild is not None and platform_of(guild) is platform_of(user)
            return await names.of(user, guild if here else None)
        if (side := side_of(user)) is not None:
            return await self._name_side(side, guild)
        if is_forgotten(user):
            words = await self._locales.for_guild(guild)
            return words("player.forgotten")
        if guild is not None and platform_of(guild) is not Platform.DISCORD:
            guild = None
        known = self._names.get((guild or 0, user))
        if known is not None:
            return known.name
        try:
            return await self._fetch_once(user, guild)
        except FAILURES as error:
            log.info("the name of user %d is not known: %r", user, error)
            return plain_name(nameless(user))

    def forget(self, user: UserId) -> None:
        """Drops all names of `user`."""
        for key in [key for key in self._names if key[1] == user]:
            del self._names[key]

    async def of_server(self, guild: GuildId) -> str | None:
        """Returns the plain name of a server; None where Discord does not tell it."""
        if (names := self.elsewhere.get(platform_of(guild))) is not None:
            return await names.of_server(guild)
        if (known := self._servers.get(guild)) is not None:
            return known
        async with self._locks.of((guild, 0)):
            if guild not in self._servers:
                try:
                    found = await self._ask(lambda: self._client.http.get_guild(guild, with_counts=False))
                except FAILURES as error:
                    log.info("the name of server %d is not known: %r", guild, error)
                    return None
                self._servers[guild] = plain_name(found["name"], MAX_SERVER_NAME)
        return self._servers[guild]

    async def of_side(self, guild: GuildId, role: RoleId | None) -> str | None:
        """Returns the plain name of a side: that of its role, else of its server; None where Discord does not tell
        it."""
        if role is None or role == everyone(guild):
            return await self.of_server(guild)
        if role not in self._roles:
            async with self._locks.of((guild, role)):
                if role not in self._roles:
                    await self._fetch_roles(guild)
        return self._roles.get(role) or await self.of_server(guild)

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        """Returns the plain names of users, in their order."""
        return tuple([await self.of(user, guild) for user in users])

    def _keep(self, guild: GuildId | None, user: int, name: str, *, has_left: bool = False) -> str:
        known = self._names[guild or 0, user] = _Known(plain_name(name), has_left)
        return known.name

    async def _name_side(self, side: SideId, guild: GuildId | None) -> str:
        if side not in self._sides:
            async with self._store.read() as reader:
                stored = await reader.votes.side(side)
            if stored is not None:
                self._sides[side] = stored.guild, stored.role
        place = self._sides.get(side)
        if place is not None and (name := await self.of_side(*place)):
            return name
        words = await self._locales.for_guild(guild)
        return words("vote.side")

    async def _fetch_roles(self, guild: GuildId) -> None:
        try:
            for each in await self._ask(lambda: self._client.http.get_roles(guild)):
                self._roles[RoleId(int(each["id"]))] = plain_name(each["name"], MAX_SERVER_NAME)
        except FAILURES as error:
            log.info("the roles of server %d are not known: %s", guild, error)

    async def _fetch_once(self, user: UserId, guild: GuildId | None) -> str:
        """Asks Discord, once however many readers of a page wait for the answer."""
        key = guild or 0, user
        async with self._locks.of(key):
            known = self._names.get(key)
            return known.name if known is not None else await self._fetch(user, guild)

    async def _fetch(self, user: UserId, guild: GuildId | None) -> str:
        has_left = False
        if guild is not None:
            try:
                member = await self._ask(lambda: self._client.http.get_member(guild, user))
            except (discord.NotFound, discord.Forbidden) as error:
                has_left = error.code == ErrorCode.UNKNOWN_MEMBER  # else it is the bot that is not in the server
                if not has_left:
                    log.info("server %d does not name user %d: %s", guild, user, describe(error))
            else:
                person = member["user"]
                name = readable_name(user, member.get("nick"), person.get("global_name"), person["username"])
                await self._note_member(guild, user, is_member=True)
                return self._keep(guild, user, name)
        if guild is not None and has_left:
            await self._note_member(guild, user, is_member=False)
        if (alias := await self._alias(user)) is not None:
            return self._keep(guild, user, alias, has_left=has_left)
        try:
            found = await self._ask(lambda: self._client.fetch_user(user))
            name = readable_name(user, found.display_name, found.name)
        except discord.NotFound:
            name = nameless(user)  # an account that is gone
        return self._keep(guild, user, name, has_left=has_left)

    async def _alias(self, user: UserId) -> str | None:
        """Returns what a user wants to be called outside of their servers; None for the name of their account."""
        async with self._store.read() as reader:
            alias = (await reader.people.get(user)).alias
        return None if alias is None else alias or nameless(user)

    async def _ask(self, request: Callable[[], Awaitable[T]]) -> T:
        """Returns Discord's answer. Raises FAILURES: a TimeoutError after `ANSWER_SECONDS`, and then for some time at
        once, since a limit of Discord may last for minutes."""
        if self._clock() < self._resumes:
            raise TimeoutError("Discord has lately named nobody in time")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await request()
        except TimeoutError:
            self._resumes = self._clock() + PAUSE_SECONDS
            raise
