"""The syncs of roles: role rewards for the players who have earned them, and the figures of linked accounts, once an
hour."""

import asyncio
import logging
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from play.community.roles import (
    MAX_LINES,
    PUSH_MILLIS,
    Figures,
    GrantProblem,
    LinkedAccount,
    RoleGrant,
    RoleRewards,
    grants,
)
from play.ids import DAY, GuildId, Millis, RoleId, UserId
from play.people.settings import Reminders
from play.ratings.leaderboard import Leader, Scorer, Season
from storage import Database
from use_cases.absences import note_member
from use_cases.linked_accounts import load_figures
from use_cases.worker import RetryLater, Timing, Worker

log = logging.getLogger(__name__)

ATTEMPT_SECONDS = 30.0
"""Seconds that the chat gets for one account."""

NEVER = Millis(2**62)
"""When an account is looked at again of which nothing is to be done any more."""

LOOK_MILLIS = DAY
"""Members with roles for their places are looked at once a day: some have left, or have lost a role by that."""

HELD_MILLIS = 90_000
"""For so long an attempt owns its account, since a token for access can be had once for each refresh."""


class MemberAbsent(Exception):
    """The user is not a member of the server."""


class RoleNotChanged(Exception):
    """A role could not be given or taken."""

    def __init__(self, trouble: GrantProblem) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class RoleGateway(Protocol):
    """Roles in the chat; bot/ implements it. All methods may be repeated. They raise MemberAbsent and RoleNotChanged;
    anything else is tried again."""

    async def held(self, guild: GuildId, user: UserId) -> Set[RoleId]:
        """Returns the roles that a member has. The answer may be a minute old."""
        ...

    async def give(self, guild: GuildId, honour: RoleGrant) -> None: ...

    async def take(self, guild: GuildId, honour: RoleGrant) -> None: ...


