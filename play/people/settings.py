"""What players and servers have set, and players whom other players have blocked."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from play.challenge.terms import Terms
from play.clock.clock import ReminderStep
from play.clock.schedule import UTC, Night
from play.ids import ChannelId, GuildId, Millis, RoleId, UserId


class Block(NamedTuple):
    """Who has blocked whom."""

    user: UserId
    blocked: UserId


class Reminders(StrEnum):
    """Where a player gets the reminders that their time runs short."""

    OFF = "off"
    CHANNEL = "channel"
    DM = "dm"


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """The settings of one player, and their defaults.

    `language` and `theme` are keys (language None: that of the player's chat). `confirm_live` and `confirm_days`
    say whether a move has to be confirmed, by speed. `steps` of a turn bring reminders, those after `steps_since`.
    `digest` is the hour of the player's digest, which takes the place of pings for turns over days; None without one.
    `digest_closed` says that the bot ended it, since it could not send direct messages. The `night` is in the time of
    `zone`, which every player with a night has. `terms` are the default of the player's challenges. `dm` is the
    channel of the direct messages that the player has asked for, once it is open. With `opens_next` a move in a game
    over days opens the next one that waits for the player. A `named` user's name is shown where they watch a game. With
    `milestones` the player is told what they have reached. Players of other servers see them by their `alias`: None is
    their display name, and an empty one a number. The games with strangers of one who
    is `watchable` are open to all. `explored` is what the explorer of openings was last asked for: rules, size,
    start and whose games. `version` counts the changes.
    """

    id: UserId
    language: str | None = None
    theme: str = "paper"
    confirm_live: bool = False
    confirm_days: bool = True
    reminders: Reminders = Reminders.CHANNEL
    steps: ReminderStep = ReminderStep.MOST
    steps_since: Millis | None = None
    digest: int | None = None
    digest_closed: bool = False
    night: Night | None = None
    zone: ZoneInfo | None = None
    terms: Terms | None = None
    dm: ChannelId | None = None
    opens_next: bool = False
    named: bool = True
    milestones: bool = True
    alias: str | None = None
    watchable: bool = False
    explored: str | None = None
    version: int = 0

    def local_day(self, at: Millis) -> int:
        """Returns the player's day at that time, as an ordinal of `datetime.date`; in UTC without a zone."""
        return datetime.fromtimestamp(at / 1000, self.zone or UTC).toordinal()

    def confirms(self, *, live: bool) -> bool:
        """Returns whether the player wants to confirm a move before it counts."""
        return self.confirm_live if live else self.confirm_days


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of one server, and their defaults.

    `terms` are the default of challenges whose challenger has none. Without `channels` all of them may be used, and
    without `roles` all members may play. `threads` gives each match a thread of its own. `language` and `theme` are
    those of boards and cards (language None: that of the server in the chat, or of a game's players). Decisions of
    moderators and changed settings are posted in `log_channel`; `log_lost` says that the last one could not be. With
    `pages` finished games have pages on the web, and with `events` what begins is among the server's events. With
    `news` the server is told once what is new in a release. With `strangers` its members may meet players of other
    servers in its channels. `version` counts the changes.
    """

    id: GuildId
    terms: Terms | None = None
    channels: frozenset[ChannelId] = frozenset()
    roles: frozenset[RoleId] = frozenset()
    threads: bool = True
    language: str | None = None
    theme: str = "paper"
    rated: bool = False
    dot_dash: bool = True
    pages: bool = False
    events: bool = False
    news: bool = True
    strangers: bool = True
    log_channel: ChannelId | None = None
    log_lost: bool = False
    version: int = 0

    def allows_channel(self, *channels: ChannelId) -> bool:
        """Returns whether challenges may be made in one of `channels`. For a thread, pass its parent as well."""
        return not self.channels or not self.channels.isdisjoint(channels)

    def allows_roles(self, roles: Iterable[int]) -> bool:
        """Returns whether a member with these `roles` may play."""
        return not self.roles or not self.roles.isdisjoint(roles)


NO_SERVER: Final = ServerSettings(GuildId(0))
"""The settings where there is no server: the default ones."""
