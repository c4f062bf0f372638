"""News, announcements in a channel beside its boards that are stored until posted, and what the log of a server
tells."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NewType

from play.competitions.ladder import DuelEnd
from play.ids import ChannelId, GuildId, Millis, RoleId, UserId

NewsId = NewType("NewsId", int)


class LogAction(StrEnum):
    """What was done. The values name sentences of the catalogues (`log.entry.<value>`) and are stored.

    A detail is the name of a tournament, a contest or rules, if nothing else is said.
    """

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
    SETTING = "setting"  # The details are the setting, its value before, and after: see `setting_changed`.
    VOTE_BEGUN = "vote_begun"
    VOTE_CLOSED = "vote_closed"  # Before its time.
    VOTE_RESIGNED = "vote_resigned"  # For the server, without a vote about it.
    TOURNAMENT_MADE = "tournament_made"
    TOURNAMENT_CHANGED = "tournament_changed"
    TOURNAMENT_ADDED = "tournament_added"  # `subject` by the host.
    TOURNAMENT_PAIRED = "tournament_paired"  # `subject` with another player for the next round, or no longer.
    TOURNAMENT_BEGUN = "tournament_begun"
    TOURNAMENT_CANCELLED = "tournament_cancelled"
    LEAGUE_OPENED = "league_opened"
    LEAGUE_CLOSED = "league_closed"
    LEAGUE_TERMS = "league_terms"  # For the seasons to come, or a change of them is withdrawn.
    LADDER_MADE = "ladder_made"
    LADDER_TERMS = "ladder_terms"
    CONTEST_MADE = "contest_made"  # Its code, which invites another server.
    CONTEST_ACCEPTED = "contest_accepted"
    CONTEST_DECLINED = "contest_declined"
    CONTEST_BEGUN = "contest_begun"  # Before its sign-up was over.
    CONTEST_PLACED = "contest_placed"  # `subject`, in the line-up.
    CONTEST_REMOVED = "contest_removed"  # `subject`, before the games begin.
    CONTEST_WITHDRAWN = "contest_withdrawn"  # Cancelled, or the other server is asked for that.
    RULES_MADE = "rules_made"
    RULES_RENAMED = "rules_renamed"
    RULES_CHANGED = "rules_changed"
    RULES_DELETED = "rules_deleted"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """What `by` did, to whom if it was to a player, and more about it by the action."""

    action: LogAction
    by: UserId
    subject: UserId | None = None
    detail: tuple[str, ...] = ()


KEY = "="
"""With what the name or a value of a setting begins that ends a key of the catalogues. It is told in the language in
which its entry is posted, so an entry never has two."""

DEFAULT, NOTHING = f"{KEY}default", "–"


def setting_changed(by: UserId, setting: str, before: str, after: str) -> LogEntry:
    """Returns the entry of a `setting`, which ends the key of its name (`log.setting.<setting>`)."""
    return LogEntry(LogAction.SETTING, by, detail=(f"{KEY}{setting}", before, after))


def switch_value(*, on: bool) -> str:
    """Returns the value of a switch for an entry."""
    return f"{KEY}on" if on else f"{KEY}off"


def channel_value(channel: ChannelId | None) -> str:
    """Returns a channel for an entry; None is none."""
    return NOTHING if channel is None else f"<#{channel}>"


def role_value(role: RoleId | None) -> str:
    """Returns a role for an entry; None is none."""
    return NOTHING if role is None else f"<@&{role}>"


TOLD_RELEASE: Final = "0.2.0"
"""The newest release with highlights, which the catalogues have (`release.news`)."""


class NewsKind(StrEnum):
    """`CLIMBED`, `HELD`: a duel of the ladder was won by its challenger, or was not. `ANNULLED`: a finished match was
    taken out of the ratings. `RULING`: another server proposes a ruling about a match of both. `LOGGED`: an entry of
    the server's log. `FORETOLD`: a member foretold a match best. `RELEASE`: what is new in this version of the bot.
    `YEAR`: what was played in a year."""

    CLIMBED = "climbed"
    HELD = "held"
    ANNULLED = "annulled"
    RULING = "ruling"
    LOGGED = "logged"
    FORETOLD = "foretold"
    RELEASE = "release"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class News:
    """An announcement. `about` is the id of the duel's challenge, or of the match, or the year, or 0. `place` and
    `ending` are those of the duel; old news have no `ending`."""

    id: NewsId
    kind: NewsKind
    guild: GuildId
    channel: ChannelId
    about: int
    made: Millis
    place: int = 0
    ending: DuelEnd | None = None
    entry: LogEntry | None = None
