"""The use cases of a user's own data: to export it, and to delete it."""

from typing import Any, Protocol

from play.challenge.challenge import ChallengeState
from play.ids import Millis, UserId
from play.refusal import Reason, Refused
from use_cases import UseCases
from use_cases.match_writer import MAX_ATTEMPTS, automatic_key, irreversible

Rows = list[dict[str, Any]]


class GrantedRoles(Protocol):
    """The roles that the bot has given; `RoleSync` implements it."""

    async def revoke(self, user: UserId) -> None:
        """Takes all roles from a user whom the store is about to forget."""

    def wake(self) -> None:
        """Compares roles and places again soon."""


class Links(Protocol):
    """What users have linked at the chat; `AccountSync` implements it."""

    async def revoke(self, user: UserId) -> None:
        """Takes back what was linked of a user whom the store is about to forget."""


class Privacy:
    """What users may do with their data. All methods raise Refused."""

    def __init__(self, use_cases: UseCases, roles: GrantedRoles, links: Links | None = None) -> None:
        self._use_cases = use_cases
        self._store = use_cases.store
        self._roles = roles
        self._links = links

    async def export(self, user: UserId) -> dict[str, Rows]:
        """Returns all rows that name `user`, by table, and those of their seats."""
        async with self._store.read() as reader:
            return await reader.privacy.export(user)

    @irreversible
    async def forget(self, user: UserId, at: Millis) -> None:
        """Ends what `user` has begun, then deletes their data. Their games stay, played by nobody.

        Raises Refused (`busy`) if they begin something else again and again meanwhile.
        """
        for _ in range(MAX_ATTEMPTS):
            await self._leave_everything(user, at)
            await self._roles.revoke(user)
            if self._links is not None:
                await self._links.revoke(user)
            if await self._forget_one_who_has_left(user):
                break
        else:
            raise Refused(Reason.BUSY)
        self._use_cases.events.sessions_ended(user)
        self._roles.wake()

    async def _forget_one_who_has_left(self, user: UserId) -> bool:
        """Deletes the data of a user who takes part in nothing; returns whether that is so."""
        async with self._store.write() as tx:
            begun = (
                await tx.matches.open_of(user),
                await tx.challenges.open_of(user),
                await tx.tournaments.open_of(user),
                await tx.ladders.open_of(user),
                await tx.leagues.open_of(user),
            )
            if any(begun):
                return False
            await tx.seeks.keep_conduct(user, await tx.clock.now())
            await tx.privacy.forget(user)
        return True

    async def _leave_everything(self, user: UserId, at: Millis) -> None:
        async with self._store.read() as reader:
            tournaments = await reader.tournaments.open_of(user)
            open_challenges = await reader.challenges.open_of(user)
            ladders = await reader.ladders.open_of(user)
            leagues = await reader.leagues.open_of(user)
        matches, challenges = self._use_cases.matches, self._use_cases.challenges
        for guild in ladders:
            await self._use_cases.ladders.leave(guild, user)
        for guild in leagues:
            await self._use_cases.leagues.leave(guild, user, at)
        for tournament in tournaments:
            await self._use_cases.tournaments.withdraw(tournament, user, at)
        for entry in await matches.list_open(user):
            match = await matches.load(entry.id)
            end = matches.resign if match.all_have_moved else self._use_cases.actions.abort
            await end(match.id, user, at, automatic_key(match))
        for number in open_challenges:
            challenge = await challenges.load(number)
            if challenge.state is not ChallengeState.OPEN:
                continue  # it ended with a ladder
            if user in challenge.joined:
                challenge = await challenges.leave(number, user, at)
            if user in (challenge.challenger, challenge.opponent):
                await challenges.decline(number, user, at)
