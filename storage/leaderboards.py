"""Leaderboards and season tables in SQL: their pages, and a user's lines as a match changes them."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)

from play.challenge.pool import Pool
from play.ids import GuildId, UserId
from play.ratings.glicko import PROVISIONAL_DEVIATION, Rating
from play.ratings.leaderboard import (
    MIN_POINTS,
    QUALIFYING_GAMES,
    Leader,
    Scorer,
    Season,
    World,
    needs_strangers,
    points,
)
from play.ratings.settlement import YOUNG_WEIGHT, RatingChange
from storage import schema
from storage.lists import is_among
from storage.statements import AnyRow, Repository, Statements, Values

_rating = schema.rating.c
_standing = schema.standing.c
_season = schema.season.c
_change = schema.change.c
_podium = schema.podium.c
_absence = schema.absence.c

_SEASON_ORDER: tuple[Column[Any], ...] = (_season.points, _season.wins, _season.user)
"""The order of a season's table, upwards. A place is that of the points alone."""

MAX_PLACE = 10_000
"""Places are counted, and pages turned, up to this place: counting to a million would take too long."""

_SEASON_KEY: tuple[Column[Any], ...] = (_season.guild, _season.season, _season.pool, _season.user)

RATINGS = select(schema.rating).where(is_among(_rating.user, "users"), _rating.pool == bindparam("of_pool"))
"""The ratings of `users` in a `pool`."""

EVERYWHERE = 0
"""The id of all servers together."""

_WEIGHTS = (
    select(_change.user, func.sum(_change.weight).label("weight"))
    .where(is_among(_change.user, "users"), _change.pool == bindparam("of_pool"))
    .group_by(_change.user)
)
_met, _theirs_met = schema.seek.c, schema.seek.alias()
_WORLDS = (
    select(
        _change.user,
        func.count(_theirs_met.c.user.distinct()).label("strangers"),
        func.count(func.coalesce(_theirs_met.c.guild, EVERYWHERE).distinct()).label("servers"),
    )
    .join_from(schema.change, schema.seek, and_(_met.match == _change.match, _met.user == _change.user))
    .join(_theirs_met, and_(_theirs_met.c.match == _change.match, _theirs_met.c.user != _change.user))
    .where(is_among(_change.user, "users"), _change.pool == bindparam("of_pool"), _change.weight > YOUNG_WEIGHT)
    .where(or_(_met.guild.is_(None), _theirs_met.c.guild.is_distinct_from(_met.guild)))
    .group_by(_change.user)
)
"""The strangers whom `users` have met in rated games, and from how many servers these were: two searches led to each. A
game that counts a quarter, as those with young accounts do, shows nobody's strength."""

_theirs = is_among(_standing.user, "users"), _standing.pool == bindparam("of_pool")
_DELETE_LINES = delete(schema.standing).where(*_theirs)
_CHANGE_LINES = (
    update(schema.standing)
    .where(_standing.user == bindparam("of"), _standing.pool == bindparam("of_pool"))
    .values(
        value=bindparam("value"),
        listed=case(
            (_standing.guild == EVERYWHERE, bindparam("everywhere", type_=Boolean)),
            else_=bindparam("here", type_=Boolean),
        ),
    )
)
_podiums = _podium.pool == bindparam("of_pool"), _podium.guild.in_(select(_standing.guild).where(*_theirs))
_OUTDATE_PODIUMS = update(schema.podium).where(*_podiums).values(version=_podium.version + 1)


