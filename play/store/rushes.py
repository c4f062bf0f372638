"""Rushes: one of each user, and the best of the week on each server."""

from __future__ import annotations

from typing import Protocol

from play.community.rush import BestRush, Rush
from play.ids import GuildId, UserId


class RushReader(Protocol):
    """Rushes, as reads see them."""

    async def of_user(self, user: UserId) -> Rush | None:
        """Returns the last rush that a user has begun."""

    async def best(self, guild: GuildId, week: str, limit: int) -> list[BestRush]:
        """Returns the best rushes of a week on a server, one of each member."""


class RushRepository(RushReader, Protocol):
    """Rushes, as a transaction writes them."""

    async def save(self, rush: Rush) -> None:
        """Stores a rush in the place of its user's former one."""

    async def note_best(self, rush: Rush, guild: GuildId, week: str) -> None:
        """Stores the result of a rush, unless its user has a better one of that week on that server."""
