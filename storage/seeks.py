"""Searches for a stranger in SQL, and reports of those met."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, func, literal_column, or_, select, update

from play.clock import Speed
from play.community.conduct import MONTH_MILLIS, WEEK_MILLIS, Conduct, Report
from play.community.seek import LIFETIME, Seek, SeekCall, SeekId, SeekState
from play.ids import GuildId, MatchId, MessageId, Millis, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.lists import is_among
from storage.statements import AnyRow, Repository, Values
from storage.terms import read_terms, terms_values

_seek = schema.seek.c
_call = schema.seek_call.c
_report = schema.report.c
_seat = schema.seat.c

_GOES_ON: ColumnElement[bool] = literal_column("state IN ('waiting', 'called', 'offered')")
"""As the partial indexes have it."""

_CHANGE = update(schema.seek).where(_seek.id == bindparam("of"), _seek.version == bindparam("as_read"))


class SeekReader(Repository):
    """Searches, as reads see them."""

    __slots__ = ()

    async def get(self, seek: SeekId) -> Seek | None:
        """Returns a search."""
        row = await self._sql.first(select(schema.seek).where(_seek.id == seek))
        return row and _read(row)

    async def open_of(self, user: UserId) -> list[Seek]:
        """Returns the searches of a user that go on, without those for a friend: one a speed at most."""
        return await self._of_user(user, private=False)

    async def private_of(self, user: UserId) -> list[Seek]:
        """Returns the searches of a user for a friend, and of those that they take by a code, that go on."""
        return await self._of_user(user, private=True)

    async def _of_user(self, user: UserId, *, private: bool) -> list[Seek]:
        own = select(schema.seek).where(_GOES_ON, _seek.user == user, _seek.private.is_(private))
        return [_read(row) for row in await self._sql.all(own.order_by(_seek.id))]

    async def waiting(self, now: Millis, limit: int) -> list[Seek]:
        """Returns the searches that look for a partner at `now`, those that have waited longest first."""
        free = select(schema.seek).where(_GOES_ON, _seek.state == SeekState.WAITING.value, _seek.since <= now)
        return [_read(row) for row in await self._sql.all(free.order_by(_seek.since, _seek.id).limit(limit))]

    async def open_seats(self, speed: Speed, now: Millis, limit: int) -> list[Seek]:
        """Returns the searches of a speed that look for a partner at `now`, those that began last first."""
        free = _GOES_ON, _seek.state == SeekState.WAITING.value, _seek.speed == speed.value, _seek.since <= now
        newest = select(schema.seek).where(*free).order_by(_seek.since.desc(), _seek.id.desc()).limit(limit)
        return [_read(row) for row in await self._sql.all(newest)]

    async def called(self, limit: int) -> list[SeekId]:
        """Returns the searches that have found a partner, of each pair the earlier one, those who met first first; and
        those whose partner's is there no more."""
        theirs = schema.seek.alias()
        is_alone = ~exists().where(theirs.c.id == _seek.partner)
        met = select(_seek.id).where(_GOES_ON, _seek.state == SeekState.CALLED.value)
        met = met.where(or_(_seek.id < _seek.partner, is_alone))
        return [row.id for row in await self._sql.all(met.order_by(_seek.met, _seek.id).limit(limit))]

    async def expired(self, now: Millis, limit: int) -> list[Seek]:
        """Returns the searches that have found nobody in their time."""
        over = or_(*(and_(_seek.speed == speed.value, _seek.since <= now - LIFETIME[speed]) for speed in Speed))
        waits = _seek.state != SeekState.CALLED.value
        late = select(schema.seek).where(_GOES_ON, waits, ~_seek.weekly, over)
        return [_read(row) for row in await self._sql.all(late.order_by(_seek.since).limit(limit))]

    async def count_waiting(self, speed: Speed, now: Millis) -> int:
        """Counts the searches of a speed that look for a partner at `now`."""
        free = _GOES_ON, _seek.state == SeekState.WAITING.value, _seek.speed == speed.value, _seek.since <= now
        count: int = await self._sql.value(select(func.count()).select_from(schema.seek).where(*free))
        return count

    async def waits(self, speed: Speed, since: Millis, limit: int) -> list[tuple[Millis, Millis]]:
        """Returns when the latest searches of a speed that became games since then began, and how long they took."""
        met = _seek.speed == speed.value, _seek.met > since, _seek.state == SeekState.PLAYED.value, ~_seek.private
        found = select(_seek.since, _seek.met).where(*met).order_by(_seek.met.desc()).limit(limit)
        return [(row.since, Millis(row.met - row.since)) for row in await self._sql.all(found)]

    async def partners(self, users: Collection[UserId], since: Millis) -> set[frozenset[UserId]]:
        """Returns those of the `users` who have met as strangers since then."""
        theirs = schema.seek.alias()
        met = (
            select(_seek.user, theirs.c.user.label("other"))
            .join_from(schema.seek, theirs, theirs.c.match == _seek.match)
            .where(is_among(_seek.user, "users"), _seek.met > since, theirs.c.user != _seek.user)
        )
        return {frozenset((row.user, row.other)) for row in await self._sql.all(met, users=[*users])}

    async def of_match(self, match: MatchId) -> list[Seek]:
        """Returns the two searches that became a match; none of any other."""
        return [_read(row) for row in await self._sql.all(select(schema.seek).where(_seek.match == match))]

    async def answered_calls(self, limit: int) -> list[MessageId]:
        """Returns the calls whose messages do not say yet what came of them."""
        found = select(_call.message).where(_call.at.is_not(None)).order_by(_call.at, _call.message).limit(limit)
        return [row.message for row in await self._sql.all(found)]

    async def call(self, message: MessageId) -> SeekCall | None:
        """Returns a call."""
        row = await self._sql.first(select(schema.seek_call).where(_call.message == message))
        return row and _read_call(row)

    async def is_reported(self, match: MatchId, by: UserId) -> bool:
        """Returns whether a player has reported a match."""
        made = select(func.count()).select_from(schema.report).where(_report.match == match, _report.by == by)
        return bool(await self._sql.value(made))

    async def conduct(self, users: Collection[UserId], now: Millis) -> dict[UserId, Conduct]:
        """Returns how each of the `users` has behaved towards strangers."""
        month, week = now - MONTH_MILLIS, now - WEEK_MILLIS
        missed = _seek.state == SeekState.MISSED.value
        own = and_(_seat.match == _seek.match, _seat.user == _seek.user)
        struck = or_(missed, _seat.quit)
        rows = select(
            _seek.user,
            func.count(_seek.match).label("games"),
            func.count().filter(struck).label("strikes"),
            func.count().filter(and_(struck, _seek.met > week)).label("of_week"),
        )
        found = rows.join_from(schema.seek, schema.seat, own, isouter=True).where(
            *(is_among(_seek.user, "users"), ~_seek.private, _seek.met > month),
            or_(_seek.match.is_not(None), missed),
        )
        told = await self._reported(users, Millis(week))
        counted = {row.user: row for row in await self._sql.all(found.group_by(_seek.user), users=[*users])}
        return {
            user: Conduct(row.games, row.strikes, row.of_week, told.get(user, 0))
            if (row := counted.get(user))
            else Conduct(reported=told.get(user, 0))
            for user in users
        }

    async def reports(self, now: Millis, limit: int) -> list[Report]:
        """Returns the latest reports, the latest first."""
        newest = select(_report.match, _report.user, _report.at).order_by(_report.at.desc(), _report.match).limit(limit)
        rows = await self._sql.all(newest)
        told = await self._reported({row.user for row in rows}, Millis(now - WEEK_MILLIS))
        return [Report(row.match, row.user, row.at, told.get(row.user, 0)) for row in rows]

    async def _reported(self, users: Collection[UserId], since: Millis) -> dict[UserId, int]:
        """Returns from how many servers each user was reported; who reports outside of any counts by themselves."""
        places = func.count(func.coalesce(_report.guild, _report.by).distinct())
        told = select(_report.user, places.label("places")).where(is_among(_report.user, "users"), _report.at > since)
        return {row.user: row.places for row in await self._sql.all(told.group_by(_report.user), users=[*users])}