class LeaderboardReader(Repository):
    """Leaderboards and season tables. A `guild` of None means everywhere."""

    __slots__ = ()

    async def leaders(self, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Leader]:
        """Returns a page of a leaderboard, from the line `start` (counted from 0) on.

        Users who qualify come first, by rating; after them come all others with a rated game, by rating.
        """
        start = min(start, MAX_PLACE)
        page = _lines(pool, guild).order_by(*_downwards(_standing)).offset(start).limit(limit).subquery()
        rated = and_(_rating.user == page.c.user, _rating.pool == str(pool))
        rows = await self._sql.all(
            select(schema.rating, page.c.listed).join_from(page, schema.rating, rated).order_by(*_downwards(page.c))
        )
        listed = [row.value for row in rows if row.listed]
        equal = (_standing.value == rows[0].value, _standing.user > rows[0].user) if listed else ()
        above = start - await self._count(_listed(pool, guild).where(*equal)) if listed else 0
        places = [*_places(listed, start, above), *[None] * (len(rows) - len(listed))]
        games = await games_on(self._sql, [row.user for row in rows], guild)
        return [
            read_leader(row, place, None if guild is None else games.get((row.user, pool), 0), not row.listed)
            for row, place in zip(rows, places, strict=True)
        ]

    async def leader(self, user: UserId, pool: Pool, guild: GuildId | None) -> Leader | None:
        """Returns a user's own line; None before their first rated game there."""
        line = await self._sql.first(_lines(pool, guild).where(_standing.user == user))
        if line is None:
            return None
        row = await self._sql.first(select(schema.rating).where(_rating.user == user, _rating.pool == str(pool)))
        assert row is not None, "a user with a line has a rating"
        above = await self._above(pool, guild, row.value) if line.listed else MAX_PLACE
        games = None if guild is None else (await games_on(self._sql, [user], guild)).get((user, pool), 0)
        return read_leader(row, above + 1 if above < MAX_PLACE else None, games, not line.listed)

    async def full_games(self, user: UserId, pool: Pool) -> float:
        """Returns how many whole games the rated games of a user in a pool count as."""
        return (await _full_games(self._sql, [user], pool)).get(user, 0.0)

    async def world(self, user: UserId, pool: Pool) -> World:
        """Returns which strangers a user has met in rated games of a pool."""
        return (await _worlds(self._sql, [user], pool)).get(user, World())

    async def scorers(self, season: Season, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Scorer]:
        """Returns a page of a season's table: by points, and among users of equal points by wins."""
        start = min(start, MAX_PLACE)
        of_season = _of_season(season, pool, guild)
        page = select(schema.season).where(*of_season).order_by(*(column.desc() for column in _SEASON_ORDER))
        rows = await self._sql.all(page.offset(start).limit(limit))
        equal: tuple[ColumnElement[bool], ...] = ()
        if rows:
            first = rows[0]
            before = tuple_(_season.wins, _season.user) > tuple_(literal(first.wins), literal(first.user))
            equal = (_season.points == first.points, before)
        above = start - await self._count(select(_season.user).where(*of_season, *equal)) if rows else 0
        places = _places([row.points for row in rows], start, above)
        return [
            Scorer(place if row.points >= MIN_POINTS else None, row.user, row.points, row.games, row.wins)
            for row, place in zip(rows, places, strict=True)
        ]

    async def seasons(self, among: Sequence[Season], pool: Pool | None, guild: GuildId | None) -> list[Season]:
        """Returns the seasons with a table `among` those given, in one pool or in any."""

        def has_table(season: Season) -> ColumnElement[bool]:
            there = _season.guild == (guild or EVERYWHERE), _season.season == str(season)
            return select(_season.user).where(*there, *([_season.pool == str(pool)] if pool else [])).exists()

        row = await self._sql.first(select(*(has_table(each).label(str(each)) for each in among)))
        assert row is not None, "a row without a table is always there"
        return [season for season, found in zip(among, row, strict=True) if found]

    async def line_number(self, user: UserId, pool: Pool, guild: GuildId | None, season: Season | None) -> int | None:
        """Returns the number, from 0, of a user's line on a leaderboard or in a season's table.

        None means that they have no line, or one beyond the pages that can be turned to.
        """
        if season is None:
            order: tuple[Column[Any], ...] = (_standing.listed, _standing.value, _standing.user)
            lines = _lines(pool, guild)
        else:
            order = _SEASON_ORDER
            lines = select(*order).where(*_of_season(season, pool, guild))
        own = await self._sql.first(lines.with_only_columns(*order).where(order[-1] == user))
        if own is None:
            return None
        better = lines.where(tuple_(*order) > tuple_(*map(literal, own)))
        above = await self._count(better.order_by(*(column.desc() for column in order)))
        return above if above < MAX_PLACE else None

    async def _above(self, pool: Pool, guild: GuildId | None, value: float) -> int:
        # In order, so that PostgreSQL goes by the index: once it plans for any server, it would read the whole table
        # to find the lines of a small one.
        better = _listed(pool, guild).where(_standing.value > value)
        return await self._count(better.order_by(_standing.value.desc()))

    async def _count(self, lines: Select[Any]) -> int:
        """Counts lines up to MAX_PLACE, so that the largest leaderboard costs no more."""
        return int(await self._sql.value(select(func.count()).select_from(lines.limit(MAX_PLACE).subquery())))


