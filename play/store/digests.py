"""The plans of morning digests."""

from __future__ import annotations

from typing import Protocol

from play.ids import Millis, UserId
from play.people.digest import Digest


class DigestReader(Protocol):
    """Plans of digests, as reads see them."""

    async def get(self, user: UserId) -> Digest | None:
        """Returns the plan of a player who has, or had, a digest."""

    async def due(self, now: Millis, limit: int) -> list[UserId]:
        """Returns the players whose digest is due, or was planned by a wrong clock; the longest due first."""


class DigestRepository(DigestReader, Protocol):
    """Plans of digests, as a transaction writes them."""

    async def put(self, digest: Digest) -> None:
        """Stores the plan of a player in place of an earlier one."""
