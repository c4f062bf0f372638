"""Members whom a server keeps from playing on it."""

from __future__ import annotations

from typing import Protocol

from play.community.ban import Ban
from play.ids import GuildId, Millis, UserId


class BanReader(Protocol):
    """Bans, as reads see them. One that is over may still be stored."""

    async def get(self, guild: GuildId, user: UserId) -> Ban | None: ...

    async def of_server(self, guild: GuildId) -> list[Ban]:
        """Returns the bans of a server, the newest first."""


class BanRepository(BanReader, Protocol):
    """Bans, as a transaction writes them."""

    async def put(self, ban: Ban) -> None:
        """Stores a ban in place of an earlier one of the same member on the same server."""

    async def remove(self, guild: GuildId, user: UserId) -> None:
        """Removes a ban, if it is there."""

    async def remove_ended(self, now: Millis) -> None:
        """Removes all bans that are over."""
