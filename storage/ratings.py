"""Ratings in SQL, and how they changed, match by match."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, literal, or_, select, tuple_, update

from play.challenge.pool import Pool
from play.ids import SIDES, GuildId, MatchId, Millis, UserId
from play.ratings.glicko import Rating
from play.ratings.leaderboard import Leader
from play.ratings.settlement import RatingChange, Weight
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.leaderboards import EVERYWHERE, RATINGS, LeaderboardWriter, games_on, read_leader
from storage.statements import AnyRow, Repository, Statements, Values

_rating = schema.rating.c
_change = schema.change.c

_UNTOLD = "young_account"
"""A reason that earlier releases store, which may run beside this one. It shows how old an account is."""

_RATE = (
    update(schema.rating)
    .where(_rating.user == bindparam("of"), _rating.pool == bindparam("of_pool"))
    .values(games=_rating.games + bindparam("more"))
)


def _is_one_of(column: ColumnElement[UserId], ranges: Sequence[range]) -> ColumnElement[bool]:
    return or_(*(column.between(ids[0], ids[-1]) for ids in ranges))


class RatingReader(Repository):
    """Ratings, as reads see them. A `guild` of None means everywhere."""

    __slots__ = ()

    async def get(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        """Returns the ratings of all `users`; a newcomer's for a user without one."""
        rows = await self._sql.all(RATINGS, of_pool=str(pool), users=[*users])
        found = {row.user: Rating(row.value, row.deviation, row.volatility, row.at) for row in rows}
        return {user: found.get(user, Rating()) for user in users}

    async def of_user(self, user: UserId, guild: GuildId | None = None) -> dict[Pool, Leader]:
        """Returns a user's rating in each pool that they have one in, in the order of games played, without places.

        Of one `guild` it returns the ratings after their latest rated games there, and how many these were.
        """
        if guild is not None:
            found = {}
            for (_, pool), games in (await games_on(self._sql, [user], guild)).items():
                (latest,) = await self.history(user, pool, 1, guild)
                found[pool] = Leader(None, user, latest.after, games)
            return found
        rows = await self._sql.all(select(schema.rating).where(_rating.user == user).order_by(_rating.games.desc()))
        return {Pool.parse(row.pool): read_leader(row, None) for row in rows}

    async def count_meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        """Counts the rated games of this pool that the two have finished since then."""
        theirs = schema.change.alias()
        met = (
            select(func.count())
            .join_from(schema.change, theirs, and_(theirs.c.match == _change.match, theirs.c.user == other))
            .where(_change.user == one, _change.pool == str(pool), _change.at > since)
        )
        return int(await self._sql.value(met))

    async def count_all_meetings(
        self, pool: Pool, users: Collection[UserId], since: Millis
    ) -> Counter[frozenset[UserId]]:
        """Counts the same for every two of the `users` who have met."""
        theirs = schema.change.alias()
        both = and_(theirs.c.match == _change.match, theirs.c.user > _change.user)
        met = (
            select(_change.user, theirs.c.user.label("other"), func.count().label("games"))
            .join_from(schema.change, theirs, both)
            .where(_change.user.in_(users), _change.pool == str(pool), _change.at > since, theirs.c.user.in_(users))
            .group_by(_change.user, theirs.c.user)
        )
        return Counter({frozenset((row.user, row.other)): row.games for row in await self._sql.all(met)})

    async def count_meetings_with_new(self, pool: Pool, user: UserId, young: Sequence[range], since: Millis) -> int:
        """Counts the rated games of this pool that `user` has finished since then against accounts with ids of
        `young`."""
        theirs = schema.change.alias()
        met = (
            select(func.count(_change.match.distinct()))
            .join_from(schema.change, theirs, and_(theirs.c.match == _change.match, theirs.c.user != user))
            .where(_change.user == user, _change.pool == str(pool), _change.at > since)
            .where(_is_one_of(theirs.c.user, young))
        )
        return int(await self._sql.value(met))

    async def moved_by(self, pool: Pool, user: UserId, others: Sequence[range], since: Millis) -> float:
        """Returns by how many deviations the rated games of this pool since then against `others`, by ranges of ids,
        have moved the rating of `user`. A game of more than two counts for nobody.

        An account that was deleted since may be one of them, unless they had rated games when it was met.
        """
        theirs, known = schema.change.alias(), schema.change.alias()
        first = select(func.min(known.c.at)).where(_is_one_of(known.c.user, others)).scalar_subquery()
        is_deleted = theirs.c.user.between(SIDES, -1)
        may_be_deleted = and_(is_deleted, _change.at < func.coalesce(first, _change.at + 1))
        moves = (_change.after_value - _change.before_value) / _change.before_deviation
        moved = (
            select(func.coalesce(func.sum(moves), 0.0))
            .join_from(schema.change, theirs, and_(theirs.c.match == _change.match, theirs.c.user != user))
            .where(_change.user == user, _change.pool == str(pool), _change.at > since, _change.moved.is_not(None))
            .where(or_(_is_one_of(theirs.c.user, others), may_be_deleted))
        )
        return float(await self._sql.value(moved))

    async def changes_of(self, match: MatchId) -> tuple[RatingChange, ...]:
        """Returns the changes by one match, in the order of the seats; none if it was not rated."""
        rows = await self._sql.all(select(schema.change).where(_change.match == match).order_by(_change.seat))
        return tuple(map(_read_change, rows))

    async def history(self, user: UserId, pool: Pool, limit: int, guild: GuildId | None = None) -> list[RatingChange]:
        """Returns the latest changes of a user's rating, everywhere or on one server, the oldest of them first."""
        own = select(schema.change).where(_change.user == user, _change.pool == str(pool))
        if guild is not None:
            own = own.where(_change.guild == guild)
        rows = await self._sql.all(own.order_by(_change.at.desc(), _change.match.desc()).limit(limit))
        return [_read_change(row) for row in reversed(rows)]

    async def changes_since(self, pool: Pool, at: Millis, match: MatchId) -> list[RatingChange]:
        """Returns all changes of a pool after those of `match`, which ended at `at`, match by match in their order."""
        later = tuple_(_change.at, _change.match) > tuple_(literal(at), literal(match))
        of_pool = select(schema.change).where(_change.pool == str(pool), later)
        found = await self._sql.all(of_pool.order_by(_change.at, _change.match, _change.seat))
        return [_read_change(row) for row in found]


