"""Milestones of players."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.community.milestone import Milestone, Progress
from play.ids import Millis, UserId


class MilestoneReader(Protocol):
    """Milestones, as reads see them."""

    async def of_user(self, user: UserId) -> dict[Milestone, Millis]:
        """Returns the milestones that a user has been told of, and when, the latest last."""

    async def progress(self, user: UserId, computer: UserId | None, skipped: Collection[Milestone]) -> Progress:
        """Returns how far a user has come, as far as that decides about milestones that are not `skipped`. Games that
        were cancelled or annulled count for nothing. `computer` is the account that plays as it, if one does."""


class MilestoneRepository(MilestoneReader, Protocol):
    """Milestones, as a transaction writes them."""

    async def add(self, user: UserId, milestones: Collection[Milestone], at: Millis) -> None:
        """Stores milestones. Raises Stale if one is there already."""
