"""Contests of two servers in SQL."""

from typing import Final

from sqlalchemy import and_, bindparam, delete, insert, select, update

from play.competitions.contest import Board, Cause, Contest, ContestId, Kind, Player, Score, Side, Stage, Team
from play.competitions.contest_season import PlayedContest
from play.ids import GuildId, MessageId, Millis
from play.posts import PostKind
from storage import schema
from storage.competition_rows import (
    IS_UNDECIDED,
    OF_KIND,
    Found,
    Rows,
    competition,
    game,
    of_one,
    points_values,
    post,
    post_values,
    read_points,
    with_competition,
)
from storage.competitions import CompetitionReader, CompetitionRepository
from storage.statements import AnyRow, Values
from storage.terms import read_terms, terms_values

_listing = schema.contest_listing.c

_SETTINGS: Final = ("made", "expires", "size", "period", "quorum", "sign_up", "closes", "time", "ends", "proposed")
"""Fields that the document has as they are; one that was written before there was a field lacks it."""

_BY_CODE = select(competition.number).where(competition.kind == OF_KIND, competition.code == bindparam("code"))
_of_guild = (
    select(post.number)
    .join_from(schema.kept_post, schema.competition, with_competition(schema.kept_post))
    .where(post.guild == bindparam("guild"), post.kind == OF_KIND)
    .order_by(post.number.desc())
)
_OF_GUILD = _of_guild.limit(bindparam("limit"))
_OPEN_OF_GUILD = _of_guild.where(competition.open)
_UNSEEN = [
    select(
        select(game.match)
        .join(boards, and_(boards.c.match == game.match, boards.c.version == 0))
        .where(of_one(schema.game), IS_UNDECIDED)
        .exists()
        .label("unseen")
    )
    for boards in (schema.outbox, schema.away_outbox)
]
_SHOW_AT_ONCE = update(schema.kept_post).where(of_one(schema.kept_post)).values(edits=0)
_home, _guest = schema.kept_post.alias(), schema.kept_post.alias()
_PLAYED = (
    select(competition.head, _home.c.guild.label("home"), _guest.c.guild.label("guest"))
    .join_from(schema.competition, _home, with_competition(_home) & (_home.c.side == Side.HOME.value))
    .join(_guest, with_competition(_guest) & (_guest.c.side == Side.GUEST.value))
    .where(competition.kind == OF_KIND, competition.ended >= bindparam("since"), competition.ended < bindparam("until"))
    .order_by(competition.ended.desc(), competition.number.desc())
    .limit(bindparam("limit"))
)
_of_board = of_one(schema.game), game.place == bindparam("of_place")
_DETAIL, _SET_DETAIL = select(game.detail).where(*_of_board), update(schema.game).where(*_of_board)


class ContestReader(CompetitionReader[ContestId, Contest]):
    """Contests, as reads see them."""

    __slots__ = ()

    kind = PostKind.CONTEST.value

    def read(self, found: Found) -> Contest:
        row, head = found.row, found.row.head
        home, *guest = (_read_team(each, gone=side in head["gone"]) for side, each in enumerate(found.posts))
        proposed_by, cause = head["proposed_by"], head["cause"]
        return Contest(
            row.number,
            Kind(head["kind"]),
            read_terms(head["terms"]),
            home,
            code=row.code,
            guest=guest[0] if guest else None,
            stage=Stage(head["stage"]),
            cause=None if cause is None else Cause(cause),
            players=tuple(
                Player(each.user, Side(each.group), each.rating, each.left is not None) for each in found.entrants
            ),
            boards=tuple(map(_read_board, found.games)),
            arranged=frozenset(map(Side, head.get("arranged", ()))),
            proposed_by=None if proposed_by is None else Side(proposed_by),
            ended=row.ended,
            version=row.version,
            key=row.source,
            **{name: head[name] for name in _SETTINGS if name in head},
        )

    async def by_code(self, digest: str) -> Contest | None:
        """Returns the contest to which a code invites, whatever has become of it."""
        return await self._first(_BY_CODE, code=digest)

    async def of_guild(self, guild: GuildId, limit: int) -> list[Contest]:
        """Returns the contests of a server, the newest first."""
        found = await self._all(_OF_GUILD, guild=guild, limit=limit)
        return [contest for each in found if (contest := await self.get(each))]

    async def open_of_guild(self, guild: GuildId) -> list[Contest]:
        """Returns the open contests of a server, the newest first."""
        return [contest for each in await self._all(_OPEN_OF_GUILD, guild=guild) if (contest := await self.get(each))]

    async def has_unseen_games(self, contest: ContestId, side: Side) -> bool:
        """Returns whether a game that is not decided has no board yet on one of the servers."""
        return bool(await self._sql.value(_UNSEEN[side], of_kind=self.kind, of_number=contest))

    async def played(self, since: Millis, until: Millis, limit: int) -> list[PlayedContest]:
        """Returns the contests that ended in a span, the newest first."""
        rows = await self._sql.all(_PLAYED, of_kind=self.kind, since=since, until=until, limit=limit)
        return [PlayedContest(row.home, row.guest, _read_score(*row.head["result"])) for row in rows]

    async def listed(self) -> set[GuildId]:
        """Returns the servers that want their names in everybody's table of the season."""
        return {row.guild for row in await self._sql.all(select(_listing.guild))}


