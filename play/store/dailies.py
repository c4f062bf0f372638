"""The daily: runs and streaks of users, and its posts on servers."""

from __future__ import annotations

from typing import Protocol

from play.community.daily import DailyPlace, DailyPost, Run, ServerResult, Streak, Tally
from play.ids import GuildId, MessageId, Millis, UserId


class DailyReader(Protocol):
    """The daily, as reads see it."""

    async def run(self, day: str, user: UserId) -> Run | None: ...

    async def tally(self, day: str, guild: GuildId) -> Tally:
        """Returns how those did who have opened the daily on a server."""

    async def count_solvers(self, day: str, guild: GuildId) -> int:
        """Counts those who have opened the daily on a server, and in time solved a step or more, all gone through."""

    async def has_solver(self, day: str, guild: GuildId) -> bool:
        """Returns whether there is one of those."""

    async def guilds(self, day: str, user: UserId) -> list[GuildId]:
        """Returns the servers on which a user has opened the daily."""

    async def count_solved(self, user: UserId) -> int:
        """Counts the puzzles of the runs of a user that are kept."""

    async def streak(self, user: UserId) -> Streak | None: ...

    async def place(self, guild: GuildId) -> DailyPlace | None: ...

    async def due(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose daily is to be posted, the longest due first."""

    async def post(self, guild: GuildId, day: str) -> DailyPost | None: ...

    async def last_post(self, guild: GuildId, before: str) -> DailyPost | None:
        """Returns the newest post of a server before a day, of the last KEPT_DAYS."""

    async def results(self, day: str, min_solvers: int) -> list[ServerResult]:
        """Returns what members of the servers that want to be compared have solved on a day, in time."""


class DailyRepository(DailyReader, Protocol):
    """The daily, as a transaction writes it."""

    async def add_run(self, run: Run) -> None:
        """Stores a new run. Raises Stale if its user has one on its day."""

    async def save_run(self, run: Run, tries: int) -> None:
        """Stores a run that had so many `tries`. Raises Stale if it has changed since."""

    async def add_member(self, day: str, guild: GuildId, user: UserId) -> bool:
        """Notes that a user has opened the daily on a server. Returns whether that is new."""

    async def save_streak(self, streak: Streak) -> None: ...

    async def save_place(self, place: DailyPlace) -> None: ...

    async def note_due(self, place: DailyPlace) -> None:
        """Stores when the daily is due, and what kept it from being posted, unless the place has moved since."""

    async def add_post(self, post: DailyPost) -> None:
        """Stores a post before it is sent. Raises Stale if the server has one for the day."""

    async def mark_posted(self, guild: GuildId, day: str, message: MessageId) -> None: ...

    async def mark_recapped(self, guild: GuildId, day: str) -> None: ...

    async def sweep(self, before: str, limit: int) -> int:
        """Deletes at most so many runs, with what belongs to them, of days before; returns how many."""
