"""The use cases of ladders."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from play import ladder as ladders
from play.challenge import Challenge
from play.deciding import undisturbed
from play.ids import ChallengeId, GuildId, Millis, UserId
from play.ladder import Duel, Ladder
from play.ratings.fairness import fair
from play.refused import Refused
from play.store import Reader, Stale, Store, Transaction

AT_ONCE = 50


class Climbed(NamedTuple):
    """A duel that is decided: `won` by the challenger, or (None) of which nothing came."""

    ladder: Ladder
    duel: Duel
    won: bool | None


class Climbing:
    """All raise Refused."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def make(self, ladder: Ladder) -> None:
        """A server has one ladder."""
        try:
            async with self._store.write() as transaction:
                await transaction.add_ladder(ladder)
        except Stale as error:
            raise Refused("ladder_here") from error

    async def here(self, guild: GuildId) -> Ladder:
        """The ladder of a server, with those who have played lately."""
        async with self._store.read() as reader:
            return ladders.awake(await _found(reader, guild), await reader.now())

    async def join(self, guild: GuildId, user: UserId, at: Millis) -> Ladder:
        return await self._decided(guild, lambda ladder: ladders.joined(ladders.awake(ladder, at), user, at))

    async def leave(self, guild: GuildId, user: UserId) -> Ladder:
        return await self._decided(guild, lambda ladder: ladders.left(ladder, user))

    async def dare(self, guild: GuildId, user: UserId, opponent: UserId, at: Millis) -> Challenge:
        """`user` plays for the place of `opponent`, who has to take the challenge."""

        async def attempt() -> Challenge:
            async with self._store.write() as transaction:
                ladder = ladders.awake(await _found(transaction, guild), at)
                ladders.dared(ladder, user, opponent, ChallengeId(0))
                if ladder.terms.pool is not None:
                    await fair(transaction, user, at)
                new = Challenge(ChallengeId(0), guild, ladder.channel, user, opponent, ladder.terms, made=at)
                challenge = await transaction.add_challenge(new)
                await transaction.save_ladder(ladders.dared(ladder, user, opponent, challenge.id))
            return challenge

        return await undisturbed(attempt)

    async def settle(self) -> list[Climbed]:
        """Decides the duels that are over, a bounded number at once."""
        async with self._store.read() as reader:
            over = await reader.decided_duels(AT_ONCE)
        return [climbed for guild, challenge in over if (climbed := await self._settled(guild, challenge))]

    async def _settled(self, guild: GuildId, number: ChallengeId) -> Climbed | None:
        async def attempt() -> Climbed | None:
            async with self._store.write() as transaction:
                ladder = await _found(transaction, guild)
                duel = next((each for each in ladder.duels if each.challenge == number), None)
                if duel is None:
                    return None  # another process was faster
                return await _climbed(transaction, ladder, duel)

        return await undisturbed(attempt)

    async def _decided(self, guild: GuildId, decision: Callable[[Ladder], Ladder]) -> Ladder:
        async def attempt() -> Ladder:
            async with self._store.write() as transaction:
                return await transaction.save_ladder(decision(await _found(transaction, guild)))

        return await undisturbed(attempt)


async def _climbed(transaction: Transaction, ladder: Ladder, duel: Duel) -> Climbed:
    challenge = await transaction.challenge(duel.challenge)
    assert challenge is not None, "a duel is by a challenge"
    match = None if challenge.match is None else await transaction.match(challenge.match)
    won = ladders.outcome(duel, challenge, match)
    now = await transaction.now()
    changed = ladders.dropped(ladder, duel) if won is None else ladders.decided(ladder, duel, now, won=won)
    return Climbed(await transaction.save_ladder(changed), duel, won)


async def _found(reader: Reader, guild: GuildId) -> Ladder:
    ladder = await reader.ladder(guild)
    if ladder is None:
        raise Refused("no_ladder")
    return ladder
