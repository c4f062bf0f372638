"""Analysis sheets."""

from __future__ import annotations

from typing import Protocol

from play.ids import GuildId, MatchId, Millis, UserId
from play.match.sheet import Sheet


class SheetReader(Protocol):
    """Sheets, as reads see them."""

    async def get(self, match: MatchId, user: UserId) -> Sheet | None:
        """Returns the sheet of a user in a match."""

    async def published(self, match: MatchId) -> list[Sheet]:
        """Returns the published sheets of a match."""

    async def published_by(self, user: UserId, guild: GuildId) -> list[Sheet]:
        """Returns the published sheets of a user in the matches of a server."""

    async def published_versions(self, match: MatchId) -> dict[UserId, int]:
        """Returns the versions of the published sheets of a match, by their users."""


class SheetRepository(SheetReader, Protocol):
    """Sheets, as a transaction writes them."""

    async def save(self, sheet: Sheet, at: Millis, most: int) -> None:
        """Stores a sheet that was changed at this time; of its user's others, only the ones changed last stay, so that
        there are `most`.

        Raises Stale if its version is not the one after the stored version.
        """
