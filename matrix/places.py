"""The ids of Matrix: what users, rooms, threads and events are called there, and their numbers here.

A thread's name is that of its room and that of the event in which it begins, with a number sign between.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cachetools import LRUCache

from matrix.rooms import Rooms
from play.ids import ChannelId, GuildId, IdentityKind, MessageId, Platform, UserId
from storage.identities import MAX_NATIVE
from use_cases.identities import Identities
from use_cases.worker import Undeliverable

CACHE_SIZE: Final = 50_000


class Spot(NamedTuple):
    """A room, or a thread of it by the event in which that begins."""

    room: str
    thread: str | None = None

    @property
    def native(self) -> str:
        return self.room if self.thread is None else f"{self.room}#{self.thread}"

    @classmethod
    def read(cls, native: str) -> Spot:
        room, _, thread = native.partition("#$")
        return cls(room, f"${thread}" if thread else None)


class Places:
    """Translates between names and numbers, and keeps both of what it has translated of late."""

    def __init__(self, identities: Identities, rooms: Rooms) -> None:
        self._identities = identities
        self._rooms = rooms
        self._natives: LRUCache[int, str] = LRUCache(CACHE_SIZE)
        self._ids: LRUCache[tuple[IdentityKind, str], int] = LRUCache(CACHE_SIZE)

    async def user(self, native: str) -> UserId:
        """Returns the number of a user, who has one from now on."""
        return UserId(await self._take(IdentityKind.USER, native, None))

    async def known_user(self, native: str) -> UserId | None:
        """Returns the number of a user, if they have one."""
        found = await self._find(IdentityKind.USER, native)
        return None if found is None else UserId(found)

    async def channel(self, spot: Spot) -> ChannelId:
        """Returns the number of a room or thread. Raises Undeliverable for a name that is too long."""
        if len(spot.native) > MAX_NATIVE:
            raise Undeliverable("the name of a thread is too long")
        return ChannelId(await self._take(IdentityKind.PLACE, spot.native, await self._owner(spot.room)))

    async def guild(self, room: str) -> GuildId | None:
        """Returns the number of a room as a group; None for one that the bot shares with one user alone."""
        if self._rooms.direct_user(room) is not None:
            return None
        return GuildId(await self._take(IdentityKind.PLACE, room, None))

    async def message(self, event: str, room: str) -> MessageId:
        """Returns the number of an event."""
        return MessageId(await self._take(IdentityKind.MESSAGE, event, await self._owner(room)))

    async def known_message(self, event: str) -> MessageId | None:
        """Returns the number of an event, if it has one."""
        found = await self._find(IdentityKind.MESSAGE, event)
        return None if found is None else MessageId(found)

    async def spot(self, channel: ChannelId | GuildId) -> Spot:
        """Returns the room or thread of a number. Raises Undeliverable if it was deleted."""
        return Spot.read(await self.native(channel))

    async def native(self, id_: int) -> str:
        """Returns what Matrix calls a user, place or event. Raises Undeliverable if that was deleted."""
        found = await self.known_native(id_)
        if found is None:
            raise Undeliverable(f"nothing on Matrix has the id {id_}")
        return found

    async def known_native(self, id_: int) -> str | None:
        """Returns the same, if it is known."""
        if id_ not in self._natives:
            found = await self._identities.native(id_)
            if found is None:
                return None
            self._natives[id_] = found
        return self._natives[id_]

    def at_hand(self, id_: int) -> str | None:
        """Returns the same, if it was translated of late."""
        return self._natives.get(id_)

    async def move(self, before: str, after: str) -> bool:
        """Lets a room and its threads go on in another one; returns False if that has a number already."""
        known = await self._find(IdentityKind.PLACE, before)
        if known is None or await self._find(IdentityKind.PLACE, after) is not None:
            return False
        await self._identities.move(Platform.MATRIX, before, after)
        self._natives.clear()
        self._ids.clear()
        return True

    async def rename(self, channel: ChannelId, spot: Spot) -> None:
        """Lets the number of a thread mean another one."""
        await self._identities.rename(channel, spot.native)
        self._natives.clear()
        self._ids.clear()

    async def _owner(self, room: str) -> UserId | None:
        user = self._rooms.direct_user(room)
        return None if user is None else await self.user(user)

    async def _find(self, kind: IdentityKind, native: str) -> int | None:
        if (kind, native) not in self._ids:
            found = await self._identities.find(Platform.MATRIX, kind, native)
            if found is None:
                return None
            self._keep(kind, native, found)
        return self._ids[kind, native]

    async def _take(self, kind: IdentityKind, native: str, user: UserId | None) -> int:
        if (kind, native) not in self._ids:
            self._keep(kind, native, await self._identities.take(Platform.MATRIX, kind, native, user))
        return self._ids[kind, native]

    def _keep(self, kind: IdentityKind, native: str, id_: int) -> None:
        self._ids[kind, native] = id_
        self._natives[id_] = native
