"""The settings of users."""

from __future__ import annotations

from typing import Protocol

from play.ids import UserId
from play.people.settings import PlayerSettings


class PersonReader(Protocol):
    """Users' settings, as reads see them."""

    async def get(self, user: UserId) -> PlayerSettings:
        """Returns a user's settings: the defaults until they change them."""


class PersonRepository(PersonReader, Protocol):
    """Users' settings, as a transaction writes them."""

    async def save(self, person: PlayerSettings) -> PlayerSettings:
        """Stores changed settings as their next version. Raises Stale if they have changed since they were read."""
