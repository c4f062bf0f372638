"""News: what a channel is told beside its boards, stored with what brings it about, and told until it stands there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from play.ids import ChannelId, GuildId, Millis

NewsId = NewType("NewsId", int)


class NewsKind(StrEnum):
    """`CLIMBED`, `HELD`: a duel of the ladder is decided; `ANNULLED`: a finished match was taken out of the ratings."""

    CLIMBED = "climbed"
    HELD = "held"
    ANNULLED = "annulled"


@dataclass(frozen=True, slots=True)
class News:
    """`about` is the id of the duel's challenge, or of the match; `place` that for which the two have played."""

    id: NewsId
    kind: NewsKind
    guild: GuildId
    channel: ChannelId
    about: int
    made: Millis
    place: int = 0
