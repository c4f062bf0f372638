"""Home posts in SQL, and what they show of matches."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, exists, func, literal, select, union_all, update

from play.challenge.challenge import ChallengeState
from play.challenge.pool import Pool
from play.community.home import GATHER_MILLIS, MIN_EDIT_MILLIS, Home, HomeGame, HomeRecord, HomeTournament
from play.competitions.tournament import Format, Stage, TournamentId
from play.ids import ChannelId, GuildId, Millis, UserId
from play.posts import PostKind, PostProblem
from storage import schema
from storage.kept_posts import of_server
from storage.settings import save_settings
from storage.statements import AnyRow, Repository

_home = schema.home.c
_place = schema.home_place.c
_match = schema.match.c
_seat = schema.seat.c
_competition = schema.competition.c
_game = schema.game.c
_post = schema.kept_post.c
_challenge = schema.challenge.c
_standing = schema.standing.c
_season = schema.season.c

MAX_MATCHES = 500
"""The newest matches of a server that are searched for a record."""

_PLACE = func.coalesce(_match.parent, _match.channel)
"""The channel that decides who can read a match: its own, or the one in which its thread hangs."""


def _tournaments(guild: GuildId, *columns: ColumnElement[Any]) -> Select[Any]:
    """Selects from the tournaments of a server."""
    joined = and_(_competition.kind == _post.kind, _competition.number == _post.number)
    found = select(*columns).join_from(schema.kept_post, schema.competition, joined)
    return found.where(_post.guild == guild, _post.kind == PostKind.TOURNAMENT.value)


def _open_competitions(guild: GuildId) -> Select[Any]:
    """Selects the channels of all competitions of a server that are open."""
    joined = and_(_competition.kind == _post.kind, _competition.number == _post.number)
    found = select(_post.channel).join_from(schema.kept_post, schema.competition, joined)
    return found.where(_post.guild == guild, _competition.open, _post.channel.is_not(None))


_OF_HOME = of_server(PostKind.HOME, _home.guild)
_HOME = (
    select(schema.home, _post.problem.label("trouble"), _post.since.label("failing"))
    .outerjoin(schema.kept_post, _OF_HOME)
    .where(_home.guild == bindparam("guild"))
)
_zone_of = (
    select(table.c.zone).where(table.c.guild == bindparam("guild")).scalar_subquery()
    for table in (schema.home, schema.daily_place)
)
_ZONE = select(func.coalesce(*_zone_of))
_DUE = select(_home.guild).where(_home.due <= bindparam("now")).order_by(_home.due).limit(bindparam("limit"))


class HomeReader(Repository):
    """Homes, as reads see them."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> Home | None:
        row = await self._sql.first(_HOME, guild=guild)
        return None if row is None else _read(row)

    async def zone(self, guild: GuildId) -> str | None:
        """Returns the time zone of a server: that of its home, or else of its daily post."""
        zone: str | None = await self._sql.value(_ZONE, guild=guild)
        return zone

    async def due(self, now: Millis, limit: int) -> list[GuildId]:
        """Returns the servers whose homes are due, the longest due first."""
        return [row.guild for row in await self._sql.all(_DUE, now=now, limit=limit)]

    async def places(self, guild: GuildId, *, latest: bool) -> dict[UserId, int]:
        """Returns the places that were kept on the `latest` day, or on the day before."""
        kept = select(_place.user, _place.place).where(_place.guild == guild, _place.latest.is_(latest))
        return {row.user: row.place for row in await self._sql.all(kept.order_by(_place.number))}

    async def channels(self, guild: GuildId, since: Millis, limit: int) -> list[ChannelId]:
        """Returns the channels of a server with running games, open challenges or competitions, or with matches that
        ended since then, those with the most first. A thread of the bot counts as the channel that it hangs in."""
        shown = union_all(
            select(_PLACE.label("channel")).where(_match.guild == guild, _match.ended.is_(None)),
            select(_PLACE.label("channel")).where(_match.guild == guild, _match.ended >= since),
            select(_challenge.channel).where(_challenge.guild == guild, _challenge.state == ChallengeState.OPEN.value),
            _open_competitions(guild),
        ).subquery()
        channel = shown.c.channel
        counted = select(channel).group_by(channel).order_by(func.count().desc(), channel).limit(limit)
        return [row.channel for row in await self._sql.all(counted)]

    async def count_games(self, guild: GuildId, channels: Collection[ChannelId]) -> int:
        """Counts these games."""
        counted = select(func.count()).select_from(schema.match)
        count: int = await self._sql.value(
            counted.where(_match.guild == guild, _match.ended.is_(None), _PLACE.in_(channels))
        )
        return count

    async def games(self, guild: GuildId, channels: Collection[ChannelId], limit: int) -> list[HomeGame]:
        """Returns the running games in channels of a server and their threads, those that wait longest first."""
        there = _match.guild == guild, _match.ended.is_(None), _PLACE.in_(channels)
        running = select(schema.match).where(*there, _match.lost.is_(False))
        first = running.order_by(_match.turned, _match.id).limit(limit).subquery()
        found = await self._sql.all(
            select(first, _seat.user)
            .join_from(first, schema.seat, _seat.match == first.c.id)
            .order_by(first.c.turned, first.c.id, _seat.seat)
        )
        of_match = [list(seats) for _, seats in groupby(found, key=lambda row: row.id)]
        return [_read_game(seats) for seats in of_match]

    async def tournaments(self, guild: GuildId, channels: Collection[ChannelId], limit: int) -> list[HomeTournament]:
        """Returns the tournaments in channels of a server that go on or take players, the newest first."""
        shown = _competition.number, _competition.head, _post.channel, _post.message
        there = _tournaments(guild, *shown).where(_competition.open, _post.channel.in_(channels))
        newest = there.order_by(_competition.number.desc()).limit(limit)
        return [await self._tournament(row) for row in await self._sql.all(newest)]

    async def _tournament(self, row: AnyRow) -> HomeTournament:
        rounds = select(_game.round, func.count().label("pairs")).where(
            _game.kind == PostKind.TOURNAMENT.value, _game.number == row.number
        )
        newest = await self._sql.first(rounds.group_by(_game.round).order_by(_game.round.desc()).limit(1))
        number, pairs = (0, 0) if newest is None else (newest.round, newest.pairs)
        place = row.number, row.head["name"], row.channel, row.message, Format(row.head["format"])
        return HomeTournament(*place, number, pairs, row.head["begins"], row.head["round_ends"])

    async def ended(
        self, guild: GuildId, channels: Collection[ChannelId], since: Millis, limit: int
    ) -> list[TournamentId]:
        """Returns the tournaments in channels of a server whose last game ended since then, the newest first. One that
        was cancelled does not count."""
        last, number = func.max(_match.ended), _competition.number
        over = _tournaments(guild, number).where(~_competition.open, _post.channel.in_(channels))
        is_ended = _competition.head["stage"].as_string() == Stage.ENDED.value
        of_game = and_(_game.kind == _competition.kind, _game.number == number)
        played = over.where(is_ended).join(schema.game, of_game).join(schema.match, _match.id == _game.match)
        newest = played.group_by(number).having(last >= since).order_by(last.desc(), number.desc()).limit(limit)
        return [row.number for row in await self._sql.all(newest)]

    async def main_pool(self, guild: GuildId, season: str) -> tuple[Pool, bool] | None:
        """Returns the pool in which most members of a server are listed, and True; in that of the season, and False."""
        listed = select(_standing.pool).where(_standing.guild == guild, _standing.listed.is_(True))
        scored = select(_season.pool).where(_season.guild == guild, _season.season == season)
        for lines, rated in ((listed, True), (scored, False)):
            pool = lines.subquery().c.pool
            largest = select(pool).group_by(pool).order_by(func.count().desc(), pool).limit(1)
            if (row := await self._sql.first(largest)) is not None:
                return Pool.parse(row.pool), rated
        return None

    async def record(
        self, guild: GuildId, channels: Collection[ChannelId], since: Millis, least: int
    ) -> HomeRecord | None:
        """Returns the largest capture with one turn, of `least` dots or more, in matches of these channels and their
        threads that ended since then."""
        ended = select(_match.id, _match.channel, _match.board).where(_match.guild == guild, _match.ended >= since)
        there = ended.where(_PLACE.in_(channels))
        newest = there.order_by(_match.ended.desc()).limit(MAX_MATCHES).subquery().c
        largest = (
            select(newest.id, newest.channel, newest.board, _seat.user, _seat.capture)
            .where(_seat.match == newest.id, _seat.capture >= least, _seat.user >= 0)
            .order_by(_seat.capture.desc(), newest.id)
        )
        row = await self._sql.first(largest.limit(1))
        return row and HomeRecord(row.id, row.channel, row.board, row.user, row.capture)


