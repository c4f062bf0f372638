"""The use cases of ladders."""

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from play.challenge.challenge import Challenge, ChallengeState, withdraw
from play.challenge.terms import Terms
from play.community.news import LogAction, LogEntry, channel_value, setting_changed
from play.competitions import ladder as ladders
from play.competitions.ladder import Ladder
from play.ids import DAY, ChallengeId, ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.refusal import Reason, Refused
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_may_challenge_for_place, check_may_enter
from use_cases.events import Events, log_entry, logged
from use_cases.limits import Capacity, check_rated_match_limits
from use_cases.match_writer import irreversible, retry_on_conflict

MAX_DAILY_CALLS: Final = 3
"""Challenges of one player to the same other within `CALLS_WINDOW_MILLIS` that became no game. A block does not end
these, and each mentions the defender."""

CALLS_WINDOW_MILLIS: Final = DAY

Check = Callable[[Transaction], Awaitable[None]]
"""Raises Refused where the store knows a reason against a decision."""


class Target(NamedTuple):
    """A player within reach, and the `obstacle` to challenging them, if there is one."""

    user: UserId
    place: int
    obstacle: Reason | None


class LadderService:
    """What users do on the ladder of their server. All methods raise Refused."""

    def __init__(self, store: Database, events: Events, capacity: Capacity) -> None:
        self._store = store
        self._events = events
        self._capacity = capacity

    @logged
    async def make(self, ladder: Ladder, by: UserId) -> None:
        """Stores a new ladder, of whose troubles `by` is told. A server has one. Raises Refused (`ladder_here`)."""
        try:
            async with self._store.write() as tx:
                await tx.ladders.add(ladder)
                await tx.kept_posts.place(ladder.post.key, by)
                await log_entry(tx, ladder.guild, LogEntry(LogAction.LADDER_MADE, by))
        except Stale as error:
            raise Refused(Reason.LADDER_HERE) from error
        self._events.news_added()
        self._events.ladder_changed()
        self._events.guild_changed(ladder.guild)

    async def load(self, guild: GuildId) -> Ladder:
        """Returns the ladder of a server, without the players who have been idle for too long."""
        async with self._store.read() as reader:
            return ladders.remove_idle(await load_ladder(reader, guild), await reader.clock.now())

    async def join(self, guild: GuildId, user: UserId, at: Millis) -> Ladder:
        """Puts `user` at the foot of the ladder."""

        async def check(tx: Transaction) -> None:
            await check_may_enter(tx, guild, user, at)

        return await self._update(guild, lambda ladder: ladders.join(ladders.remove_idle(ladder, at), user, at), check)

    @logged
    async def change_terms(self, guild: GuildId, by: UserId, terms: Terms) -> Ladder:
        """Changes the terms of all challenges to come."""
        return await self._update(
            guild,
            lambda ladder: ladders.change_terms(ladder, terms),
            entry=lambda _: LogEntry(LogAction.LADDER_TERMS, by),
        )

    @logged
    async def move(self, guild: GuildId, by: UserId, channel: ChannelId) -> Ladder:
        """Moves the ladder to another channel."""

        def entry(ladder: Ladder) -> LogEntry:
            return setting_changed(by, "ladder", channel_value(ladder.channel), channel_value(channel))

        return await self._update(guild, lambda ladder: ladders.move(ladder, channel), entry=entry)

    @irreversible
    async def leave(self, guild: GuildId, user: UserId) -> Ladder:
        """Takes `user` off the ladder, and withdraws a challenge for a place that waits for an answer."""

        async def attempt() -> Ladder:
            async with self._store.write() as tx:
                ladder = await load_ladder(tx, guild)
                left = await tx.ladders.save(ladders.leave(ladder, user), ladder)
                duel = ladder.duel_of(user)
                challenge = duel and await tx.challenges.get(duel.challenge)
                if challenge and challenge.state is ChallengeState.OPEN:
                    await tx.challenges.save(withdraw(challenge))
            return left

        left = await retry_on_conflict(attempt)
        self._events.challenges_changed()
        self._events.ladder_changed()
        return left

    async def survey(self, guild: GuildId, user: UserId) -> list[Target]:
        """Returns the players whose places are within reach of `user`, the best first. Raises Refused."""
        async with self._store.read() as reader:
            await check_may_enter(reader, guild, user, await reader.clock.now())
        ladder = await self.load(guild)
        above = ladders.players_above(ladder, user)
        if ladder.duel_of(user):
            raise Refused(Reason.LADDER_DUEL, user=user)
        if not above:
            raise Refused(Reason.LADDER_TOP)
        return [Target(each, ladder.place(each), await self._obstacle(ladder, user, each)) for each in above]

    async def _obstacle(self, ladder: Ladder, user: UserId, other: UserId) -> Reason | None:
        """Returns why `user` cannot challenge a player within reach."""
        if ladder.duel_of(other):
            return Reason.LADDER_DUEL
        try:
            async with self._store.read() as reader:
                await check_may_challenge_for_place(reader, ladder.guild, user, other, await reader.clock.now())
        except Refused as refused:
            return Reason(refused.key)
        return None

    async def of_challenge(self, challenge: ChallengeId) -> Ladder | None:
        """Returns the ladder on which a challenge is an undecided duel."""
        async with self._store.read() as reader:
            return await reader.ladders.of_challenge(challenge)

    async def challenge(
        self, guild: GuildId, user: UserId, opponent: UserId, at: Millis, key: IdempotencyKey | None = None
    ) -> Challenge:
        """Challenges `opponent` to a duel for their place, which they have to accept. One `key` makes one."""

        async def attempt() -> Challenge:
            async with self._store.write() as tx:
                await tx.challenges.lock()
                if (made := await tx.challenges.by_key(key)) is not None:
                    return made
                stored = await load_ladder(tx, guild)
                ladder = ladders.remove_idle(stored, at)
                ladders.add_duel(ladder, user, opponent, ChallengeId(0))
                await check_may_challenge_for_place(tx, guild, user, opponent, at)
                await _check_calls(tx, user, opponent, at)
                if ladder.terms.pool is not None:
                    await check_rated_match_limits(tx.careers, user, at)
                new = Challenge(ChallengeId(0), guild, ladder.channel, user, opponent, ladder.terms, made=at, key=key)
                await self._capacity.check_challenge(tx, new)
                challenge = await tx.challenges.add(new)
                await tx.ladders.save(ladders.add_duel(ladder, user, opponent, challenge.id), stored)
            return challenge

        challenge = await retry_on_conflict(attempt)
        self._events.ladder_changed()
        return challenge

    async def _update(
        self,
        guild: GuildId,
        decision: Callable[[Ladder], Ladder],
        check: Check | None = None,
        entry: Callable[[Ladder], LogEntry] | None = None,
    ) -> Ladder:
        """Saves what is decided. `entry` returns that of the log, by the ladder as it was."""

        async def attempt() -> Ladder:
            async with self._store.write() as tx:
                if check is not None:
                    await check(tx)
                stored = await load_ladder(tx, guild)
                if entry is not None:
                    await log_entry(tx, guild, entry(stored))
                return await tx.ladders.save(decision(stored), stored)

        changed = await retry_on_conflict(attempt)
        if entry is not None:
            self._events.news_added()
        self._events.ladder_changed()
        self._events.guild_changed(guild)
        return changed


async def _check_calls(reader: Reader, user: UserId, opponent: UserId, now: Millis) -> None:
    """Raises Refused (`ladder_asked_often`) if `user` has asked `opponent` often enough."""
    callers = await reader.challenges.challengers_of(opponent, Millis(now - CALLS_WINDOW_MILLIS))
    if callers.count(user) >= MAX_DAILY_CALLS:
        raise Refused(Reason.LADDER_ASKED_OFTEN, count=MAX_DAILY_CALLS, user=opponent)


async def load_ladder(reader: Reader, guild: GuildId) -> Ladder:
    """Loads the ladder of a server with all its players. Raises Refused (`no_ladder`)."""
    ladder = await reader.ladders.get(guild)
    if ladder is None:
        raise Refused(Reason.NO_LADDER)
    return ladder
