"""Sides of vote games and votes in SQL."""

from collections.abc import Sequence

from cachetools import LRUCache
from sqlalchemy import and_, bindparam, delete, exists, func, insert, or_, select, union_all, update

from play.ids import GuildId, MatchId, Millis, SideId, UserId
from play.votes import Choice, Count, NewSide, Side, Vote, everyone
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.lists import is_among
from storage.schema.base import UNDONE
from storage.statements import AnyRow, Repository, Statements, Values

MAX_DECIDED_CHOICES = 50_000
"""Choices of decided turns whose counts are kept, of 250 bytes each. Forty choices a turn are many."""

_side = schema.side.c
_vote = schema.vote.c
_match = schema.match.c
_ban = schema.ban.c

_OPEN_OF_GUILD = (
    select(schema.side)
    .where(_side.guild == bindparam("guild"), _side.match.is_not(None), UNDONE)
    .order_by(_side.id)
    .limit(bindparam("limit"))
)

_FOUND = union_all(
    select(_side.match.label("match"), _side.due).where(UNDONE, _side.due <= bindparam("now")),
    select(_side.match.label("match"), _side.due)
    .join_from(schema.side, schema.match, and_(_match.id == _side.match, _match.version > _side.seen))
    .where(UNDONE),
).subquery()
_TO_LOOK_AT = select(_FOUND.c.match).group_by(_FOUND.c.match).order_by(func.min(_FOUND.c.due)).limit(bindparam("limit"))
_NEXT_LOOK = select(func.min(_side.due)).where(UNDONE)
_SIDE = select(schema.side).where(_side.id == bindparam("side"))
_SIDES = select(schema.side).where(_side.match == bindparam("match")).order_by(_side.seat)
_SIDES_LOCKED = _SIDES.with_for_update(read=True)
_NEWEST_VOTE = (
    select(schema.vote)
    .where(_vote.user == bindparam("user"), is_among(_vote.side, "sides"))
    .order_by(_vote.version.desc())
    .limit(1)
)
_earlier, _now = schema.vote.alias().c, schema.vote.alias().c
_has_voted = exists().where(
    _now.side == _earlier.side, _now.version == bindparam("version"), _now.user == _earlier.user
)
_is_awaited = exists().where(
    _earlier.side == bindparam("side"), is_among(_earlier.version, "before"), _earlier.user.is_not(None), ~_has_voted
)
_CHANGE_VOTE = update(schema.vote).where(
    _vote.side == bindparam("of_side"), _vote.version == bindparam("as_of"), _vote.user == bindparam("by")
)

_BANNED = select(_ban.user).where(
    _ban.guild == bindparam("guild"), or_(_ban.until.is_(None), _ban.until > bindparam("now"))
)
_cast = _vote.side == bindparam("side"), _vote.version == bindparam("version")
_LAST_AWAITED = select(func.max(_vote.at)).where(*_cast, ~_is_awaited)
_BAR = delete(schema.vote).where(*_cast, _vote.user.in_(_BANNED))
# Of two choices that were first voted for at the same time, the lowest number that votes for it decides.
_COUNTS = (
    select(
        *(_vote.choice, _vote.text, func.count().label("votes")),
        *(func.min(_vote.at).label("first"), func.min(_vote.id).label("number")),
    )
    .where(*_cast)
    .group_by(_vote.choice, _vote.text)
)
_COUNTS_NOW = _COUNTS.where(_vote.user.not_in(_BANNED))


class DecidedCounts:
    """The counts of the turns that were looked at last. No vote about a decided turn is cast, changed or removed."""

    def __init__(self) -> None:
        self._turns = LRUCache[tuple[SideId, int], list[Count]](MAX_DECIDED_CHOICES, len)

    def of(self, side: SideId, version: int) -> list[Count] | None:
        """Returns the counts of a turn, if they are known."""
        return self._turns.get((side, version))

    def keep(self, side: SideId, version: int, counts: list[Count]) -> None:
        """Keeps the counts of a turn whose end is committed; no other may come here."""
        if len(counts) <= MAX_DECIDED_CHOICES:
            self._turns[side, version] = counts


class VoteReader(Repository):
    """Sides and votes, as reads see them."""

    __slots__ = ("_decided",)

    def __init__(self, sql: Statements, decided: DecidedCounts) -> None:
        super().__init__(sql)
        self._decided = decided

    async def side(self, side: SideId) -> Side | None:
        row = await self._sql.first(_SIDE, side=side)
        return row and _read_side(row)

    async def of_match(self, match: MatchId) -> tuple[Side, ...]:
        """Returns the sides of a match, in the order of the seats; none for a match of players alone."""
        return tuple(map(_read_side, await self._sql.all(_SIDES, match=match)))

    async def newest_of(self, user: UserId, sides: Sequence[Side]) -> Vote | None:
        """Returns the last vote that a user has cast for one of the sides of a match."""
        if not sides:
            return None
        row = await self._sql.first(_NEWEST_VOTE, user=user, sides=[side.id for side in sides])
        return row and _read_vote(row)

    async def counts(self, side: Side, version: int, now: Millis) -> list[Count]:
        """Counts the votes about a turn. While it is open, those of members whom the server keeps from playing do not
        count."""
        cast = {"side": side.id, "version": version}
        if version > side.closed:
            found = await self._sql.all(_COUNTS_NOW, **cast, guild=side.guild, now=now)
            return [_read_count(row) for row in found]
        if (known := self._decided.of(side.id, version)) is not None:
            return known
        counts = [_read_count(row) for row in await self._sql.all(_COUNTS, **cast)]
        self._decided.keep(side.id, version, counts)
        return counts

    async def last_awaited(self, side: Side, version: int, before: Sequence[int]) -> Millis | None:
        """Returns when the newest vote about a turn was cast; None while a member is missed who voted about one of the
        turns `before`."""
        last: Millis | None = await self._sql.value(_LAST_AWAITED, side=side.id, version=version, before=list(before))
        return last

    async def open_of_guild(self, guild: GuildId, limit: int) -> list[Side]:
        """Returns the sides of a server in matches that go on, the oldest first."""
        return [_read_side(row) for row in await self._sql.all(_OPEN_OF_GUILD, guild=guild, limit=limit)]

    async def count_open(self, guild: GuildId) -> int:
        """Counts the open matches in which a server has a side."""
        found = select(func.count(_side.match.distinct())).where(_side.guild == guild, UNDONE)
        count: int = await self._sql.value(found)
        return count

    async def to_look_at(self, now: Millis, limit: int) -> list[MatchId]:
        """Returns the matches with a side that the counter has work in: they have changed since it looked at them, or
        the moment that it noted then has come."""
        return [row.match for row in await self._sql.all(_TO_LOOK_AT, now=now, limit=limit)]

    async def next_look(self) -> Millis | None:
        """Returns the next moment that the counter has noted."""
        due: Millis | None = await self._sql.value(_NEXT_LOOK)
        return due


