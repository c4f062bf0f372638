"""Restrictions, announcements and the log of the bot's operator, in SQL."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from play.community.operator import (
    MAX_BLOCKED,
    Announcement,
    Delivery,
    DeliveryOutcome,
    OperatorAct,
    Restriction,
    RestrictionKind,
)
from play.ids import GuildId, Millis
from storage import schema
from storage.identities import IdentityRepository
from storage.statements import Repository, Values

_restriction = schema.restriction.c
_announcement = schema.announcement.c
_delivery = schema.delivery.c

_IS = _restriction.kind == bindparam("kind"), _restriction.subject == bindparam("subject")
_RESTRICTION = select(schema.restriction).where(*_IS)
_RESTRICTIONS = select(schema.restriction).order_by(_restriction.since).limit(MAX_BLOCKED + 1)
_NEWEST = select(schema.announcement).order_by(_announcement.id.desc()).limit(1)
_OF = _delivery.announcement == bindparam("of")
_PENDING = select(schema.delivery).where(_OF, _delivery.outcome.is_(None))
_THIS = _OF, _delivery.guild == bindparam("to"), _delivery.outcome.is_(None)
_WAITS = select(schema.delivery).where(*_THIS)
_TRY = update(schema.delivery).where(*_THIS).values(tried=func.coalesce(_delivery.tried, bindparam("now")))


class OperatorReader(Repository):
    """Restrictions, announcements and the log, as reads see them."""

    __slots__ = ()

    async def restriction(self, kind: RestrictionKind, subject: int, now: Millis) -> Restriction | None:
        """Returns a restriction that holds."""
        row = await self._sql.first(_RESTRICTION, kind=kind.value, subject=subject)
        found = row and _read(row)
        return found if found is not None and found.holds(now) else None

    async def restrictions(self, now: Millis) -> list[Restriction]:
        """Returns all that hold, the oldest first."""
        return [each for each in map(_read, await self._sql.all(_RESTRICTIONS)) if each.holds(now)]

    async def log(self, limit: int) -> list[OperatorAct]:
        """Returns the newest acts, the newest first."""
        act = schema.operator_act.c
        rows = await self._sql.all(select(schema.operator_act).order_by(act.id.desc()).limit(limit))
        return [OperatorAct(row.at, row.by, row.name, row.subject, row.detail) for row in rows]

    async def newest_announcement(self) -> Announcement | None:
        """Returns the announcement that goes out, or was the last one to."""
        row = await self._sql.first(_NEWEST)
        return row and Announcement(row.id, row.made, row.texts, row.known, row.listed, row.withdrawn)

    async def pending(self, announcement: int, limit: int) -> list[Delivery]:
        """Returns the servers that wait for an announcement."""
        rows = await self._sql.all(_PENDING.order_by(_delivery.guild).limit(limit), of=announcement)
        return [Delivery(row.announcement, row.guild, row.tried) for row in rows]

    async def delivery(self, key: Delivery) -> Delivery | None:
        """Returns a delivery, if its server still waits."""
        row = await self._sql.first(_WAITS, of=key.announcement, to=key.guild)
        return row and Delivery(row.announcement, row.guild, row.tried)

    async def progress(self, announcement: int) -> dict[DeliveryOutcome | None, int]:
        """Returns how many servers have each outcome; None for those that wait."""
        counted = select(_delivery.outcome, func.count().label("count")).where(_OF).group_by(_delivery.outcome)
        rows = await self._sql.all(counted, of=announcement)
        return {row.outcome and DeliveryOutcome(row.outcome): row.count for row in rows}


class OperatorRepository(OperatorReader):
    """Restrictions, announcements and the log, as a transaction writes them."""

    __slots__ = ()

    async def restrict(self, restriction: Restriction) -> None:
        """Stores a restriction in place of an earlier one of the same."""
        await self._delete(restriction.kind, restriction.subject)
        values: Values = {"kind": restriction.kind.value, "subject": restriction.subject, "since": restriction.since}
        await self._sql.add(schema.restriction, values | {"until": restriction.until, "reason": restriction.reason})

    async def lift(self, kind: RestrictionKind, subject: int) -> bool:
        """Removes a restriction; returns whether there was one."""
        was_there = await self._delete(kind, subject)
        if kind is RestrictionKind.USER:
            await IdentityRepository(self._sql).drop_unneeded(subject)
        return was_there

    async def _delete(self, kind: RestrictionKind, subject: int) -> bool:
        return bool((await self._sql.execute(delete(schema.restriction).where(*_is(kind, subject)))).rowcount)

    async def note(self, act: OperatorAct) -> None:
        """Adds an act to the log."""
        await self._sql.add(schema.operator_act, act._asdict())

    async def announce(self, announcement: Announcement) -> None:
        """Stores an announcement under a new id; its servers come later."""
        values: Values = {"made": announcement.made, "texts": dict(announcement.texts), "known": announcement.known}
        await self._sql.add(schema.announcement, values | {"listed": announcement.listed})

    async def withdraw(self, announcement: int) -> None:
        """Stops an announcement: the servers that wait for it don't get it."""
        await self._sql.execute(
            update(schema.announcement).where(_announcement.id == announcement).values(withdrawn=True)
        )

    async def add_servers(self, announcement: Announcement, guilds: Collection[GuildId], *, last: bool) -> None:
        """Adds the next servers of an announcement, unless another process has done so."""
        known = max(guilds, default=announcement.known)
        here = _announcement.id == announcement.id, _announcement.known == announcement.known, ~_announcement.listed
        advanced = update(schema.announcement).where(*here).values(known=known, listed=last)
        if (await self._sql.execute(advanced)).rowcount and guilds:
            rows = [{"announcement": announcement.id, "guild": guild} for guild in guilds]
            await self._sql.add(schema.delivery, rows)

    async def note_try(self, delivery: Delivery, now: Millis) -> bool:
        """Notes that its message is about to be sent; returns whether the server still waits for it."""
        values = {"of": delivery.announcement, "to": delivery.guild, "now": now}
        newest = await self.newest_announcement()
        if newest is None or newest.id != delivery.announcement or newest.withdrawn:
            return False
        return bool((await self._sql.execute(_TRY, values)).rowcount)

    async def finish(self, delivery: Delivery, outcome: DeliveryOutcome) -> None:
        """Notes what became of a delivery, unless that is known."""
        values = {"of": delivery.announcement, "to": delivery.guild}
        await self._sql.execute(update(schema.delivery).where(*_THIS).values(outcome=outcome.value), values)


def _is(kind: RestrictionKind, subject: int) -> tuple[Any, ...]:
    return _restriction.kind == kind.value, _restriction.subject == subject


def _read(row: Any) -> Restriction:
    return Restriction(RestrictionKind(row.kind), row.subject, row.since, row.until, row.reason)
