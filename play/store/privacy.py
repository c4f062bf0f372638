"""What privacy asks of a store."""

from __future__ import annotations

from typing import Any, Protocol

from play.ids import ChallengeId, UserId
from play.tournaments.tournament import TournamentId


class PrivacyReader(Protocol):
    """What a store can tell a person of himself."""

    async def everything(self, user: UserId) -> dict[str, list[dict[str, Any]]]:
        """All rows in which `user` stands, by table, and those that belong to his seats."""

    async def open_challenges(self, user: UserId) -> list[ChallengeId]:
        """Those that he has made, is asked to take, or has joined."""

    async def open_tournaments(self, user: UserId) -> list[TournamentId]:
        """Those that he has signed up to and neither left nor ended."""


class PrivacyWriter(PrivacyReader, Protocol):
    """What a transaction can do for him."""

    async def forget(self, user: UserId) -> None:
        """Leaves nothing of a person without open matches: his seats are nobody's, with an id below 0 of their own."""
