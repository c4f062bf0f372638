"""News: announcements in a channel beside its boards, stored until they are posted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from play.community.log import LogEntry
from play.competitions.ladder import DuelEnd
from play.ids import ChannelId, GuildId, Millis

NewsId = NewType("NewsId", int)


class NewsKind(StrEnum):
    """`CLIMBED`, `HELD`: a duel of the ladder was won by its challenger, or was not. `ANNULLED`: a finished match was
    taken out of the ratings. `RULING`: another server proposes a ruling about a match of both. `LOGGED`: an entry of
    the server's log. `FORETOLD`: a member foretold a match best."""

    CLIMBED = "climbed"
    HELD = "held"
    ANNULLED = "annulled"
    RULING = "ruling"
    LOGGED = "logged"
    FORETOLD = "foretold"


@dataclass(frozen=True, slots=True)
class News:
    """An announcement. `about` is the id of the duel's challenge, or of the match. `place` and `ending` are
    those of the duel; old news have no `ending`."""

    id: NewsId
    kind: NewsKind
    guild: GuildId
    channel: ChannelId
    about: int
    made: Millis
    place: int = 0
    ending: DuelEnd | None = None
    entry: LogEntry | None = None
