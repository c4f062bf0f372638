"""Sessions of browsers: each belongs to a user, and knows no more than that."""

from dataclasses import dataclass
from typing import NamedTuple

from play.ids import DAY, HOUR, MINUTE, ChannelId, MatchId, Millis, UserId

SESSION_MILLIS = Millis(30 * DAY)
"""How long a session lasts, and the right to watch a game."""

FRAME_MILLIS = Millis(12 * HOUR)
"""How long a session lasts that begins in the chat's Activity: a page that stays open for an evening. It ends before
those of browsers, so a further session ends it first."""

LINK_MILLIS = Millis(10 * MINUTE)
"""How long a link can be exchanged for a session."""

LAUNCH_MILLIS = Millis(2 * MINUTE)
"""How long a press of the button for the Activity waits for it: the chat loads the page, and may ask the user first."""

USED_LINK_MILLIS = DAY
"""How much longer a link is remembered as used than it is valid: the clock may be set back."""

WATCHING_MILLIS = Millis(90_000)
"""How long a user counts as watching whose process has not said again that their board is open: three times its
interval."""

MAX_SESSIONS = 20
"""Sessions of one user; a further one ends the oldest."""


@dataclass(frozen=True, slots=True)
class WebSession:
    """A session of a browser. `digest` is the hash of its secret, which is not stored."""

    digest: str
    user: UserId
    until: Millis


@dataclass(frozen=True, slots=True)
class WebLink:
    """A link that can be exchanged once for a session of `user`. It leads to a match, which the user plays or, in the
    channel in which they have `seen` it, watches; without a match to the home page.

    It is void unless its `key` is that of the user, which ends with *Sign out everywhere* and with their data.
    """

    id: str
    user: UserId
    match: MatchId | None
    until: Millis
    key: str
    seen: ChannelId | None = None


class Watching(NamedTuple):
    """A user who watches a match now."""

    user: UserId
    match: MatchId


@dataclass(frozen=True, slots=True)
class WebWatch:
    """A game of others that a user may watch, given in the channel in which they have `seen` it; None: by an earlier
    release."""

    user: UserId
    match: MatchId
    until: Millis
    seen: ChannelId | None

    @property
    def given(self) -> Millis:
        """When the user has last had a link."""
        return Millis(self.until - SESSION_MILLIS)
