"""The use cases of challenges: make, answer, change, end, offer a rematch."""

import random
from collections.abc import Callable, Collection
from dataclasses import replace

from play.challenge import challenge as challenges
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Order, Terms, offered_again
from play.community.news import LogAction, LogEntry
from play.ids import MINUTE, ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.match.match import AwayPlace, Match
from play.refusal import Reason, Refused
from play.votes import has_side
from storage import Database
from storage.errors import ChannelTaken, RematchOffered
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_may_begin, check_may_meet, check_open
from use_cases.events import Events, log_entry, logged
from use_cases.limits import Capacity, check_others_free, check_rated_match_limits, give_way
from use_cases.match_writer import load_match, retry_on_conflict, undone_by
from use_cases.matches import place_of_game

STRANDED_MILLIS = MINUTE
"""The age at which a challenge without a card has lost its process: none takes so long to post one."""

MAX_EXPIRED = 50
"""Challenges that expire in one go."""


class Challenges:
    """What users do before a match begins. All methods raise Refused.

    `seeds` draws what a match leaves to chance: whole numbers of 63 bits at most, which every store can hold.
    """

    def __init__(self, store: Database, events: Events, seeds: Callable[[], int], capacity: Capacity) -> None:
        self._store = store
        self._events = events
        self._seeds = seeds
        self._capacity = capacity

    async def load(self, challenge: ChallengeId) -> Challenge:
        """Returns the challenge as it is now."""
        async with self._store.read() as reader:
            return await _load(reader, challenge)

    async def check_open(self) -> None:
        """Raises Refused (`paused`, `paused_until`) while no game begins."""
        async with self._store.read() as reader:
            await check_open(reader, await reader.clock.now())

    async def place(self, channel: ChannelId, players: Collection[UserId | None], seats: int) -> ChannelId:
        """Returns where a challenge belongs that is made in a channel: see `place_of_game`."""
        async with self._store.read() as reader:
            return await place_of_game(reader, channel, players, seats)

    async def challenge(
        self,
        user: UserId,
        opponent: UserId | None,
        guild: GuildId | None,
        channel: ChannelId,
        terms: Terms,
        at: Millis,
        key: IdempotencyKey | None = None,
    ) -> Challenge:
        """Offers a match to `opponent`, or (None) to anyone: in the channel, or in that of another game's thread. One
        `key` makes one challenge."""
        if user == opponent:
            raise Refused(Reason.CHALLENGE_SELF)
        offered = Challenge(ChallengeId(0), guild, channel, user, opponent, terms, made=at, key=key)
        return await self._add(offered, (user, opponent))

    async def accept(
        self,
        challenge: ChallengeId,
        user: UserId,
        at: Millis,
        *,
        changes: int | None = None,
        thread: ChannelId | None = None,
    ) -> tuple[Challenge, Match | None]:
        """Accepts a challenge for `user`, if its terms have changed exactly `changes` times.

        The match begins when all seats are taken, in `thread` if there is one, else in the card's channel. Until then
        it is None. Raises Refused (`thread_taken`) where that is the thread of another game.
        """
        seed = self._seeds()
        overtaken: list[Challenge] = []

        async def attempt() -> tuple[Challenge, Match | None]:
            async with self._store.write() as tx:
                await tx.challenges.lock()  # of two live games that begin at once, one overtakes the other
                stored = await _load(tx, challenge)
                rating = None
                if stored.pool is not None:
                    rating = (await tx.ratings.get(stored.pool, [user]))[user].value
                taken = challenges.accept(stored, user, at, changes=changes, rating=rating)
                await _check_thread(tx, taken)
                others = {*stored.joined, stored.challenger, *filter(None, (stored.opponent,))} - {user}
                is_duel = await tx.ladders.of_challenge(stored.id) is not None
                check = check_may_begin if is_duel else check_may_meet
                await check(tx, stored.guild, user, others, at)
                if stored.terms.pool is not None and stored.terms.level is None:
                    await check_rated_match_limits(tx.careers, user, at)
                match = None
                if taken.state is ChallengeState.ACCEPTED:
                    begun = await build_match(tx, taken, seed, at, thread)
                    await self._capacity.check_match(tx, taken, begun.players, user)
                    await check_others_free(tx, taken, begun, user)
                    match = await tx.matches.add(begun)
                    taken = replace(taken, match=match.id)
                    await _withdraw_original(tx, taken)
                await tx.challenges.save(taken)
                overtaken[:] = await give_way(tx, taken, match) if match else ()
            return taken, match

        try:
            taken, match = await retry_on_conflict(attempt)
        except ChannelTaken as busy:
            raise Refused(Reason.CHANNEL_BUSY) from busy
        for changed in (taken, *overtaken):
            self._publish(changed)
        if match:
            self._events.match_changed(match)
        return taken, match

    async def check_negotiable(self, challenge: Challenge, user: UserId, at: Millis) -> None:
        """Raises Refused if `user` may not offer other terms."""
        async with self._store.read() as reader:
            await _check_own_terms(reader, challenge)
        challenges.check_negotiable(challenge, user, at)

    @undone_by("accept")
    async def leave(self, challenge: ChallengeId, user: UserId, at: Millis) -> Challenge:
        """Gives the seat of `user` back before the match begins."""
        return await self._update(challenge, lambda stored: challenges.leave(stored, user, at))

    @undone_by("challenge")
    async def decline(self, challenge: ChallengeId, user: UserId, at: Millis) -> Challenge:
        """Declines a challenge, or withdraws the user's own."""
        return await self._update(challenge, lambda stored: challenges.decline(stored, user, at))

    @undone_by("challenge")
    async def withdraw(self, challenge: ChallengeId) -> Challenge:
        """Withdraws a challenge without its challenger, if it is open."""
        return await self._update(challenge, challenges.withdraw)

    @undone_by("challenge")
    @logged
    async def withdraw_as_moderator(
        self, challenge: ChallengeId, moderator: UserId, guild: GuildId | None, at: Millis
    ) -> Challenge:
        """Withdraws an open challenge of the server `guild` for one of its moderators, and logs that."""

        async def attempt() -> Challenge:
            async with self._store.write() as tx:
                stored = await _load(tx, challenge)
                if stored.guild is None or stored.guild != guild:
                    raise Refused(Reason.NO_CHALLENGE)
                if stored.state is not ChallengeState.OPEN:
                    raise Refused(Reason(f"challenge_{stored.state}"))
                withdrawn = challenges.withdraw(stored)
                await tx.challenges.save(withdrawn)
                entry = LogEntry(LogAction.WITHDRAWN, moderator, stored.challenger)
                await log_entry(tx, guild, entry, at)
            return withdrawn

        withdrawn = await retry_on_conflict(attempt)
        self._publish(withdrawn)
        self._events.news_added()
        return withdrawn

    async def list_open(self, *, challenger: UserId | None = None, channel: ChannelId | None = None) -> list[Challenge]:
        """Returns the open challenges of a user, or in a channel, the newest first."""
        async with self._store.read() as reader:
            return await reader.challenges.list_open(challenger=challenger, channel=channel)

    async def drop_channel(self, channel: ChannelId) -> None:
        """Withdraws the open challenges of a channel that was deleted."""
        for challenge in await self.list_open(channel=channel):
            await self.withdraw(challenge.id)

    @undone_by("challenge")
    async def drop_cards(self, channel: ChannelId, messages: Collection[MessageId]) -> None:
        """Withdraws the open challenges whose cards were deleted: nobody can accept them any more."""
        async with self._store.read() as reader:
            cardless = await reader.challenges.of_cards(channel, messages)
        for challenge in cardless:
            await self.withdraw(challenge)

    async def change(
        self,
        challenge: ChallengeId,
        user: UserId,
        terms: Terms,
        at: Millis,
        *,
        changes: int,
        key: IdempotencyKey | None = None,
    ) -> Challenge:
        """Offers other terms for `user`, if the present ones have changed exactly `changes` times.

        Other terms for another user's open challenge make a challenge of their own, which is returned. One `key`
        makes one.
        """

        async def attempt() -> Challenge:
            async with self._store.write() as tx:
                await tx.challenges.lock()
                if (made := await tx.challenges.by_key(key)) is not None:
                    return made
                stored = await _load(tx, challenge)
                await _check_own_terms(tx, stored)
                if user != stored.challenger:
                    await check_may_meet(tx, stored.guild, user, [stored.challenger], at)
                if stored.opponent is None and user != stored.challenger:
                    answer = challenges.counter(stored, user, terms, at, changes=changes, key=key)
                    answer = await _placed(tx, answer, (user, answer.opponent))
                    await self._capacity.check_challenge(tx, answer)
                    return await tx.challenges.add(answer)
                changed = challenges.change(stored, user, terms, at, changes=changes)
                await tx.challenges.save(changed)
            return changed

        changed = await retry_on_conflict(attempt)
        self._publish(changed)
        return changed

    async def expire(self) -> int:
        """Expires overdue challenges, `MAX_EXPIRED` at most; returns the count."""
        async with self._store.read() as reader:
            now = await reader.clock.now()
            expired = await reader.challenges.expired(now, MAX_EXPIRED)
        for challenge in expired:
            await self._update(challenge, lambda stored: challenges.expire(stored, now))
        return len(expired)

    async def rematch(self, match: MatchId, user: UserId, at: Millis, key: IdempotencyKey | None = None) -> Challenge:
        """Offers another match on the same terms and in the same place, in which the player who moved last begins.

        After a match of more than two players anyone may join, but in its thread only they. An offer that never got its
        card is returned again, even an opponent's; so is that of the same `key`, and one whose match goes on already.

        Raises Refused (`no_rematch`, `vote_rematch`, `match_goes_on`; `rematch_offered`: of two offers at once the
        store takes one).
        """
        async with self._store.read() as reader:
            played = await load_match(reader, match)
            challenge = await reader.challenges.of_match(match)
            begun = await reader.challenges.running_rematch_of(match)
        if played.away is not None:
            raise Refused(Reason.NO_REMATCH)
        if has_side(played):
            raise Refused(Reason.VOTE_REMATCH)
        seat = played.seat_of(user)
        if not played.outcome:
            raise Refused(Reason.MATCH_GOES_ON)
        if begun is not None:
            return begun
        played_on = Terms(played.game, played.clock.control, agreement=played.agreement, rule_set=played.rule_set)
        terms = challenge.terms if challenge else played_on
        two = played.game.seats == 2
        terms = replace(
            terms,
            game=offered_again(terms.game),
            order=(Order.LAST if seat == 0 else Order.FIRST) if two else Order.DRAWN,
        )
        opponent = played.players[1 - seat] if two else None
        offered = Challenge(
            ChallengeId(0), played.guild, played.channel, user, opponent, terms, at, rematch_of=match, key=key
        )
        try:
            return await self._add(offered, played.players)
        except RematchOffered as already:
            async with self._store.read() as reader:
                known = await reader.challenges.rematch_of(match)
            if known is None or known.message is not None or at - known.made < STRANDED_MILLIS:
                raise Refused(Reason.REMATCH_OFFERED) from already
            return known

    async def rematch_or_awaiting(
        self, match: MatchId, user: UserId, at: Millis, key: IdempotencyKey
    ) -> Challenge | None:
        """Offers a rematch as `rematch` does, unless the opponent has: then returns the one that awaits the user's
        answer. Returns None where the user has offered one on another page. Raises Refused."""
        try:
            return await self.rematch(match, user, at, key)
        except Refused as refused:
            async with self._store.read() as reader:
                offered = await reader.challenges.rematch_of(match)
            if refused.key != Reason.REMATCH_OFFERED or offered is None:
                raise
            return offered if offered.awaits(user) else None

    async def load_rematch(self, match: MatchId, challenge: ChallengeId) -> Challenge:
        """Returns the offer of a match's rematch. Raises Refused (`no_challenge`)."""
        offered = await self.load(challenge)
        if offered.rematch_of != match:
            raise Refused(Reason.NO_CHALLENGE)
        return offered

    async def _add(self, challenge: Challenge, players: Collection[UserId | None]) -> Challenge:
        """Adds a challenge, in the place of a game of these `players`."""
        async with self._store.write() as tx:
            await tx.challenges.lock()
            if (made := await tx.challenges.by_key(challenge.key)) is not None:
                return made
            challenge = await _placed(tx, challenge, players)
            others = [] if challenge.opponent is None else [challenge.opponent]
            await check_may_meet(tx, challenge.guild, challenge.challenger, others, challenge.made)
            await self._capacity.check_challenge(tx, challenge)
            if challenge.terms.pool is not None:
                await check_rated_match_limits(tx.careers, challenge.challenger, challenge.made)
            added = await tx.challenges.add(challenge)
        self._events.guild_changed(added.guild)
        return added

    async def _update(self, challenge: ChallengeId, decision: Callable[[Challenge], Challenge]) -> Challenge:
        async def attempt() -> Challenge:
            async with self._store.write() as tx:
                stored = await _load(tx, challenge)
                decided = decision(stored)
                if decided is not stored:
                    await tx.challenges.save(decided)
            return decided

        decided = await retry_on_conflict(attempt)
        self._publish(decided)
        return decided

    def _publish(self, challenge: Challenge) -> None:
        self._events.challenges_changed()
        self._events.guild_changed(challenge.guild)
        if challenge.rematch_of is not None:
            self._events.rematch_changed(challenge.rematch_of)


