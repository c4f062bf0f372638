"""The accounts that one person has on several platforms, in SQL."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import bindparam, delete, select, update

from play.ids import Millis, UserId, platform_of
from play.people.own_accounts import LinkCode
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.lists import is_among
from storage.statements import AnyRow, Repository

_own = schema.own_account.c
_code = schema.link_code.c

_PERSONS = select(_own.person).where(is_among(_own.user, "users"))
_ACCOUNTS = select(_own.user, _own.person).where(_own.person.in_(_PERSONS)).order_by(_own.person, _own.platform)
_CODE = select(schema.link_code).where(_code.name == bindparam("called"))
_TRY = update(schema.link_code).where(_code.name == bindparam("called")).values(tries=_code.tries + 1)


class OwnAccountReader(Repository):
    """Accounts of one person, as reads see them."""

    __slots__ = ()

    async def of_all(self, users: Collection[UserId]) -> dict[UserId, tuple[UserId, ...]]:
        """Returns all accounts of each person of `users`, by platform, with the one that is named."""
        persons: dict[str, list[UserId]] = {}
        for row in await self._sql.all(_ACCOUNTS, users=[*users]):
            persons.setdefault(row.person, []).append(UserId(row.user))
        found = {user: tuple(accounts) for accounts in persons.values() for user in accounts}
        return {user: found.get(user, (user,)) for user in users}

    async def of_user(self, user: UserId) -> tuple[UserId, ...]:
        """Returns all accounts of a person, by platform, this one among them."""
        return (await self.of_all([user]))[user]

    async def code(self, name: str) -> LinkCode | None:
        """Returns the code with these letters at its beginning."""
        row: AnyRow | None = await self._sql.first(_CODE, called=name)
        return row and LinkCode(row.name, row.digest, row.until, row.tries, user=row.user)


class OwnAccountRepository(OwnAccountReader):
    """Accounts of one person, as a transaction writes them."""

    __slots__ = ()

    async def put_code(self, code: LinkCode, now: Millis) -> None:
        """Stores a code in place of the user's earlier one and of all that are over. Raises Stale if another user has
        one of that name."""
        await self._sql.execute(delete(schema.link_code).where(_code.until <= now))
        await self.drop_code(code.user)
        with raises_on_conflict(Stale):
            await self._sql.add(schema.link_code, _values(code))

    async def count_try(self, code: LinkCode) -> None:
        """Counts that other letters were given for a code."""
        await self._sql.execute(_TRY, {"called": code.name})

    async def drop_code(self, user: UserId) -> None:
        """Deletes the code of a user, if there is one."""
        await self._sql.execute(delete(schema.link_code).where(_code.user == user))

    async def join(self, person: str, users: Collection[UserId]) -> None:
        """Makes these the accounts of one person. Raises Stale if another transaction has changed one of them."""
        with raises_on_conflict(Stale):
            await self._sql.execute(delete(schema.own_account).where(_own.user.in_(users)))
            await self._sql.add(
                schema.own_account,
                [{"user": user, "person": person, "platform": int(platform_of(user))} for user in users],
            )

    async def part(self, user: UserId) -> tuple[UserId, ...]:
        """Takes an account from its person; returns the others that they have. One that is left alone has no row."""
        others = tuple(other for other in await self.of_user(user) if other != user)
        parted = (user, *others) if len(others) == 1 else (user,)
        await self._sql.execute(delete(schema.own_account).where(_own.user.in_(parted)))
        return others


def _values(code: LinkCode) -> dict[str, Any]:
    return {
        "user": code.user,
        "name": code.name,
        "digest": code.digest,
        "until": code.until,
        "tries": code.tries,
    }
