"""Searches for a stranger in SQL, and reports of those met."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import product

from sqlalchemy import (
    ColumnElement,
    Executable,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)

from play.clock import Speed
from play.community.conduct import MONTH_MILLIS, WEEK_MILLIS, Conduct, Report
from play.community.seek import CALL_MILLIS, LIFETIME, Seek, SeekCall, SeekId, SeekState
from play.competitions.arena import arena_of
from play.ids import GuildId, MatchId, MessageId, Millis, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.identities import IdentityRepository
from storage.lists import is_among
from storage.own_accounts import OwnAccountReader
from storage.statements import AnyRow, Repository, Values
from storage.terms import read_terms, terms_values

_seek = schema.seek.c
_call = schema.seek_call.c
_report = schema.report.c
_past = schema.past_conduct.c
_seat = schema.seat.c

_GOES_ON: ColumnElement[bool] = literal_column("state IN ('waiting', 'called', 'offered')")
"""As the partial indexes have it."""

_ALONE = _seek.arena.is_(None)
"""Outside of arenas, which pair their own."""

_CHANGE = update(schema.seek).where(_seek.id == bindparam("of"), _seek.version == bindparam("as_read"))
_ADD = schema.seek.insert().returning(_seek.id)
_met_then = _seek.state == SeekState.CALLED.value, _seek.met == bindparam("then")
"""A meeting as it was read: a process that was frozen meanwhile notes nothing in the next one."""
_NOTE_CALL = update(schema.seek).where(_seek.id == bindparam("of"), *_met_then)
_ANSWER_CALLS = update(schema.seek_call).where(_call.seek == bindparam("of"), _call.at.is_(None))
_CALLS_OF = select(_call.message).where(_call.seek == bindparam("searched"))
_ANSWERED = (
    select(_call.message).where(_call.at.is_not(None)).order_by(_call.at, _call.message).limit(bindparam("limit"))
)
_NOTE_MET = update(schema.seek).where(is_among(_seek.id, "seeks"), *_met_then).values(met=bindparam("now"))

_SEEK = select(schema.seek).where(_seek.id == bindparam("seek"))
_OF_MATCH = select(schema.seek).where(_seek.match == bindparam("match"))
_OPEN_OF = (
    select(schema.seek)
    .where(_GOES_ON, _seek.user == bindparam("user"), _seek.private == bindparam("private"))
    .order_by(_seek.id)
)

_over = [and_(_seek.speed == each.value, _seek.since <= bindparam(f"{each}_since"), ~_seek.weekly) for each in Speed]
"""By speed, those whose time is over."""

_free = (
    _GOES_ON,
    _seek.state == SeekState.WAITING.value,
    _seek.speed == bindparam("speed"),
    _seek.since <= bindparam("now"),
    _ALONE,
    ~or_(*_over),
)
_WAITING = select(schema.seek).where(*_free).order_by(_seek.since, _seek.id).limit(bindparam("limit"))
_SEATS = select(schema.seek).where(*_free).order_by(_seek.since.desc(), _seek.id.desc()).limit(bindparam("limit"))
_COUNT_WAITING = select(func.count()).select_from(schema.seek).where(*_free)
_COUNT_MET = select(func.count(_seek.user.distinct())).where(
    _seek.speed == bindparam("speed"), _seek.met >= bindparam("start"), _seek.met < bindparam("end")
)
_EXPIRED = (
    select(schema.seek)
    .where(
        _GOES_ON,
        _seek.state != SeekState.CALLED.value,
        or_(*(and_(_ALONE, each) for each in _over), _seek.arena < bindparam("arena")),
    )
    .order_by(_seek.since)
    .limit(bindparam("limit"))
)

_theirs = schema.seek.alias()
_is_alone = ~exists().where(_theirs.c.id == _seek.partner)
_is_asked = and_(
    _seek.speed == Speed.LIVE.value,
    _seek.call.is_not(None),
    _seek.met > bindparam("asked_since"),
    exists().where(_theirs.c.id == _seek.partner, _theirs.c.call.is_not(None), ~and_(_seek.ready, _theirs.c.ready)),
)
"""Both are called, and have time to answer."""

_CALLED = (
    select(_seek.id)
    .where(_GOES_ON, _seek.state == SeekState.CALLED.value, or_(_seek.id < _seek.partner, _is_alone))
    .order_by(_is_asked, _seek.met, _seek.id)
    .limit(bindparam("limit"))
)
_WAITS = (
    select(_seek.since, _seek.met)
    .where(_seek.speed == bindparam("speed"), _seek.met > bindparam("after"))
    .where(_seek.state == SeekState.PLAYED.value, ~_seek.private, _ALONE)
    .order_by(_seek.met.desc())
    .limit(bindparam("limit"))
)
_PARTNERS = (
    select(_seek.user, _theirs.c.user.label("other"))
    .join_from(schema.seek, _theirs, _theirs.c.match == _seek.match)
    .where(is_among(_seek.user, "users"), _seek.met > bindparam("after"), _theirs.c.user != _seek.user)
)

_missed = _seek.state == SeekState.MISSED.value
_struck = or_(_missed, _seat.quit)
_CONDUCT = (
    select(
        _seek.user,
        func.count(_seek.match).label("games"),
        func.count().filter(_struck).label("strikes"),
        func.count().filter(and_(_struck, _seek.met > bindparam("week"))).label("of_week"),
    )
    .join_from(schema.seek, schema.seat, and_(_seat.match == _seek.match, _seat.user == _seek.user), isouter=True)
    .where(is_among(_seek.user, "users"), ~_seek.private, _seek.met > bindparam("month"))
    .where(or_(_seek.match.is_not(None), _missed))
    .group_by(_seek.user)
)
_PAST_CONDUCT = select(schema.past_conduct).where(is_among(_past.user, "users"), _past.at > bindparam("month"))
_is_over = _past.at <= bindparam("month")
_IS_REPORTED = (
    select(func.count())
    .select_from(schema.report)
    .where(_report.match == bindparam("match"), _report.by == bindparam("reporter"))
)
_NEWEST_REPORTS = (
    select(_report.match, _report.user, _report.at).order_by(_report.at.desc(), _report.match).limit(bindparam("limit"))
)
_REPORTED = (
    select(_report.user, func.coalesce(_report.guild, _report.by).label("place"))
    .where(is_among(_report.user, "users"), _report.at > bindparam("after"))
    .distinct()
)


class SeekReader(Repository):
    """Searches, as reads see them."""

    __slots__ = ()

    async def get(self, seek: SeekId) -> Seek | None:
        """Returns a search."""
        row = await self._sql.first(_SEEK, seek=seek)
        return row and _read(row)

    async def open_of(self, user: UserId) -> list[Seek]:
        """Returns the searches of a user that go on, without those for a friend: one a speed at most."""
        return [_read(row) for row in await self._sql.all(_OPEN_OF, user=user, private=False)]

    async def private_of(self, user: UserId) -> list[Seek]:
        """Returns the searches of a user for a friend, and of those that they take by a code, that go on."""
        return [_read(row) for row in await self._sql.all(_OPEN_OF, user=user, private=True)]

    async def waiting(self, speed: Speed, now: Millis, limit: int) -> list[Seek]:
        """Returns the searches of a speed that look for a partner at `now`, those that have waited longest first."""
        return await self._free(_WAITING, speed, now, limit)

    async def open_seats(self, speed: Speed, now: Millis, limit: int) -> list[Seek]:
        """Returns the searches of a speed that look for a partner at `now`, those that began last first."""
        return await self._free(_SEATS, speed, now, limit)

    async def _free(self, free: Executable, speed: Speed, now: Millis, limit: int) -> list[Seek]:
        found = await self._sql.all(free, speed=speed.value, now=now, limit=limit, **_since(now))
        return [_read(row) for row in found]

    async def of_arena(self, arena: int) -> list[Seek]:
        """Returns the searches in an arena that go on."""
        own = select(schema.seek).where(_GOES_ON, _seek.arena == arena)
        return [_read(row) for row in await self._sql.all(own.order_by(_seek.id))]

    async def games_of_arena(self, arena: int) -> list[tuple[MatchId, UserId]]:
        """Returns the games of an arena that have begun, each twice, with one of its players."""
        begun = select(_seek.match, _seek.user).where(_seek.arena == arena, _seek.match.is_not(None))
        return [(row.match, row.user) for row in await self._sql.all(begun.order_by(_seek.match, _seek.id))]

    async def newest_in_arena(self, arena: int, users: Collection[UserId]) -> dict[UserId, Seek]:
        """Returns the last search of each of the `users` in an arena."""
        own = select(schema.seek).where(_seek.arena == arena, is_among(_seek.user, "users"))
        return {row.user: _read(row) for row in await self._sql.all(own.order_by(_seek.id), users=[*users])}

    async def count_met(self, speed: Speed, start: Millis, end: Millis) -> int:
        """Counts the players who found a partner in a span, each once."""
        count: int = await self._sql.value(_COUNT_MET, speed=speed.value, start=start, end=end)
        return count

    async def called(self, now: Millis, limit: int) -> list[SeekId]:
        """Returns the searches that have found a partner, of each pair the earlier one, and those whose partner's is
        there no more. Those that met first come first, and last those who have time to answer at `now`."""
        return [row.id for row in await self._sql.all(_CALLED, asked_since=now - CALL_MILLIS, limit=limit)]

    async def expired(self, now: Millis, limit: int) -> list[Seek]:
        """Returns the searches that have found nobody in their time, or in that of their arena."""
        found = await self._sql.all(_EXPIRED, arena=arena_of(now), limit=limit, **_since(now))
        return [_read(row) for row in found]

    async def count_waiting(self, speed: Speed, now: Millis) -> int:
        """Counts the searches of a speed that look for a partner at `now`."""
        count: int = await self._sql.value(_COUNT_WAITING, speed=speed.value, now=now, **_since(now))
        return count

    async def waits(self, speed: Speed, since: Millis, limit: int) -> list[tuple[Millis, Millis]]:
        """Returns when the latest searches of a speed that became games since then began, and how long they took."""
        found = await self._sql.all(_WAITS, speed=speed.value, after=since, limit=limit)
        return [(row.since, Millis(row.met - row.since)) for row in found]

    async def partners(self, users: Collection[UserId], since: Millis) -> set[frozenset[UserId]]:
        """Returns the pairs of `users` who have met as strangers since then, by any of their accounts."""
        named = await self._named(users)
        found = await self._sql.all(_PARTNERS, users=[*named], after=since)
        pairs = (pair for row in found for pair in product(named[row.user], named.get(row.other, ())))
        return {frozenset(pair) for pair in pairs}

    async def of_match(self, match: MatchId) -> list[Seek]:
        """Returns the two searches that became a match; none of any other."""
        return [_read(row) for row in await self._sql.all(_OF_MATCH, match=match)]

    async def answered_calls(self, limit: int) -> list[MessageId]:
        """Returns the calls whose messages do not say yet what came of them."""
        return [row.message for row in await self._sql.all(_ANSWERED, limit=limit)]

    async def call(self, message: MessageId) -> SeekCall | None:
        """Returns a call."""
        row = await self._sql.first(select(schema.seek_call).where(_call.message == message))
        return row and _read_call(row)

    async def is_reported(self, match: MatchId, by: UserId) -> bool:
        """Returns whether a player has reported a match."""
        return bool(await self._sql.value(_IS_REPORTED, match=match, reporter=by))

    async def conduct(self, users: Collection[UserId], now: Millis) -> dict[UserId, Conduct]:
        """Returns how each of the `users` has behaved towards strangers, by all their accounts."""
        named = await self._named(users)
        found = await self._conduct(named, now)
        for row in await self._sql.all(_PAST_CONDUCT, users=[*named], month=now - MONTH_MILLIS):
            in_week = row.at > now - WEEK_MILLIS
            past = Conduct(row.games, row.strikes, row.strikes_of_week * in_week)
            for user in named[row.user]:  # the same servers may have reported them again
                reported = max(found[user].reported, row.reported * in_week)
                found[user] = replace(found[user] + past, reported=reported)
        return found

    async def _conduct(self, named: Mapping[UserId, Collection[UserId]], now: Millis) -> dict[UserId, Conduct]:
        """Returns the same of those for whom accounts are `named`, without what has stayed of deleted data."""
        month, week = Millis(now - MONTH_MILLIS), Millis(now - WEEK_MILLIS)
        told = await self._reported(named, week)
        found = {user: Conduct(reported=told[user]) for users in named.values() for user in users}
        for row in await self._sql.all(_CONDUCT, users=[*named], month=month, week=week):
            for user in named[row.user]:
                found[user] += Conduct(row.games, row.strikes, row.of_week)
        return found

    async def is_past_conduct_over(self, now: Millis) -> bool:
        """Returns whether something has stayed for its time of one who deleted their data."""
        over = select(exists().where(_is_over))
        return bool(await self._sql.value(over, month=now - MONTH_MILLIS))

    async def reports(self, now: Millis, limit: int) -> list[Report]:
        """Returns the latest reports, the latest first."""
        rows = await self._sql.all(_NEWEST_REPORTS, limit=limit)
        told = await self._reported(await self._named({row.user for row in rows}), Millis(now - WEEK_MILLIS))
        return [Report(row.match, row.user, row.at, told[row.user]) for row in rows]

    async def _reported(self, named: Mapping[UserId, Collection[UserId]], since: Millis) -> Counter[UserId]:
        """Returns from how many servers each was reported; who reports outside of any counts by themselves."""
        rows = await self._sql.all(_REPORTED, users=[*named], after=since)
        return Counter(user for user, _ in {(user, row.place) for row in rows for user in named[row.user]})

    async def _named(self, users: Collection[UserId]) -> dict[UserId, list[UserId]]:
        """Returns for each account of the persons of `users` which of these it belongs to."""
        named = defaultdict[UserId, list[UserId]](list)
        for user, own in (await OwnAccountReader(self._sql).of_all(users)).items():
            for account in own:
                named[account].append(user)
        return dict(named)


class SeekRepository(SeekReader):
    """Searches, as a transaction writes them."""

    __slots__ = ()

    async def lock(self) -> None:
        """Lets no other transaction pair searches until this one ends; it has to come first in a transaction."""
        await self._sql.lock(schema.seek)

    async def add(self, seek: Seek) -> Seek:
        """Stores a new search and gives it its id. Raises Stale if the user has one of that speed."""
        with raises_on_conflict(Stale):
            number = await self._sql.value(_ADD, **_values(seek))
        return replace(seek, id=SeekId(number))

    async def save(self, seek: Seek) -> None:
        """Stores a changed search. Raises Stale if it has changed otherwise since it was read."""
        await self._sql.change(_CHANGE, of=seek.id, as_read=seek.version - 1, **_values(seek))

    async def note_calls(self, seek: Seek, calls: Sequence[SeekCall]) -> None:
        """Notes the messages that have called the player of a search, of which the first is that of the search. Raises
        Stale if it has parted from its partner meanwhile, or is deleted."""
        await self._sql.change(_NOTE_CALL, of=seek.id, then=seek.met, call=calls[0].message)
        known = {row.message for row in await self._sql.all(_CALLS_OF, searched=seek.id)}
        for call in calls:
            if call.message not in known:
                await self._sql.add(schema.seek_call, _call_values(call))

    async def answer_calls(self, seek: SeekId, told: SeekState, match: MatchId | None, at: Millis) -> None:
        """Notes what has come of the calls of a search that are asked."""
        await self._sql.execute(_ANSWER_CALLS, {"of": seek, "told": told.value, "match": match, "at": at})

    async def remove_call(self, message: MessageId) -> None:
        """Takes a call out whose message says what came of it, or never can."""
        await self._sql.execute(delete(schema.seek_call).where(_call.message == message))

    async def note_met(self, pair: Sequence[Seek], now: Millis) -> None:
        """Notes when both of a pair were called: from then on they have time to answer. Raises Stale if they have
        parted meanwhile."""
        await self._sql.change(_NOTE_MET, seeks=[seek.id for seek in pair], then=pair[0].met, now=now)

    async def report(self, match: MatchId, user: UserId, by: UserId, guild: GuildId | None, at: Millis) -> None:
        """Stores a report. Raises Stale if the reporter has reported this match."""
        with raises_on_conflict(Stale):
            await self._sql.add(schema.report, {"match": match, "user": user, "by": by, "guild": guild, "at": at})

    async def keep_conduct(self, user: UserId, now: Millis) -> None:
        """Notes how one whose data are about to be deleted has behaved towards strangers, if there is a strike or a
        report: it counts for another month, so that a deletion takes back nothing."""
        own = (await self._conduct({user: [user]}, now))[user]
        if own.strikes or own.reported:
            await self._sql.add(schema.past_conduct, {"user": user, "at": now, **asdict(own)})

    async def drop_past_conduct(self, now: Millis) -> None:
        """Deletes what has stayed for its time of those who deleted their data."""
        over = delete(schema.past_conduct).where(_is_over).returning(_past.user)
        for user in {row.user for row in await self._sql.all(over, month=now - MONTH_MILLIS)}:
            await IdentityRepository(self._sql).drop_unneeded(user)


def _since(now: Millis) -> Values:
    """Returns when a search of each speed has begun at the latest whose time is over."""
    return {f"{speed}_since": now - LIFETIME[speed] for speed in Speed}


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
        "arena": seek.arena,
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
        row.arena,
    )