async def build_match(
    reader: Reader,
    challenge: Challenge,
    seed: int,
    at: Millis,
    thread: ChannelId | None,
    away: AwayPlace | None = None,
) -> Match:
    """Builds the match of an accepted challenge, in `thread` if there is one, and in a second place if it is to be
    played `away` as well; stores nothing."""
    players = challenge.players(random.Random(seed))  # noqa: S311 - who begins is no secret
    agreement = challenge.terms.settled_agreement
    return Match.begin(
        MatchId(0),
        guild=challenge.guild,
        channel=thread or challenge.channel,
        parent=challenge.channel if thread else None,
        game=challenge.terms.game,
        seed=seed,
        players=players,
        control=challenge.terms.control,
        at=at,
        agreement=agreement,
        rule_set=challenge.terms.rule_set,
        away=away,
        schedules=tuple(
            [agreement.schedule(own.zone, own.night) for own in [await reader.people.get(player) for player in players]]
        ),
    )


async def _load(reader: Reader, challenge: ChallengeId) -> Challenge:
    stored = await reader.challenges.get(challenge)
    if stored is None:
        raise Refused(Reason.NO_CHALLENGE)
    return stored


async def _placed(reader: Reader, challenge: Challenge, players: Collection[UserId | None]) -> Challenge:
    """Returns a new challenge in the place of a game of these `players`."""
    place = await place_of_game(reader, challenge.channel, players, challenge.seats)
    return replace(challenge, channel=place)


async def _check_thread(reader: Reader, challenge: Challenge) -> None:
    """Raises Refused (`thread_taken`) for a card in the thread of another game."""
    players = challenge.challenger, *challenge.joined
    if await place_of_game(reader, challenge.channel, players, challenge.seats) != challenge.channel:
        raise Refused(Reason.THREAD_TAKEN)


async def _check_own_terms(reader: Reader, challenge: Challenge) -> None:
    """Raises Refused (`ladder_terms`) for a game of a ladder, which has its terms."""
    if await reader.ladders.of_challenge(challenge.id) is not None:
        raise Refused(Reason.LADDER_TERMS)


async def _withdraw_original(tx: Transaction, accepted: Challenge) -> None:
    """Withdraws the open challenge that an accepted counter-offer answers: its challenger has found an opponent."""
    original = accepted.counters and await tx.challenges.get(accepted.counters)
    if original and original.state is ChallengeState.OPEN:
        await tx.challenges.save(challenges.withdraw(original))
