"""Reads what the home post of a server shows."""

from __future__ import annotations

from play.community.home import (
    MAX_CHALLENGES,
    MAX_GAMES,
    MAX_PLACES,
    MAX_TOURNAMENTS,
    MIN_RECORD_CAPTURE,
    WEEK_MILLIS,
    Home,
    HomeContent,
)
from play.community.puzzle import puzzle_day
from play.ids import Millis
from play.ratings.leaderboard import Leader, Scorer
from play.ratings.season import Season
from play.store import Reader

MAX_LISTED_CHALLENGES = 50
"""Open challenges of a server that are counted."""


async def read_home_content(reader: Reader, home: Home, now: Millis) -> HomeContent:
    """Returns what the post of `home` shows. Its list has all places that are kept; the post shows the first ones."""
    guild, season, day = home.guild, Season.at(now), puzzle_day(now)
    found, leaders = await reader.homes.main_pool(guild, str(season)), list[Leader | Scorer]()
    pool, is_rated = found or (None, False)
    if pool is not None and is_rated:
        leaders += await reader.leaderboards.leaders(pool, guild, 0, MAX_PLACES)
    elif pool is not None:
        leaders += await reader.leaderboards.scorers(season, pool, guild, 0, MAX_PLACES)
    offered = await reader.challenges.open_to_all(guild, MAX_LISTED_CHALLENGES)
    challenges = [challenge for challenge in offered if challenge.expires > now]
    puzzle = await reader.puzzles.of_day(guild, day)
    attempts = await reader.puzzles.attempts(puzzle.id) if puzzle else []
    settings = await reader.servers.get(guild)
    places = await reader.homes.places(guild, latest=home.begins_day(now))
    return HomeContent(
        games=tuple(await reader.homes.games(guild, MAX_GAMES)),
        games_count=await reader.matches.count_open(guild=guild),
        challenges=tuple(challenges[:MAX_CHALLENGES]),
        challenges_count=len(challenges),
        pool=pool,
        leaders=tuple(line for line in leaders if line.place is not None),
        places=places or None,
        tournaments=tuple(await reader.homes.tournaments(guild, MAX_TOURNAMENTS)),
        record=await reader.homes.record(guild, Millis(now - WEEK_MILLIS), MIN_RECORD_CAPTURE),
        day=day,
        solved=sum(attempt.right and attempt.scored for attempt in attempts),
        language=settings.language,
        theme=settings.theme,
    )
