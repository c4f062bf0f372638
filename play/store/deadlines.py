"""The moments at which open matches are due: flags and reminders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from play.clock.reminder_step import ReminderStep
from play.ids import MatchId, Millis, UserId
from play.match.events import Notice
from play.match.match import Match


class DeadlineReader(Protocol):
    """Deadlines and reminders, as reads see them."""

    async def next_deadline(self) -> Millis | None:
        """Returns the earliest deadline of all open matches."""

    async def overdue(self, before: Millis, limit: int, among: Collection[MatchId] | None = None) -> list[MatchId]:
        """Returns the open matches, all or those `among` some, whose deadline is earlier than `before`, the earliest
        first."""

    async def next_reminder(self) -> Millis | None:
        """Returns when the next reminder is due."""

    async def reminded(self, match: Match) -> ReminderStep:
        """Returns the steps of this turn whose reminders are done."""

    async def reminders_due(self, now: Millis, limit: int) -> list[MatchId]:
        """Returns the open matches in which a reminder is due, the longest due first."""


class DeadlineRepository(DeadlineReader, Protocol):
    """Deadlines and reminders, as a transaction writes them. `MatchRepository.save` sets them with each event."""

    async def reschedule(self, match: Match) -> None:
        """Updates the stored deadline and reminder of an unchanged match. Raises Stale if it has changed."""

    async def reschedule_all(self, matches: Sequence[Match]) -> None:
        """Updates them of several matches, which were read in this transaction."""

    async def hold(self, users: Collection[UserId], until: Millis) -> None:
        """Lets no deadline of turns that wait for these users be judged before `until`; their clocks stay as they are.

        It holds until the match is saved again.
        """

    async def remind_anew(self, user: UserId, now: Millis) -> None:
        """Lets all turns that wait for `user` be judged by their changed steps, from `now` on."""

    async def mark_reminded(self, match: Match, steps: ReminderStep, notice: Notice | None) -> None:
        """Notes that these steps of the turn are done, and puts their notice, if any, in the outbox. Raises Stale if
        that is noted already."""
