"""What the outbox holds: versions of matches, stored until they are posted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from play.ids import MatchId, MessageId, Millis
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
