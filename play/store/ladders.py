"""The ladders of servers."""

from __future__ import annotations

from typing import Protocol

from play.community.ladder import Ladder
from play.ids import ChallengeId, GuildId, UserId


class LadderReader(Protocol):
    """Ladders, as reads see them."""

    async def get(self, guild: GuildId) -> Ladder | None: ...

    async def of_user(self, user: UserId) -> list[GuildId]:
        """Returns the servers on whose ladders this user is."""

    async def decided_duels(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        """Returns the duels whose match, or whose challenge, is over."""


class LadderRepository(LadderReader, Protocol):
    """Ladders, as a transaction writes them."""

    async def add(self, ladder: Ladder) -> None:
        """Stores a new ladder. Raises Stale if the server has one."""

    async def save(self, ladder: Ladder) -> Ladder:
        """Stores a changed ladder as its next version. Raises Stale if it has changed otherwise."""