class SeekRepository(SeekReader):
    """Searches, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction pair searches until this one ends; it has to come first in a transaction."""
        await self._sql.lock(schema.seek)

    async def add(self, seek: Seek) -> Seek:
        """Stores a new search and gives it its id. Raises Stale if the user has one of that speed."""
        with raises_on_conflict(Stale):
            number = await self._sql.value(schema.seek.insert().returning(_seek.id), **_values(seek))
        return replace(seek, id=SeekId(number))

    async def save(self, seek: Seek) -> None:
        """Stores a changed search. Raises Stale if it has changed otherwise since it was read."""
        await self._sql.change(_CHANGE.values(_values(seek)), of=seek.id, as_read=seek.version - 1)

    async def note_calls(self, calls: Sequence[SeekCall]) -> None:
        """Notes the messages that have called a player, of which the first is that of the search."""
        first = calls[0]
        await self._sql.execute(update(schema.seek).where(_seek.id == first.seek).values(call=first.message))
        known = {row.message for row in await self._sql.all(select(_call.message).where(_call.seek == first.seek))}
        for call in calls:
            if call.message not in known:
                await self._sql.add(schema.seek_call, _call_values(call))

    async def answer_calls(self, seek: SeekId, told: SeekState, match: MatchId | None, at: Millis) -> None:
        """Notes what has come of the calls of a search that are asked."""
        asked = update(schema.seek_call).where(_call.seek == seek, _call.at.is_(None))
        await self._sql.execute(asked.values(told=told.value, match=match, at=at))

    async def remove_call(self, message: MessageId) -> None:
        """Takes a call out whose message says what came of it, or never can."""
        await self._sql.execute(delete(schema.seek_call).where(_call.message == message))

    async def note_met(self, seeks: Collection[SeekId], now: Millis) -> None:
        """Notes when both of a pair were called: from then on they have time to answer."""
        await self._sql.execute(update(schema.seek).where(_seek.id.in_(seeks)).values(met=now))

    async def report(self, match: MatchId, user: UserId, by: UserId, guild: GuildId | None, at: Millis) -> None:
        """Stores a report. Raises Stale if the reporter has reported this match."""
        with raises_on_conflict(Stale):
            await self._sql.add(schema.report, {"match": match, "user": user, "by": by, "guild": guild, "at": at})


