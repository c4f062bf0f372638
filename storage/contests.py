"""Contests of two servers in SQL: one row, and one for each player and each board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from sqlalchemy import and_, bindparam, case, delete, insert, literal_column, or_, select, union, update

from play.clock.schedule import Span
from play.competitions.contest import (
    OPEN,
    SHOW_MILLIS,
    Board,
    Cause,
    Contest,
    ContestId,
    Kind,
    Player,
    PlayerNumber,
    Score,
    Side,
    Stage,
    Team,
)
from play.competitions.contest_season import PlayedContest
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from storage import schema
from storage.statements import AnyRow, Repository, Statements, Values
from storage.terms import read_terms, terms_values

_contest = schema.contest.c
_player = schema.contest_player.c
_board = schema.contest_board.c
_listing = schema.contest_listing.c
_match = schema.match.c

_UNDECIDED = _board.home_points.is_(None)
_may_edit = [
    and_(shown < _contest.version, or_(shown_at.is_(None), shown_at <= bindparam("shown_until")))
    for shown, shown_at in (
        (_contest.home_shown, _contest.home_shown_at),
        (_contest.guest_shown, _contest.guest_shown_at),
    )
]
_TO_UPDATE = union(
    select(_board.contest)
    .join_from(schema.contest_board, schema.contest)
    .outerjoin(schema.match, _match.id == _board.match)
    .where(_UNDECIDED, _contest.stage == Stage.RUNNING.value)
    .where(or_(_board.match.is_(None), _match.ended.is_not(None))),
    select(_contest.id).where(_contest.due <= bindparam("now")),
    select(_contest.id).where(literal_column("(home_shown < version OR guest_shown < version)")).where(or_(*_may_edit)),
).limit(bindparam("limit"))
"""Boards to decide, what is due, and what is shown as it was and may be edited again."""


class ContestReader(Repository):
    """Contests, as reads see them."""

    __slots__ = ()

    async def get(self, contest: ContestId) -> Contest | None:
        return await self._first(_contest.id == contest)

    async def by_key(self, key: IdempotencyKey | None) -> Contest | None:
        """Returns the contest that an interaction has made; None if it has made none."""
        return None if key is None else await self._first(_contest.source == key)

    async def by_code(self, digest: str) -> Contest | None:
        """Returns the contest to which a code invites, whatever has become of it."""
        return await self._first(_contest.code == digest)

    async def of_guild(self, guild: GuildId, limit: int) -> list[Contest]:
        """Returns the contests of a server, the newest first."""
        theirs = or_(_contest.home_guild == guild, _contest.guest_guild == guild)
        newest = select(schema.contest).where(theirs).order_by(_contest.id.desc()).limit(limit)
        return [await self._read(row) for row in await self._sql.all(newest)]

    async def open_of_guild(self, guild: GuildId) -> list[Contest]:
        """Returns the open contests of a server, the newest first."""
        theirs = or_(_contest.home_guild == guild, _contest.guest_guild == guild), _contest.stage.in_(OPEN)
        newest = select(schema.contest).where(*theirs).order_by(_contest.id.desc())
        return [await self._read(row) for row in await self._sql.all(newest)]

    async def open_of(self, user: UserId) -> list[ContestId]:
        """Returns the open contests that this user has signed up to, and has not left."""
        signed_up = select(_player.contest).join_from(schema.contest_player, schema.contest)
        theirs = _player.user == user, ~_player.left, _contest.stage.in_(OPEN)
        return [row.contest for row in await self._sql.all(signed_up.where(*theirs))]

    async def open_in(self, channel: ChannelId) -> list[ContestId]:
        """Returns the open contests that one of their servers reads of in a channel."""
        there = or_(_contest.home_channel == channel, _contest.guest_channel == channel), _contest.stage.in_(OPEN)
        return [row.id for row in await self._sql.all(select(_contest.id).where(*there))]

    async def channels_of(self, contest: ContestId, side: Side) -> dict[MatchId, ChannelId]:
        """Returns the channel of each present game of a contest on one of the servers."""
        column = _match.channel if side is Side.HOME else _match.away_channel
        games = select(_match.id, column.label("channel")).join_from(
            schema.contest_board, schema.match, _match.id == _board.match
        )
        found = await self._sql.all(games.where(_board.contest == contest))
        return {row.id: row.channel for row in found}

    async def has_unseen_games(self, contest: ContestId, side: Side) -> bool:
        """Returns whether a game that is not decided has no board yet on one of the servers."""
        boards = schema.outbox if side is Side.HOME else schema.away_outbox
        waiting = select(_board.match).join(boards, and_(boards.c.match == _board.match, boards.c.version == 0))
        return bool(await self._sql.value(select(waiting.where(_board.contest == contest, _UNDECIDED).exists())))

    async def played(self, since: Millis, until: Millis, limit: int) -> list[PlayedContest]:
        """Returns the contests that ended in a span, the newest first."""
        ended = select(schema.contest).where(_contest.ended >= since, _contest.ended < until)
        newest = ended.order_by(_contest.ended.desc(), _contest.id.desc()).limit(limit)
        return [
            PlayedContest(
                row.home_guild,
                row.guest_guild,
                Score((row.home_boards, row.guest_boards), (row.home_dots, row.guest_dots)),
            )
            for row in await self._sql.all(newest)
        ]

    async def listed(self) -> set[GuildId]:
        """Returns the servers that want their names in everybody's table of the season."""
        return {row.guild for row in await self._sql.all(select(_listing.guild))}

    async def to_update(self, now: Millis, limit: int) -> list[ContestId]:
        """Returns the contests that the director has work in: time brings a change, a game has ended or is to begin,
        or a message shows an older version, which was posted before `SHOW_MILLIS`."""
        values = {"now": now, "shown_until": now - SHOW_MILLIS, "limit": limit}
        return [row[0] for row in await self._sql.all(_TO_UPDATE, **values)]

    async def _first(self, condition: Any) -> Contest | None:
        row = await self._sql.first(select(schema.contest).where(condition))
        return None if row is None else await self._read(row)

    async def _read(self, row: AnyRow) -> Contest:
        players = select(schema.contest_player).where(_player.contest == row.id).order_by(_player.number)
        boards = select(schema.contest_board).where(_board.contest == row.id).order_by(_board.number)
        home = Team(
            *(row.home_guild, row.home_channel, row.home_manager, row.home_message),
            *(row.home_gone, row.home_told, row.home_shown, row.home_shown_at),
        )
        guest = row.guest_guild and Team(
            *(row.guest_guild, row.guest_channel, row.guest_manager, row.guest_message),
            *(row.guest_gone, row.guest_told, row.guest_shown, row.guest_shown_at),
        )
        return Contest(
            row.id,
            Kind(row.kind),
            read_terms(row.terms),
            home,
            row.made,
            row.code,
            row.expires,
            row.size,
            row.period,
            row.sign_up,
            row.closes,
            guest,
            Stage(row.stage),
            None if row.cause is None else Cause(row.cause),
            tuple(Player(each.user, Side(each.side), each.rating, each.left) for each in await self._sql.all(players)),
            tuple(map(_read_board, await self._sql.all(boards))),
            None if row.proposed_by is None else Side(row.proposed_by),
            row.proposed,
            row.ended,
            row.version,
            row.source,
        )


