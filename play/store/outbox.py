"""The outbox: versions of matches and notices to players, stored until they are posted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Protocol, Self

from play.ids import MatchId, MessageId, Millis
from play.match.events import Notice
from play.match.match import Match


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """A version of a match that waits to be posted. `previous` is the newest posted board; `last` says that there is no
    later version yet.

    Until `answer_until` the process that took the player's click may deliver it as its answer to the click. Then only
    the channel shows whether it did.

    `before` is the version before, if the same board tells both. `away` says that it is for the second place of the
    match.
    """

    match: MatchId
    version: int
    previous: MessageId | None
    last: bool = True
    answer_until: Millis | None = None
    before: Match | None = None
    away: bool = False

    @property
    def first(self) -> int:
        """The earliest version that the board tells."""
        return self.version if self.before is None else self.before.version

    def with_reply(self, before: Match, *, last: bool) -> Self:
        """Returns the entry of the board that tells this version, which is `before`, and the next one."""
        return replace(self, version=self.version + 1, before=before, last=last)


class OutboxReader(Protocol):
    """The outbox, as reads see it."""

    async def pending_matches(self, *, away: bool = False) -> list[MatchId]:
        """Returns the matches of which the outbox holds anything, notices included; or those of which it holds versions
        for the places `away`."""

    async def next_entry(self, match: MatchId, *, away: bool = False) -> OutboxEntry | None:
        """Returns the earliest version of a match that the outbox holds for one of its places."""

    async def waiting(self, matches: Collection[MatchId]) -> set[MatchId]:
        """Returns those of the matches of which the outbox holds a version for any of their places."""

    async def next_notice(self, match: MatchId) -> Notice | None:
        """Returns the earliest notice of a match that the outbox holds."""


class OutboxRepository(OutboxReader, Protocol):
    """The outbox in a transaction. `MatchRepository` puts versions in, `DeadlineRepository` reminders."""

    async def mark_posted(self, entry: OutboxEntry, message: MessageId | None, reopen: Millis | None = None) -> None:
        """Takes the versions of a board out of the outbox: `message` shows them, or (None) none can ever be posted.

        Unless a later one is shown, the thread of the match is to be opened for another week at `reopen`.
        """

    async def leave_out(self, entry: OutboxEntry) -> None:
        """Takes the versions of a board out of the outbox that its channel never gets. It may get later ones."""

    async def add_notice(self, notice: Notice) -> None:
        """Puts a notice in, in place of an older one of the same kind."""

    async def remove_notice(self, notice: Notice) -> None:
        """Takes a notice out of the outbox."""
