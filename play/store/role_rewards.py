"""What role rewards ask of a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from play.community.role_rewards import Honour, Podium, Trouble
from play.ids import GuildId, Millis, UserId


class PodiumReader(Protocol):
    """What the podiums' part of a store answers."""

    async def podium(self, guild: GuildId) -> Podium | None: ...

    async def stirring_podiums(self, now: Millis, limit: int) -> list[GuildId]:
        """Servers on whose podium somebody else may have to stand: places or settings have changed, or a season is
        over."""

    async def honours(self, guild: GuildId) -> Mapping[Honour, bool]:
        """The roles that were given, and (False) those that may have been: the process may have ended in between."""

    async def honours_of(self, user: UserId) -> list[tuple[GuildId, Honour]]:
        """The same of one person on all servers."""


class PodiumWriter(PodiumReader, Protocol):
    """What a transaction can do with them. If the podium is not any more as it was read, it is looked at once more."""

    async def save_podium(self, podium: Podium) -> None:
        """Stores what was set; `version` and `trouble` count for nothing."""

    async def honouring(self, podium: Podium, honour: Honour) -> None:
        """Notes that a role is about to be given."""

    async def honoured(self, podium: Podium, honour: Honour) -> None:
        """Notes that it was given."""

    async def dishonoured(self, podium: Podium, honour: Honour) -> None:
        """Notes that it was taken back."""

    async def podium_settled(
        self, podium: Podium, until: Millis | None, trouble: Trouble | None, *, done: bool
    ) -> None:
        """Notes what came of it; `done` until something changes, or the season is over (`until`)."""
