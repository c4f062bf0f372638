"""A server's podium: roles on Discord for the top places of one of its leaderboards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from play.challenge.pool import Pool
from play.ids import GuildId, Millis, RoleId, UserId
from play.ratings.ledger import Leader, Scorer

LOWEST: Final = (1, 3, 10)
"""The last place of each step: the first, the second and third, the fourth to tenth."""

SHARED: Final = 30
"""Lines that are looked at: in a season many may share a place, and not all of a server can stand on its podium."""


class Trouble(StrEnum):
    """Why roles cannot be given. `PERMISSION`: the bot may not manage roles, or one stands above its own; `ROLE`: one
    is gone; `AWAY`: the bot is not on the server."""

    PERMISSION = "permission"
    ROLE = "role"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Podium:
    """What a server gives by its leaderboard of `pool`, that of the ratings or (`seasonal`) of the present season: the
    `roles` of the steps, None where there is none.

    `version` counts changes of it and of the places; `trouble` is what was in the way the last time.
    """

    guild: GuildId
    pool: Pool
    seasonal: bool = False
    roles: tuple[RoleId | None, ...] = (None,) * len(LOWEST)
    trouble: Trouble | None = None
    version: int = 0


class Honour(NamedTuple):
    """A role that somebody has because of his place."""

    user: UserId
    role: RoleId


def honours(podium: Podium, lines: Sequence[Leader | Scorer]) -> frozenset[Honour]:
    """Who is to have which role, by the top `lines` of the leaderboard. Equals share a place."""
    found = set()
    for line in lines:
        merited = not isinstance(line, Scorer) or line.points > 0
        step = next((step for step, lowest in enumerate(LOWEST) if line.place and line.place <= lowest), None)
        role = None if step is None else podium.roles[step]
        if merited and role is not None:
            found.add(Honour(line.user, role))
    return frozenset(found)


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
