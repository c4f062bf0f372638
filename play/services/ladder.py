"""The use cases of ladders, and who decides their duels."""

from __future__ import annotations

import time
from collections.abc import Callable

from play.challenge.challenge import Challenge
from play.community import ladder as ladders
from play.community.ladder import Duel, Ladder
from play.community.news import News, NewsId, NewsKind
from play.ids import ChallengeId, GuildId, Millis, SourceId, UserId
from play.refusal import Refused
from play.services.capacity import check_challenges
from play.services.fairness import check_rated_match_limits
from play.services.match_writer import undisturbed
from play.store import Reader, Stale, Store, Transaction
from play.workers.retry_queue import Errands


class Climbing:
    """All raise Refused."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def make(self, ladder: Ladder) -> None:
        """A server has one ladder."""
        try:
            async with self._store.write() as tx:
                await tx.ladders.add(ladder)
        except Stale as error:
            raise Refused("ladder_here") from error

    async def here(self, guild: GuildId) -> Ladder:
        """The ladder of a server, with those who have played lately."""
        async with self._store.read() as reader:
            return ladders.awake(await _found(reader, guild), await reader.clock.now())

    async def join(self, guild: GuildId, user: UserId, at: Millis) -> Ladder:
        return await self._decided(guild, lambda ladder: ladders.joined(ladders.awake(ladder, at), user, at))

    async def leave(self, guild: GuildId, user: UserId) -> Ladder:
        return await self._decided(guild, lambda ladder: ladders.left(ladder, user))

    async def dare(
        self, guild: GuildId, user: UserId, opponent: UserId, at: Millis, source: SourceId | None = None
    ) -> Challenge:
        """`user` plays for the place of `opponent`, who has to take the challenge. One `source` makes one challenge."""

        async def attempt() -> Challenge:
            async with self._store.write() as tx:
                await tx.challenges.lock()
                if (made := await tx.challenges.by_key(source)) is not None:
                    return made
                ladder = ladders.awake(await _found(tx, guild), at)
                ladders.dared(ladder, user, opponent, ChallengeId(0))
                if ladder.terms.pool is not None:
                    await check_rated_match_limits(tx.careers, user, at)
                new = Challenge(
                    ChallengeId(0), guild, ladder.channel, user, opponent, ladder.terms, made=at, source=source
                )
                await check_challenges(tx, new)
                challenge = await tx.challenges.add(new)
                await tx.ladders.save(ladders.dared(ladder, user, opponent, challenge.id))
            return challenge

        return await undisturbed(attempt)

    async def _decided(self, guild: GuildId, decision: Callable[[Ladder], Ladder]) -> Ladder:
        async def attempt() -> Ladder:
            async with self._store.write() as tx:
                return await tx.ladders.save(decision(await _found(tx, guild)))

        return await undisturbed(attempt)


class Referee(Errands[tuple[GuildId, ChallengeId]]):
    """Decides the duels whose match, or whose challenge, is over; the news of it wake the `listeners`."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._store = store
        self.listeners: list[Callable[[], None]] = []

    async def found(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        async with self._store.read() as reader:
            return await reader.ladders.decided_duels(limit)

    async def do(self, key: tuple[GuildId, ChallengeId]) -> None:
        guild, number = key

        async def attempt() -> None:
            async with self._store.write() as tx:
                ladder = await _found(tx, guild)
                duel = next((each for each in ladder.duels if each.challenge == number), None)
                if duel is not None:  # else another process was faster
                    await _decide(tx, ladder, duel)

        await undisturbed(attempt)
        for listener in self.listeners:
            listener()


async def _decide(tx: Transaction, ladder: Ladder, duel: Duel) -> None:
    challenge = await tx.challenges.get(duel.challenge)
    assert challenge is not None, "a duel is by a challenge"
    match = None if challenge.match is None else await tx.matches.get(challenge.match)
    won = ladders.outcome(duel, challenge, match)
    if won is None:
        await tx.ladders.save(ladders.dropped(ladder, duel))
        return
    now = await tx.clock.now()
    kind = NewsKind.CLIMBED if won else NewsKind.HELD
    changed = await tx.ladders.save(ladders.decided(ladder, duel, now, won=won))
    place = changed.place(duel.challenger if won else duel.defender)
    await tx.news.add(News(NewsId(0), kind, ladder.guild, ladder.channel, duel.challenge, now, place))


async def _found(reader: Reader, guild: GuildId) -> Ladder:
    ladder = await reader.ladders.get(guild)
    if ladder is None:
        raise Refused("no_ladder")
    return ladder