class ContestRepository(ContestReader):
    """Contests, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction make or accept a contest until this one ends. It has to come before everything
        else."""
        await self._sql.lock(schema.contest)

    async def add(self, contest: Contest) -> Contest:
        """Stores a new contest and gives it its id."""
        values = _values(contest) | {
            "kind": contest.kind.value,
            "terms": terms_values(contest.terms),
            "made": contest.made,
            "code": contest.code,
            "expires": contest.expires,
            "size": contest.size,
            "period": contest.period,
            "sign_up": contest.sign_up,
            "source": contest.key,
            "version": 0,
            "home_shown": 0,  # there is nothing to show until it is accepted
            "guest_shown": 0,
        }
        added = insert(schema.contest).values(values).returning(_contest.id)
        return replace(contest, id=await self._sql.value(added))

    async def save(self, contest: Contest) -> Contest:
        """Stores a changed contest as its next version. Raises Stale if it has changed otherwise."""
        saved = replace(contest, version=contest.version + 1)
        as_read = and_(_contest.id == contest.id, _contest.version == contest.version)
        same_stage = _contest.stage == saved.stage.value
        values = _values(saved) | {
            "version": saved.version,
            "home_shown_at": case((same_stage, _contest.home_shown_at)),
            "guest_shown_at": case((same_stage, _contest.guest_shown_at)),
        }
        for side in contest.sides:
            channel, message = (f"{_PREFIXES[side]}_{name}" for name in ("channel", "message"))
            values[message] = case((_contest[channel] == contest.team(side).channel, _contest[message]))
        if saved.guest is None:
            values["guest_shown"] = saved.version  # there is nobody to show it to
        await self._sql.change(update(schema.contest).where(as_read).values(values))
        for table in (schema.contest_player, schema.contest_board):
            await self._sql.execute(delete(table).where(table.c.contest == saved.id))
        players = [
            {
                "contest": saved.id,
                "number": number,
                "user": each.user,
                "side": each.side.value,
                "rating": each.rating,
                "left": each.left,
            }
            for number, each in enumerate(saved.players)
        ]
        if players:
            await self._sql.execute(insert(schema.contest_player), players)
        if saved.boards:
            await self._sql.execute(
                insert(schema.contest_board), [_board_values(saved.id, board) for board in saved.boards]
            )
        return saved

    async def mark_posted(
        self, contest: ContestId, side: Side, version: int, message: MessageId | None, notice: str, at: Millis
    ) -> None:
        """Notes that `message` shows this version to a side, or (None) that there is nothing to show it; and that its
        `notice` was posted. Nothing changes where another process has shown a later version."""
        prefix = _PREFIXES[side]
        news = _contest.id == contest, _contest[f"{prefix}_shown"] < version
        shown = {"message": message, "shown": version, "shown_at": at, "told": notice}
        values = {f"{prefix}_{name}": value for name, value in shown.items()}
        await self._sql.execute(update(schema.contest).where(*news).values(values))

    async def mark_called(self, contest: ContestId, number: int, side: Side, message: MessageId) -> None:
        """Notes the message that calls the player of a side to the present game of a board."""
        column = f"{_PREFIXES[side]}_call"
        called = _board.contest == contest, _board.number == number, _board[column].is_(None)
        await self._sql.execute(update(schema.contest_board).where(*called).values({column: message}))

    async def set_listed(self, guild: GuildId, *, listed: bool) -> None:
        """Notes whether a server wants its name in everybody's table of the season."""
        await self._sql.execute(delete(schema.contest_listing).where(_listing.guild == guild))
        if listed:
            await self._sql.execute(insert(schema.contest_listing).values(guild=guild))


