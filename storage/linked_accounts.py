"""Linked accounts in SQL."""

from typing import Any

from sqlalchemy import bindparam, case, delete, or_, select, update

from play.community.roles import FigureName, Figures, LinkedAccount
from play.ids import Millis, UserId
from storage import schema
from storage.statements import AnyRow, Repository

_account = schema.linked_account.c
_ACCOUNT = select(schema.linked_account).where(_account.user == bindparam("user"))
_DUE = (
    select(_account.user)
    .where(_account.due <= bindparam("now"), or_(_account.held.is_(None), _account.held <= bindparam("now")))
    .order_by(_account.due)
    .limit(bindparam("limit"))
)


class LinkedAccountReader(Repository):
    """Linked accounts, as reads see them."""

    __slots__ = ()

    async def get(self, user: UserId) -> LinkedAccount | None:
        row = await self._sql.first(_ACCOUNT, user=user)
        return row and _read(row)

    async def due(self, now: Millis, limit: int) -> list[UserId]:
        """Returns the users whose account waits for a look, and is owned by no attempt."""
        return [row.user for row in await self._sql.all(_DUE, now=now, limit=limit)]


class LinkedAccountRepository(LinkedAccountReader):
    """Linked accounts, as a transaction writes them."""

    __slots__ = ()

    async def put(self, user: UserId, refresh: str, now: Millis) -> None:
        """Stores an account that its user has just linked, in place of an earlier grant."""
        fresh = {"refresh": refresh, "pushed": {}, "withdrawn": False, "held": None, "due": now}
        fresh |= {"asked": False, "ended": False}
        changed = update(schema.linked_account).where(_account.user == user)
        if not (await self._sql.execute(changed.values(**fresh, tries=_account.tries + 1))).rowcount:
            await self._sql.add(schema.linked_account, {"user": user, **fresh, "tries": 0})

    async def withdraw(self, user: UserId, now: Millis) -> bool:
        """Notes that an account is to be taken back at the chat; returns False if it is not linked."""
        linked = update(schema.linked_account).where(_account.user == user, _account.withdrawn.is_(False))
        return bool((await self._sql.execute(linked.values(withdrawn=True, due=now))).rowcount)

    async def claim(self, user: UserId, now: Millis, until: Millis) -> LinkedAccount | None:
        """Gives an account that is due to a new attempt, which owns it `until` then. None if there is nothing to do."""
        free = update(schema.linked_account).where(_account.user == user, _account.due <= now, _is_free(now))
        if not (await self._sql.execute(free.values(held=until, tries=_account.tries + 1))).rowcount:
            return None
        return await self.get(user)

    async def note_asked(self, account: LinkedAccount) -> None:
        """Notes that the token of an account is sent, which spends it whether or not the answer arrives."""
        await self._sql.execute(update(schema.linked_account).where(*_owned(account)).values(asked=True))

    async def end(self, account: LinkedAccount, now: Millis) -> None:
        """Notes that the link of an account has ended, of which its user is to be told `now`. The attempt owns the
        account no more."""
        ended = update(schema.linked_account).where(*_owned(account))
        await self._sql.execute(ended.values(refresh="", asked=False, ended=True, held=None, due=now))

    async def save_refresh(self, account: LinkedAccount) -> bool:
        """Stores the token that takes the place of the last one; returns False if another attempt owns the account."""
        kept = update(schema.linked_account).where(*_owned(account)).values(refresh=account.refresh, asked=False)
        return bool((await self._sql.execute(kept)).rowcount)

    async def note(self, account: LinkedAccount, pushed: Figures, due: Millis) -> None:
        """Notes what the chat was told, and when to look again. The attempt owns the account no more."""
        next_look = case((_account.withdrawn.is_(account.withdrawn), due), else_=_account.due)
        noted = update(schema.linked_account).where(*_owned(account))
        await self._sql.execute(noted.values(pushed=dict(pushed), held=None, due=next_look))

    async def drop(self, account: LinkedAccount) -> None:
        """Deletes an account, unless it was linked anew since it was read."""
        await self._sql.execute(delete(schema.linked_account).where(*_owned(account)))


def _is_free(now: Millis) -> Any:
    return or_(_account.held.is_(None), _account.held <= now)


def _owned(account: LinkedAccount) -> tuple[Any, ...]:
    return _account.user == account.user, _account.tries == account.tries


def _read(row: AnyRow) -> LinkedAccount:
    pushed = {FigureName(name): value for name, value in row.pushed.items()}
    return LinkedAccount(row.user, row.refresh, pushed, row.withdrawn, row.tries, row.asked, row.ended)
