"""The ids of people, places and messages of platforms whose own ids are not numbers of ours, in SQL."""

from sqlalchemy import bindparam, func, select

from play.ids import IdentityKind, Millis, Platform, UserId, ids_at
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Repository

MAX_NATIVE = 255
"""Characters of a native id at most, which no platform exceeds."""

_identity = schema.identity.c
_NATIVE = select(_identity.native).where(_identity.id == bindparam("id"))
_FIND = select(_identity.id).where(
    _identity.platform == bindparam("platform"),
    _identity.kind == bindparam("kind"),
    _identity.native == bindparam("native"),
)
_LAST = select(func.max(_identity.id)).where(_identity.id.between(bindparam("first"), bindparam("last")))


class IdentityReader(Repository):
    """Identities, as reads see them."""

    __slots__ = ()

    async def native(self, id_: int) -> str | None:
        """Returns what its platform calls a user, place or message; None if it has no row."""
        row = await self._sql.first(_NATIVE, id=id_)
        return row and str(row.native)

    async def find(self, platform: Platform, kind: IdentityKind, native: str) -> int | None:
        """Returns the id of a user, place or message, if it has one."""
        row = await self._sql.first(_FIND, platform=int(platform), kind=kind.value, native=native)
        return row and int(row.id)


class IdentityRepository(IdentityReader):
    """Identities, as a transaction writes them."""

    __slots__ = ()

    async def take(
        self, platform: Platform, kind: IdentityKind, native: str, now: Millis, *, user: UserId | None = None
    ) -> int:
        """Returns the id of a user, place or message, from now on always the same.

        `user` is the person with whom alone the bot shares a place, or a message there: it is deleted with their data.
        Raises Stale if another transaction has just taken one, and ValueError if `native` is empty or too long.
        """
        if not 0 < len(native) <= MAX_NATIVE:
            raise ValueError(f"a native id has 1 to {MAX_NATIVE} characters")
        if (known := await self.find(platform, kind, native)) is not None:
            return known
        free = ids_at(platform, now)
        last = await self._sql.value(_LAST, first=free[0], last=free[-1])
        taken = free[0] if last is None else last + 1
        with raises_on_conflict(Stale):
            await self._sql.add(
                schema.identity,
                {
                    "id": taken,
                    "platform": int(platform),
                    "kind": kind.value,
                    "native": native,
                    "user": taken if kind is IdentityKind.USER else user,
                },
            )
        return taken
