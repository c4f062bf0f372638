"""The ports of `play.store` in SQL: the same statements on every engine."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import groupby

from sqlalchemy import bindparam, delete, exists, func, insert, or_, select, union, update

from play.clock.calendar import Span
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.match import Match
from play.people.person import Person
from play.people.server import Server
from play.store import Announcement, ChannelTaken, Entry, Stale
from storage import match_rows as rows
from storage import people as settings
from storage import schema
from storage.careers import CareerReader, CareerTransaction
from storage.challenges import ChallengeReader, ChallengeTransaction
from storage.conflicts import refused_as
from storage.deadlines import LifeReader, LifeTransaction
from storage.ladders import LadderReader, LadderTransaction
from storage.match_cache import Replays
from storage.news import NewsReader, NewsTransaction
from storage.privacy import PrivacyReader, PrivacyTransaction
from storage.puzzles import PuzzleReader, PuzzleTransaction
from storage.ratings import RanksReader, RanksTransaction
from storage.role_rewards import PodiumReader, PodiumTransaction
from storage.statements import AnyRow, Clock, Connection
from storage.tournaments import TournamentReader, TournamentTransaction

log = logging.getLogger(__name__)

_match = schema.match.c
_seat = schema.seat.c
_event = schema.event.c
_outbox = schema.outbox.c
_is_open = _match.ended.is_(None)

_slept = exists().where(schema.downtime.c.end > _match.started).label("slept")
_ONE_MATCH = select(schema.match, _slept).where(_match.id == bindparam("match"))
_HERE = select(schema.match, _slept).where(_match.channel == bindparam("channel"))
_OPEN_HERE = _HERE.where(_is_open)
_ENDED_HERE = _HERE.where(~_is_open).order_by(_match.ended.desc(), _match.id.desc()).limit(1)
_SINCE = (
    select(schema.event)
    .where(_event.match == bindparam("match"), _event.seq > bindparam("after"), _event.seq <= bindparam("up_to"))
    .order_by(_event.seq)
)
_ADD_EVENT, _ADD_TO_OUTBOX = insert(schema.event), insert(schema.outbox)
_TAKE_FROM_OUTBOX = delete(schema.outbox).where(
    _outbox.match == bindparam("match"), _outbox.version == bindparam("version")
)
_SHOW = update(schema.match).where(
    _match.id == bindparam("of_match"),
    or_(_match.board_version.is_(None), _match.board_version < bindparam("told")),
)
_UNANNOUNCED = (
    select(_outbox.version, _outbox.answer_until, _match.board, _match.version.label("newest"))
    .join_from(schema.outbox, schema.match)
    .where(_outbox.match == bindparam("match"))
    .order_by(_outbox.version)
    .limit(1)
)


class SqlReader(
    ChallengeReader,
    LifeReader,
    RanksReader,
    PodiumReader,
    CareerReader,
    TournamentReader,
    LadderReader,
    NewsReader,
    PrivacyReader,
    PuzzleReader,
):
    """A `play.store.Reader` on a connection in a transaction."""

    def __init__(self, connection: Connection, replays: Replays, clock: Clock) -> None:
        super().__init__(connection, clock)
        self._replays = replays

    async def match(self, match: MatchId, version: int | None = None) -> Match | None:
        row = await self._first(_ONE_MATCH, match=match)
        if row is None or (version is not None and version > row.version):
            return None
        return await self._replayed(row, row.version if version is None else version)

    async def match_in(self, channel: ChannelId) -> Match | None:
        row = await self._first(_OPEN_HERE, channel=channel) or await self._first(_ENDED_HERE, channel=channel)
        return None if row is None else await self._replayed(row, row.version)

    async def behind(self, channel: ChannelId) -> Match | None:
        match = await self.match_in(channel)
        if match is None or await self.unannounced(match.id):
            return None
        shown = await self._value(select(_match.board_version).where(_match.id == match.id))
        return None if shown == match.version else match

    async def open_matches(self, user: UserId) -> list[Entry]:
        own = schema.seat.alias()
        found = await self._all(
            select(schema.match, _seat.user)
            .join_from(own, schema.match, _match.id == own.c.match)
            .join(schema.seat, _seat.match == _match.id)
            .where(own.c.user == user, own.c.ended.is_(None), _is_open)
            .order_by(_match.to_act != own.c.seat, _match.deadline.nulls_last(), _match.id, _seat.seat)
        )
        downtimes = await self._downtimes(min(row.known for row in found)) if found else ()
        return [rows.entry(list(seats), downtimes) for _, seats in groupby(found, key=lambda row: row.id)]

    async def person(self, user: UserId) -> Person:
        return await settings.person(self._connection, user)

    async def server(self, guild: GuildId) -> Server:
        return await settings.server(self._connection, guild)

    async def count_open(self, *, user: UserId | None = None, guild: GuildId | None = None) -> int:
        counted = select(func.count()).select_from(schema.match).where(_is_open)
        if guild is not None:
            counted = counted.where(_match.guild == guild)
        if user is not None:
            counted = select(func.count()).select_from(schema.seat).where(_seat.user == user, _seat.ended.is_(None))
        count: int = await self._value(counted)
        return count

    async def next_deadline(self) -> Millis | None:
        deadline: Millis | None = await self._value(select(func.min(_match.deadline)).where(_is_open))
        return deadline

    async def overdue(self, before: Millis, limit: int) -> list[MatchId]:
        found = await self._all(
            select(_match.id)
            .where(_is_open, _match.deadline < before)
            .order_by(_match.deadline, _match.id)
            .limit(limit)
        )
        return [row.id for row in found]

    async def untold(self) -> list[MatchId]:
        either = union(select(_outbox.match), select(schema.notice.c.match))
        return sorted(row.match for row in await self._all(either))

    async def unannounced(self, match: MatchId) -> Announcement | None:
        row = await self._first(_UNANNOUNCED, match=match)
        if row is None:
            return None
        return Announcement(match, row.version, row.board, row.version == row.newest, row.answer_until)

    async def _replayed(self, row: AnyRow, version: int) -> Match:
        match = self._replays.up_to(row.id, version)
        if match is None or row.ended is not None:  # of a match that is over a player may have been forgotten
            seats = await self._all(select(schema.seat).where(_seat.match == row.id).order_by(_seat.seat))
            match = rows.begun(row, seats) if match is None else replace(match, players=tuple(s.user for s in seats))
        match = replace(match, guild=row.guild, channel=row.channel, parent=row.parent)
        match = match.slept(*(await self._away(match.started) if row.slept else ((), ())))
        if match.version < version:
            for event in await self._all(_SINCE, match=row.id, after=match.version, up_to=version):
                match = match.after(rows.event(event))
        self._keep(match)
        return match

    def _keep(self, match: Match) -> None:
        self._replays.keep(match)


class SqlTransaction(
    SqlReader,
    ChallengeTransaction,
    LifeTransaction,
    RanksTransaction,
    PodiumTransaction,
    CareerTransaction,
    TournamentTransaction,
    LadderTransaction,
    NewsTransaction,
    PrivacyTransaction,
    PuzzleTransaction,
):
    """A `play.store.Transaction`. What the indexes refuse is an answer; no index is asked beforehand."""

    def __init__(self, connection: Connection, replays: Replays, clock: Clock) -> None:
        super().__init__(connection, replays, clock)
        self._saved: list[Match] = []

    async def beat(self, away: Millis, *, first: bool = False) -> Span | None:
        downtime = await super().beat(away, first=first)
        if downtime:
            await self._put_challenges_off(downtime)
            await self._put_rounds_off(downtime)
        return downtime

    async def add_match(self, match: Match) -> Match:
        with refused_as(ChannelTaken):
            added = await self._value(insert(schema.match).values(rows.of_match(match)).returning(_match.id))
        match = replace(match, id=added)
        await self._connection.execute(insert(schema.seat), rows.of_seats(match))
        await self._post(match)
        return match

    async def save(self, match: Match, answer_until: Millis | None = None) -> None:
        # First of all, so that nothing is written if this version, or this source, is there already.
        with refused_as(Stale):
            await self._connection.execute(_ADD_EVENT, rows.of_event(match))
        await self._amend(match, match.version - 1, rows.standing(match))
        if match.outcome:
            await self._finish(match)
        await self._post(match, answer_until)

    async def save_person(self, person: Person) -> Person:
        return await settings.save_person(self._connection, person)

    async def save_server(self, server: Server) -> Server:
        return await settings.save_server(self._connection, server)

    async def relocate(self, match: MatchId, channel: ChannelId) -> None:
        moved = update(schema.match).where(_match.id == match).values(channel=channel, parent=None)
        with refused_as(ChannelTaken):
            await self._connection.execute(moved)

    async def rehouse(self, match: MatchId, guild: GuildId | None, channel: ChannelId) -> None:
        new = {"guild": guild, "channel": channel, "parent": None, "lost": False, "board": None, "board_version": None}
        with refused_as(ChannelTaken):
            housed = update(schema.match).where(_match.id == match).values(**new).returning(_match.version)
            version = await self._value(housed)
        await self._connection.execute(delete(schema.outbox).where(_outbox.match == match))
        await self._connection.execute(insert(schema.outbox).values(match=match, version=version))

    async def announced(self, announcement: Announcement, message: MessageId | None) -> None:
        match, version = announcement.match, announcement.version
        await self._connection.execute(_TAKE_FROM_OUTBOX, {"match": match, "version": version})
        if message is None:
            await self._lose(match, version)
        else:
            shown = {"of_match": match, "told": version, "board": message, "board_version": version, "lost": False}
            await self._connection.execute(_SHOW, shown)

    def committed(self) -> None:
        """What was saved stands: whoever reads it next need not replay it. A heartbeat counts from now on."""
        for match in self._saved:
            self._replays.keep(match)
        if self.pulse:
            self._clock.beaten(self.pulse)
        if self.downtime:
            away = (self.downtime.end - self.downtime.start) // 1000
            log.warning("nobody was here for %d s, which no clock counts", away)

    def _keep(self, match: Match) -> None:
        """What a transaction reads may be its own, and never be committed."""

    async def _post(self, match: Match, answer_until: Millis | None = None) -> None:
        entry = {"match": match.id, "version": match.version, "answer_until": answer_until}
        await self._connection.execute(_ADD_TO_OUTBOX, entry)
        self._saved.append(match)
