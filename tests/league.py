"""Rated results that are stored without a game being played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, count

from sqlalchemy import insert

from play.challenge.pool import Pool
from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.seek import Seek, SeekId, SeekState
from play.ids import ChannelId, GuildId, Millis, UserId
from play.ratings.settlement import RatedGame, RatingChange, Weight, rate, rate_again
from rules.game import Outcome, Seat
from rules.registry import GAMES
from storage import Database, schema
from storage.leaderboards import EVERYWHERE
from tests.clock import DAY, NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, add_match, discard_boards
from use_cases.ratings import moved_by_each_other

POOL = Pool.parse("dots-days")
TERMS = Terms(GAMES["zagram"], parse_control("3d"))
_channels = count(5000)


async def add_rated_match(
    store: Database,
    winner: UserId,
    loser: UserId,
    *,
    day: int,
    guild: GuildId | None = GUILD,
    drawn: bool = False,
    weight: float = 1.0,
    strangers: tuple[GuildId | None, GuildId | None] | None = None,
) -> tuple[RatingChange, ...]:
    """Stores a rated match that ended so many days after noon; returns the changes of the ratings. In that of
    `strangers` the players met by searches, each on their server."""
    match = await add_match(store, a_match(next(_channels), (winner, loser)))
    seats = (Seat(0), Seat(1)) if drawn else (Seat(0),)
    async with store.write() as tx:
        at = Millis(NOON + day * DAY)
        moved = await moved_by_each_other(tx.ratings, POOL, (winner, loser), at)
        game = RatedGame(match.id, POOL, (winner, loser), Outcome(seats, "full"), (1.0, 0.0), (), at, moved=moved)
        before = await tx.ratings.get(POOL, (winner, loser))
        changes = rate_again([replace(each, weight=Weight(weight), guild=guild) for each in rate(game, before)], before)
        for user, place in zip((winner, loser), strangers or (), strict=False):
            search = Seek(SeekId(0), user, place, ChannelId(1), TERMS, NOON, NOON, state=SeekState.PLAYED)
            await tx.seeks.add(replace(search, match=match.id))
        await tx.ratings.add_changes(changes)
        await discard_boards(tx, match.id)
    return changes


async def add_rating(store: Database, pool: Pool, user: UserId, value: float, deviation: float = 60) -> None:
    """Stores a rating of a player, as if after many games."""
    row = {"user": user, "pool": str(pool), "value": value, "deviation": deviation, "at": NOON}
    async with store.write() as tx:
        await tx.connection.execute(insert(schema.rating).values(**row, volatility=0.06, games=40))


LEAGUE_ROUNDS = 9
"""Rounds that make the ratings of three players sure enough for a leaderboard."""


async def add_league(
    store: Database,
    users: Sequence[UserId] = (ANNA, BORIS, CLARA),
    guild: GuildId | None = GUILD,
    since: int = 0,
) -> None:
    """Stores a round a day, in which users beat those after them in the list on two days out of three."""
    for day in range(since, since + LEAGUE_ROUNDS):
        for pair in combinations(users, 2):
            players = pair if day % 3 < 2 else pair[::-1]
            await add_rated_match(store, *players, day=day, guild=guild)


async def add_leaderboard(store: Database, *users: UserId, guild: GuildId = GUILD) -> None:
    """Stores a leaderboard with the users in this order, so close that one game between two of them changes it."""
    rated = {"pool": str(POOL), "deviation": 100.0, "volatility": 0.06, "at": NOON, "games": 10}
    values = {user: 1520.0 - 5 * place for place, user in enumerate(users)}
    lines = [
        {"guild": where, "pool": str(POOL), "user": user, "value": value, "listed": True}
        for user, value in values.items()
        for where in (EVERYWHERE, guild)
    ]
    async with store.write() as tx:
        connection = tx.connection
        await connection.execute(insert(schema.rating), [rated | {"user": u, "value": v} for u, v in values.items()])
        await connection.execute(insert(schema.standing), lines)