class RatingRepository(RatingReader):
    """Ratings, as a transaction writes them."""

    __slots__ = ("_leaderboards",)

    def __init__(self, sql: Statements) -> None:
        super().__init__(sql)
        self._leaderboards = LeaderboardWriter(sql)

    async def add_changes(self, changes: Sequence[RatingChange]) -> None:
        """Stores the changes by one match, with the ratings after it. Raises Stale if a player was rated in between."""
        await self.add_all([changes])

    async def add_all(self, rated: Sequence[Sequence[RatingChange]]) -> None:
        """Stores the changes by matches in their order, as `add_changes` does one after the other."""
        rows = [_change_values(change) | {"seat": seat} for changes in rated for seat, change in enumerate(changes)]
        with raises_on_conflict(Stale):
            await self._sql.add(schema.change, rows)
            by_pool: dict[Pool, dict[UserId, list[RatingChange]]] = {}
            for change in chain.from_iterable(rated):
                by_pool.setdefault(change.pool, {}).setdefault(change.user, []).append(change)
            await self._leaderboards.add_games(chain.from_iterable(rated))
            for pool, changed in by_pool.items():
                await self._rate(pool, changed)
                await self._leaderboards.update_lines(pool, changed)

    async def remove_changes(self, match: MatchId) -> None:
        """Removes the changes by a match, its points of the season too; the ratings stay until `save_current`."""
        found = await self._sql.all(delete(schema.change).where(_change.match == match).returning(*schema.change.c))
        for change in map(_read_change, found):
            for where in {EVERYWHERE, change.guild or EVERYWHERE}:
                await self._leaderboards.remove_points(where, change)

    async def rewrite_changes(self, changes: Sequence[RatingChange]) -> None:
        """Stores other ratings in changes that are there, and what had moved them."""
        rows = [
            {"of_match": change.match, "of_user": change.user, "moved": change.moved} | _both_ratings(change)
            for change in changes
        ]
        rewritten = update(schema.change).where(
            _change.match == bindparam("of_match"), _change.user == bindparam("of_user")
        )
        await self._sql.execute(rewritten, rows)

    async def save_current(self, pool: Pool, ratings: dict[UserId, Rating]) -> None:
        """Stores the current ratings of users, and counts their games anew."""
        for user, rating in ratings.items():
            own = _rating.user == user, _rating.pool == str(pool)
            counted = select(func.count()).select_from(schema.change)
            games = await self._sql.value(counted.where(_change.user == user, _change.pool == str(pool)))
            if games:
                await self._sql.execute(
                    update(schema.rating).where(*own).values(**_rating_values(rating), at=rating.at, games=games)
                )
            else:
                await self._sql.execute(delete(schema.rating).where(*own))
            await self._leaderboards.update_lines(pool, [user])
            await self._leaderboards.remove_empty_lines(pool, user)

    async def _rate(self, pool: Pool, changed: Mapping[UserId, Sequence[RatingChange]]) -> None:
        """Stores the ratings of users after their matches. Raises Stale unless those before them are stored."""
        new: list[Values] = []
        known: list[Values] = []
        stored = await self.get(pool, changed)
        for user, changes in changed.items():
            before, last = changes[0].before, changes[-1]
            if (stored[user].at, stored[user].value) != (before.at, before.value):
                raise Stale
            values = _rating_values(last.after) | {"at": last.at}
            if before.at is None:
                new.append(values | {"user": user, "pool": str(pool), "games": len(changes)})
            else:
                known.append(values | {"of": user, "of_pool": str(pool), "more": len(changes)})
        if new:
            await self._sql.add(schema.rating, new)
        if known:
            await self._sql.execute(_RATE, known)


def _rating_values(rating: Rating) -> Values:
    return {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}


def _both_ratings(change: RatingChange) -> Values:
    moments = ("before", change.before), ("after", change.after)
    values = {f"{name}_{key}": value for name, rating in moments for key, value in _rating_values(rating).items()}
    return values | {"before_at": change.before.at}


def _change_values(change: RatingChange) -> Values:
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
        "offset": change.offset,
        "guild": change.guild,
        "moved": change.moved,
    } | _both_ratings(change)


def _read_change(row: AnyRow) -> RatingChange:
    return RatingChange(
        row.match,
        row.user,
        Pool.parse(row.pool),
        row.at,
        row.place,
        row.result,
        Weight(row.weight, tuple(reason for reason in row.reasons if reason != _UNTOLD)),
        Rating(row.before_value, row.before_deviation, row.before_volatility, row.before_at),
        Rating(row.after_value, row.after_deviation, row.after_volatility, row.at),
        row.level,
        row.offset,
        row.guild,
        row.moved,
    )