class RoleSync(Worker[GuildId]):
    """Compares who has earned a role with who was given it, and applies the difference.

    So it changes nothing in the chat where nothing has changed, and every process has the same result. It asks the chat
    for the few members who are due a role: some have left, and some had left and lost their role by that.
    """

    def __init__(self, store: Database, gateway: RoleGateway, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._gateway = gateway

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.role_rewards.to_update(await reader.clock.now(), limit)

    async def process(self, key: GuildId) -> None:
        async with self._store.read() as reader:
            now = await reader.clock.now()
            season = Season.at(now)
            podium, known = await reader.role_rewards.get(key), await reader.role_rewards.grants_in(key)
            if podium is None:
                return
            lines: Sequence[Leader | Scorer]
            if podium.seasonal:
                lines = await reader.leaderboards.scorers(season, podium.pool, key, 0, MAX_LINES)
            else:
                lines = await reader.leaderboards.leaders(podium.pool, key, 0, MAX_LINES)
        due, given = grants(podium, lines), {honour for honour, given in known.items() if given}
        try:
            given -= await self._lost(key, due & given)
        except MemberAbsent:
            return  # the places are others now
        changes = [(self._take, honour) for honour in sorted(known.keys() - due)]
        changes += [(self._give, honour) for honour in sorted(due - given)]
        troubles: dict[RoleId, GrantProblem] = {}
        for change, honour in changes:
            if honour.role in troubles or GrantProblem.AWAY in troubles.values():
                continue
            try:
                await change(podium, honour)
            except RoleNotChanged as error:
                troubles[honour.role] = error.trouble
        again = GrantProblem.PERMISSION in troubles.values()
        trouble = GrantProblem.PERMISSION if again else next(iter(troubles.values()), None)
        async with self._store.write() as tx:
            until = min(season.ends, Millis(now + LOOK_MILLIS)) if podium.seasonal else Millis(now + LOOK_MILLIS)
            await tx.role_rewards.mark_synced(podium, until, trouble, done=not again)
        if again:
            raise RetryLater("the bot may not give these roles")

    async def revoke(self, user: UserId) -> None:
        """Takes all roles from a user whom the store is about to forget. If the chat refuses, the user keeps them."""
        async with self._store.read() as reader:
            found = await reader.role_rewards.grants_of(user)
        for guild, honour in found:
            try:
                await self._gateway.take(guild, honour)
            except (MemberAbsent, RoleNotChanged):
                continue

    async def _lost(self, guild: GuildId, given: Set[RoleGrant]) -> set[RoleGrant]:
        """Returns those of the roles that their members have no more. Raises MemberAbsent, and notes it."""
        lost = set()
        for grant in sorted(given):
            try:
                if grant.role not in await self._gateway.held(guild, grant.user):
                    lost.add(grant)
            except RoleNotChanged as error:
                log.info("who has roles on server %d is not known: %s", guild, error)
                return set()
            except MemberAbsent:
                await self._note_absent(guild, grant.user)
                raise
        return lost

    async def _note_absent(self, guild: GuildId, user: UserId) -> None:
        async with self._store.write() as tx:
            await note_member(tx, guild, user, is_member=False)
        self.wake()

    async def _take(self, podium: RoleRewards, honour: RoleGrant) -> None:
        try:
            await self._gateway.take(podium.guild, honour)
        except MemberAbsent:
            pass
        except RoleNotChanged as error:
            if error.trouble is not GrantProblem.ROLE:
                raise
        async with self._store.write() as tx:
            await tx.role_rewards.mark_revoked(podium, honour)

    async def _give(self, podium: RoleRewards, honour: RoleGrant) -> None:
        async with self._store.write() as tx:
            if not await tx.role_rewards.mark_granting(podium, honour):
                return  # places have changed since, or the player has been deleted; another update follows
        try:
            await self._gateway.give(podium.guild, honour)
        except MemberAbsent:
            await self._note_absent(podium.guild, honour.user)  # the places are others now
            return
        async with self._store.write() as tx:
            is_kept = await tx.role_rewards.mark_granted(podium, honour)
        if not is_kept:
            with suppress(MemberAbsent, RoleNotChanged):
                await self._gateway.take(podium.guild, honour)


class Withdrawn(Exception):
    """The user has taken back what they allowed, or the grant has expired."""


class AnswerLost(Withdrawn):
    """An earlier try has spent the token, and what took its place never arrived."""


class Access(NamedTuple):
    """A token to speak for a user, and the one that takes the place of the token it was got by."""

    token: str
    refresh: str


class AccountGateway(Protocol):
    """Role connections in the chat; bot/ implements it. All methods raise Withdrawn, and RetryLater."""

    async def access(self, refresh: str) -> Access:
        """Returns access for a user's token, which is used up by that."""

    async def push(self, token: str, figures: Figures) -> None:
        """Tells the chat the figures of a user. It may be repeated."""

    async def take_back(self, access: Access) -> None:
        """Has the chat forget the figures of a user, and what they have allowed. It may be repeated."""


class AccountNotices(Protocol):
    """Direct messages about linked accounts; bot/ implements it."""

    async def tell_ended(self, user: UserId) -> None:
        """Tells a user that their link has ended, and where to link again; telling twice makes one message. Does
        nothing for a user who takes no direct messages. Raises RetryLater."""


class AccountSync(Worker[UserId]):
    """Compares the figures of each linked account with what the chat was told last, and pushes them if they differ."""

    def __init__(
        self,
        store: Database,
        gateway: AccountGateway,
        notices: AccountNotices,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(timing)
        self._store = store
        self._gateway = gateway
        self._notices = notices

    async def pending(self, limit: int) -> list[UserId]:
        async with self._store.read() as reader:
            return await reader.linked_accounts.due(await reader.clock.now(), limit)

    async def process(self, key: UserId) -> None:
        async with self._store.write() as tx:
            now = await tx.clock.now()
            account = await tx.linked_accounts.claim(key, now, Millis(now + HELD_MILLIS))
            figures = await load_figures(tx, key) if account is not None else {}
        if account is None:
            return  # another process has it
        pushed, due = figures, Millis(now + PUSH_MILLIS)
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                if account.ended and not account.withdrawn:
                    await self._tell_ended(key)
                    pushed, due = account.pushed, NEVER
                else:
                    await self._update(account, figures)
        except AnswerLost:
            await self._end(account, now)
        except Withdrawn:
            await self._drop(account)
        except RetryLater:
            await self._note(account, account.pushed, now)
            raise
        else:
            await self._note(account, pushed, due)

    async def revoke(self, user: UserId) -> None:
        """Takes back what was linked of a user whom the store is about to forget. If the chat is away, the user can do
        so there."""
        async with self._store.read() as reader:
            account = await reader.linked_accounts.get(user)
        if account is None or account.ended:
            return
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                await self._take_back(account)
        except (Withdrawn, RetryLater, TimeoutError) as error:
            log.warning("a linked account is not taken back at the chat: %s", type(error).__name__)

    async def _update(self, account: LinkedAccount, figures: Figures) -> None:
        if account.withdrawn:
            if not account.ended:
                await self._take_back(account)
            raise Withdrawn
        if figures == account.pushed:
            return
        await self._gateway.push((await self._access(account)).token, figures)

    async def _take_back(self, account: LinkedAccount) -> None:
        await self._gateway.take_back(await self._access(account))

    async def _access(self, account: LinkedAccount) -> Access:
        """Returns access for an account. The token for the next time is stored before anything else is done: access
        itself is never kept, since an account is told once an hour at most. Raises AnswerLost if an earlier try has
        spent the token."""
        async with self._store.write() as tx:
            await tx.linked_accounts.note_asked(account)
        try:
            access = await self._gateway.access(account.refresh)
        except Withdrawn as refused:
            raise AnswerLost if account.asked and not account.withdrawn else refused from None
        async with self._store.write() as tx:
            await tx.linked_accounts.save_refresh(replace(account, refresh=access.refresh))
        return access

    async def _note(self, account: LinkedAccount, pushed: Figures, due: Millis) -> None:
        async with self._store.write() as tx:
            await tx.linked_accounts.note(account, pushed, due)

    async def _tell_ended(self, user: UserId) -> None:
        async with self._store.read() as reader:
            settings = await reader.people.get(user)
        if settings.reminders is not Reminders.OFF:  # then their settings alone say it
            await self._notices.tell_ended(user)

    async def _end(self, account: LinkedAccount, now: Millis) -> None:
        log.warning("the answer to a linked account's token was lost: its user has to link again")
        async with self._store.write() as tx:
            await tx.linked_accounts.end(account, now)
        self.wake()

    async def _drop(self, account: LinkedAccount) -> None:
        log.info("an account is no longer linked")
        async with self._store.write() as tx:
            await tx.linked_accounts.drop(account)
