"""The decisions of the bot's operator for all servers: restrictions and announcements, and the log of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from play.ids import DAY, MINUTE, GuildId, Millis

MAX_BLOCKED: Final = 1000
"""Servers and users that are blocked at once: every process keeps them in memory."""

MAX_AGE_MILLIS: Final = DAY
"""The age at which an announcement that still waits for a server is given up there: it is no news any more."""

SURE_MILLIS: Final = Millis(3 * MINUTE)
"""How long after its first try a message is posted again: for so long the chat recognises it by its nonce."""

NO_SERVER: Final = GuildId(0)
"""Before the first server."""


class RestrictionKind(StrEnum):
    """What is restricted. The values are stored, and `GAMES` and `STRANGERS` have the number 0."""

    SERVER = "server"
    USER = "user"
    GAMES = "games"
    STRANGERS = "strangers"


@dataclass(frozen=True, slots=True)
class Restriction:
    """A server or a user who is blocked, or the pause of new games, `until` then or until it is lifted."""

    kind: RestrictionKind
    subject: int
    since: Millis
    until: Millis | None = None
    reason: str = ""

    def holds(self, now: Millis) -> bool:
        return self.until is None or now < self.until


class OperatorAct(NamedTuple):
    """An entry of the operator's log: `by` is the name of an account of the machine."""

    at: Millis
    by: str
    name: str
    subject: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A text for all servers, by language. Its servers are `known` up to that number, and all of them once it is
    `listed`."""

    id: int
    made: Millis
    texts: Mapping[str, str]
    known: GuildId = NO_SERVER
    listed: bool = False
    withdrawn: bool = False


class Delivery(NamedTuple):
    """An announcement to one server: `tried` is when its message was sent first."""

    announcement: int
    guild: GuildId
    tried: Millis | None = None


class DeliveryOutcome(StrEnum):
    """What became of it. The values are stored, and printed by `kropka operator status`."""

    POSTED = "posted"
    REFUSED = "refused"  # there is no channel in which the bot may write, or it has left
    UNSURE = "unsure"  # the process ended between the message and its note, and started again too late to ask
    LATE = "late"  # it failed for a day
