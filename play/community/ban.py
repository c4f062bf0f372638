"""Bans: members whom the moderators of a server keep from playing on it."""

from dataclasses import dataclass
from typing import Final

from play.ids import GuildId, Millis, UserId

MAX_BANS: Final = 200
"""Bans of a server that hold at the same time."""

MAX_REASON: Final = 200
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban of `user` by the moderator `by`, `until` then; None: until a moderator lifts it."""

    guild: GuildId
    user: UserId
    by: UserId
    at: Millis
    until: Millis | None = None
    reason: str = ""

    def holds(self, now: Millis) -> bool:
        return self.until is None or now < self.until
