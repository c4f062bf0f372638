"""The log of a server: what moderators and managers decided, who and when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from play.ids import UserId


class LogAction(StrEnum):
    """What was done. The values name sentences of the catalogues (`log.entry.<value>`) and are stored."""

    ENDED = "ended"  # A running match, in favor of `subject`.
    DRAWN = "drawn"  # A running match, as a draw.
    ANNULLED = "annulled"  # A running or a finished match.
    EXTENDED = "extended"  # `subject` got more time; the detail is its milliseconds.
    PROPOSED = "proposed"  # A ruling about a match of two servers, to the other one.
    AGREED = "agreed"  # With the other server about a match of both, which the ruling has changed.
    BANNED = "banned"  # The details are the reason, and until when in milliseconds; empty for without end.
    UNBANNED = "unbanned"
    WITHDRAWN = "withdrawn"  # A challenge of `subject`.
    REMOVED = "removed"  # `subject` from a tournament; the detail is its name.
    NOTES_OFF = "notes_off"  # The published notes of `subject`; the detail is in how many games.
    SETTING = "setting"  # The details are the setting, its value before, and after.


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What `by` did, to whom if it was to a player, and more about it by the action."""

    action: LogAction
    by: UserId
    subject: UserId | None = None
    detail: tuple[str, ...] = ()
