"""Predictions in SQL."""

from collections.abc import Collection

from sqlalchemy import Select, bindparam, delete, exists, func, select, union, update

from play.community.prediction import Foreteller, Prediction, Result, Tally, names_winner, points_of, rank
from play.ids import GuildId, MatchId, UserId
from play.ratings.leaderboard import Season
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Repository

_prediction = schema.prediction.c
_match = schema.match.c
_TOTALS = (
    func.sum(_prediction.points).label("points"),
    func.sum(_prediction.right).label("right"),
    func.count().label("made"),
)
_UNSETTLED = (
    select(_prediction.match)
    .join_from(schema.prediction, schema.match)
    .where(_prediction.season.is_(None), _match.ended.is_not(None))
    .distinct()
    .limit(bindparam("limit"))
)


class PredictionReader(Repository):
    """Predictions, as reads see them."""

    __slots__ = ()

    async def open_games(self, guild: GuildId, limit: int) -> list[MatchId]:
        """Returns the games of a server that go on and can be predicted, the newest first."""
        of_open = _match.ended.is_(None), _match.predictable
        here = select(_match.id).where(*of_open, _match.guild == guild)
        away = select(_match.id).where(*of_open, _match.away_channel.is_not(None), _match.away_guild == guild)
        both = union(here, away).subquery()
        newest = select(both.c.id).order_by(both.c.id.desc()).limit(limit)
        return [row.id for row in await self._sql.all(newest)]

    async def of_user(self, match: MatchId, user: UserId) -> list[Prediction]:
        """Returns what a user has predicted of a match, by windows."""
        own = select(schema.prediction).where(_prediction.match == match, _prediction.user == user)
        return [
            Prediction(row.match, row.window, row.user, row.guild, row.pick, row.obvious, row.at)
            for row in await self._sql.all(own.order_by(_prediction.window))
        ]

    async def tallies(self, match: MatchId, guild: GuildId, windows: Collection[int]) -> list[Tally]:
        """Returns how many members of a server have chosen what in these windows of a match."""
        if not windows:
            return []
        key = _prediction.window, _prediction.pick
        those = _prediction.match == match, _prediction.guild == guild, _prediction.window.in_(windows)
        counted = select(*key, func.count().label("made")).where(*those).group_by(*key)
        rows = await self._sql.all(counted.order_by(_prediction.window, _prediction.pick.desc()))
        return [Tally(row.window, row.pick, row.made) for row in rows]

    async def best(self, match: MatchId, guild: GuildId) -> tuple[UserId, int] | None:
        """Returns the member of a server who foretold a finished match best, with their points; None without any
        points. Of several, it is the one who said it first."""
        total = func.sum(_prediction.points)
        made = select(_prediction.user, total.label("points")).where(
            _prediction.match == match, _prediction.guild == guild, _prediction.season.is_not(None)
        )
        ranked = made.group_by(_prediction.user).having(total > 0)
        first = ranked.order_by(total.desc(), func.min(_prediction.at), _prediction.user).limit(1)
        row = await self._sql.first(first)
        return row and (row.user, row.points)

    async def table(self, guild: GuildId, season: Season, limit: int) -> list[Foreteller]:
        """Returns the best lines of a server's table, all with points."""
        total = func.sum(_prediction.points)
        ranked = _totals(guild, season).having(total > 0).order_by(total.desc(), _prediction.user).limit(limit)
        return rank((row.user, row.points, row.right, row.made) for row in await self._sql.all(ranked))

    async def line(self, guild: GuildId, season: Season, user: UserId) -> Foreteller | None:
        """Returns a member's own line, whose place is 0 without points; None if none of their predictions counts."""
        own = await self._sql.first(_totals(guild, season).where(_prediction.user == user))
        if own is None:
            return None
        ahead = _totals(guild, season).having(func.sum(_prediction.points) > own.points).subquery()
        place = 1 + await self._sql.value(select(func.count()).select_from(ahead)) if own.points > 0 else 0
        return Foreteller(place, own.user, own.points, own.right, own.made)

    async def unsettled(self, limit: int) -> list[MatchId]:
        """Returns the finished matches whose predictions have no points yet."""
        return [row.match for row in await self._sql.all(_UNSETTLED, limit=limit)]


class PredictionRepository(PredictionReader):
    """Predictions, as a transaction writes them."""

    __slots__ = ()

    async def hold(self, match: MatchId, version: int) -> None:
        """Lets a match not go on before this transaction ends. Raises Stale if it has gone on from this version."""
        # In SQLite nothing else writes at the same time.
        present = select(_match.version).where(_match.id == match).with_for_update(read=True)
        if await self._sql.value(present) != version:
            raise Stale

    async def save(self, prediction: Prediction) -> None:
        """Stores a prediction in the place of its user's former one of that window. Raises Stale."""
        own = (
            _prediction.match == prediction.match,
            _prediction.user == prediction.user,
            _prediction.window == prediction.window,
        )
        await self._sql.execute(delete(schema.prediction).where(*own))
        values = {name: getattr(prediction, name) for name in Prediction.__slots__}
        with raises_on_conflict(Stale):
            await self._sql.add(schema.prediction, values)

    async def drop_voters(self, match: MatchId) -> None:
        """Removes the predictions of users who have voted for a side of the match since."""
        sides = select(schema.side.c.id).where(schema.side.c.match == match)
        has_voted = exists().where(schema.vote.c.user == _prediction.user, schema.vote.c.side.in_(sides))
        await self._sql.execute(delete(schema.prediction).where(_prediction.match == match, has_voted))

    async def settle(self, match: MatchId, season: Season, result: Result) -> list[GuildId]:
        """Gives the predictions of a finished match their points; returns the servers whose first ones these are."""
        of_match = _prediction.match == match
        by_guild = select(_prediction.guild).where(of_match).group_by(_prediction.guild).order_by(_prediction.guild)
        new = await self._sql.all(by_guild.having(func.max(_prediction.season).is_(None)))
        key = _prediction.window, _prediction.pick, _prediction.obvious
        for row in await self._sql.all(select(*key).where(of_match).distinct()):
            values = {
                "season": str(season),
                "points": points_of(row.pick, row.obvious, row.window, result),
                "right": int(names_winner(row.pick, result)),
            }
            same = (column == value for column, value in zip(key, row, strict=True))
            await self._sql.execute(update(schema.prediction).where(of_match, *same).values(values))
        return [row.guild for row in new]

    async def remove_all(self, match: MatchId) -> None:
        """Removes the predictions of a match that has no result."""
        await self._sql.execute(delete(schema.prediction).where(_prediction.match == match))


def _totals(guild: GuildId, season: Season) -> Select[tuple[UserId, int, int, int]]:
    here = _prediction.guild == guild, _prediction.season == str(season)
    return select(_prediction.user, *_TOTALS).where(*here).group_by(_prediction.user)
