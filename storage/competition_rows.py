"""The rows of competitions, of whatever kind: one each, and one for each post, entrant and game."""

from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, FromClause, Table, and_, bindparam, delete, select, update

from play.ids import ChannelId, GuildId, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import AnyRow, Statements, Values

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
_PARTS = (schema.entrant, schema.game)
_ROWS = {table: select(table).where(of_one(table)).order_by(table.c.place) for table in _PARTS}
_DROP = {table: delete(table).where(of_one(table), table.c.place == bindparam("of_place")) for table in _PARTS}
_SAVE_POST = update(schema.kept_post).where(of_one(schema.kept_post), post.side == bindparam("of_side"))

_NEWEST = select(competition.number).where(competition.kind == OF_KIND).order_by(competition.number.desc()).limit(1)


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
            changed |= {"message": None, "pinned": None, "keeper": None}
        if changed:
            await sql.execute(_SAVE_POST, {**of, "of_side": side, **changed})
    for table, new, former in zip(_PARTS, (rows.entrants, rows.games), (before.entrants, before.games), strict=True):
        written = [place for place, row in enumerate(new) if place >= len(former) or row != former[place]]
        dropped = [*(place for place in written if place < len(former)), *range(len(new), len(former))]
        if dropped:
            await sql.execute(_DROP[table], [{**of, "of_place": place} for place in dropped])
        if written:
            await sql.add(table, [{**key, "place": place, **new[place]} for place in written])