class VoteRepository(VoteReader):
    """Sides and votes, as a transaction writes them."""

    __slots__ = ()

    def __init__(self, sql: Statements) -> None:
        super().__init__(sql, DecidedCounts())

    async def lock(self) -> None:
        """Lets no other transaction begin a vote game until this one ends. It has to come before everything else."""
        await self._sql.lock(schema.side)

    async def add_side(self, side: NewSide, period: Millis, made: Millis) -> SideId:
        """Stores a side, whose match is named later, by `seat_side`: its account has to be there first."""
        values: Values = {"guild": side.guild, "channel": side.channel, "role": side.role}
        values |= {"period": period, "quorum": side.quorum, "made": made}
        return SideId(await self._sql.value(insert(schema.side).values(values).returning(_side.id)))

    async def seat_side(self, side: Side) -> None:
        """Names the match and the seat of a side."""
        seated = update(schema.side).where(_side.id == side.id, _side.match.is_(None))
        await self._sql.change(seated.values(match=side.match, seat=side.seat))

    async def open_of_match(self, match: MatchId) -> tuple[Side, ...]:
        """Returns the sides of a match as `of_match`. None of their turns is closed before this transaction ends."""
        # `close` waits for the transactions that share a lock on the row, and those that come later read its change.
        return tuple(map(_read_side, await self._sql.all(_SIDES_LOCKED, match=match)))

    async def put(self, vote: Vote) -> None:
        """Stores a vote in place of an earlier one of the same user about the same turn. Raises Stale."""
        values: Values = {"choice": vote.choice.value, "text": vote.text, "at": vote.at, "source": vote.key}
        known = {"of_side": vote.side, "as_of": vote.version, "by": vote.user}
        if (await self._sql.execute(_CHANGE_VOTE, known | values)).rowcount == 0:
            own = {"side": vote.side, "version": vote.version, "user": vote.user}
            with raises_on_conflict(Stale):
                await self._sql.add(schema.vote, own | values)

    async def close(self, side: Side, version: int, now: Millis) -> None:
        """Takes no more votes about a turn, and removes those of members whom the server keeps from playing. All others
        that were cast can be counted when this transaction has ended.

        Raises Stale if another process has closed it.
        """
        ready = _side.id == side.id, _side.closed < version
        await self._sql.change(update(schema.side).where(*ready).values(closed=version))
        await self._sql.execute(_BAR, {"side": side.id, "version": version, "guild": side.guild, "now": now})

    async def drop_role(self, side: Side) -> None:
        """Lets all members vote for a side whose role was deleted."""
        own = _side.id == side.id, _side.role == side.role
        await self._sql.change(update(schema.side).where(*own).values(role=everyone(side.guild)))

    async def prolong(self, side: Side, version: int) -> None:
        """Notes that the vote about a turn goes on. Raises Stale if another process has noted it."""
        ready = _side.id == side.id, _side.prolonged < version
        await self._sql.change(update(schema.side).where(*ready).values(prolonged=version))

    async def hasten(self, match: MatchId, due: Millis) -> None:
        """Has the counter look at a match at a moment, or earlier if it has noted an earlier one."""
        await self._sql.execute(
            update(schema.side).where(_side.match == match, UNDONE, _side.due > due).values(due=due)
        )

    async def mark_looked(self, match: MatchId, version: int, due: Millis | None) -> None:
        """Notes that the counter has looked at this version of a match, and when it has to look again."""
        news = _side.match == match, _side.seen <= version
        await self._sql.execute(update(schema.side).where(*news).values(seen=version, due=due))

    async def end(self, match: MatchId) -> None:
        """Notes that a match with sides is over."""
        await self._sql.execute(update(schema.side).where(_side.match == match).values(done=True, due=None))


def _read_side(row: AnyRow) -> Side:
    ends = row.period, row.quorum, row.made, row.closed, row.prolonged
    return Side(row.id, row.match, row.seat, row.guild, row.channel, row.role, *ends)


def _read_vote(row: AnyRow) -> Vote:
    return Vote(row.side, row.version, row.user, Choice(row.choice), row.text, row.at, row.source)


def _read_count(row: AnyRow) -> Count:
    return Count(Choice(row.choice), row.text, row.votes, (row.first, row.number))
