"""The post of open seats: one message in a channel of a server that shows who of the world looks for an opponent."""

from dataclasses import dataclass
from typing import Final

from play.ids import SECOND, ChannelId, GuildId, MessageId, Millis
from play.posts import KeptPost, PostKey, PostKind

EDIT_PAUSE_MILLIS: Final = Millis(30 * SECOND)
"""Between two edits of one post, however many players come and go."""

MAX_SHOWN: Final = 8
"""Seats of a post, each with its button: more than a phone shows at once."""


@dataclass(frozen=True, slots=True)
class SeatsPost:
    """The post of a server in `channel`. The `message` shows what has this `fingerprint`; `version` counts what it has
    shown so far."""

    guild: GuildId
    channel: ChannelId
    message: MessageId | None = None
    fingerprint: str = ""
    version: int = 0

    @property
    def post(self) -> KeptPost:
        """Where it is kept."""
        return KeptPost(PostKey(PostKind.SEATS, self.guild), self.guild, self.channel)
