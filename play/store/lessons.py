"""The lessons that users have done."""

from __future__ import annotations

from typing import Protocol

from play.community.lesson import LessonState
from play.ids import UserId


class LessonReader(Protocol):
    """Lessons of users, as reads see them."""

    async def of_user(self, user: UserId) -> dict[str, LessonState]:
        """Returns how far a user is with each lesson that they have begun, by its key."""


class LessonRepository(LessonReader, Protocol):
    """Lessons of users, as a transaction writes them."""

    async def save(self, user: UserId, lesson: str, state: LessonState) -> None:
        """Stores how far a user is with a lesson."""
