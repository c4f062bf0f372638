"""The greetings of servers."""

from __future__ import annotations

from typing import Protocol

from play.community.greeting import Greeting
from play.ids import GuildId


class GreetingReader(Protocol):
    """Greetings, as reads see them."""

    async def get(self, guild: GuildId) -> Greeting | None:
        """Returns the newest greeting of a server, also one that was posted."""

    async def pending(self, limit: int) -> list[GuildId]:
        """Returns the servers whose greetings wait to be posted, the first ones first."""


class GreetingRepository(GreetingReader, Protocol):
    """Greetings, as a transaction writes them."""

    async def put(self, greeting: Greeting) -> None:
        """Stores the greeting of a server in place of an earlier one."""
