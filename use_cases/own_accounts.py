"""The use cases of a person's own accounts: to join those on several platforms, to see them together, to part them.

Ratings and games stay with the account that played. Only their person sees that accounts belong together.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from play.challenge.pool import Pool
from play.codes import make_code, name_of, read_code
from play.ids import UserId
from play.people.career import MAX_SUMMARIZED_MATCHES, Tally, summarize
from play.people.own_accounts import LinkCode, check_can_join
from play.ratings.leaderboard import Leader
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader, Transaction
from use_cases.match_writer import retry_on_conflict, undone_by


class OwnAccount(NamedTuple):
    """One account of a person: its ratings by pool, and the results of its games."""

    user: UserId
    ratings: dict[Pool, Leader]
    tally: Tally


class AccountNotices(Protocol):
    """Tells people what was done on another platform; each surface implements it for its own. What fails is logged:
    `/link` shows the same."""

    async def tell_joined(self, user: UserId, other: UserId) -> None:
        """Tells `user` that `other` was joined with their account."""

    async def tell_parted(self, user: UserId, other: UserId) -> None:
        """Tells `user` that `other` was parted from their account."""


class OwnAccounts:
    """What a person does with their accounts. All methods raise Refused.

    A chat's command has one optional word. Without one it calls `ask` and shows the code, and what `of_user` returns
    with a way to `part`. With a code it calls `look_up`, asks whether that is the same person, and then calls `join`.
    """

    def __init__(
        self, store: Database, notices: AccountNotices, choose: Callable[[Sequence[str]], str] = secrets.choice
    ) -> None:
        """`choose` draws the letters of codes."""
        self._store = store
        self._notices = notices
        self._choose = choose

    async def ask(self, user: UserId) -> str:
        """Returns a new code, to be given on another platform within `CODE_MILLIS`; the one before is void then."""

        async def attempt() -> str:
            code = make_code(self._choose)
            async with self._store.write() as tx:
                now = await tx.clock.now()
                await tx.own_accounts.put_code(LinkCode.of(user, _read(code), now), now)
            return code

        return await retry_on_conflict(attempt)

    async def look_up(self, user: UserId, typed: str) -> UserId:
        """Returns the account that has asked for a code, for the question whether `user` is the same person.

        Raises Refused (`no_link_code`, `own_link_code`, `linked_already`, `platform_taken`).
        """

        async def find(tx: Transaction, code: LinkCode) -> None:
            check_can_join(await tx.own_accounts.of_user(code.user), await tx.own_accounts.of_user(user))

        return await self._use(typed, find)

    async def join(self, user: UserId, typed: str) -> UserId:
        """Joins `user`, who has confirmed it, with the account that has asked for a code; returns that one, which is
        told of it. The code is used then. Raises Refused as `look_up` does."""

        async def join(tx: Transaction, code: LinkCode) -> None:
            one, other = await tx.own_accounts.of_user(code.user), await tx.own_accounts.of_user(user)
            check_can_join(one, other)
            await tx.own_accounts.join(code.digest, [*one, *other])
            await tx.own_accounts.drop_code(code.user)

        asked = await self._use(typed, join)
        await self._notices.tell_joined(asked, user)
        return asked

    async def of_user(self, user: UserId) -> tuple[UserId, ...]:
        """Returns all accounts of a person, by platform, this one among them."""
        async with self._store.read() as reader:
            return await reader.own_accounts.of_user(user)

    @undone_by("join")
    async def part(self, user: UserId) -> tuple[UserId, ...]:
        """Takes an account from its person, who may do so on either side. Returns the others, which are told of it.

        Raises Refused (`not_linked`).
        """

        async def attempt() -> tuple[UserId, ...]:
            async with self._store.write() as tx:
                return await tx.own_accounts.part(user)

        others = await retry_on_conflict(attempt)
        if not others:
            raise Refused(Reason.NOT_LINKED)
        for other in others:
            await self._notices.tell_parted(other, user)
        return others

    async def _use(self, typed: str, act: Callable[[Transaction, LinkCode], Awaitable[None]]) -> UserId:
        """Lets `act` use a code; returns who has asked for it. Wrong letters count as a try, and stay counted.

        Raises Refused (`no_link_code`), and what `act` raises.
        """
        letters = read_code(typed)
        if letters is None:
            raise Refused(Reason.NO_LINK_CODE)

        async def attempt() -> UserId | None:
            async with self._store.write() as tx:
                code = await tx.own_accounts.code(name_of(letters))
                if code is None or not code.holds(await tx.clock.now()):
                    return None
                if not code.fits(letters):
                    await tx.own_accounts.count_try(code)
                    return None
                await act(tx, code)
                return code.user

        found = await retry_on_conflict(attempt)
        if found is None:
            raise Refused(Reason.NO_LINK_CODE)
        return found


async def read_other_accounts(reader: Reader, user: UserId) -> list[OwnAccount]:
    """Returns the other accounts of a person, by platform, each with what it has played; for the person alone."""
    return [await _read_account(reader, own) for own in await reader.own_accounts.of_user(user) if own != user]


async def _read_account(reader: Reader, user: UserId) -> OwnAccount:
    finished = await reader.careers.finished(user, 0, MAX_SUMMARIZED_MATCHES)
    return OwnAccount(user, await reader.ratings.of_user(user), summarize(user, finished).all)


def _read(code: str) -> str:
    letters = read_code(code)
    assert letters is not None, "it was just made"
    return letters
