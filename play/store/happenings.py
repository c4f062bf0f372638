"""Happenings, and the events on Discord that show them."""

from __future__ import annotations

from typing import Protocol

from play.community.happening import EventId, Happening, HappeningKind, StoredHappening
from play.ids import GuildId, Millis


class HappeningReader(Protocol):
    """Happenings, as reads see them."""

    async def due(self, now: Millis, limit: int) -> list[int]:
        """Returns the rows that wait for a look and that no attempt owns."""

    async def get(self, guild: GuildId, kind: HappeningKind, key: int) -> StoredHappening | None: ...


class HappeningRepository(HappeningReader, Protocol):
    """Happenings, as a transaction writes them."""

    async def plan(self, happening: Happening, now: Millis) -> None:
        """Stores what begins on a server, or how it has changed. The same once more changes nothing."""

    async def claim(self, id: int, now: Millis, until: Millis) -> StoredHappening | None:  # noqa: A002
        """Gives a row that is due to a new attempt, which owns it `until` then; None if it is not due, or owned."""

    async def note(self, stored: StoredHappening, event: EventId | None, due: Millis) -> bool:
        """Notes that `event` shows this version, and when to look at the row again.

        Without an event there is none now; it is `removed` if a manager has deleted it.

        If the happening has changed meanwhile it is due at once. Returns False, and notes nothing, if another attempt
        owns the row by now.
        """

    async def postpone(self, stored: StoredHappening, due: Millis) -> None:
        """Notes that the event could not be brought up to date before `due`."""

    async def drop(self, stored: StoredHappening) -> None:
        """Deletes a row whose time is over."""

    async def reconsider(self, guild: GuildId, now: Millis) -> None:
        """Makes all happenings of a server due, since its managers have chosen anew."""
