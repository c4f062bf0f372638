"""The ids of people, places and messages of platforms whose own ids are not numbers of ours, in SQL."""

from sqlalchemy import bindparam, delete, exists, func, or_, select, update

from play.ids import IdentityKind, Millis, Platform, UserId, ids_at
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import Repository

MAX_NATIVE = 255
"""Characters of a native id at most, which no platform exceeds."""

_identity = schema.identity.c
_NATIVE = select(_identity.native).where(_identity.id == bindparam("id"))
_STORED = select(_identity.id, _identity.user).where(
    _identity.platform == bindparam("platform"),
    _identity.kind == bindparam("kind"),
    _identity.native == bindparam("native"),
)
_FIND = _STORED.where(or_(_identity.kind != IdentityKind.USER.value, _identity.user.is_not(None)))
_IS_KEPT_OUT = or_(
    exists().where(schema.ban.c.user == _identity.id),
    exists().where(schema.restriction.c.subject == _identity.id),
    exists().where(schema.block.c.blocked == _identity.id),
    exists().where(schema.past_conduct.c.user == _identity.id),
)
_OWN = update(schema.identity).where(_identity.id == bindparam("of")).values(user=_identity.id)
_DELETE = delete(schema.identity).where(_identity.user == bindparam("whose"), ~_IS_KEPT_OUT)
_HIDE = update(schema.identity).where(_identity.user == bindparam("whose")).values(user=None)
_DROP = delete(schema.identity).where(
    _identity.id == bindparam("of"),
    _identity.kind == IdentityKind.USER.value,
    _identity.user.is_(None),
    ~_IS_KEPT_OUT,
)
_PLACES = select(_identity.id, _identity.native).where(
    _identity.platform == bindparam("platform"), _identity.kind == IdentityKind.PLACE.value
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

    async def lock(self) -> None:
        """Makes other transactions that take identities wait until this one ends; it comes before all else."""
        await self._sql.lock(schema.identity)

    async def move(self, platform: Platform, old: str, new: str) -> None:
        """Gives a place of a platform another native id, and so those that are in it: `<old>/…` and `<old>#…`.

        One whose new id another place has keeps its own.
        """
        for row in await self._sql.all(_PLACES, platform=int(platform)):
            rest = str(row.native).removeprefix(old)
            if not str(row.native).startswith(old) or (rest and rest[0] not in "/#"):
                continue
            if await self.find(platform, IdentityKind.PLACE, new + rest) is None:
                changed = update(schema.identity).where(_identity.id == row.id).values(native=new + rest)
                await self._sql.execute(changed)

    async def rename(self, id_: int, native: str) -> None:
        """Lets an id mean something else on its platform. Raises Stale if that has one already."""
        with raises_on_conflict(Stale):
            await self._sql.execute(update(schema.identity).where(_identity.id == id_).values(native=native))

    async def take(
        self, platform: Platform, kind: IdentityKind, native: str, now: Millis, *, user: UserId | None = None
    ) -> int:
        """Returns the id of a user, place or message, from now on always the same.

        `user` is the person with whom alone the bot shares a place, or a message there: it is deleted with their data.
        Raises Stale if another transaction has just taken one, and ValueError if `native` is empty or too long.
        """
        if not 0 < len(native) <= MAX_NATIVE:
            raise ValueError(f"a native id has 1 to {MAX_NATIVE} characters")
        known = await self._sql.first(_STORED, platform=int(platform), kind=kind.value, native=native)
        if known is not None:
            if kind is IdentityKind.USER and known.user is None:
                await self._sql.execute(_OWN, {"of": known.id})
            return int(known.id)
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

    async def forget(self, user: UserId) -> None:
        """Deletes what a platform calls a user and their direct chat.

        Of one who is kept out by a ban, a block or the operator, or has left strangers waiting, the name of the
        account stays, as nobody's: to know them again is all that it is for.
        """
        await self._sql.execute(_DELETE, {"whose": user})
        await self._sql.execute(_HIDE, {"whose": user})

    async def drop_unneeded(self, user: int) -> None:
        """Deletes what stayed of a user who was deleted, unless something keeps them out still."""
        await self._sql.execute(_DROP, {"of": user})
