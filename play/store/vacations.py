"""The vacations of users."""

from __future__ import annotations

from typing import Protocol

from play.ids import UserId
from play.people.vacation import Vacation


class VacationReader(Protocol):
    """Vacations, as reads see them."""

    async def of_user(self, user: UserId) -> list[Vacation]:
        """Returns all vacations that a user ever took, in their order."""


class VacationRepository(VacationReader, Protocol):
    """Vacations, as a transaction writes them."""

    async def add(self, vacation: Vacation) -> None: ...

    async def end(self, vacation: Vacation) -> None:
        """Stores the earlier end of a vacation. Raises Stale if none began then."""