_PREFIXES: Final = {Side.HOME: "home", Side.GUEST: "guest"}


async def postpone_contests(sql: Statements, downtime: Span) -> None:
    """Extends sign-ups, and the time in which players have to show up, by a downtime."""
    gap = downtime.end - downtime.start
    running = _contest.due > downtime.start, _contest.stage.in_((Stage.SIGN_UP, Stage.RUNNING))
    late = select(_contest.id).where(*running)
    await sql.execute(
        update(schema.contest_board)
        .where(_board.contest.in_(late), _board.home_points.is_(None))
        .values(waits_since=_board.waits_since + gap)
    )
    extended = {"due": _contest.due + gap, "closes": _contest.closes + gap, "proposed": _contest.proposed + gap}
    await sql.execute(update(schema.contest).where(*running).values(extended | {"version": _contest.version + 1}))


def _values(contest: Contest) -> Values:
    """Returns the columns that change with a contest. What is shown and told, the repository notes by itself."""
    values: Values = {
        "closes": contest.closes,
        "stage": contest.stage.value,
        "cause": contest.cause and contest.cause.value,
        "proposed_by": None if contest.proposed_by is None else contest.proposed_by.value,
        "proposed": contest.proposed,
        "ended": contest.ended,
        "due": contest.due,
    }
    for side in contest.sides:
        team, prefix = contest.team(side), _PREFIXES[side]
        values |= {
            f"{prefix}_guild": team.guild,
            f"{prefix}_channel": team.channel,
            f"{prefix}_manager": team.manager,
            f"{prefix}_gone": team.gone,
        }
        if contest.stage is Stage.ENDED:
            score = contest.score
            values |= {f"{prefix}_boards": score.boards[side], f"{prefix}_dots": score.dots[side]}
    return values


def _board_values(contest: ContestId, board: Board) -> Values:
    home, guest = board.players or (None, None)
    home_points, guest_points = board.points or (None, None)
    return {
        "contest": contest,
        "number": board.number,
        "home": home,
        "guest": guest,
        "first": board.first.value,
        "match": board.match,
        "home_call": board.calls[0],
        "guest_call": board.calls[1],
        "waits_since": board.waits_since,
        "home_points": home_points,
        "guest_points": guest_points,
        "home_dots": board.dots[0],
        "guest_dots": board.dots[1],
        "tries": board.tries,
        "unplayed": board.unplayed,
    }


def _read_board(row: AnyRow) -> Board:
    return Board(
        row.number,
        None if row.home is None else (PlayerNumber(row.home), PlayerNumber(row.guest)),
        Side(row.first),
        row.match,
        (row.home_call, row.guest_call),
        row.waits_since,
        None if row.home_points is None else (row.home_points, row.guest_points),
        (row.home_dots, row.guest_dots),
        row.tries,
        row.unplayed,
    )
