"""Codes by which friends take a search, in SQL."""

from sqlalchemy import bindparam, delete, select, update

from play.community.friend_code import FriendCode
from play.ids import Millis, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.statements import AnyRow, Repository

_code = schema.friend_code.c
_GET = select(schema.friend_code).where(_code.name == bindparam("called"))
_OF_USER = select(schema.friend_code).where(_code.user == bindparam("of_user"))
_TRY = update(schema.friend_code).where(_code.name == bindparam("called")).values(tries=_code.tries + 1)


class FriendCodeReader(Repository):
    """Codes for friends, as reads see them."""

    __slots__ = ()

    async def get(self, name: str) -> FriendCode | None:
        """Returns the code with these letters at its beginning."""
        return _read(await self._sql.first(_GET, called=name))

    async def of_user(self, user: UserId) -> FriendCode | None:
        """Returns the code that a user has given last."""
        return _read(await self._sql.first(_OF_USER, of_user=user))


class FriendCodeRepository(FriendCodeReader):
    """Codes for friends, as a transaction writes them."""

    __slots__ = ()

    async def put(self, code: FriendCode, now: Millis) -> None:
        """Stores a code in place of the user's earlier one and of all that are over. Raises Stale if another user has
        one of that name."""
        await self._sql.execute(delete(schema.friend_code).where((_code.until <= now) | (_code.user == code.user)))
        with raises_on_conflict(Stale):
            await self._sql.add(
                schema.friend_code,
                {
                    "user": code.user,
                    "seek": code.seek,
                    "name": code.name,
                    "digest": code.digest,
                    "until": code.until,
                    "tries": code.tries,
                },
            )

    async def count_try(self, code: FriendCode) -> None:
        """Counts that other letters were given for a code."""
        await self._sql.execute(_TRY, {"called": code.name})


def _read(row: AnyRow | None) -> FriendCode | None:
    return row and FriendCode(row.name, row.digest, row.until, row.tries, user=row.user, seek=row.seek)
