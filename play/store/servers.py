"""The settings of servers."""

from __future__ import annotations

from typing import Protocol

from play.ids import GuildId
from play.people.settings import Server


class ServerReader(Protocol):
    """Servers' settings, as reads see them."""

    async def get(self, guild: GuildId) -> Server:
        """Returns a server's settings: the defaults until an administrator changes them."""


class ServerRepository(ServerReader, Protocol):
    """Servers' settings, as a transaction writes them."""

    async def save(self, server: Server) -> Server:
        """Stores changed settings as their next version. Raises Stale if they have changed since they were read."""
