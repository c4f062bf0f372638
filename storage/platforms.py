"""How far chat platforms were read, and when they were out of reach, in SQL."""

from sqlalchemy import bindparam, delete, select, update

from play.clock.schedule import Span
from play.ids import Millis, Platform
from storage import schema
from storage.statements import Repository

_position = schema.sync_position.c
_outage = schema.outage.c
_AT = _position.platform == bindparam("at"), _position.account == bindparam("of")
_POSITION = select(_position.position).where(*_AT)
_FORGET = delete(schema.sync_position).where(*_AT)
_OUTAGES = select(schema.outage).where(_outage.end > bindparam("since")).order_by(_outage.start)
_EXTEND = (
    update(schema.outage)
    .where(_outage.platform == bindparam("at"), _outage.start == bindparam("began"))
    .values(end=bindparam("until"))
)


class PlatformReader(Repository):
    """Positions and outages, as reads see them."""

    __slots__ = ()

    async def position(self, platform: Platform, account: str) -> str | None:
        """Returns up to where all that a platform told an account of the bot is worked off."""
        row = await self._sql.first(_POSITION, at=int(platform), of=account)
        return row and str(row.position)

    async def outages(self, since: Millis) -> list[tuple[Platform, Span]]:
        """Returns the outages that ended after `since`, the earliest first."""
        found = await self._sql.all(_OUTAGES, since=since)
        return [(Platform(row.platform), Span(row.start, row.end)) for row in found]


class PlatformRepository(PlatformReader):
    """Positions and outages, as a transaction writes them."""

    __slots__ = ()

    async def keep_position(self, platform: Platform, account: str, position: str) -> None:
        """Stores a position in place of an earlier one."""
        await self._sql.execute(_FORGET, {"at": int(platform), "of": account})
        await self._sql.add(schema.sync_position, {"platform": int(platform), "account": account, "position": position})

    async def keep_outage(self, platform: Platform, outage: Span) -> None:
        """Stores an outage, or its later end."""
        values = {"at": int(platform), "began": outage.start, "until": outage.end}
        if not (await self._sql.execute(_EXTEND, values)).rowcount:
            await self._sql.add(schema.outage, {"platform": int(platform), "start": outage.start, "end": outage.end})
