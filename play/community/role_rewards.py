"""Role rewards: Discord roles for the top places of one of a server's leaderboards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from play.challenge.pool import Pool
from play.ids import GuildId, Millis, RoleId, UserId
from play.ratings.ledger import Leader, Scorer

LOWEST: Final = (1, 3, 10)
"""The last place of each step: first, second and third, fourth to tenth."""

SHARED: Final = 30
"""Lines of the leaderboard that may be rewarded. In a season very many players may share a place."""


class Trouble(StrEnum):
    """Why roles cannot be given.

    `PERMISSION`: the bot may not manage roles, or one is above its own. `ROLE`: a role was deleted. `AWAY`: the bot is
    not on the server.
    """

    PERMISSION = "permission"
    ROLE = "role"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Podium:
    """The `roles` that a server gives for the steps of a leaderboard, None for a step without a role.

    The leaderboard is that of the ratings in `pool` or (`seasonal`) of its present season. `version` counts changes of
    the settings and of the places. `trouble` is what prevented the last update.
    """

    guild: GuildId
    pool: Pool
    seasonal: bool = False
    roles: tuple[RoleId | None, ...] = (None,) * len(LOWEST)
    trouble: Trouble | None = None
    version: int = 0


class Honour(NamedTuple):
    """A role that a member has for their place."""

    user: UserId
    role: RoleId


def honours(podium: Podium, lines: Sequence[Leader | Scorer]) -> frozenset[Honour]:
    """Returns which members are to have which role, by the top `lines` of the leaderboard. Equals share a place."""
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
