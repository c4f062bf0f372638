"""Ratings, their history, leaderboards and seasons: the part of the store that `play.ratings.ledger` asks for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, func, insert, literal, select, true, tuple_, update

from play.ids import GuildId, MatchId, Millis, UserId
from play.ratings.glicko import PROVISIONAL, Rating
from play.ratings.ledger import LEAST_GAMES, Leader, Scorer
from play.ratings.pool import Pool
from play.ratings.season import Season, points
from play.ratings.settlement import Change
from play.ratings.weight import Weight
from play.store import Stale
from storage import schema
from storage.refusal import refused_as
from storage.statements import AnyRow, Statements

_rating = schema.rating.c
_change = schema.change.c
_standing = schema.standing.c
_season = schema.season.c
_podium = schema.podium.c

FARTHEST = 10_000
"""Places are counted, and pages turned, up to here: to count to a million would take longer than anybody waits."""

EVERYWHERE = 0
"""The server under which the ratings of all servers together stand."""


class RanksReader(Statements):
    """A `play.ratings.ledger.RatingReader`."""

    async def ratings(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        rows = await self._all(select(schema.rating).where(_rating.pool == str(pool), _rating.user.in_(users)))
        found = {row.user: Rating(row.value, row.deviation, row.volatility, row.at) for row in rows}
        return {user: found.get(user, Rating()) for user in users}

    async def ratings_of(self, user: UserId) -> dict[Pool, Leader]:
        rows = await self._all(select(schema.rating).where(_rating.user == user).order_by(_rating.games.desc()))
        return {Pool.parse(row.pool): _leader(row, None) for row in rows}

    async def meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        theirs = schema.change.alias()
        met = (
            select(func.count())
            .join_from(schema.change, theirs, and_(theirs.c.match == _change.match, theirs.c.user == other))
            .where(_change.user == one, _change.pool == str(pool), _change.at > since)
        )
        return int(await self._value(met))

    async def changes_of(self, match: MatchId) -> tuple[Change, ...]:
        rows = await self._all(select(schema.change).where(_change.match == match).order_by(_change.seat))
        return tuple(map(_changed, rows))

    async def rating_history(self, user: UserId, pool: Pool, limit: int) -> list[Change]:
        own = select(schema.change).where(_change.user == user, _change.pool == str(pool))
        rows = await self._all(own.order_by(_change.at.desc(), _change.match.desc()).limit(limit))
        return [_changed(row) for row in reversed(rows)]

    async def leaders(self, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Leader]:
        start, line = min(start, FARTHEST), (_standing.value.desc(), _standing.user.desc())
        page = self._listed(pool, guild).order_by(*line).offset(start).limit(limit).subquery()
        rated = and_(_rating.user == page.c.user, _rating.pool == str(pool))
        rows = await self._all(
            select(schema.rating)
            .join_from(page, schema.rating, rated)
            .order_by(page.c.value.desc(), page.c.user.desc())
        )
        equal = (_standing.value == rows[0].value, _standing.user > rows[0].user) if rows else ()
        above = start - await self._count(self._listed(pool, guild).where(*equal)) if rows else 0
        places = _places([row.value for row in rows], start, above)
        return [_leader(row, place) for row, place in zip(rows, places, strict=True)]

    async def standing_of(self, user: UserId, pool: Pool, guild: GuildId | None) -> Leader | None:
        if await self._first(self._listed(pool, guild).where(_standing.user == user)) is None:
            return None
        row = await self._first(select(schema.rating).where(_rating.user == user, _rating.pool == str(pool)))
        assert row is not None, "who stands on a leaderboard has a rating"
        above = await self._above(pool, guild, row.value)
        return _leader(row, above + 1 if above < FARTHEST else None)

    async def scorers(self, season: Season, pool: Pool, guild: GuildId | None, start: int, limit: int) -> list[Scorer]:
        start = min(start, FARTHEST)
        of_season = _season.guild == (guild or EVERYWHERE), _season.season == str(season), _season.pool == str(pool)
        page = select(schema.season).where(*of_season).order_by(_season.points.desc(), _season.user.desc())
        rows = await self._all(page.offset(start).limit(limit))
        equal = (_season.points == rows[0].points, _season.user > rows[0].user) if rows else ()
        above = start - await self._count(select(_season.user).where(*of_season, *equal)) if rows else 0
        places = _places([row.points for row in rows], start, above)
        return [Scorer(place, row.user, row.points, row.games) for row, place in zip(rows, places, strict=True)]

    async def line_of(self, user: UserId, pool: Pool, guild: GuildId | None, season: Season | None) -> int | None:
        if season is None:
            lines, merit, person = self._listed(pool, guild), _standing.value, _standing.user
        else:
            of_season = _season.guild == (guild or EVERYWHERE), _season.season == str(season), _season.pool == str(pool)
            lines = select(_season.user, _season.points.label("value")).where(*of_season)
            merit, person = _season.points, _season.user
        own = await self._first(lines.where(person == user))
        if own is None:
            return None
        better = lines.where(tuple_(merit, person) > tuple_(literal(own.value), literal(user)))
        above = await self._count(better.order_by(merit.desc(), person.desc()))
        return above if above < FARTHEST else None

    def _listed(self, pool: Pool, guild: GuildId | None) -> Select[Any]:
        """The lines of a leaderboard, of which nothing is read but its index."""
        return select(_standing.user, _standing.value).where(
            _standing.guild == (guild or EVERYWHERE), _standing.pool == str(pool), _standing.listed == true()
        )

    async def _above(self, pool: Pool, guild: GuildId | None, value: float) -> int:
        # In order, so that PostgreSQL goes by the index: once it plans for any server, it would read the whole table
        # to find the lines of a small one.
        better = self._listed(pool, guild).where(_standing.value > value)
        return await self._count(better.order_by(_standing.value.desc()))

    async def _count(self, lines: Select[Any]) -> int:
        """How many there are, up to FARTHEST: so it costs no more on the largest leaderboard."""
        return int(await self._value(select(func.count()).select_from(lines.limit(FARTHEST).subquery())))


def _places(merits: Sequence[float], start: int, above: int) -> list[int]:
    """The places of a page from line `start` on, above whose first line there are so many better ones."""
    places: list[int] = []
    for number, merit in enumerate(merits):
        tied = number > 0 and merits[number - 1] == merit
        places.append(places[-1] if tied else 1 + (start + number if number else above))
    return places


class RanksTransaction(RanksReader):
    """A `play.ratings.ledger.RatingWriter`."""

    async def add_changes(self, guild: GuildId | None, changes: Sequence[Change]) -> None:
        rows = [_of_change(change) | {"seat": seat, "guild": guild} for seat, change in enumerate(changes)]
        with refused_as(Stale):
            await self._connection.execute(insert(schema.change), rows)
            for change in changes:
                await self._rate(change)
                for where in {EVERYWHERE, guild or EVERYWHERE}:
                    await self._stand(where, change)
                    await self._score(where, change, 1)
                await self._list(change.pool, change.user)

    async def remove_changes(self, match: MatchId) -> None:
        found = await self._all(delete(schema.change).where(_change.match == match).returning(*schema.change.c))
        for row in found:
            for where in {EVERYWHERE, row.guild or EVERYWHERE}:
                await self._score(where, _changed(row), -1)

    async def changes_since(self, pool: Pool, at: Millis, match: MatchId) -> AsyncIterator[Change]:
        later = tuple_(_change.at, _change.match) > tuple_(literal(at), literal(match))
        of_pool = select(schema.change).where(_change.pool == str(pool), later)
        async with self._connection.stream(of_pool.order_by(_change.at, _change.match, _change.seat)) as rows:
            async for row in rows:
                yield _changed(row)

    async def rewrite_changes(self, changes: Sequence[Change]) -> None:
        rows = [{"of_match": change.match, "of_user": change.user} | _ratings_of(change) for change in changes]
        rewritten = update(schema.change).where(
            _change.match == bindparam("of_match"), _change.user == bindparam("of_user")
        )
        await self._connection.execute(rewritten, rows)

    async def settle_users(self, pool: Pool, ratings: dict[UserId, Rating]) -> None:
        for user, rating in ratings.items():
            own = _rating.user == user, _rating.pool == str(pool)
            counted = select(func.count()).select_from(schema.change)
            games = await self._value(counted.where(_change.user == user, _change.pool == str(pool)))
            if games:
                await self._connection.execute(
                    update(schema.rating).where(*own).values(**_of_rating(rating), at=rating.at, games=games)
                )
            else:
                await self._connection.execute(delete(schema.rating).where(*own))
            await self._list(pool, user)

    async def _rate(self, change: Change) -> None:
        """Stores the rating after a match. The number of games is its version: it changes with every rated match."""
        values = _of_rating(change.after) | {"at": change.at}
        if change.before.at is None:
            row = values | {"user": change.user, "pool": str(change.pool), "games": 1}
            await self._connection.execute(insert(schema.rating).values(row))
            return
        as_read = _rating.at == change.before.at, _rating.value == change.before.value
        own = update(schema.rating).where(_rating.user == change.user, _rating.pool == str(change.pool), *as_read)
        await self._change(own.values(**values, games=_rating.games + 1))

    async def _stand(self, guild: int, change: Change) -> None:
        """Gives a person his line on a server where he was never rated before; `_list` fills it in."""
        line = {"guild": guild, "pool": str(change.pool), "user": change.user}
        there = select(func.count()).select_from(schema.standing)
        if not await self._value(there.where(*(schema.standing.c[name] == value for name, value in line.items()))):
            await self._connection.execute(insert(schema.standing).values(**line, value=0.0, listed=False))

    async def _list(self, pool: Pool, user: UserId) -> None:
        """Brings a person's lines on all leaderboards up to date; others may have to stand on their podiums."""
        lines = _standing.user == user, _standing.pool == str(pool)
        stirred = update(schema.podium).where(
            _podium.pool == str(pool), _podium.guild.in_(select(_standing.guild).where(*lines))
        )
        await self._connection.execute(stirred.values(version=_podium.version + 1))
        rating = await self._first(select(schema.rating).where(_rating.user == user, _rating.pool == str(pool)))
        if rating is None:
            await self._connection.execute(delete(schema.standing).where(*lines))
            return
        listed = rating.games >= LEAST_GAMES and rating.deviation < PROVISIONAL
        await self._connection.execute(update(schema.standing).where(*lines).values(value=rating.value, listed=listed))

    async def _score(self, guild: int, change: Change, games: int) -> None:
        """Adds a game to a season's table, or (`games` is -1) takes it out."""
        season = str(Season.at(change.at))
        line = {"guild": guild, "season": season, "pool": str(change.pool), "user": change.user}
        gained = games * points(change.result, change.weight.value)
        own = [schema.season.c[name] == value for name, value in line.items()]
        added = update(schema.season).where(*own).values(points=_season.points + gained, games=_season.games + games)
        if not (await self._connection.execute(added)).rowcount:
            await self._connection.execute(insert(schema.season).values(**line, points=gained, games=games))
        await self._connection.execute(delete(schema.season).where(*own, _season.games == 0))


def _leader(row: AnyRow, place: int | None) -> Leader:
    return Leader(place, row.user, Rating(row.value, row.deviation, row.volatility, row.at), row.games)


def _of_rating(rating: Rating) -> dict[str, float]:
    return {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}


def _ratings_of(change: Change) -> dict[str, Any]:
    moments = ("before", change.before), ("after", change.after)
    values = {f"{name}_{key}": value for name, rating in moments for key, value in _of_rating(rating).items()}
    return values | {"before_at": change.before.at}


def _of_change(change: Change) -> dict[str, Any]:
    return {
        "match": change.match,
        "user": change.user,
        "pool": str(change.pool),
        "at": change.at,
        "place": change.place,
        "result": change.result,
        "weight": change.weight.value,
        "reasons": list(change.weight.reasons),
        "level": change.level,
    } | _ratings_of(change)


def _changed(row: AnyRow) -> Change:
    return Change(
        row.match,
        row.user,
        Pool.parse(row.pool),
        row.at,
        row.place,
        row.result,
        Weight(row.weight, tuple(row.reasons)),
        Rating(row.before_value, row.before_deviation, row.before_volatility, row.before_at),
        Rating(row.after_value, row.after_deviation, row.after_volatility, row.at),
        row.level,
    )
