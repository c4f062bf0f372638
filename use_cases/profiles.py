"""Leaderboards and season tables, page by page, and the part of a player that a reader may see."""

from collections.abc import Sequence
from itertools import accumulate, repeat
from typing import NamedTuple

from play.challenge.pool import Pool
from play.ids import GuildId, Millis, UserId
from play.people.career import MAX_SUMMARIZED_MATCHES, FinishedMatch, Visibility
from play.ratings.leaderboard import LINES_PER_PAGE, Leader, LeaderboardPage, Scorer, Season
from play.ratings.settlement import RatingChange
from storage.unit_of_work import Reader

MAX_SEASONS = 25
"""Seasons that are looked for, the present one first; the chat takes as many suggestions."""

MAX_GROUPS = 5
"""Rule sets and opponents that a profile names: those with the most games."""

MIN_GAMES = 5
"""Games from which on a profile says how the first mover did, and of runs: before, each line would repeat the same."""

CURVE_GAMES = 200
"""Games that a curve shows, the latest."""


async def read_lines(reader: Reader, page: LeaderboardPage, guild: GuildId | None) -> Sequence[Leader | Scorer]:
    """Returns the lines of a page, and one more if there are lines below."""
    if page.season is None:
        return await reader.leaderboards.leaders(page.pool, guild, page.start, LINES_PER_PAGE + 1)
    return await reader.leaderboards.scorers(page.season, page.pool, guild, page.start, LINES_PER_PAGE + 1)


async def read_seasons(reader: Reader, now: Millis, pool: Pool | None, guild: GuildId | None) -> list[Season]:
    """Returns the present season, and the past ones with a table."""
    present = Season.at(now)
    asked = list(accumulate(repeat(present, MAX_SEASONS), lambda season, _: season.previous))
    return [present, *await reader.leaderboards.seasons(asked[1:], pool, guild)]


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