class ContestRepository(ContestReader, CompetitionRepository[ContestId, Contest]):
    """Contests, as a transaction writes them."""

    __slots__ = ()

    def write(self, value: Contest) -> Rows:
        score = value.score
        head = {name: getattr(value, name) for name in _SETTINGS} | {
            "kind": value.kind,
            "terms": terms_values(value.terms),
            "stage": value.stage,
            "cause": value.cause,
            "proposed_by": value.proposed_by,
            "arranged": sorted(value.arranged),
            "gone": [side for side in value.sides if value.team(side).gone],
            "result": (score.boards, score.dots) if value.stage is Stage.ENDED else None,
        }
        row = {"version": value.version, "head": head, "open": value.is_open, "due": value.due, "ended": value.ended}
        players: list[Values] = [
            {"user": each.user, "group": each.side, "rating": each.rating, "left": 1 if each.left else None}
            for each in value.players
        ]
        posts = [
            post_values(team.guild, team.channel, team.manager, value.version) for team in map(value.team, value.sides)
        ]
        row |= {"source": value.key, "code": value.code}
        return Rows(row, posts, players, [*map(_board_values, value.boards)], shown=0)  # nothing, until it is accepted

    async def save(self, changed: Contest, before: Contest) -> Contest:
        """Stores a changed contest as its next version; `before` is what is stored. One that has come to another stage
        is shown at once. Raises Stale if it has changed otherwise."""
        saved = await super().save(changed, before)
        if saved.stage is not before.stage:
            await self._sql.execute(_SHOW_AT_ONCE, {"of_kind": self.kind, "of_number": saved.id})
        return saved

    async def mark_called(self, contest: ContestId, number: int, side: Side, message: MessageId) -> None:
        """Notes the message that calls the player of a side to the present game of a board."""
        of = {"of_kind": self.kind, "of_number": contest, "of_place": number - 1}
        detail = await self._sql.value(_DETAIL, **of)
        if detail["calls"][side] is None:
            calls = [message if each == side else known for each, known in enumerate(detail["calls"])]
            await self._sql.execute(_SET_DETAIL, {**of, "detail": {**detail, "calls": calls}})

    async def set_listed(self, guild: GuildId, *, listed: bool) -> None:
        """Notes whether a server wants its name in everybody's table of the season."""
        await self._sql.execute(delete(schema.contest_listing).where(_listing.guild == guild))
        if listed:
            await self._sql.execute(insert(schema.contest_listing).values(guild=guild))


def _read_score(boards: list[float], dots: list[float]) -> Score:
    return Score((boards[0], boards[1]), (dots[0], dots[1]))


def _read_team(row: AnyRow, *, gone: bool) -> Team:
    return Team(row.guild, row.channel, row.host, row.message, gone, row.told, row.shown, row.edits)


def _board_values(board: Board) -> Values:
    """Returns the row of a board. Its players stand in the order of the sides."""
    home, guest = board.players or (None, None)
    details = {"first": board.first, "calls": board.calls, "waits_since": board.waits_since, "dots": board.dots}
    details["came"] = board.came
    return {
        "first": home,
        "second": guest,
        "match": board.match,
        **points_values(board.points),
        "tries": board.tries,
        "unplayed": board.unplayed,
        "detail": details,
    }


def _read_board(row: AnyRow) -> Board:
    detail = row.detail
    return Board(
        row.place + 1,
        None if row.first is None else (row.first, row.second),
        Side(detail["first"]),
        row.match,
        tuple(detail["calls"]),
        detail["waits_since"],
        read_points(row),
        tuple(detail["dots"]),
        row.tries,
        row.unplayed,
        tuple(map(Side, detail.get("came", ()))),
    )
