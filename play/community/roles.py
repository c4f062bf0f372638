"""Roles in the chat for what players have reached.

Role rewards are roles for the top places of one of a server's leaderboards. For linked roles the chat is told of the
players who have linked their accounts, and servers give roles by it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from play.challenge.pool import Pool
from play.ids import HOUR, GuildId, RoleId, UserId
from play.ratings.leaderboard import QUALIFYING_GAMES, Leader, Scorer

LAST_PLACES: Final = (1, 3, 10)
"""The last place of each step: first, second and third, fourth to tenth."""

MAX_LINES: Final = 30
"""Lines of the leaderboard that may be rewarded. In a season very many players may share a place."""

PUSH_MILLIS = HOUR
"""An account's figures are looked at once in so long, and pushed if they have changed."""


class GrantProblem(StrEnum):
    """Why roles cannot be given.

    `PERMISSION`: the bot may not manage roles, or one is above its own. `ROLE`: a role was deleted. `AWAY`: the bot is
    not on the server. `REFUSED`: the chat refuses for another reason, which the log names.
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


class FigureName(StrEnum):
    """A figure, by its key at the chat, which takes five at most. A changed key would end the roles that use it."""

    RATING = "rating"  # the best one, in any kind of game
    DIVISION = "division"  # the highest one in a league, from 1; fewer are better
    GAMES = "games"  # that were played out, or for ten moves of each player
    PUZZLES = "puzzles"  # of the day, solved in the last 90 days
    STREAK = "streak"  # the longest one, in days


Figures = Mapping[FigureName, int]
"""What is known of a player; a figure is missing where there is none, and then no role is given by it."""


class LinkState(StrEnum):
    """What became of a user's link."""

    NONE = "none"
    LINKED = "linked"
    ENDED = "ended"  # The chat has spent its token, and its user has to link again


@dataclass(frozen=True, slots=True)
class LinkedAccount:
    """An account whose user has allowed the application to tell the chat their figures.

    `refresh` is the token by which the application gets access; without the client secret nobody can use it. `pushed`
    is what the chat was told last. A `withdrawn` one is to be taken back there. `tries` counts the attempts, each of
    which owns the account for some time. `asked` says that the token was sent, and what the chat answered is not known;
    one that has `ended` by that has no token.
    """

    user: UserId
    refresh: str
    pushed: Figures
    withdrawn: bool = False
    tries: int = 0
    asked: bool = False
    ended: bool = False


def best_rating(ratings: Collection[Leader]) -> int | None:
    """Returns the best rating of a user that is more than a newcomer's guess; None without one."""
    known = [leader.rating.value for leader in ratings if leader.games >= QUALIFYING_GAMES]
    return round(max(known)) if known else None
