"""Everything that is stored about a user."""

from __future__ import annotations

from typing import Any, Protocol

from play.ids import UserId


class PrivacyReader(Protocol):
    """A user's data, as reads see it."""

    async def export(self, user: UserId) -> dict[str, list[dict[str, Any]]]:
        """Returns all rows that name `user`, by table, and those that belong to their seats."""


class PrivacyRepository(PrivacyReader, Protocol):
    """A user's data, as a transaction deletes it."""

    async def forget(self, user: UserId) -> None:
        """Deletes a user without open matches. In place of theirs, each of their seats gets an id below 0 of its
        own."""
