"""The part of a player that a reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from play.challenge.pool import Pool
from play.ids import GuildId, Millis, UserId
from play.people.career import MAX_SUMMARIZED_MATCHES, FinishedMatch, Visibility
from play.ratings.leaderboard import Leader
from play.ratings.settlement import RatingChange
from storage.unit_of_work import Reader

MAX_GROUPS = 5
"""Rule sets and opponents that a profile names: those with the most games."""

MIN_GAMES = 5
"""Games from which on a profile says how the first mover did, and of runs: before, each line would repeat the same."""

CURVE_GAMES = 200
"""Games that a curve shows, the latest."""


class Profile(NamedTuple):
    """The part of a player that the reader may see, at the time `now`; `history` is that of the rating in `pool`."""

    now: Millis
    matches: Sequence[FinishedMatch]
    ratings: dict[Pool, Leader]
    places: dict[Pool, Leader | None]
    pool: Pool | None
    history: Sequence[RatingChange]


async def read_profile(
    reader: Reader, user: UserId, guild: GuildId | None, sight: Visibility, pool: Pool | None
) -> Profile:
    """Returns what of `user` is in `sight`, with their places on the leaderboards of `guild`."""
    now = await reader.clock.now()
    matches = await reader.careers.finished(user, 0, MAX_SUMMARIZED_MATCHES, sight=sight)
    ratings: dict[Pool, Leader] = {}
    places: dict[Pool, Leader | None] = {}
    if sight.beside is None:  # outside of servers opponents see each other's games, but no ratings
        ratings = await reader.ratings.of_user(user, sight.guild)
    if guild is not None:
        places = {each: await reader.leaderboards.leader(user, each, guild) for each in ratings}
    if sight.guild is not None:  # as does the leaderboard of the server, which has them with their present rating
        ratings = {each: places[each] or leader for each, leader in ratings.items()}
    chosen = pool if pool in ratings else next(iter(ratings), None)
    history = await reader.ratings.history(user, chosen, CURVE_GAMES, sight.guild) if chosen else []
    return Profile(now, matches, ratings, places, chosen, history)
