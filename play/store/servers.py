"""The settings of servers."""

from __future__ import annotations

from typing import Protocol

from play.ids import GuildId
from play.people.settings import ServerSettings


class ServerReader(Protocol):
    """Servers' settings, as reads see them."""

    async def get(self, guild: GuildId) -> ServerSettings:
        """Returns a server's settings: the defaults until an administrator changes them."""


class ServerRepository(ServerReader, Protocol):
    """Servers' settings, as a transaction writes them."""

    async def save(self, server: ServerSettings) -> ServerSettings:
        """Stores changed settings as their next version. Raises Stale if they have changed since they were read."""

    async def mark_log(self, guild: GuildId, *, lost: bool) -> None:
        """Notes whether the last entry of the server's log could not be posted; that is no change of the settings."""
