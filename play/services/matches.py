"""The use cases: load, decide, save; then whoever listens is told, after the commit."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from play.challenge import challenge as challenges
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Order, Terms
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, Millis, SourceId, UserId
from play.match import moves
from play.match.match import Match
from play.ratings.fairness import fair
from play.refusal import Refused
from play.services.capacity import check_challenges, make_room
from play.services.clock_service import AT_ONCE, Timekeeping
from play.services.match_actions import Life
from play.services.match_writer import Table, match_at, undisturbed
from play.services.moderation import Moderating
from play.store.store import ChannelTaken, Entry, Reader, RematchOffered, Store, Transaction

STRANDED = Millis(60_000)
"""After so long nobody is still about to post a card: the process that meant to was cut off."""


class Tables(Life, Moderating, Timekeeping):
    """Everything that people, and the clock, can do. Raises Refused for what cannot be done.

    `seeds` draws what a match leaves to chance: whole numbers of 63 bits, which every store can hold.
    """

    def __init__(self, store: Store, seeds: Callable[[], int]) -> None:
        super().__init__(store)
        self.seeds = seeds
        self.card_listeners: list[Callable[[], None]] = []

    async def challenge(
        self,
        user: UserId,
        opponent: UserId | None,
        guild: GuildId | None,
        channel: ChannelId,
        terms: Terms,
        at: Millis,
        source: SourceId | None = None,
    ) -> Challenge:
        """`user` offers a match to `opponent`, or to anybody (None). One `source` makes one challenge."""
        if user == opponent:
            raise Refused("challenge_self")
        offered = Challenge(ChallengeId(0), guild, channel, user, opponent, terms, made=at, source=source)
        return await self._offer(offered)

    async def accept(
        self,
        challenge: ChallengeId,
        user: UserId,
        at: Millis,
        *,
        changes: int | None = None,
        thread: ChannelId | None = None,
    ) -> tuple[Challenge, Match | None]:
        """`user` agrees to a challenge, as it was after so many `changes` of its terms.

        When all seats are taken the match begins, in `thread` if one can be opened, else in the card's channel; until
        then there is none.
        """
        seed = self.seeds()

        async def attempt() -> tuple[Challenge, Match | None]:
            async with self._store.write() as transaction:
                stored = await _challenge(transaction, challenge)
                rating = None
                if stored.terms.pool is not None:
                    rating = (await transaction.ratings(stored.terms.pool, [user]))[user].value
                taken = challenges.taken(stored, user, at, changes=changes, rating=rating)
                if stored.terms.pool is not None and stored.terms.level is None:
                    await fair(transaction, user, at)
                match = None
                if taken.state is ChallengeState.ACCEPTED:
                    begun = await match_of(transaction, taken, seed, at, thread)
                    await make_room(transaction, taken, begun.players)
                    match = await transaction.add_match(begun)
                    taken = replace(taken, match=match.id)
                    await _withdraw_original(transaction, taken)
                await transaction.save_challenge(taken)
            return taken, match

        try:
            taken, match = await undisturbed(attempt)
        except ChannelTaken as busy:
            raise Refused("channel_busy") from busy
        self._card_changed()
        if match:
            self._tell(match)
        return taken, match

    async def leave(self, challenge: ChallengeId, user: UserId, at: Millis) -> Challenge:
        """`user`, who had joined, gives his seat back before the match begins."""
        return await self._reconsider(challenge, lambda stored: challenges.left(stored, user, at))

    async def decline(self, challenge: ChallengeId, user: UserId, at: Millis) -> Challenge:
        """`user` turns a challenge down, or takes his own back."""
        return await self._reconsider(challenge, lambda stored: challenges.declined(stored, user, at))

    async def change(
        self,
        challenge: ChallengeId,
        user: UserId,
        terms: Terms,
        at: Millis,
        *,
        changes: int,
        source: SourceId | None = None,
    ) -> Challenge:
        """`user` offers other terms, if those on the table are still the ones after so many `changes`.

        To an open challenge of somebody else that is a challenge of its own, which is returned in its place; one
        `source` makes one.
        """

        async def attempt() -> Challenge:
            async with self._store.write() as transaction:
                await transaction.lock_challenges()
                if (made := await transaction.challenge_by(source)) is not None:
                    return made
                stored = await _challenge(transaction, challenge)
                if stored.opponent is None and user != stored.challenger:
                    answer = challenges.answered(stored, user, terms, at, changes=changes, source=source)
                    await check_challenges(transaction, answer)
                    return await transaction.add_challenge(answer)
                changed = challenges.changed(stored, user, terms, at, changes=changes)
                await transaction.save_challenge(changed)
            return changed

        changed = await undisturbed(attempt)
        self._card_changed()
        return changed

    async def expire(self) -> int:
        """Ends the challenges that nobody took in time, a bounded number at once; says how many."""
        async with self._store.read() as reader:
            now = await reader.now()
            expired = await reader.expired_challenges(now, AT_ONCE)
        for challenge in expired:
            await self._reconsider(challenge, lambda stored: challenges.expired(stored, now))
        return len(expired)

    async def offer(self, challenge: ChallengeId) -> Challenge:
        """The challenge, as it stands."""
        async with self._store.read() as reader:
            return await _challenge(reader, challenge)

    async def _offer(self, challenge: Challenge) -> Challenge:
        async with self._store.write() as transaction:
            await transaction.lock_challenges()
            if (made := await transaction.challenge_by(challenge.source)) is not None:
                return made
            await check_challenges(transaction, challenge)
            if challenge.terms.pool is not None:
                await fair(transaction, challenge.challenger, challenge.made)
            return await transaction.add_challenge(challenge)

    async def _reconsider(self, challenge: ChallengeId, decision: Callable[[Challenge], Challenge]) -> Challenge:
        async def attempt() -> Challenge:
            async with self._store.write() as transaction:
                stored = await _challenge(transaction, challenge)
                decided = decision(stored)
                if decided is not stored:
                    await transaction.save_challenge(decided)
            return decided

        decided = await undisturbed(attempt)
        self._card_changed()
        return decided

    def _card_changed(self) -> None:
        for listener in self.card_listeners:
            listener()

    async def move(
        self,
        table: Table,
        user: UserId,
        text: str,
        at: Millis,
        source: SourceId,
        *,
        version: int | None = None,
        delivers: bool = False,
    ) -> Match:
        """`user` plays. With `version` (a button's), only if nothing has happened since.

        If the caller `delivers` the board itself, for which it has reserved the match, this raises Late for a click
        that may be too old to be answered.
        """
        return await self._decide(
            table,
            source,
            version,
            lambda match: moves.move(match, user, text, at, source),
            clicked=at if delivers else None,
        )

    async def resign(
        self, table: Table, user: UserId, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` gives up."""
        return await self._decide(table, source, version, lambda match: moves.resign(match, user, at, source))

    async def board(self, table: Table) -> Match:
        """The match of a table, as it stands."""
        async with self._store.read() as reader:
            return await match_at(reader, table)

    async def rematch(self, match: MatchId, user: UserId, at: Millis, source: SourceId | None = None) -> Challenge:
        """`user` offers whom he has just played another match on the same terms, in the same place, in which who was
        last to move begins. Where more than two played, anybody may join. An offer that nobody has seen is returned
        again, whoever made it; so is that of the same `source`.

        Raises Refused (`match_goes_on`, `rematch_offered`: of two that are offered at once the store takes one).
        """
        async with self._store.read() as reader:
            played = await match_at(reader, match)
            challenge = await reader.challenge_of(match)
        seat = played.seat_of(user)
        if not played.outcome:
            raise Refused("match_goes_on")
        terms = challenge.terms if challenge else Terms(played.game, played.clock.control, agreement=played.agreement)
        two = played.game.seats == 2
        terms = replace(terms, order=(Order.LAST if seat == 0 else Order.FIRST) if two else Order.DRAWN)
        opponent = played.players[1 - seat] if two else None
        offered = Challenge(
            ChallengeId(0), played.guild, played.channel, user, opponent, terms, at, rematch=match, source=source
        )
        try:
            return await self._offer(offered)
        except RematchOffered as already:
            async with self._store.read() as reader:
                stands = await reader.rematch_of(match)
            if stands is None or stands.message is not None or at - stands.made < STRANDED:
                raise Refused("rematch_offered") from already
            return stands

    async def games(self, user: UserId) -> list[Entry]:
        """The open matches of a person, the most urgent first."""
        async with self._store.read() as reader:
            return await reader.open_matches(user)


async def _challenge(reader: Reader, challenge: ChallengeId) -> Challenge:
    stored = await reader.challenge(challenge)
    if stored is None:
        raise Refused("no_challenge")
    return stored


async def match_of(reader: Reader, challenge: Challenge, seed: int, at: Millis, thread: ChannelId | None) -> Match:
    """The match that an accepted challenge becomes, stored nowhere yet; in `thread` if there is one."""
    players = challenge.players(random.Random(seed))  # noqa: S311 - who begins is no secret
    agreement = challenge.terms.agreement
    return Match.begun(
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
        calendars=tuple([agreement.calendar(await reader.person(player)) for player in players]),
    )


async def _withdraw_original(transaction: Transaction, accepted: Challenge) -> None:
    """Who plays on a counter-offer to his open challenge does not go on looking for somebody."""
    original = accepted.instead and await transaction.challenge(accepted.instead)
    if original and original.state is ChallengeState.OPEN:
        await transaction.save_challenge(challenges.withdrawn(original))
