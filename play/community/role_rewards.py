"""A server's podium: roles on Discord for the top places of one of its leaderboards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from play.challenge.pool import Pool
from play.ids import GuildId, RoleId, UserId
from play.ratings.leaderboard import Leader, Scorer

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
