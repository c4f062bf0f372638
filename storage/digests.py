"""Plans of morning digests in SQL."""

from sqlalchemy import BigInteger, bindparam, delete, or_, select

from play.ids import DAY, Millis, UserId
from play.people.digest import MAX_AHEAD_DAYS, Digest
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Repository

_digest = schema.digest.c
_DIGEST = select(schema.digest).where(_digest.user == bindparam("user"))
_DUE = (
    select(_digest.user)
    .where(
        _digest.due.is_not(None),
        or_(_digest.due <= bindparam("now", type_=BigInteger), _digest.due > bindparam("ahead", type_=BigInteger)),
    )
    .order_by(_digest.due, _digest.user)
    .limit(bindparam("limit"))
)
_AHEAD_MILLIS = (MAX_AHEAD_DAYS + 1) * DAY


class DigestReader(Repository):
    """Plans of digests, as reads see them."""

    __slots__ = ()

    async def get(self, user: UserId) -> Digest | None:
        """Returns the plan of a player who has, or had, a digest."""
        row = await self._sql.first(_DIGEST, user=user)
        return row and Digest(row.user, row.due, row.day, row.told, row.tried)

    async def due(self, now: Millis, limit: int) -> list[UserId]:
        """Returns the players whose digest is due, or was planned by a wrong clock; the longest due first."""
        found = await self._sql.all(_DUE, now=now, ahead=now + _AHEAD_MILLIS, limit=limit)
        return [row.user for row in found]


class DigestRepository(DigestReader):
    """Plans of digests, as a transaction writes them."""

    __slots__ = ()

    async def put(self, digest: Digest) -> None:
        """Stores the plan of a player in place of an earlier one."""
        values = {"due": digest.due, "day": digest.day, "told": digest.told, "tried": digest.tried}
        await self._sql.execute(delete(schema.digest).where(_digest.user == digest.user))
        with raises_on_conflict(Stale):
            await self._sql.add(schema.digest, {"user": digest.user, **values})
