"""Matches in SQL. What happened is in `event`; loading a match replays it."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Column,
    Select,
    and_,
    bindparam,
    exists,
    func,
    insert,
    literal,
    select,
    true,
    union,
    union_all,
    update,
)

from play.clock import TimeControl
from play.clock.schedule import Span
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.match.length import usual_move_time
from play.match.listed import EndedMatch, OpenMatch
from play.match.match import Match, MatchPlace
from rules.game import Seat
from storage import match_rows as rows
from storage import schema
from storage.careers import finish_seats
from storage.conflicts import raises_on_conflict
from storage.downtimes import downtimes_since
from storage.errors import ChannelTaken, Stale
from storage.lists import is_among
from storage.match_cache import MatchCache
from storage.openings import add_openings
from storage.outbox import OutboxReader, OutboxRepository
from storage.reminders import done_steps, next_reminder, reminder_values
from storage.statements import AnyRow, Repository, Statements, Values

EVENTS_PER_YIELD = 30
"""Events that are read and replayed in one go, which takes 2 to 3 ms on a large board; then others have their turn."""

LAST_GAMES, MIN_EVENTS = 200, 20
"""The last games of a server that tell how long a move takes, and the events of each that does."""

_match = schema.match.c
_seat = schema.seat.c
_event = schema.event.c
_is_open = _match.ended.is_(None)

_slept = exists().where(schema.downtime.c.end > _match.started).label("slept")
_MATCHES = select(schema.match, _slept)
_THESE = _MATCHES.where(is_among(_match.id, "matches"))
_VERSIONS = select(_match.id, _match.version).where(is_among(_match.id, "matches"))
_ONE_MATCH = _MATCHES.where(_match.id == bindparam("match"))
_ENDED_MATCH = (
    select(schema.match, _seat.user)
    .join_from(schema.match, schema.seat, _seat.match == _match.id)
    .where(_match.id == bindparam("match"), _match.ended.is_not(None))
    .order_by(_seat.seat)
)
_LAST_ENDED = (
    select(_match.control, _match.started, _match.ended, _match.version)
    .where(_match.guild == bindparam("guild"), ~_is_open)
    .order_by(_match.ended.desc())
    .limit(bindparam("limit"))
)
_own = schema.seat.alias()
_OPEN_OF = (
    select(schema.match, _seat.user, _seat.quiet)
    .join_from(_own, schema.match, _match.id == _own.c.match)
    .join(schema.seat, _seat.match == _match.id)
    .where(_own.c.user == bindparam("user"), _own.c.ended.is_(None), _is_open)
    .order_by(_match.to_act != _own.c.seat, _match.deadline.nulls_last(), _match.id, _seat.seat)
)
_IN_CHANNEL = _MATCHES.where(_match.channel == bindparam("channel"))
_AWAY_IN_CHANNEL = _MATCHES.where(_match.away_channel == bindparam("channel"))
_OPEN_IN_CHANNEL = _IN_CHANNEL.where(_is_open)
_ENDED_IN_CHANNEL = _IN_CHANNEL.where(~_is_open).order_by(_match.ended.desc(), _match.id.desc()).limit(1)
_NEWEST_AWAY = _AWAY_IN_CHANNEL.order_by(_match.ended.desc().nulls_first(), _match.id.desc()).limit(1)
_PARENT_OF_THREAD = union_all(
    select(_match.parent).where(_match.channel == bindparam("channel"), _match.parent.is_not(None)),
    select(_match.away_parent).where(_match.away_channel == bindparam("channel"), _match.away_parent.is_not(None)),
).limit(1)
# Indexes refuse two matches that begin in a channel, or have it as their second place. One of each is looked for.
_PLAYED_AWAY = select(_match.id).where(_is_open, _match.away_channel == bindparam("channel"))
_PLAYED_HERE = select(_match.id).where(_is_open, _match.channel == bindparam("channel"))
# SQLite takes an index of all matches unless the question is about the deadline, by which only open ones have an index.
_timed, _untimed = (
    select(func.count()).select_from(schema.match).where(_is_open, which).scalar_subquery()
    for which in (_match.deadline > 0, _match.deadline.is_(None))
)
_OPEN_ON = union(
    select(_match.id).where(_is_open, _match.guild == bindparam("guild")),
    select(_match.id).where(_is_open, _match.away_channel.is_not(None), _match.away_guild == bindparam("guild")),
)
_COUNT_OPEN_THERE = select(func.count()).select_from(schema.match).where(_is_open, _match.guild == bindparam("guild"))
_COUNT_OPEN_OF = (
    select(func.count()).select_from(schema.seat).where(_seat.user == bindparam("user"), _seat.ended.is_(None))
)
_COUNT_OPEN = select(_timed + _untimed)
_WAITING_SINCE = (
    select(_match.id)
    .join(schema.seat, and_(_seat.match == _match.id, _seat.seat == _match.to_act))
    .where(_is_open, _match.deadline > 0, _match.turned < bindparam("before"))
    .where(_seat.user.between(bindparam("first"), bindparam("last")))
)
_WITH_BOARD = union_all(
    *(
        select(_match.id, literal(away).label("away")).where(_is_open, timed, board == bindparam("board"))
        for away, board in ((False, _match.board), (True, _match.away_board))
        for timed in (_match.deadline > 0, _match.deadline.is_(None))
    )
).limit(1)
_in_thread = _match.parent == bindparam("channel")
_away_open = (_is_open, _match.away_board_version == _match.version)
_AWAY_SHOWN_IN = union(
    select(_match.id).where(*_away_open, _match.away_channel == bindparam("channel")),
    select(_match.id).where(*_away_open, _match.away_channel.is_not(None), _match.away_parent == bindparam("channel")),
)
_SHOWN_IN = union(
    *(
        select(_match.id).where(_is_open, _match.board_version == _match.version, *there)
        for there in (
            (_match.channel == bindparam("channel"),),
            (_in_thread, _match.deadline > 0),
            (_in_thread, _match.deadline.is_(None)),
        )
    )
)
_THREADS_DUE, _THREADS_DUE_AWAY = (
    select(_match.id)
    .where(_is_open, reopen.is_not(None), reopen <= bindparam("now"))
    .order_by(reopen, _match.id)
    .limit(bindparam("limit"))
    for reopen in (_match.reopen, _match.away_reopen)
)
_LANGUAGE = select(_match.language, _match.away_language).where(_match.id == bindparam("match"))
_UNSETTLED = update(schema.match).where(_match.id == bindparam("of_match"), _match.language.is_(None))
_UNSETTLED_AWAY = update(schema.match).where(_match.id == bindparam("of_match"), _match.away_language.is_(None))
_LOST = select(_match.lost, _match.away_lost).where(_match.id == bindparam("match"))
_SHOWN = select(_match.board_version, _match.away_board_version).where(_match.id == bindparam("match"))
_QUIET_SEATS = select(_seat.seat).where(_seat.match == bindparam("match"), _seat.quiet == true())
_SINCE = (
    select(schema.event)
    .where(_event.match == bindparam("match"), _event.seq > bindparam("after"), _event.seq <= bindparam("up_to"))
    .order_by(_event.seq)
)
_ADD = insert(schema.match).returning(_match.id)
_UPDATE = (
    update(schema.match)
    .where(_match.id == bindparam("of_match"), _match.version == bindparam("as_read"))
    .values(reminder=next_reminder(done_steps()))
)


@cache
def _of_these(match: Column[Any], order: Column[Any]) -> Select[Any]:
    return select(match.table).where(is_among(match, "matches")).order_by(match, order)


class MatchReader(Repository):
    """Matches, as reads see them."""

    __slots__ = ("_cache", "_pending")

    def __init__(self, sql: Statements, cache: MatchCache, outbox: OutboxReader) -> None:
        super().__init__(sql)
        self._cache = cache
        self._pending = outbox

    async def get(self, match: MatchId, version: int | None = None) -> Match | None:
        """Returns the match at its newest version, or at an earlier one."""
        row = await self._sql.first(_ONE_MATCH, match=match)
        if row is None or (version is not None and version > row.version):
            return None
        return await self._replay(row, row.version if version is None else version)

    async def of_ids(self, matches: Collection[MatchId]) -> dict[MatchId, Match]:
        """Returns those of the matches that there are, at their newest versions."""
        found = await self._sql.all(_THESE, matches=[*matches]) if matches else []
        cached = {row.id: self._cached(row, row.version) for row in found}
        incomplete = [row.id for row in found if _needs_seats(row, cached[row.id])]
        seats = await self._of_each(_seat.match, _seat.seat, incomplete)
        new = [row.id for row in found if cached[row.id] is None and row.version <= EVENTS_PER_YIELD]
        events = await self._of_each(_event.match, _event.seq, new)
        slept = [row.started for row in found if row.slept]
        spans = await downtimes_since(self._sql, min(slept)) if slept else ((), ())
        replayed = {}
        for row in found:
            match = _begin(row, cached[row.id], seats[row.id])
            match = match.with_downtimes(*(_spans_since(match.started, spans) if row.slept else ((), ())))
            for event in events[row.id]:
                match = match.after(rows.read_event(event))
            replayed[row.id] = match = await self._replay_events(match, row.version)
            self._remember(match)
            await asyncio.sleep(0)
        return replayed

    async def ended(self, match: MatchId) -> EndedMatch | None:
        """Returns a match that is over, by one row a player, however long it was."""
        seats = await self._sql.all(_ENDED_MATCH, match=match)
        if not seats:
            return None
        row, players = seats[0], tuple(seat.user for seat in seats)
        return EndedMatch(row.id, row.guild, row.channel, players, row.version, rows.read_away(row))

    async def versions(self, matches: Collection[MatchId]) -> dict[MatchId, int]:
        """Returns the newest version of each of the matches."""
        return {row.id: row.version for row in await self._sql.all(_VERSIONS, matches=[*matches])}

    async def in_channel(self, channel: ChannelId) -> Match | None:
        """Returns the open match of a channel, or the one that ended there last, looked at from that place."""
        row = await self._sql.first(_OPEN_IN_CHANNEL, channel=channel)
        if row is None:
            away = await self._sql.first(_NEWEST_AWAY, channel=channel)
            row = None if away and away.ended is None else await self._sql.first(_ENDED_IN_CHANNEL, channel=channel)
            if away is not None and (row is None or row.ended < away.ended):
                return (await self._replay(away, away.version)).turn_around()
        return None if row is None else await self._replay(row, row.version)

    async def parent_of_thread(self, channel: ChannelId) -> ChannelId | None:
        """Returns the channel of a thread that was opened for a match, also if others were played in it since; None for
        any other channel."""
        row = await self._sql.first(_PARENT_OF_THREAD, channel=channel)
        return row and row.parent

    async def unposted_in(self, channel: ChannelId) -> Match | None:
        """Returns the match of a channel, as `in_channel` finds it, if its newest version could not be posted: it is
        neither in the channel nor in the outbox."""
        match = await self.in_channel(channel)
        if match is None or await self._pending.next_entry(match.id, away=match.is_turned):
            return None
        shown = await self._sql.first(_SHOWN, match=match.id)
        return None if shown and shown[match.is_turned] == match.version else match

    async def shown_in(self, channel: ChannelId, *, away: bool = False) -> list[MatchId]:
        """Returns the open matches whose newest version is posted in a channel, or in a thread of it, which is one of
        their first places, or of those `away`."""
        return sorted(row.id for row in await self._sql.all(_AWAY_SHOWN_IN if away else _SHOWN_IN, channel=channel))

    async def waiting_since(self, before: Millis, users: range) -> list[MatchId]:
        """Returns the open matches with a clock in which one of some users has been to act since before a moment."""
        found = await self._sql.all(_WAITING_SINCE, before=before, first=users.start, last=users.stop - 1)
        return [row.id for row in found]

    async def with_board(self, board: MessageId) -> MatchPlace | None:
        """Returns the place of an open match whose newest board is a message."""
        row = await self._sql.first(_WITH_BOARD, board=board)
        return row and MatchPlace(row.id, row.away)

    async def is_lost(self, match: MatchId, *, away: bool = False) -> bool:
        """Returns whether nothing could be posted in one place of the match."""
        row = await self._sql.first(_LOST, match=match)
        return bool(row and row[away])

    async def quiet_seats(self, match: MatchId) -> frozenset[Seat]:
        """Returns the seats whose players want no pings and reminders of this match."""
        return frozenset(row.seat for row in await self._sql.all(_QUIET_SEATS, match=match))

    async def language(self, match: MatchId, *, away: bool = False) -> str | None:
        """Returns the language in which a match is told where its server has none; None if that is not settled."""
        row = await self._sql.first(_LANGUAGE, match=match)
        return row and row[away]

    async def open_of(self, user: UserId) -> list[OpenMatch]:
        """Returns the open matches of a user: first those where it is their turn, the most urgent first."""
        found = await self._sql.all(_OPEN_OF, user=user)
        downtimes, _ = await downtimes_since(self._sql, min(row.known for row in found)) if found else ((), ())
        return [
            rows.read_open_match(user, list(seats), downtimes) for _, seats in groupby(found, key=lambda row: row.id)
        ]

    async def threads_due(self, now: Millis, limit: int, *, away: bool = False) -> list[MatchId]:
        """Returns the open matches whose thread is to be opened for another week, the longest due first: that of their
        first place, or of the one `away`."""
        due = _THREADS_DUE_AWAY if away else _THREADS_DUE
        return [row.id for row in await self._sql.all(due, now=now, limit=limit)]

    async def count_open(self, *, user: UserId | None = None, guild: GuildId | None = None) -> int:
        """Counts the open matches: of a user, in a server, or all."""
        if guild is not None:
            count: int = await self._sql.value(_COUNT_OPEN_THERE, guild=guild)
        elif user is not None:
            count = await self._sql.value(_COUNT_OPEN_OF, user=user)
        else:
            count = await self._sql.value(_COUNT_OPEN)
        return count

    async def open_on(self, guild: GuildId) -> list[MatchId]:
        """Returns the open matches that are played on a server, also as their second place."""
        return [row.id for row in await self._sql.all(_OPEN_ON, guild=guild)]

    async def move_time(self, guild: GuildId, control: TimeControl) -> Millis:
        """Returns the time that a move usually takes on a server with such a clock, by its last games."""
        rows = await self._sql.all(_LAST_ENDED, guild=guild, limit=LAST_GAMES)
        alike = [row for row in rows if row.control == str(control) and row.version >= MIN_EVENTS]
        return usual_move_time(control, [Millis((row.ended - row.started) // row.version) for row in alike])

    async def count_begun(self) -> int:
        """Returns how many matches have ever begun, by their newest number; one that was given up unwritten counts."""
        newest: int | None = await self._sql.value(select(func.max(_match.id)))
        return newest or 0

    def _cached(self, row: AnyRow, version: int) -> Match | None:
        """Returns a match at a version or before, unless the cache has it with another beginning."""
        match = self._cache.up_to(row.id, version)
        return None if match is None or match.started != row.started else match  # the first turn begins with its board

    async def _of_each(
        self, match: Column[Any], order: Column[Any], matches: Collection[MatchId]
    ) -> dict[MatchId, list[AnyRow]]:
        """Returns the rows of a table that belong to these matches, of each in the `order` of a column."""
        found: dict[MatchId, list[AnyRow]] = defaultdict(list)
        if matches:
            for row in await self._sql.all(_of_these(match, order), matches=[*matches]):
                found[row.match].append(row)
        return found

    async def _replay(self, row: AnyRow, version: int) -> Match:
        cached = self._cached(row, version)
        seats = await self._of_each(_seat.match, _seat.seat, [row.id] if _needs_seats(row, cached) else [])
        match = _begin(row, cached, seats[row.id])
        match = match.with_downtimes(*(await downtimes_since(self._sql, match.started) if row.slept else ((), ())))
        match = await self._replay_events(match, version)
        self._remember(match)
        return match

    async def _replay_events(self, match: Match, version: int) -> Match:
        """Returns a match at a later version. Others have their turns meanwhile: a long match takes 100 ms."""
        first = match.version
        for after in range(first, version, EVENTS_PER_YIELD):
            if after > first:
                await asyncio.sleep(0)
            up_to = min(version, after + EVENTS_PER_YIELD)
            for event in await self._sql.all(_SINCE, match=match.id, after=after, up_to=up_to):
                match = match.after(rows.read_event(event))
        return match

    def _remember(self, match: Match) -> None:
        self._cache.keep(match)


def _needs_seats(row: AnyRow, cached: Match | None) -> bool:
    """Whether a cached match has to be given its players: one of a match that is over may have been deleted."""
    return cached is None or row.ended is not None


def _begin(row: AnyRow, cached: Match | None, seats: Sequence[AnyRow]) -> Match:
    """Returns a match where it is played now, from which its later events are replayed."""
    if cached is None:
        return rows.read_start(row, seats)
    players = tuple(seat.user for seat in seats) or cached.players
    place = {"guild": row.guild, "channel": row.channel, "parent": row.parent}
    return replace(
        cached.look_from(away=False), players=players, rule_set=row.rule_set, away=rows.read_away(row), **place
    )


def _spans_since(since: Millis, spans: tuple[tuple[Span, ...], tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """Returns of `downtimes_since` an earlier moment what it would return for `since`."""
    downtimes, disproved = spans
    later = tuple(each for each in downtimes if each.end > since)
    return later, tuple(each for each in disproved if each.start > since)


class MatchRepository(MatchReader):
    """Matches, as a transaction writes them."""

    __slots__ = ("_outbox", "_saved")

    def __init__(self, sql: Statements, cache: MatchCache, outbox: OutboxRepository) -> None:
        super().__init__(sql, cache, outbox)
        self._outbox = outbox
        self._saved: list[Match] = []

    async def add(self, match: Match) -> Match:
        """Stores a match before its first event, gives it its id and puts it in the outbox.

        Raises ChannelTaken if another open match is played in one of its places.
        """
        assert not match.is_turned, "a match is added as it began"
        await self._check_free(match.channel, away=False)
        if match.away is not None:
            await self._check_free(match.away.channel, away=True)
        with raises_on_conflict(ChannelTaken):
            added = await self._sql.value(_ADD, **rows.match_values(match))
        match = replace(match, id=added)
        await self._sql.add(schema.seat, rows.seat_values(match))
        await update_match(self._sql, match, match.version, rows.due_values(match))
        await self._post(match)
        return match

    async def save(self, match: Match, answer_until: Millis | None = None) -> None:
        """Appends the match's last event and puts its version in the outbox. Until `answer_until` the answer to a click
        may deliver it in the place that the match is looked at from.

        Raises Stale if the stored version is not the one before, or the event's interaction was stored already.
        """
        # First of all, so that nothing is written if this version, or this interaction, is there already.
        with raises_on_conflict(Stale):
            await self._sql.add(schema.event, rows.event_values(match))
        await update_match(self._sql, match, match.version - 1, rows.state_values(match))
        if match.outcome:
            await finish_seats(self._sql, match)
            await add_openings(self._sql, match)
        await self._post(match, answer_until)

    async def save_all(self, matches: Sequence[Match]) -> None:
        """Saves several matches, which were read in this transaction, as `save` does. Raises Stale."""
        with raises_on_conflict(Stale):
            await self._sql.add(schema.event, [rows.event_values(match) for match in matches])
        changes = [(match, match.version - 1, rows.state_values(match)) for match in matches]
        await update_matches(self._sql, changes)
        ended = [match for match in matches if match.outcome]
        if ended:
            await finish_seats(self._sql, *ended)
            await add_openings(self._sql, *ended)
        await self._outbox.add_all(matches)
        self._saved += matches

    async def begin_clock(self, match: Match) -> None:
        """Stores when the first turn of a match begins. Raises Stale if a turn was made."""
        await update_match(self._sql, match, 0, {"started": match.started, **rows.state_values(match)})

    async def settle_language(self, match: MatchId, language: str, *, away: bool = False) -> None:
        """Stores the language in which a match is told, unless it has one."""
        unsettled = _UNSETTLED_AWAY if away else _UNSETTLED
        await self._sql.execute(unsettled, {"of_match": match, **rows.in_place({"language": language}, away=away)})

    async def set_quiet(self, match: MatchId, seat: Seat, *, quiet: bool) -> None:
        """Notes whether a seat's player wants no pings and reminders of the match."""
        own = _seat.match == match, _seat.seat == seat
        await self._sql.execute(update(schema.seat).where(*own).values(quiet=quiet))

    async def plan_reopening(self, match: MatchId, at: Millis | None, *, away: bool = False) -> None:
        """Notes when the thread of a match is to be opened for another week; None: not before its next board."""
        planned = rows.in_place({"reopen": at}, away=away)
        await self._sql.execute(update(schema.match).where(_match.id == match).values(planned))

    async def repost(self, match: MatchId, *, away: bool = False) -> None:
        """Puts the newest version of a match in the outbox, in place of all others, as if no board were posted in this
        place."""
        await self._post_anew(match, {}, away=away)

    async def move_out_of_thread(self, match: MatchId, channel: ChannelId, *, away: bool = False) -> None:
        """Continues the match in a channel, without a thread, and none of its boards is there. Raises ChannelTaken."""
        without_board = {"channel": channel, "parent": None, "board": None, "board_version": None}
        place = rows.in_place(without_board, away=away)
        await self._check_free(channel, away=away)
        with raises_on_conflict(ChannelTaken):
            await self._sql.execute(update(schema.match).where(_match.id == match).values(place))
        await self._outdate_card(match)

    async def move_to_channel(
        self, match: MatchId, guild: GuildId | None, channel: ChannelId, *, away: bool = False
    ) -> None:
        """Continues a match in another channel, since its own is lost or a player has left it, and puts its newest
        version in the outbox. Raises ChannelTaken."""
        place = {"guild": guild, "channel": channel, "parent": None, "lost": False}
        await self._check_free(channel, away=away)
        with raises_on_conflict(ChannelTaken):
            await self._post_anew(match, place, away=away)
        await self._outdate_card(match)

    async def _check_free(self, channel: ChannelId, *, away: bool) -> None:
        """Raises ChannelTaken if an open match has a channel as the other kind of place."""
        if await self._sql.all(_PLAYED_HERE if away else _PLAYED_AWAY, channel=channel):
            raise ChannelTaken

    def committed(self) -> None:
        """Keeps the saved versions, so that the next read need not replay them."""
        for match in self._saved:
            self._cache.keep(match)

    def _remember(self, match: Match) -> None:
        """Caches nothing: a transaction may read its own changes, which may never be committed."""

    async def _outdate_card(self, match: MatchId) -> None:
        """Has the card of a match's challenge drawn again, since it leads to where the match is played."""
        card = update(schema.challenge).where(schema.challenge.c.match == match)
        await self._sql.execute(card.values(version=schema.challenge.c.version + 1))

    async def _post_anew(self, match: MatchId, changes: Values, *, away: bool) -> None:
        new = rows.in_place({**changes, "board": None, "board_version": None}, away=away)
        changed = update(schema.match).where(_match.id == match).values(**new).returning(_match.version)
        await self._outbox.replace_all(match, await self._sql.value(changed), away=away)

    async def _post(self, match: Match, answer_until: Millis | None = None) -> None:
        await self._outbox.add(match, answer_until)
        self._saved.append(match)


async def update_match(sql: Statements, match: Match, as_read: int, values: Values) -> None:
    """Changes the row of a match that is still at the version `as_read`, and its next reminder. Raises Stale."""
    await sql.change(_UPDATE, of_match=match.id, as_read=as_read, **reminder_values(match), **values)


async def update_matches(sql: Statements, changes: Sequence[tuple[Match, int, Values]]) -> None:
    """Does the same for several matches, with values for the same columns of each.

    They were read in this transaction: no other one can have changed them and let this one be committed.
    """
    rows = [
        {"of_match": match.id, "as_read": as_read, **reminder_values(match), **values}
        for match, as_read, values in changes
    ]
    await sql.execute(_UPDATE, rows)