class HomeRepository(HomeReader):
    """Homes, as a transaction writes them."""

    __slots__ = ()

    async def save(self, home: Home) -> Home:
        """Stores a home as its next version. Raises Stale if it has changed since it was read."""
        values = {name: getattr(home, name) for name in _home.keys() if name not in ("guild", "version")}  # noqa: SIM118
        await save_settings(self._sql, schema.home, {"guild": home.guild}, home.version, values)
        return replace(home, version=home.version + 1)

    async def remove(self, guild: GuildId) -> None:
        """Deletes a home."""
        for table in (schema.home_place, schema.home):
            await self._sql.execute(delete(table).where(table.c.guild == guild))

    async def mark_changed(self, guilds: Collection[GuildId], now: Millis) -> None:
        """Makes the homes of servers due, as soon as they may be edited."""
        latest, first = (func.max, func.min) if self._is_sqlite else (func.greatest, func.least)
        soon = latest(func.coalesce(_home.edited, 0) + MIN_EDIT_MILLIS, literal(now + GATHER_MILLIS))
        # Also one that is being written: what is written now may lack the change, and must not be saved as the newest.
        healthy = _home.guild.in_(sorted(guilds)), ~exists().where(_OF_HOME, _post.problem.is_not(None))
        changed = {"due": first(_home.due, soon), "version": _home.version + 1}
        await self._sql.execute(update(schema.home).where(*healthy).values(changed))

    @property
    def _is_sqlite(self) -> bool:
        return self._sql.connection.dialect.name == "sqlite"

    async def keep_places(self, guild: GuildId, places: Mapping[UserId, int]) -> None:
        """Stores the places of a new day, and drops all but those of the day before."""
        theirs = _place.guild == guild
        await self._sql.execute(delete(schema.home_place).where(theirs, _place.latest.is_(False)))
        await self._sql.execute(update(schema.home_place).where(theirs).values(latest=False))
        rows = [
            {"guild": guild, "latest": True, "number": number, "user": user, "place": place}
            for number, (user, place) in enumerate(places.items())
        ]
        if rows:
            await self._sql.add(schema.home_place, rows)


def _read_game(seats: Sequence[AnyRow]) -> HomeGame:
    """Returns a running game, from one row a seat in their order."""
    row = seats[0]
    return HomeGame(row.id, row.channel, row.board, tuple(seat.user for seat in seats), row.to_act, row.turned)


def _read(row: AnyRow) -> Home:
    return Home(**{**row._asdict(), "trouble": row.trouble and PostProblem(row.trouble)})
