"""What those who run a server have set for the matches in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from play.challenge.terms import Terms
from play.ids import ChannelId, GuildId, RoleId


@dataclass(frozen=True, slots=True)
class Server:
    """The settings of `id`, with what holds until somebody changes them.

    `terms` are what challenges offer unless the challenger or his own settings say otherwise. No `channels`, or no
    `roles`, means that all may be used, or that everybody may play. `threads` gives each match one of its own;
    `language` and `theme` are what boards and cards are in (None: what the server has set in Discord). `version` counts
    the changes.
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
    version: int = 0

    def plays_in(self, *channels: ChannelId) -> bool:
        """Whether challenges may be made in a channel; of a thread, name also the channel that it hangs in."""
        return not self.channels or not self.channels.isdisjoint(channels)

    def plays_with(self, roles: Iterable[int]) -> bool:
        """Whether somebody who has `roles` may play."""
        return not self.roles or not self.roles.isdisjoint(roles)
