"""Role rewards: Discord roles for the top places of one of a server's leaderboards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from play.challenge.pool import Pool
from play.ids import GuildId, RoleId, UserId
from play.ratings.leaderboard import Leader, Scorer

LAST_PLACES: Final = (1, 3, 10)
"""The last place of each step: first, second and third, fourth to tenth."""

MAX_LINES: Final = 30
"""Lines of the leaderboard that may be rewarded. In a season very many players may share a place."""


class GrantProblem(StrEnum):
    """Why roles cannot be given.

    `PERMISSION`: the bot may not manage roles, or one is above its own. `ROLE`: a role was deleted. `AWAY`: the bot is
    not on the server. `REFUSED`: Discord refuses for another reason, which the log names.
    """

    PERMISSION = "permission"
    ROLE = "role"
    AWAY = "away"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RoleRewards:
    """The `roles` that a server gives for the steps of a leaderboard, None for a step without a role.

    The leaderboard is that of the ratings in `pool` or (`seasonal`) of its present season. `version` counts changes of
    the settings and of the places. `trouble` is what prevented the last update.
    """

    guild: GuildId
    pool: Pool
    seasonal: bool = False
    roles: tuple[RoleId | None, ...] = (None,) * len(LAST_PLACES)
    trouble: GrantProblem | None = None
    version: int = 0


class RoleGrant(NamedTuple):
    """A role that a member has for their place."""

    user: UserId
    role: RoleId


def grants(podium: RoleRewards, lines: Sequence[Leader | Scorer]) -> frozenset[RoleGrant]:
    """Returns which members are to have which role, by the top `lines` of the leaderboard. Equals share a place."""
    found = set()
    for line in lines:
        step = next((step for step, lowest in enumerate(LAST_PLACES) if line.place and line.place <= lowest), None)
        role = None if step is None else podium.roles[step]
        if role is not None:
            found.add(RoleGrant(line.user, role))
    return frozenset(found)
