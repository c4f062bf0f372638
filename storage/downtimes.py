"""The times in which no process of the bot was at work."""

from sqlalchemy import bindparam, delete, func, select, update

from play.clock.schedule import Span
from play.ids import Millis
from storage import schema
from storage.statements import Statements

_downtime = schema.downtime.c
_ENDED_SINCE = select(schema.downtime).where(_downtime.end > bindparam("since")).order_by(_downtime.end)
# A wrong clock has stored spans in the future. They have decided turns, so `claimed` keeps their ends.
_FORGET_FUTURE = delete(schema.downtime).where(_downtime.end > bindparam("now"), _downtime.start >= bindparam("now"))
_CUT_FUTURE = (
    update(schema.downtime)
    .where(_downtime.end > bindparam("now"))
    .values(end=bindparam("now"), claimed=func.coalesce(_downtime.claimed, _downtime.end))
)


async def add_downtime(sql: Statements, downtime: Span) -> None:
    """Stores a downtime."""
    await sql.add(schema.downtime, {"start": downtime.start, "end": downtime.end})


async def downtimes_since(sql: Statements, since: Millis) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Returns the downtimes that ended after `since`, and the spans that a wrong clock had claimed beyond them."""
    found = await sql.all(_ENDED_SINCE, since=since)
    disproved = tuple(Span(row.end, row.claimed) for row in found if row.claimed is not None)
    return tuple(Span(row.start, row.end) for row in found), disproved


async def end_downtimes_by(sql: Statements, now: Millis) -> None:
    """Takes back the downtimes that end in the future: the clock was wrong."""
    await sql.execute(_FORGET_FUTURE, {"now": now})
    await sql.execute(_CUT_FUTURE, {"now": now})
