"""Display names on a chat platform: they are never stored, only kept for an hour."""

import logging
import time
from collections.abc import Callable, Iterable

from cachetools import LRUCache, TTLCache

from chat.port import ChatPlatform, Person
from play.ids import GuildId, Platform, UserId, is_forgotten, platform_of, side_of
from presentation.people import Names
from presentation.text import nameless, plain_name, readable_name
from presentation.words.words import Languages
from storage import Database
from use_cases.worker import RetryLater, Undeliverable

log = logging.getLogger(__name__)

NAME_SECONDS = 3600.0
"""Seconds for which a name is kept."""

UNKNOWN_SECONDS = 60.0
"""Seconds for which a platform that did not name a person is not asked again."""

MAX_TITLE = 100
"""Characters of a group's name."""

CACHE_SIZE = 20_000
"""Names that are kept."""


class ChatNames:
    """Implements presentation.people.Names for the people of one platform."""

    def __init__(
        self,
        platform: ChatPlatform,
        languages: Languages,
        store: Database,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._platform = platform
        self._languages = languages
        self._store = store
        self.elsewhere: dict[Platform, Names] = {}
        """The names of people of other platforms, who know no group of this one."""
        self._names: TTLCache[tuple[UserId, GuildId | None], str] = TTLCache(CACHE_SIZE, NAME_SECONDS, clock)
        self._unknown: TTLCache[tuple[UserId, GuildId | None], bool] = TTLCache(CACHE_SIZE, UNKNOWN_SECONDS, clock)
        self._left: LRUCache[tuple[UserId, GuildId], bool] = LRUCache(CACHE_SIZE)

    @property
    def own_id(self) -> UserId | None:
        """The bot's own account; None before it is logged in."""
        return self._platform.own_id

    def meet(self, person: Person, guild: GuildId | None) -> None:
        """Keeps the name of a person who has just said something, and so is there. Outside of groups they are called as
        they have chosen."""
        if guild is not None:
            self._names[person.id, guild] = plain_name(readable_name(person.id, person.name))
            self._unknown.pop((person.id, guild), None)
            self._left.pop((person.id, guild), None)

    def forget(self, user: UserId) -> None:
        """Drops the names of a person."""
        for key in [key for key in self._names if key[0] == user]:
            del self._names[key]

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        """Returns whether the platform said last that a person is in the group no more."""
        return guild is not None and (user, guild) in self._left

    def note_left(self, user: UserId, guild: GuildId) -> None:
        """Notes that a person has left a group."""
        self._left[user, guild] = True

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        """Returns the plain name of a person; asks the platform if it is not kept."""
        if is_forgotten(user) or side_of(user) is not None:
            key = "player.forgotten" if is_forgotten(user) else "vote.side"
            return self._languages.of().plain(key)
        if platform_of(user) is not self._platform.kind:
            other = self.elsewhere.get(platform_of(user))
            return plain_name(nameless(user)) if other is None else await other.of(user, None)
        if guild is not None and platform_of(guild) is not self._platform.kind:
            guild = None
        if (user, guild) not in self._names:
            name = await self._ask(user, guild)
            if name is None:
                return plain_name(nameless(user)) if guild is None else await self.of(user, None)
            self._names[user, guild] = name
        return self._names[user, guild]

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        """Returns the plain names of people, in their order."""
        return tuple([await self.of(user, guild) for user in users])

    async def of_server(self, guild: GuildId) -> str | None:
        """Returns the plain name of a group; None where the platform does not tell it."""
        try:
            title = await self._platform.title(guild)
        except (RetryLater, Undeliverable) as error:
            log.info("the name of group %d is not known: %s", guild, error)
            return None
        return None if title is None else plain_name(title, MAX_TITLE)

    async def _ask(self, user: UserId, guild: GuildId | None) -> str | None:
        """Returns the name of a person in a group, or outside of any, where they may have chosen another one; None if
        they are not known there."""
        if guild is None and (alias := await self._alias(user)) is not None:
            return plain_name(alias)
        if (user, guild) in self._unknown:
            return None
        try:
            person = await self._platform.who(user, guild)
        except (RetryLater, Undeliverable) as error:
            log.info("the name of user %d is not known: %s", user, error)
            person = None
        if person is None:
            self._unknown[user, guild] = True
            return None
        return plain_name(readable_name(user, person.name))

    async def _alias(self, user: UserId) -> str | None:
        """Returns what a person wants to be called outside of their groups; None for the name of their account."""
        async with self._store.read() as reader:
            alias = (await reader.people.get(user)).alias
        return None if alias is None else alias or nameless(user)
