"""The ladders of servers."""

from __future__ import annotations

from typing import Protocol

from play.community.ladder import Ladder
from play.ids import ChallengeId, GuildId, MessageId, Millis, UserId


class LadderReader(Protocol):
    """Ladders, as reads see them."""

    async def get(self, guild: GuildId) -> Ladder | None: ...

    async def of_user(self, user: UserId) -> list[GuildId]:
        """Returns the servers on whose ladders this user is."""

    async def of_challenge(self, challenge: ChallengeId) -> Ladder | None:
        """Returns the ladder on which a challenge is an undecided duel."""

    async def outdated(self, idle_since: Millis, limit: int) -> list[GuildId]:
        """Returns the ladders that have changed since their standing was posted, and those with a player who has no
        duel and played the last one before `idle_since`."""

    async def decided_duels(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        """Returns the duels whose match, or whose challenge, is over."""


class LadderRepository(LadderReader, Protocol):
    """Ladders, as a transaction writes them."""

    async def add(self, ladder: Ladder) -> None:
        """Stores a new ladder. Raises Stale if the server has one."""

    async def save(self, ladder: Ladder) -> Ladder:
        """Stores a changed ladder as its next version. Raises Stale if it has changed otherwise."""

    async def mark_posted(self, guild: GuildId, version: int, message: MessageId | None) -> None:
        """Notes which version of the ladder its standing shows, or would if its channel were not gone."""
