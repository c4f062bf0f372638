"""What the bot knows of its rooms: who is in them, who may what, and which ones are for one person alone.

All of it is asked for when it is needed, kept for a while, and dropped when the room tells that it has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final, TypeVar

from cachetools import LRUCache, TTLCache

from matrix.homeserver import Forbidden, Homeserver, Missing
from use_cases.keyed_locks import KeyedLocks

KEPT_SECONDS: Final = 600.0
CACHE_SIZE: Final = 5_000
MAX_MEMBERS: Final = 100
"""Rooms whose whole lists of members are kept."""

MANAGES: Final = 50
"""The power of a moderator. Source: https://spec.matrix.org/latest/client-server-api/#mroompower_levels"""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Powers:
    """Who may do what in a room. Users in `creators` may do everything, where the room's version says so."""

    users: Mapping[str, float] = field(default_factory=dict)
    others: float = 0
    events: Mapping[str, float] = field(default_factory=dict)
    messages: float = 0
    settings: float = MANAGES
    creators: frozenset[str] = frozenset()

    def of(self, user: str) -> float:
        """Returns the power of a user."""
        return inf if user in self.creators else self.users.get(user, self.others)

    def may_send(self, user: str, kind: str = "m.room.message") -> bool:
        """Returns whether a user may send events of a kind."""
        return self.of(user) >= self.events.get(kind, self.messages)

    def manages(self, user: str) -> bool:
        """Returns whether a user manages the room."""
        return self.of(user) >= max(self.settings, 1)

    @property
    def helper(self) -> str | None:
        """The user who may give the bot power, if one is named."""
        needed = self.events.get("m.room.power_levels", self.settings)
        able = [user for user in (*self.creators, *self.users) if self.of(user) >= needed]
        return max(able, key=self.of, default=None)


def read_powers(levels: Mapping[str, Any], made: Mapping[str, Any], creator: str | None) -> Powers:
    """Returns the rights of a room by its values `m.room.power_levels` and `m.room.create`."""
    others = made.get("additional_creators")
    creators = [creator, *(others if isinstance(others, list) else ())] if _version(made) >= 12 else []
    return Powers(
        _levels(levels.get("users")),
        _level(levels.get("users_default"), 0),
        _levels(levels.get("events")),
        _level(levels.get("events_default"), 0),
        _level(levels.get("state_default"), MANAGES),
        frozenset(each for each in creators if isinstance(each, str)),
    )


