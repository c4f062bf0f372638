"""What ladders ask of a store."""

from __future__ import annotations

from typing import Protocol

from play.community.ladder import Ladder
from play.ids import ChallengeId, GuildId, UserId


class LadderReader(Protocol):
    """What the ladders' part of a store answers."""

    async def ladder(self, guild: GuildId) -> Ladder | None: ...

    async def ladders_of(self, user: UserId) -> list[GuildId]:
        """The servers on whose ladders somebody is."""

    async def decided_duels(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        """Duels whose match, or whose challenge, is over."""


class LadderWriter(LadderReader, Protocol):
    """What a transaction can do with ladders."""

    async def add_ladder(self, ladder: Ladder) -> None:
        """Stores a new one. Raises Stale if the server has one."""

    async def save_ladder(self, ladder: Ladder) -> Ladder:
        """Stores what became of a ladder, as its next version. Raises Stale if something else has happened."""
