"""The use cases of ladders."""

from __future__ import annotations

from collections.abc import Callable

from play.challenge.challenge import Challenge
from play.challenge.terms import Terms
from play.community import ladder as ladders
from play.community.ladder import Ladder
from play.ids import ChallengeId, GuildId, IdempotencyKey, Millis, UserId
from play.refusal import Reason, Refused
from play.services.capacity import Capacity
from play.services.fairness import check_rated_match_limits
from play.services.match_writer import retry_on_conflict
from play.store import Reader, Stale, Store


class LadderService:
    """What users do on the ladder of their server. All methods raise Refused."""

    def __init__(self, store: Store, capacity: Capacity) -> None:
        self._store = store
        self._capacity = capacity

    async def make(self, ladder: Ladder) -> None:
        """Stores a new ladder. A server has one. Raises Refused (`ladder_here`)."""
        try:
            async with self._store.write() as tx:
                await tx.ladders.add(ladder)
        except Stale as error:
            raise Refused(Reason.LADDER_HERE) from error

    async def load(self, guild: GuildId) -> Ladder:
        """Returns the ladder of a server, without the players who have been idle for too long."""
        async with self._store.read() as reader:
            return ladders.remove_idle(await load_ladder(reader, guild), await reader.clock.now())

    async def join(self, guild: GuildId, user: UserId, at: Millis) -> Ladder:
        """Puts `user` at the foot of the ladder."""
        return await self._update(guild, lambda ladder: ladders.join(ladders.remove_idle(ladder, at), user, at))

    async def change_terms(self, guild: GuildId, terms: Terms) -> Ladder:
        """Changes the terms of all challenges to come."""
        return await self._update(guild, lambda ladder: ladders.change_terms(ladder, terms))

    async def leave(self, guild: GuildId, user: UserId) -> Ladder:
        """Takes `user` off the ladder."""
        return await self._update(guild, lambda ladder: ladders.leave(ladder, user))

    async def challenge(
        self, guild: GuildId, user: UserId, opponent: UserId, at: Millis, key: IdempotencyKey | None = None
    ) -> Challenge:
        """Challenges `opponent` to a duel for their place, which they have to accept. One `key` makes one."""

        async def attempt() -> Challenge:
            async with self._store.write() as tx:
                await tx.challenges.lock()
                if (made := await tx.challenges.by_key(key)) is not None:
                    return made
                ladder = ladders.remove_idle(await load_ladder(tx, guild), at)
                ladders.add_duel(ladder, user, opponent, ChallengeId(0))
                if ladder.terms.pool is not None:
                    await check_rated_match_limits(tx.careers, user, at)
                new = Challenge(ChallengeId(0), guild, ladder.channel, user, opponent, ladder.terms, made=at, key=key)
                await self._capacity.check_challenge(tx, new)
                challenge = await tx.challenges.add(new)
                await tx.ladders.save(ladders.add_duel(ladder, user, opponent, challenge.id))
            return challenge

        return await retry_on_conflict(attempt)

    async def _update(self, guild: GuildId, decision: Callable[[Ladder], Ladder]) -> Ladder:
        async def attempt() -> Ladder:
            async with self._store.write() as tx:
                return await tx.ladders.save(decision(await load_ladder(tx, guild)))

        return await retry_on_conflict(attempt)


async def load_ladder(reader: Reader, guild: GuildId) -> Ladder:
    """Loads the ladder of a server with all its players. Raises Refused (`no_ladder`)."""
    ladder = await reader.ladders.get(guild)
    if ladder is None:
        raise Refused(Reason.NO_LADDER)
    return ladder