def _values(seek: Seek) -> Values:
    return {
        "user": seek.user,
        "guild": seek.guild,
        "channel": seek.channel,
        "speed": seek.speed.value,
        "terms": terms_values(seek.terms),
        "flexible": seek.flexible,
        "weekly": seek.weekly,
        "made": seek.made,
        "since": seek.since,
        "state": seek.state.value,
        "partner": seek.partner,
        "met": seek.met,
        "call": seek.call,
        "ready": seek.ready,
        "match": seek.match,
        "version": seek.version,
        "private": seek.private,
        "meanwhile": seek.meanwhile,
    }


def _call_values(call: SeekCall) -> Values:
    return {"message": call.message, "channel": call.channel, "seek": call.seek, "user": call.user, "guild": call.guild}


def _read_call(row: AnyRow) -> SeekCall:
    told = None if row.told is None else SeekState(row.told)
    return SeekCall(row.message, row.channel, row.seek, row.user, row.guild, told, row.match, row.at)


def _read(row: AnyRow) -> Seek:
    return Seek(
        row.id,
        row.user,
        row.guild,
        row.channel,
        read_terms(row.terms),
        row.made,
        row.since,
        row.flexible,
        row.weekly,
        SeekState(row.state),
        row.partner,
        row.met,
        row.call,
        row.ready,
        row.match,
        row.version,
        row.private,
        row.meanwhile,
    )
