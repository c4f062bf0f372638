"""Competitions in SQL, of whatever kind: one row, and one for each post, entrant and game.

A kind says what its values are as rows, and what they are made of again.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    FromClause,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    literal_column,
    select,
    union,
    update,
)

from play.clock.schedule import Span
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import AnyRow, Repository, Statements, Values

competition = schema.competition.c
entrant = schema.entrant.c
game = schema.game.c
post = schema.kept_post.c
match = schema.match.c

IS_UNDECIDED: Final = game.first_points.is_(None)
OF_KIND: Final[BindParameter[str]] = bindparam("of_kind")


def of_one(table: Table) -> Any:
    """Returns the condition that rows are of the competition `of_number` of the kind `of_kind`."""
    return and_(table.c.kind == OF_KIND, table.c.number == bindparam("of_number"))


def with_competition(table: FromClause) -> Any:
    """Returns the condition that joins rows of a table with their competitions."""
    return and_(competition.kind == table.c.kind, competition.number == table.c.number)


_ROW = [*(competition[name] for name in ("number", "version", "head", "source", "code", "ended"))]
_POST = ("side", "guild", "channel", "host", "message", "pinned", "wanted", "shown", "edits", "announced", "told")
_WITH_POSTS = (
    select(*_ROW, *(post[name] for name in _POST))
    .join_from(schema.competition, schema.kept_post, with_competition(schema.kept_post))
    .where(of_one(schema.competition))
    .order_by(post.side)
)
_WITHOUT_POSTS = select(*_ROW).where(of_one(schema.competition))
_LASTING = ("source", "code", "league")
_PARTS = (schema.entrant, schema.game)
_ROWS = {table: select(table).where(of_one(table)).order_by(table.c.place) for table in _PARTS}
_DROP = {table: delete(table).where(of_one(table), table.c.place == bindparam("of_place")) for table in _PARTS}
_SAVE = update(schema.competition).where(of_one(schema.competition), competition.version == bindparam("as_read"))
_SAVE_POST = update(schema.kept_post).where(of_one(schema.kept_post), post.side == bindparam("of_side"))

_NUMBERS = select(competition.number).where(competition.kind == OF_KIND)
_NEWEST = _NUMBERS.order_by(competition.number.desc()).limit(1)
_TIMED = _NUMBERS.where(competition.due.is_not(None))
_BY_KEY = _NUMBERS.where(competition.source == bindparam("key"))
_OPEN_OF = (
    select(entrant.number)
    .join_from(schema.entrant, schema.competition, with_competition(schema.entrant))
    .where(entrant.user == bindparam("user"), entrant.kind == OF_KIND, entrant.left.is_(None), competition.open)
)
_IN_CHANNEL = (
    select(post.number)
    .join_from(schema.kept_post, schema.competition, with_competition(schema.kept_post))
    .where(post.channel == bindparam("channel"), post.kind == OF_KIND)
    .order_by(post.number.desc())
)
_OPEN_IN_CHANNEL = _IN_CHANNEL.where(competition.open)
_NEWEST_IN_CHANNEL = _IN_CHANNEL.limit(1)
_PLACES = [
    select(match.id, channel.label("channel"))
    .join_from(schema.game, schema.match, match.id == game.match)
    .where(of_one(schema.game))
    for channel in (match.channel, match.away_channel)
]
"""The channels of the games on each side."""

_DUE = _NUMBERS.where(competition.due <= bindparam("now"))
_BEHIND = select(post.number).where(
    post.kind == OF_KIND, literal_column("shown < wanted"), post.edits <= bindparam("now")
)
IS_OF_OPEN: Final = exists().where(with_competition(schema.game), competition.open)
"""Whether a game is of an open competition. As a join, SQLite would begin with all competitions of the kind."""

_TO_BEGIN = select(game.number).where(game.kind == OF_KIND, game.match.is_(None), IS_UNDECIDED, IS_OF_OPEN)
_OVER = (
    select(game.number)
    .join_from(schema.game, schema.match, match.id == game.match)
    .where(game.kind == OF_KIND, game.match.is_not(None), IS_UNDECIDED, match.ended.is_not(None), IS_OF_OPEN)
)


def select_to_update(*reasons: Select[Any]) -> CompoundSelect[Any]:
    """Returns what selects the competitions that are due, those with a post that is behind and may be edited, and those
    that have other `reasons`."""
    return union(*reasons, _DUE, _BEHIND).limit(bindparam("limit"))


TO_UPDATE: Final = select_to_update(_TO_BEGIN, _OVER)
"""Selects also those with games to begin, and with games that are over and not counted yet."""


class Rows(NamedTuple):
    """A competition as rows, without the keys that they share: its own, its posts by side, and its entrants and games
    in their order. A new post shows the version `shown`."""

    head: Values
    posts: list[Values]
    entrants: list[Values]
    games: list[Values]
    shown: int = -1


class Found(NamedTuple):
    """The rows that are stored of a competition: each of its posts with the columns of the competition, entrants and
    games in their order."""

    posts: list[AnyRow]
    entrants: list[AnyRow]
    games: list[AnyRow]

    @property
    def row(self) -> AnyRow:
        """The competition, with its first post."""
        return self.posts[0]


def post_values(
    guild: GuildId, channel: ChannelId, host: UserId | None, wanted: int, *, at_once: bool = False
) -> Values:
    """Returns the row of a post that is to show the version `wanted`, and may `at_once` be edited for it."""
    values: Values = {"guild": guild, "channel": channel, "host": host, "wanted": wanted}
    return values | {"edits": 0} if at_once else values


def points_values(points: tuple[float, float] | None) -> Values:
    """Returns the columns of the points of a game."""
    first, second = points or (None, None)
    return {"first_points": first, "second_points": second}


def read_points(row: AnyRow) -> tuple[float, float] | None:
    """Returns the points of a game; None until it is decided."""
    return None if row.first_points is None else (row.first_points, row.second_points)


async def find_rows(sql: Statements, kind: str, number: int, *, posted: bool = True) -> Found | None:
    """Returns the rows of a competition; in place of the posts of one that is not `posted`, its own."""
    key = {"of_kind": kind, "of_number": number}
    rows = await sql.all(_WITH_POSTS if posted else _WITHOUT_POSTS, **key)
    return Found(rows, *[await sql.all(_ROWS[table], **key) for table in _PARTS]) if rows else None


async def add_rows(sql: Statements, kind: str, number: int | None, rows: Rows) -> int:
    """Stores a new competition and returns its number: the next one, unless it is given. Raises Stale if there is one
    of that number."""
    if number is None:
        newest = await sql.first(_NEWEST, of_kind=kind)
        number = 1 if newest is None else newest.number + 1
    with raises_on_conflict(Stale):
        await sql.add(schema.competition, {"kind": kind, "number": number, **rows.head})
    await change_rows(sql, kind, number, rows, Rows({}, [], [], []))
    return number


async def change_rows(sql: Statements, kind: str, number: int, rows: Rows, before: Rows) -> None:
    """Writes the posts, entrants and games that have changed."""
    key, of = {"kind": kind, "number": number}, {"of_kind": kind, "of_number": number}
    for side, values in enumerate(rows.posts):
        if side >= len(before.posts):
            await sql.add(schema.kept_post, {**key, "side": side, "shown": rows.shown, **values})
            continue
        old = before.posts[side]
        changed = {name: value for name, value in values.items() if name == "edits" or value != old[name]}
        if "channel" in changed:
            changed |= {"message": None, "pinned": None}
        if changed:
            await sql.execute(_SAVE_POST, {**of, "of_side": side, **changed})
    for table, new, former in zip(_PARTS, (rows.entrants, rows.games), (before.entrants, before.games), strict=True):
        written = [place for place, row in enumerate(new) if place >= len(former) or row != former[place]]
        dropped = [*(place for place in written if place < len(former)), *range(len(new), len(former))]
        if dropped:
            await sql.execute(_DROP[table], [{**of, "of_place": place} for place in dropped])
        if written:
            await sql.add(table, [{**key, "place": place, **new[place]} for place in written])


K = TypeVar("K", bound=int)
V = TypeVar("V", bound=Any)


class CompetitionReader(Repository, Generic[K, V]):
    """Competitions of a `kind`, as reads see them."""

    __slots__ = ()

    kind: ClassVar[str]
    selects_to_update: ClassVar[CompoundSelect[Any]] = TO_UPDATE

    @abstractmethod
    def read(self, found: Found) -> V:
        """Returns the competition that rows are of."""

    async def get(self, number: K) -> V | None:
        found = await find_rows(self._sql, self.kind, number)
        return None if found is None else self.read(found)

    async def by_key(self, key: IdempotencyKey | None) -> V | None:
        """Returns the competition that an interaction has made; None if it has made none."""
        return None if key is None else await self._first(_BY_KEY, key=key)

    async def open_of(self, user: UserId) -> list[K]:
        """Returns the open competitions that a user has entered and not left."""
        return await self._all(_OPEN_OF, user=user)

    async def in_channel(self, channel: ChannelId) -> V | None:
        """Returns the newest competition of a channel, also one that is over."""
        return await self._first(_NEWEST_IN_CHANNEL, channel=channel)

    async def open_in(self, channel: ChannelId) -> list[K]:
        """Returns the open competitions of which a channel reads."""
        return await self._all(_OPEN_IN_CHANNEL, channel=channel)

    async def channels_of(self, number: K, side: int = 0) -> dict[MatchId, ChannelId]:
        """Returns the channels of the present games, on one of the servers."""
        rows = await self._sql.all(_PLACES[side], of_kind=self.kind, of_number=number)
        return {row.id: row.channel for row in rows}

    async def to_update(self, now: Millis, limit: int) -> list[K]:
        """Returns the competitions that their director has work in: time brings a change, a game is to begin or is
        over, or a post is behind and may be edited."""
        return await self._all(self.selects_to_update, now=now, limit=limit)

    async def _all(self, statement: Any, **values: Any) -> list[K]:
        """Returns the numbers that a statement finds."""
        return [row[0] for row in await self._sql.all(statement, of_kind=self.kind, **values)]

    async def _first(self, statement: Select[Any], **values: Any) -> V | None:
        """Returns the competition whose number a statement finds first."""
        found = await self._all(statement, **values)
        return await self.get(found[0]) if found else None


class CompetitionRepository(CompetitionReader[K, V]):
    """Competitions of a kind, as a transaction writes them."""

    __slots__ = ()

    @abstractmethod
    def write(self, value: V) -> Rows:
        """Returns a competition as rows."""

    def number_of(self, value: V) -> int:
        """Returns the number of a competition within its kind."""
        number: int = value.id
        return number

    async def lock(self) -> None:
        """Lets no other transaction make a competition until this one ends. It has to come before everything else."""
        await self._sql.lock(schema.competition)

    async def add(self, value: V) -> V:
        """Stores a new competition and gives it its id."""
        added: V = replace(value, version=0)
        return replace(added, id=await add_rows(self._sql, self.kind, None, self.write(added)))

    async def save(self, changed: V, before: V) -> V:
        """Stores a changed competition as its next version; `before` is what is stored. Raises Stale if it has changed
        otherwise."""
        saved: V = replace(changed, version=before.version + 1)
        number, rows = self.number_of(saved), self.write(saved)
        as_read = {"of_kind": self.kind, "of_number": number, "as_read": before.version}
        changes = {name: value for name, value in rows.head.items() if name not in _LASTING}
        await self._sql.change(_SAVE, **as_read, **changes)
        await change_rows(self._sql, self.kind, number, rows, self.write(before))
        return saved

    async def postpone(self, downtime: Span) -> None:
        """Gives whatever time ends as much more time as there was none to play in."""
        for number in await self._all(_TIMED):
            stored = await self.get(number)
            assert stored is not None, "it was found a moment ago"
            later: V = stored.prolonged(downtime)
            if later != stored:
                await self.save(later, stored)
