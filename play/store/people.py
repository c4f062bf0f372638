"""The settings of users."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from play.ids import UserId
from play.people.settings import PlayerSettings


class PersonReader(Protocol):
    """Users' settings, as reads see them."""

    async def get(self, user: UserId) -> PlayerSettings:
        """Returns a user's settings: the defaults until they change them."""

    async def unnamed(self, users: Collection[UserId]) -> frozenset[UserId]:
        """Returns those of the users whose names nobody reads where they watch a game."""


class PersonRepository(PersonReader, Protocol):
    """Users' settings, as a transaction writes them."""

    async def save(self, person: PlayerSettings) -> PlayerSettings:
        """Stores changed settings as their next version. Raises Stale if they have changed since they were read."""
