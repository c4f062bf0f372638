"""News, announcements in a channel beside its boards that are stored until posted, and what the log of a server
tells."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from play.competitions.ladder import DuelEnd
from play.ids import ChannelId, GuildId, Millis, UserId

NewsId = NewType("NewsId", int)


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
    ROLE_GONE = "role_gone"  # That votes in a match was deleted; `by` is the account of its side.
    SETTING = "setting"  # The details are the setting, its value before, and after.


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What `by` did, to whom if it was to a player, and more about it by the action."""

    action: LogAction
    by: UserId
    subject: UserId | None = None
    detail: tuple[str, ...] = ()


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
