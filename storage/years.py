"""Sums of what was played on a server in a year, in SQL, and the members whom its card names."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, distinct, exists, false, func, or_, select

from play.community.year import Pair, Year
from play.ids import DAY, ChannelId, GuildId, Millis, UserId
from storage import schema
from storage.statements import Repository

_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()

_match, _annulment, _absence = schema.match.c, schema.annulment.c, schema.absence.c
_one, _other = schema.seat.alias(), schema.seat.alias()

_THAT_COUNT: Final = (
    _match.guild == bindparam("guild"),
    _match.ended >= bindparam("start"),
    _match.ended < bindparam("end"),
    func.json_array_length(_match.winners) > 0,
    ~exists().where(_annulment.match == _match.id, _annulment.seat == 0),
)
"""The condition of decided games that were played on a server in a year."""


def _is_at_home(seat: Any) -> ColumnElement[bool]:
    """Returns whether a seat is of a person who plays on the server, and is not the computer."""
    is_here = or_(_match.away_seat.is_(None), _match.away_seat != seat.c.seat)
    return and_(is_here, seat.c.user > 0, seat.c.user != bindparam("computer"))


def _is_named(seat: Any) -> ColumnElement[bool]:
    """Returns whether the card may name a seat: a member who is still there, in a game that no search has made."""
    left = select(_absence.user).where(_absence.guild == bindparam("guild"))
    return and_(_is_at_home(seat), seat.c.user.not_in(left), _match.strangers == false())


_GAMES = select(func.count()).select_from(schema.match).where(*_THAT_COUNT)
_PLAYERS = (
    select(func.count(distinct(_one.c.user)))
    .join_from(schema.match, _one, _one.c.match == _match.id)
    .where(*_THAT_COUNT, _is_at_home(_one))
)
_day = (_match.ended // DAY).label("day")
_played = func.count().label("played")
_BUSIEST = select(_day, _played).where(*_THAT_COUNT).group_by(_day).order_by(_played.desc(), _day).limit(1)
_CAPTURES = (
    select(_one.c.user, _one.c.capture, func.coalesce(_match.parent, _match.channel).label("place"))
    .join_from(schema.match, _one, _one.c.match == _match.id)
    .where(*_THAT_COUNT, _is_named(_one), _one.c.capture > 0)
    .order_by(_one.c.capture.desc(), _match.ended, _match.id)
    .limit(bindparam("limit"))
)
_PAIRS = (
    select(_one.c.user.label("one"), _other.c.user.label("other"), _played)
    .join_from(schema.match, _one, _one.c.match == _match.id)
    .join(_other, and_(_other.c.match == _match.id, _other.c.user > _one.c.user))
    .where(*_THAT_COUNT, _is_named(_one), _is_named(_other))
    .group_by(_one.c.user, _other.c.user)
    .order_by(_played.desc(), _one.c.user, _other.c.user)
    .limit(bindparam("limit"))
)


class Capture(NamedTuple):
    """The most dots that a member took with one turn of a game, and the channel where it was played."""

    user: UserId
    dots: int
    place: ChannelId


class ServerYearReader(Repository):
    """The years of servers. The `computer` is the account that plays as it, if one does."""

    __slots__ = ()

    async def sums(self, guild: GuildId, year: Year, computer: UserId | None) -> tuple[int, int]:
        """Counts the games of a year, and the people who played them."""
        asked = _asked(guild, year)
        return int(await self._sql.value(_GAMES, **asked)), int(
            await self._sql.value(_PLAYERS, **asked, computer=computer or 0)
        )

    async def busiest(self, guild: GuildId, year: Year) -> tuple[date, int] | None:
        """Returns the day with most games, the first of several, and their number."""
        row = await self._sql.first(_BUSIEST, **_asked(guild, year))
        return row and (date.fromordinal(_EPOCH_DAY + int(row.day)), row.played)

    async def has_before(self, guild: GuildId, moment: Millis) -> bool:
        """Returns whether a game has ended on a server before a moment."""
        found = select(_match.id).where(_match.guild == guild, _match.ended < moment).limit(1)
        return await self._sql.first(found) is not None

    async def captures(self, guild: GuildId, year: Year, computer: UserId | None, limit: int) -> Sequence[Capture]:
        """Returns the biggest captures of members who are still there, the first of several as big first."""
        rows = await self._sql.all(_CAPTURES, **_asked(guild, year), computer=computer or 0, limit=limit)
        return [Capture(row.user, row.capture, row.place) for row in rows]

    async def pairs(self, guild: GuildId, year: Year, computer: UserId | None, limit: int) -> Sequence[Pair]:
        """Returns the members who are still there and have met most often."""
        rows = await self._sql.all(_PAIRS, **_asked(guild, year), computer=computer or 0, limit=limit)
        return [Pair(row.one, row.other, row.played) for row in rows]


def _asked(guild: GuildId, year: Year) -> dict[str, int]:
    return {"guild": guild, "start": year.start, "end": year.end}
