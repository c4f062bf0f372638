"""Games that people of chats begin in a browser: the same use cases as in their chat, where cards and boards come.

What a page offers beside that, a challenge to a friend by name, belongs to servers with channels.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.features.challenges.commands import LOCKS, NEWCOMER_TERMS
from chat.challenges import post_challenge, take_challenge
from chat.parts import ChatParts
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Continuation, Order, Terms
from play.clock import Speed
from play.community.seek import Seek, SeekId, seek_terms
from play.ids import ChallengeId, ChannelId, IdempotencyKey, MatchId, Millis, UserId
from play.match.match import Match
from play.people.settings import NO_SERVER
from play.refusal import Reason, Refused
from presentation.offered_rules import server_terms, usual_terms
from rules.game import AnyGame, Seat
from use_cases.worker import RetryLater, Undeliverable, Unsendable
from web.absent import NoChallenging
from web.ports import TermsDraft

log = logging.getLogger(__name__)


@asynccontextmanager
async def reaching() -> AsyncIterator[None]:
    """Has what a platform refuses refused in a browser, too. Raises Refused (`chat_away`, `no_direct_messages`)."""
    try:
        yield
    except RetryLater as error:
        raise Refused(Reason.CHAT_AWAY) from error
    except (Undeliverable, Unsendable) as error:
        log.info("a game of a browser finds no place: %s", error)
        raise Refused(Reason.NO_DIRECT_MESSAGES) from error


class ChatBeginnings(NoChallenging):
    """An implementation of `web.site.Beginning` for the people of one platform: what they begin alone is in their
    direct place, whatever page they do it on."""

    def __init__(self, parts: ChatParts) -> None:
        self._parts = parts
        self._services = parts.services

    async def play_computer(
        self, user: UserId, here: ChannelId | None, level: int | None, at: Millis, key: IdempotencyKey
    ) -> MatchId:
        async with LOCKS.of(user):  # the second of two quick presses finds the game of the first
            if level is not None:
                terms = replace(await self._usual_terms(user), level=level, rated=False, window=None)
                return await self._against_computer(user, terms, at, key)
            for entry in await self._services.use_cases.matches.list_open(user):
                is_first = entry.game == NEWCOMER_TERMS.game and self._services.platform.own_id in entry.players
                if entry.guild is None and is_first and not entry.lost:
                    return entry.id
            return await self._against_computer(user, NEWCOMER_TERMS, at, key)

    async def play_on(
        self,
        user: UserId,
        here: ChannelId | None,
        game: AnyGame,
        level: int,
        seat: Seat,
        at: Millis,
        key: IdempotencyKey,
    ) -> MatchId:
        if game.seats > 2:
            raise Refused(Reason.PRESET_NEEDS_TWO)
        terms = (await self._usual_terms(user)).by_rules(game)
        order = Order.LAST if seat else Order.FIRST
        terms = replace(Continuation(game, order).put_into(terms), level=level)
        return await self._against_computer(user, terms, at, key)

    async def look(
        self, user: UserId, here: ChannelId | None, speed: Speed, at: Millis, *, flexible: bool, weekly: bool
    ) -> None:
        async with self._services.store.read() as reader:
            own = (await reader.people.get(user)).terms
        terms, place = seek_terms(own, server_terms(NO_SERVER), speed), await self._direct(user)
        await self._services.use_cases.seeks.look(user, None, place, terms, at, flexible=flexible, weekly=weekly)

    async def sit(self, user: UserId, here: ChannelId | None, seek: SeekId) -> None:
        await self._services.use_cases.open_seats.sit(seek, user, None, await self._direct(user))

    async def look_up_friend(self, user: UserId, code: str) -> Seek:
        self._services.limits.count_code(user, None)
        return await self._services.use_cases.friends.look_up(user, code)

    async def accept_friend(self, user: UserId, here: ChannelId | None, code: str) -> Seek:
        self._services.limits.count_code(user, None)
        return await self._services.use_cases.friends.accept(user, code, None, await self._direct(user))

    async def enter_arena(self, user: UserId, here: ChannelId | None, at: Millis) -> None:
        await self._services.use_cases.arenas.join(user, None, await self._direct(user), at)

    async def rematch(self, match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> MatchId | None:
        self._services.limits.count_card(match.channel)
        offered = await self._services.use_cases.challenges.rematch_or_awaiting(match.id, user, at, key)
        if offered is None:
            return None
        if offered.awaits(user):
            return await self.answer_rematch(match, user, offered.id, offered.changes, at, accepts=True)
        return (await self._post(offered, at)).match

    async def answer_rematch(
        self, match: Match, user: UserId, challenge: ChallengeId, changes: int, at: Millis, *, accepts: bool
    ) -> MatchId | None:
        offered = await self._services.use_cases.challenges.load_rematch(match.id, challenge)
        if accepts:
            return await self._take(offered, user, at, changes)
        await self.decline(user, challenge, at, sure=True)
        return None

    async def accept(self, user: UserId, challenge: ChallengeId, changes: int, at: Millis) -> MatchId | None:
        offered = await self._services.use_cases.challenges.load(challenge)
        async with reaching():
            if not await self._services.platform.is_member(user, offered.channel):
                raise Refused(Reason.NO_CHALLENGE)
        return await self._take(offered, user, at, changes)

    async def decline(self, user: UserId, challenge: ChallengeId, at: Millis, *, sure: bool) -> str | None:
        challenges, cards = self._services.use_cases.challenges, self._parts.cards
        offered = await challenges.load(challenge)
        if user not in (offered.challenger, offered.opponent):
            raise Refused(Reason.NO_CHALLENGE)
        declined = await challenges.decline(challenge, user, at)
        async with reaching():
            if declined.state is not ChallengeState.OPEN and declined.proposer != user:
                await cards.tell_declined(declined, await self._services.names.of(user, declined.guild))
            await cards.show_now(challenge)
        return None

    async def invite(self, user: UserId, here: ChannelId | None, code: str | None, beginning: Continuation) -> str:
        usual = (await self._usual_terms(user)).by_rules(beginning.game)
        place = await self._direct(user)
        return (await self._services.use_cases.friends.invite(user, None, place, beginning.put_into(usual))).code

    async def draft(
        self, user: UserId, code: str | None, field: str, values: Sequence[str], game: AnyGame | None = None
    ) -> TermsDraft:
        raise Refused(Reason.BEGIN_IN_CHAT)

    async def _take(self, offered: Challenge, user: UserId, at: Millis, changes: int) -> MatchId | None:
        if offered.match is not None and user in (offered.challenger, *offered.joined):
            return offered.match  # the browser has sent it twice
        async with reaching():
            try:
                await take_challenge(self._services, offered, user, at, changes)
            finally:
                await self._parts.cards.show_now(offered.id)
        return (await self._services.use_cases.challenges.load(offered.id)).match

    async def _against_computer(self, user: UserId, terms: Terms, at: Millis, key: IdempotencyKey) -> MatchId:
        """Begins a game against the computer. Raises Refused (`no_computer`, `computer_busy`)."""
        services = self._services
        services.coach.advisor(user)
        place = await self._direct(user)
        services.limits.count_card(place)
        challenge = services.use_cases.challenges.challenge
        offered = await challenge(user, services.platform.own_id, None, place, terms, at, key)
        begun = await self._post(offered, at)
        if begun.match is None:
            raise Refused(Reason.COMPUTER_BUSY)
        return begun.match

    async def _post(self, offered: Challenge, at: Millis) -> Challenge:
        """Posts a challenge, unless the browser has sent it twice; returns it as it is after that."""
        if offered.message is None:
            async with reaching():
                await post_challenge(self._parts.cards, self._services, offered, at)
        return await self._services.use_cases.challenges.load(offered.id)

    async def _direct(self, user: UserId) -> ChannelId:
        async with reaching():
            return await self._services.platform.direct(user)

    async def _usual_terms(self, user: UserId) -> Terms:
        async with self._services.store.read() as reader:
            return usual_terms(await reader.people.get(user))
