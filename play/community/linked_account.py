"""Linked roles: what Discord is told of players who have linked their accounts, for servers that give roles by it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from play.ids import HOUR, UserId
from play.ratings.leaderboard import QUALIFYING_GAMES, Leader

PUSH_MILLIS = HOUR
"""An account's figures are looked at once in so long, and pushed if they have changed."""


class FigureName(StrEnum):
    """A figure, by its key at Discord, which takes five at most. A changed key would end the roles that use it."""

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
    ENDED = "ended"  # Discord has spent its token, and its user has to link again


@dataclass(frozen=True, slots=True)
class LinkedAccount:
    """An account whose user has allowed the application to tell Discord their figures.

    `refresh` is the token by which the application gets access; without the client secret nobody can use it. `pushed`
    is what Discord was told last. A `withdrawn` one is to be taken back there. `tries` counts the attempts, each of
    which owns the account for some time. `asked` says that the token was sent, and what Discord answered is not known;
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
