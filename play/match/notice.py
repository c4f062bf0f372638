"""What one player is told, beside what a channel is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from play.ids import MatchId, UserId


class NoticeKind(StrEnum):
    """`REMINDER`: most of the time for his turn is over. `LOST`: the match has no channel any more."""

    REMINDER = "reminder"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Notice:
    """For `user`, of the match as it was at `version`."""

    match: MatchId
    version: int
    user: UserId
    kind: NoticeKind