class LeaderboardWriter(Repository):
    """Lines of leaderboards and season tables, as ratings change them."""

    __slots__ = ()

    async def add_games(self, changes: Iterable[RatingChange]) -> None:
        """Adds games to the leaderboards and season tables of everywhere and of their players' servers; `update_lines`
        fills in the lines of users who were never rated there before."""
        counted = [(where, each) for each in changes for where in {EVERYWHERE, each.guild or EVERYWHERE}]
        places = schema.standing.c
        lines = {(where, str(change.pool), change.user): None for where, change in counted}
        mine = places.user.in_({user for _, _, user in lines}), places.pool.in_({pool for _, pool, _ in lines})
        there = {(row.guild, row.pool, row.user) for row in await self._sql.all(select(schema.standing).where(*mine))}
        new = [
            {"guild": guild, "pool": pool, "user": user, "value": 0.0, "listed": False}
            for guild, pool, user in lines
            if (guild, pool, user) not in there
        ]
        if new:
            await self._sql.add(schema.standing, new)
        await self._add_points(counted)

    async def update_lines(self, pool: Pool, users: Collection[UserId]) -> None:
        """Updates the lines of users on all leaderboards of a pool. Role rewards may have to change hands there."""
        theirs = {"users": [*users], "of_pool": str(pool)}
        await self._sql.execute(_OUTDATE_PODIUMS, theirs)
        rated = await self._sql.all(RATINGS, **theirs)
        if unrated := set(users).difference(row.user for row in rated):
            await self._sql.execute(_DELETE_LINES, {"users": [*unrated], "of_pool": str(pool)})
        # A rating as sure as this is never that of fewer games; these are counted for the others alone.
        unsure = [row.user for row in rated if row.deviation >= PROVISIONAL_DEVIATION]
        games = await _full_games(self._sql, unsure, pool)
        listed = {
            row.user
            for row in rated
            if row.deviation < PROVISIONAL_DEVIATION or games.get(row.user, 0.0) >= QUALIFYING_GAMES
        }
        worlds = await _worlds(self._sql, listed, pool) if needs_strangers(pool) else None
        if rated:
            values = [
                {
                    "of": row.user,
                    "of_pool": str(pool),
                    "value": row.value,
                    "here": row.user in listed,
                    "everywhere": row.user in listed and (worlds is None or worlds.get(row.user, World()).qualifies),
                }
                for row in rated
            ]
            await self._sql.execute(_CHANGE_LINES, values)

    async def remove_empty_lines(self, pool: Pool, user: UserId) -> None:
        """Takes a user off the leaderboards of servers on which none of their rated games is left."""
        left = select(_change.match).where(
            _change.user == user, _change.pool == str(pool), _change.guild == _standing.guild
        )
        lines = _standing.user == user, _standing.pool == str(pool), _standing.guild != EVERYWHERE
        await self._sql.execute(delete(schema.standing).where(*lines, ~left.exists()))

    async def remove_points(self, guild: int, change: RatingChange) -> None:
        """Takes a game out of a season's table."""
        line = zip(_SEASON_KEY, (guild, str(Season.at(change.at)), str(change.pool), change.user), strict=True)
        own = [column == value for column, value in line]
        less = {
            "points": _season.points - points(change.result, change.weight.value),
            "games": _season.games - 1,
            "wins": _season.wins - int(change.result == 1),
        }
        await self._sql.execute(update(schema.season).where(*own).values(less))
        await self._sql.execute(delete(schema.season).where(*own, _season.games == 0))

    async def _add_points(self, counted: Sequence[tuple[int, RatingChange]]) -> None:
        """Adds games to the tables of their seasons, each on a server."""
        lines = [(guild, str(Season.at(change.at)), str(change.pool), change.user) for guild, change in counted]
        mine = [column.in_(set(values)) for column, values in zip(_SEASON_KEY, zip(*lines, strict=True), strict=True)]
        found = await self._sql.all(select(schema.season).where(*mine))
        there = {(row.guild, row.season, row.pool, row.user): (row.points, row.games, row.wins) for row in found}
        sums = dict(there)
        for line, (_, change) in zip(lines, counted, strict=True):
            gained, games, wins = sums.get(line, (0.0, 0, 0))
            gained += points(change.result, change.weight.value)
            sums[line] = gained, games + 1, wins + int(change.result == 1)
        names = [f"of_{column.name}" for column in _SEASON_KEY]
        own = [column == bindparam(name) for column, name in zip(_SEASON_KEY, names, strict=True)]
        keys = {True: names, False: [column.name for column in _SEASON_KEY]}
        rows: dict[bool, list[Values]] = {True: [], False: []}  # by whether the line is there
        for line in dict.fromkeys(lines):
            is_there = line in there
            values = zip(("points", "games", "wins"), sums[line], strict=True)
            rows[is_there].append(dict(zip(keys[is_there], line, strict=True)) | dict(values))
        if rows[True]:
            await self._sql.execute(update(schema.season).where(*own), rows[True])
        if rows[False]:
            await self._sql.add(schema.season, rows[False])