class Rooms:
    """The rooms of one account. Every method raises as the homeserver's calls do."""

    def __init__(self, homeserver: Homeserver, clock: Callable[[], float] = time.monotonic) -> None:
        self._homeserver = homeserver
        self._members: TTLCache[str, Mapping[str, str]] = TTLCache(MAX_MEMBERS, KEPT_SECONDS, clock)
        self._names: TTLCache[tuple[str, str], str | None] = TTLCache(CACHE_SIZE, KEPT_SECONDS, clock)
        self._powers: TTLCache[str, Powers] = TTLCache(CACHE_SIZE, KEPT_SECONDS, clock)
        self._encrypted: TTLCache[str, bool] = TTLCache(CACHE_SIZE, KEPT_SECONDS, clock)
        self._titles: TTLCache[str, str | None] = TTLCache(CACHE_SIZE, KEPT_SECONDS, clock)
        self._left: LRUCache[str, bool] = LRUCache(CACHE_SIZE)
        self._direct: dict[str, str] = {}
        self._begun: set[str] = set()
        self._making = KeyedLocks[str]()
        self._me = ""

    async def load(self, me: str) -> None:
        """Reads which rooms are for one person alone, for the account `me`, and for whom one was begun."""
        self._me, self._direct = me, {}
        try:
            found = await self._homeserver.account_data(me, "m.direct")
        except Missing:
            return
        self._begun = {user for user, rooms in found.items() if not rooms}
        for user, rooms in found.items():
            for room in rooms if isinstance(rooms, list) else ():
                if isinstance(room, str):
                    self._direct[room] = user

    def direct_user(self, room: str) -> str | None:
        """Returns the user with whom alone the bot shares a room; None for other rooms."""
        return self._direct.get(room)

    async def note_direct(self, room: str, user: str) -> None:
        """Stores that a room is for one user alone, as clients do."""
        self._direct[room] = user
        self._begun.discard(user)
        await self._store_direct()

    async def forget(self, room: str) -> None:
        """Drops a room that the bot is not in any more."""
        self.drop(room)
        self._left[room] = True
        if self._direct.pop(room, None) is not None:
            await self._store_direct()

    def note_joined(self, room: str) -> None:
        """Notes that the bot is in a room, perhaps again."""
        self._left.pop(room, None)

    def has_left(self, room: str) -> bool:
        """Returns whether the bot has been removed from a room: what was sent there before is answered as if it were
        sent now."""
        return room in self._left

    async def direct_room(self, user: str) -> str | None:
        """Returns the newest room that a user and the bot share alone, and that the user has joined or may yet join."""
        for room in [room for room, other in self._direct.items() if other == user][::-1]:
            try:
                member = await self._homeserver.state(room, "m.room.member", user)
            except (Missing, Forbidden):
                continue
            if member.get("membership") in ("join", "invite"):
                return room
        return None

    async def has_joined(self, user: str, room: str) -> bool:
        """Returns whether a user is in a room."""
        return await self.name_of(user, room) is not None

    async def open_direct(self, user: str) -> str:
        """Returns such a room, which is made if there is none.

        That it is begun is stored first, so that a kill before the end leaves no empty room behind.
        """
        async with self._making.of(user):
            if (room := await self.direct_room(user)) is not None:
                return room
            if user not in self._begun or (room := await self._find_made(user)) is None:
                self._begun.add(user)
                await self._store_direct()
                room = await self._homeserver.create_direct(user)
            await self.note_direct(room, user)
        return room

    async def name_of(self, user: str, room: str) -> str | None:
        """Returns the name of a user in a room; None if they are not in it."""
        return await self._kept(self._names, (user, room), lambda: self._ask_name(user, room))

    async def members(self, room: str) -> Mapping[str, str]:
        """Returns the names of all who have joined a room, by their ids."""
        return await self._kept(self._members, room, lambda: self._ask_members(room))

    async def powers(self, room: str) -> Powers:
        """Returns who may do what in a room."""
        return await self._kept(self._powers, room, lambda: self._ask_powers(room))

    async def is_encrypted(self, room: str) -> bool:
        """Returns whether messages in a room are encrypted."""
        return await self._kept(self._encrypted, room, lambda: self._has(room, "m.room.encryption"))

    def note_encrypted(self, room: str) -> None:
        """Notes that they are from now on."""
        self._encrypted[room] = True

    async def title(self, room: str) -> str | None:
        """Returns the name of a room, or its address."""
        return await self._kept(self._titles, room, lambda: self._ask_title(room))

    async def predecessor(self, room: str) -> str | None:
        """Returns the room that goes on in this one."""
        match await self._value(room, "m.room.create"):
            case {"predecessor": {"room_id": str(before)}}:
                return before
        return None

    def drop(self, room: str, user: str | None = None) -> None:
        """Drops what is kept of a room, or of a user in it."""
        self._members.pop(room, None)
        if user is not None:
            self._names.pop((user, room), None)
        else:
            self._powers.pop(room, None)
            self._titles.pop(room, None)

    async def _find_made(self, user: str) -> str | None:
        """Returns the room that the bot has made for a user without noting it. It makes no others."""
        for room in await self._homeserver.joined_rooms():
            if room not in self._direct and await self._homeserver.made_by(room) == self._me:
                member = await self._value(room, "m.room.member", user)
                if member.get("membership") in ("join", "invite"):
                    return room
        return None

    async def _store_direct(self) -> None:
        rooms: dict[str, list[str]] = {user: [] for user in self._begun}
        for room, user in self._direct.items():
            rooms.setdefault(user, []).append(room)
        await self._homeserver.store_account_data(self._me, "m.direct", rooms)

    async def _ask_name(self, user: str, room: str) -> str | None:
        member = await self._value(room, "m.room.member", user)
        name = member.get("displayname")
        if member.get("membership") != "join":
            return None
        return name if isinstance(name, str) and name.strip() else localpart(user)

    async def _ask_members(self, room: str) -> Mapping[str, str]:
        found = await self._homeserver.members(room)
        names = {user: each.get("display_name") if isinstance(each, dict) else None for user, each in found.items()}
        return {
            user: name if isinstance(name, str) and name.strip() else localpart(user) for user, name in names.items()
        }

    async def _ask_powers(self, room: str) -> Powers:
        made = await self._value(room, "m.room.create")
        creator = await self._homeserver.made_by(room) if _version(made) >= 12 else None
        return read_powers(await self._value(room, "m.room.power_levels"), made, creator)

    async def _ask_title(self, room: str) -> str | None:
        for kind, key in (("m.room.name", "name"), ("m.room.canonical_alias", "alias")):
            name = (await self._value(room, kind)).get(key)
            if isinstance(name, str) and name.strip():
                return name
        return None

    async def _has(self, room: str, kind: str) -> bool:
        return bool(await self._value(room, kind))

    async def _value(self, room: str, kind: str, key: str = "") -> Mapping[str, Any]:
        try:
            return await self._homeserver.state(room, kind, key)
        except Missing:
            return {}

    async def _kept(self, cache: TTLCache[Any, T], key: Any, ask: Callable[[], Any]) -> T:
        if key in cache:
            kept: T = cache[key]
            return kept
        found: T = await ask()
        cache[key] = found
        return found


def localpart(user: str) -> str:
    """Returns the part of a user's id that they have chosen."""
    return user[1:].partition(":")[0]


def server_of(user: str) -> str:
    """Returns the server of a user."""
    return user.partition(":")[2]


def _version(made: Mapping[str, Any]) -> int:
    version = made.get("room_version")
    return int(version) if isinstance(version, str) and version.isascii() and version.isdigit() else 1


def _level(value: object, default: float) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else default


def _levels(value: object) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    return {key: level for key, level in value.items() if isinstance(level, int | float)}
