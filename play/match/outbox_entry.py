"""What the outbox holds: versions of matches, stored until they are posted, of which one board may tell several."""

from dataclasses import dataclass, replace
from typing import Self

from play.ids import MatchId, MessageId, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match

REPLY_MILLIS = Millis(2000)
"""How long the board of a move waits for the reply. The strongest level thinks for 1 s, and chats take an
answer to a click for 3 s."""


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


def awaits_reply(match: Match, computer: UserId) -> bool:
    """Returns whether the computer is to reply to a player's move and then that player is to move; so also whether it
    begins a match of two."""
    if match.to_act is None or match.players[match.to_act] != computer:
        return False
    if not match.events:
        return match.game.seats == 2
    event = match.events[-1]
    return event.is_move and (match.to_act + 1) % match.game.seats == event.seat


def is_reply(match: Match, computer: UserId | None) -> bool:
    """Returns whether the last event is a conditional move, or a move of the `computer`."""
    event = match.events[-1] if match.events else None
    if event is None or not event.is_move:
        return False
    return event.kind is EventKind.PLANNED or match.players[event.seat] == computer


def time_for_reply(match: Match, now: Millis) -> Millis:
    """Returns how much longer the board of the last event, or of the start, waits for the reply; 0 for no longer.

    Clocks may differ a little. An event further in the future is the work of a clock that has jumped.
    """
    waited = now - (match.events[-1].at if match.events else match.started)
    return Millis(min(REPLY_MILLIS, REPLY_MILLIS - waited)) if abs(waited) < REPLY_MILLIS else Millis(0)
