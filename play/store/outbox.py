"""The outbox: versions of matches and notices to players, stored until they are posted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from play.ids import MatchId, MessageId, Millis
from play.match.events import Notice


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A version of a match that waits to be posted. `previous` is the newest posted board; `last` says that there is no
    later version yet.

    Until `answer_until` the process that took the player's click may deliver it as its answer to the click. Then only
    the channel shows whether it did.
    """

    match: MatchId
    version: int
    previous: MessageId | None
    last: bool = True
    answer_until: Millis | None = None


class OutboxReader(Protocol):
    """The outbox, as reads see it."""

    async def pending_matches(self) -> list[MatchId]:
        """Returns the matches of which the outbox holds anything, notices included."""

    async def next_entry(self, match: MatchId) -> OutboxEntry | None:
        """Returns the earliest version of a match that the outbox holds."""

    async def next_notice(self, match: MatchId) -> Notice | None:
        """Returns the earliest notice of a match that the outbox holds."""


class OutboxRepository(OutboxReader, Protocol):
    """The outbox in a transaction. `MatchRepository` puts versions in, `DeadlineRepository` reminders."""

    async def mark_posted(self, entry: OutboxEntry, message: MessageId | None) -> None:
        """Takes a version out of the outbox: `message` shows it, or (None) it can never be posted."""

    async def remove_notice(self, notice: Notice) -> None:
        """Takes a notice out of the outbox."""
