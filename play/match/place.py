"""The second place of a match: another server in which it is shown and played as well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from play.ids import ChannelId, GuildId, MatchId
from rules.game import Seat


@dataclass(frozen=True, slots=True)
class AwayPlace:
    """The other place of a match of two seats.

    `seat` is at home there, the other seat where the match is looked at from. `parent` is the channel of a thread.
    """

    guild: GuildId | None
    channel: ChannelId
    parent: ChannelId | None
    seat: Seat


class MatchPlace(NamedTuple):
    """One place of a match: where it began, or the one `away`."""

    match: MatchId
    away: bool = False