async def games_on(sql: Statements, users: Collection[UserId], guild: GuildId | None) -> dict[tuple[UserId, Pool], int]:
    """Counts the rated games that users have finished on a server, in each pool in which they have any, the most first.

    Returns nothing for everywhere, where the ratings themselves have the count.
    """
    if guild is None or not users:
        return {}
    # By the seasons of these users alone: with the server as a condition SQLite would read all of its rows.
    there = func.sum(case((_season.guild == guild, _season.games), else_=0))
    found = select(_season.user, _season.pool, there.label("games")).where(_season.user.in_(users))
    counted = found.group_by(_season.user, _season.pool).having(there > 0).order_by(there.desc(), _season.pool)
    return {(row.user, Pool.parse(row.pool)): int(row.games) for row in await sql.all(counted)}


async def _full_games(sql: Statements, users: Collection[UserId], pool: Pool) -> dict[UserId, float]:
    """Returns the sum of the weights of each user's games; of no user without any."""
    found = await sql.all(_WEIGHTS, users=[*users], of_pool=str(pool)) if users else []
    return {row.user: float(row.weight) for row in found}


async def _worlds(sql: Statements, users: Collection[UserId], pool: Pool) -> dict[UserId, World]:
    """Returns the strangers of each user; of no user without any."""
    found = await sql.all(_WORLDS, users=[*users], of_pool=str(pool)) if users else []
    return {row.user: World(row.strangers, row.servers) for row in found}


def read_leader(row: AnyRow, place: int | None, games: int | None = None, provisional: bool = False) -> Leader:
    """Returns a line from a row of ratings, with its count of games unless another one is given."""
    rating = Rating(row.value, row.deviation, row.volatility, row.at)
    return Leader(place, row.user, rating, row.games if games is None else games, provisional)


def _lines(pool: Pool, guild: GuildId | None) -> Select[Any]:
    """Selects the lines of a leaderboard, from its index alone."""
    return select(_standing.user, _standing.value, _standing.listed).where(
        _standing.guild == (guild or EVERYWHERE), _standing.pool == str(pool), *_is_there(_standing.user, guild)
    )


def _listed(pool: Pool, guild: GuildId | None) -> Select[Any]:
    """Selects the lines that have a place."""
    return _lines(pool, guild).where(_standing.listed == true())


def _downwards(columns: Any) -> tuple[ColumnElement[Any], ...]:
    """Returns the order of a leaderboard."""
    return columns.listed.desc(), columns.value.desc(), columns.user.desc()


def _of_season(season: Season, pool: Pool, guild: GuildId | None) -> tuple[ColumnElement[bool], ...]:
    of_season = _season.guild == (guild or EVERYWHERE), _season.season == str(season), _season.pool == str(pool)
    return *of_season, *_is_there(_season.user, guild)


def _is_there(user: Column[Any], guild: GuildId | None) -> tuple[ColumnElement[bool], ...]:
    """Returns the condition that a user has not left a server; none for everywhere."""
    return () if guild is None else (user.not_in(select(_absence.user).where(_absence.guild == guild)),)


def _places(merits: Sequence[float], start: int, above: int) -> list[int]:
    """Returns the places of a page from line `start` on, with `above` better lines above its first one."""
    places: list[int] = []
    for number, merit in enumerate(merits):
        tied = number > 0 and merits[number - 1] == merit
        places.append(places[-1] if tied else 1 + (start + number if number else above))
    return places
