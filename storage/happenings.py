"""Happenings in SQL."""

from typing import Any

from sqlalchemy import BigInteger, bindparam, case, delete, or_, select, update

from play.community.happening import EventId, Happening, HappeningKind, Phase, StoredHappening, replan
from play.ids import GuildId, Millis
from storage import schema
from storage.statements import AnyRow, Repository, Values

_happening = schema.happening.c
_server = schema.server.c
_STORED = select(schema.happening, _server.events.label("chosen")).outerjoin_from(
    schema.happening, schema.server, _server.guild == _happening.guild
)


def _is_free(now: Any) -> Any:
    return or_(_happening.held.is_(None), _happening.held <= now)


_now = bindparam("now", type_=BigInteger)
_DUE = (
    select(_happening.id)
    .where(_happening.due <= _now, _is_free(_now))
    .order_by(_happening.due)
    .limit(bindparam("limit"))
)


class HappeningReader(Repository):
    """Happenings, as reads see them."""

    __slots__ = ()

    async def due(self, now: Millis, limit: int) -> list[int]:
        """Returns the rows that wait for a look and that no attempt owns."""
        return [row.id for row in await self._sql.all(_DUE, now=now, limit=limit)]

    async def get(self, guild: GuildId, kind: HappeningKind, key: int) -> StoredHappening | None:
        row = await self._sql.first(_STORED.where(*_is(guild, kind, key)))
        return row and _read(row)


class HappeningRepository(HappeningReader):
    """Happenings, as a transaction writes them."""

    __slots__ = ()

    async def plan(self, happening: Happening, now: Millis) -> None:
        """Stores what begins on a server, or how it has changed. The same once more changes nothing."""
        stored = await self.get(happening.guild, happening.kind, happening.key)
        planned = replan(stored.happening if stored else None, happening, now)
        if planned is None or (stored and planned == stored.happening):
            return
        values = _values(planned) | {"due": now}
        if stored is None:
            row = values | {"version": 1, "shown": 0, "tries": 0}
            await self._sql.add(schema.happening, row)
            return
        changed = update(schema.happening).where(_happening.id == stored.id)
        await self._sql.execute(changed.values(**values, version=_happening.version + 1))

    async def claim(self, id: int, now: Millis, until: Millis) -> StoredHappening | None:  # noqa: A002
        """Gives a row that is due to a new attempt, which owns it `until` then; None if it is not due, or owned."""
        free = update(schema.happening).where(_happening.id == id, _happening.due <= now, _is_free(now))
        if not (await self._sql.execute(free.values(held=until, tries=_happening.tries + 1))).rowcount:
            return None
        row = await self._sql.first(_STORED.where(_happening.id == id))
        return row and _read(row)

    async def note(self, stored: StoredHappening, event: EventId | None, due: Millis) -> bool:
        """Notes that `event` shows this version, and when to look at the row again.

        Without an event there is none now; it is `removed` if a manager has deleted it.

        If the happening has changed meanwhile it is due at once. Returns False, and notes nothing, if another attempt
        owns the row by now.
        """
        next_look = case((_happening.version == stored.version, due), else_=_happening.due)
        shown = {"event": event, "shown": stored.version, "held": None, "due": next_look}
        noted = update(schema.happening).where(*_owned(stored))
        return bool((await self._sql.execute(noted.values(**shown, removed=stored.removed))).rowcount)

    async def postpone(self, stored: StoredHappening, due: Millis) -> None:
        """Notes that the event could not be brought up to date before `due`."""
        later = update(schema.happening).where(*_owned(stored))
        await self._sql.execute(later.values(due=due, held=None))

    async def drop(self, stored: StoredHappening) -> None:
        """Deletes a row whose time is over."""
        as_read = *_owned(stored), _happening.version == stored.version
        await self._sql.execute(delete(schema.happening).where(*as_read))

    async def reconsider(self, guild: GuildId, now: Millis) -> None:
        """Makes all happenings of a server due, since its managers have chosen anew."""
        await self._sql.execute(update(schema.happening).where(_happening.guild == guild).values(due=now))


def _is(guild: GuildId, kind: HappeningKind, key: int) -> tuple[Any, ...]:
    return _happening.guild == guild, _happening.kind == kind.value, _happening.key == key


def _owned(stored: StoredHappening) -> tuple[Any, ...]:
    return _happening.id == stored.id, _happening.tries == stored.tries


def _values(happening: Happening) -> Values:
    return {
        "kind": happening.kind.value,
        "key": happening.key,
        "guild": happening.guild,
        "channel": happening.channel,
        "name": happening.name,
        "begins": happening.begins,
        "ends": happening.ends,
        "number": happening.number,
        "phase": happening.phase.value,
    }


def _read(row: AnyRow) -> StoredHappening:
    happening = Happening(
        HappeningKind(row.kind),
        row.key,
        row.guild,
        row.channel,
        row.name,
        row.begins,
        row.ends,
        row.number,
        Phase(row.phase),
    )
    return StoredHappening(
        row.id, happening, row.version, row.event, row.shown, row.tries, row.removed, chosen=bool(row.chosen)
    )
