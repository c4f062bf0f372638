"""The outbox in SQL: versions of matches, and notices to players, that wait to be posted."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, and_, bindparam, delete, or_, select, union, update

from play.clock.clock import ReminderStep
from play.ids import IdentityKind, MatchId, MessageId, Millis, is_named, is_person
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from storage import schema
from storage.lists import is_among
from storage.match_rows import in_place
from storage.statements import AnyRow, Repository

_match = schema.match.c
_outbox = schema.outbox.c
_away_outbox = schema.away_outbox.c
_notice = schema.notice.c
_seat = schema.seat.c

_NEXT_NOTICE = (
    select(schema.notice).where(_notice.match == bindparam("match")).order_by(_notice.version, _notice.user).limit(1)
)

_WAITING = union(select(_outbox.match), select(_notice.match))
_HELD = union(*(select(each.match).where(is_among(each.match, "matches")) for each in (_outbox, _away_outbox)))
_WAITING_AWAY = select(_away_outbox.match)


def _message_of(id_: MessageId) -> ColumnElement[bool]:
    return and_(schema.identity.c.id == id_, schema.identity.c.kind == IdentityKind.MESSAGE.value)


class _Place:
    """The statements for one place of matches."""

    def __init__(self, outbox: Table, board: Column[Any], shown: Column[Any], lost: Column[Any], *, away: bool) -> None:
        own = outbox.c
        self.outbox = outbox
        self.away = away
        self.next_entry = (
            select(own.version, own.answer_until, board.label("board"), _match.version.label("newest"))
            .join_from(outbox, schema.match)
            .where(own.match == bindparam("match"))
            .order_by(own.version)
            .limit(1)
        )
        self.remove = delete(outbox).where(
            own.match == bindparam("match"), own.version.between(bindparam("first"), bindparam("last"))
        )
        self.set_board = update(schema.match).where(
            _match.id == bindparam("of_match"), or_(shown.is_(None), shown < bindparam("told"))
        )
        self.lose = update(schema.match).where(_match.id == bindparam("of_match"), _match.ended.is_(None), ~lost)


_HERE = _Place(schema.outbox, _match.board, _match.board_version, _match.lost, away=False)
_AWAY = _Place(schema.away_outbox, _match.away_board, _match.away_board_version, _match.away_lost, away=True)


def _place(*, away: bool) -> _Place:
    return _AWAY if away else _HERE


class OutboxReader(Repository):
    """The outbox, as reads see it."""

    __slots__ = ()

    async def pending_matches(self, *, away: bool = False) -> list[MatchId]:
        """Returns the matches of which the outbox holds anything, notices included; or those of which it holds versions
        for the places `away`."""
        return sorted({row.match for row in await self._sql.all(_WAITING_AWAY if away else _WAITING)})

    async def next_entry(self, match: MatchId, *, away: bool = False) -> OutboxEntry | None:
        """Returns the earliest version of a match that the outbox holds for one of its places."""
        row = await self._sql.first(_place(away=away).next_entry, match=match)
        if row is None:
            return None
        return OutboxEntry(match, row.version, row.board, row.version == row.newest, row.answer_until, away=away)

    async def waiting(self, matches: Collection[MatchId]) -> set[MatchId]:
        """Returns those of the matches of which the outbox holds a version for any of their places."""
        return {row.match for row in await self._sql.all(_HELD, matches=[*matches])} if matches else set()

    async def next_notice(self, match: MatchId) -> Notice | None:
        """Returns the earliest notice of a match that the outbox holds."""
        row = await self._sql.first(_NEXT_NOTICE, match=match)
        return None if row is None else _read_notice(row)


class OutboxRepository(OutboxReader):
    """The outbox in a transaction. `MatchRepository` puts versions in, `DeadlineRepository` reminders."""

    __slots__ = ()

    async def mark_posted(self, entry: OutboxEntry, message: MessageId | None, reopen: Millis | None = None) -> None:
        """Takes the versions of a board out of the outbox: `message` shows them, or (None) none can ever be posted.

        Unless a later one is shown, the thread of the match is to be opened for another week at `reopen`. The board
        before is looked for no more, so its platform's name for it is deleted.
        """
        match, version, place = entry.match, entry.version, _place(away=entry.away)
        await self.leave_out(entry)
        if message is None:
            await self._mark_lost(match, version, place)
            return
        shown = {"board": message, "board_version": version, "lost": False, "reopen": reopen}
        shown = in_place(shown, away=entry.away)
        await self._sql.execute(place.set_board, {"of_match": match, "told": version, **shown})
        before = entry.previous
        if before is not None and before != message and is_named(before):
            await self._sql.execute(delete(schema.identity).where(_message_of(before)))

    async def leave_out(self, entry: OutboxEntry) -> None:
        """Takes the versions of a board out of the outbox that its channel never gets. It may get later ones."""
        told = {"match": entry.match, "first": entry.first, "last": entry.version}
        await self._sql.execute(_place(away=entry.away).remove, told)

    async def remove_notice(self, notice: Notice) -> None:
        """Takes a notice out of the outbox."""
        told = _notice.match == notice.match, _notice.user == notice.user, _notice.kind == notice.kind.value
        await self._sql.execute(delete(schema.notice).where(*told))

    async def add(self, match: Match, answer_until: Millis | None = None) -> None:
        """Puts the newest version of a match in, for each of its places; `answer_until` is of the one that it is looked
        at from."""
        for each in match.places:
            until = answer_until if each == match.place else None
            row = {"match": match.id, "version": match.version, "answer_until": until}
            await self._sql.add(_place(away=each.away).outbox, row)

    async def add_all(self, matches: Collection[Match]) -> None:
        """Puts the newest version of each match in."""
        for away in (False, True):
            there = [match for match in matches if match.away is not None or not away]
            rows = [{"match": match.id, "version": match.version, "answer_until": None} for match in there]
            if rows:
                await self._sql.add(_place(away=away).outbox, rows)

    async def replace_all(self, match: MatchId, version: int, *, away: bool) -> None:
        """Puts a version of a match in, in place of all others of one place."""
        outbox = _place(away=away).outbox
        await self._sql.execute(delete(outbox).where(outbox.c.match == match))
        await self._sql.add(outbox, {"match": match, "version": version})

    async def add_notice(self, notice: Notice) -> None:
        """Puts a notice in, in place of an older one of the same kind."""
        await self.remove_notice(notice)
        await self._sql.add(
            schema.notice,
            {
                "match": notice.match,
                "user": notice.user,
                "kind": notice.kind.value,
                "version": notice.version,
                "steps": notice.steps.value,
                "at": notice.at,
            },
        )

    async def _mark_lost(self, match: MatchId, version: int, place: _Place) -> None:
        """Records that one place of a match can receive no boards, and notifies the players at home there once."""
        gone = in_place({"reopen": None}, away=place.away)
        await self._sql.execute(update(schema.match).where(_match.id == match).values(gone))
        lost = in_place({"lost": True}, away=place.away)
        if (await self._sql.execute(place.lose, {"of_match": match, **lost})).rowcount:
            is_away = and_(_match.away_seat.is_not(None), _match.away_seat == _seat.seat)
            at_home = is_away if place.away else ~is_away
            seats = select(_seat.user).join(schema.match, _match.id == _seat.match).where(_seat.match == match, at_home)
            for row in filter(lambda row: is_person(row.user), await self._sql.all(seats)):
                await self.add_notice(Notice(match, version, row.user, NoticeKind.LOST))


def _read_notice(row: AnyRow) -> Notice:
    return Notice(row.match, row.version, row.user, NoticeKind(row.kind), ReminderStep(row.steps or 0), row.at)
