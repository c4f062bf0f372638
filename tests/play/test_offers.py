"""The life of a challenge: changes, counter-offers, seats, expiry, and its card."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, MessageId, Millis, UserId
from play.refusal import Refused
from rules.registry import GAMES
from storage import Database
from tests.clock import DAY, NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD
from use_cases import UseCases
from use_cases.worker import Backoff, Timing
from use_cases.workers.deadline_scheduler import DeadlineScheduler
from use_cases.workers.news_relay import CardRefresher

TERMS, OTHER = (Terms(GAME, parse_control(control)) for control in ("3d", "1d"))
FOR_THREE = Terms(GAMES["three"], parse_control("3d"), Order.FIRST)


async def offer(use_cases: UseCases, opponent: UserId | None = None, terms: Terms = TERMS) -> Challenge:
    return await use_cases.challenges.challenge(ANNA, opponent, GUILD, ChannelId(1), terms, NOON)


async def test_a_match_of_three_begins_when_all_seats_are_taken(use_cases: UseCases) -> None:
    challenge = await offer(use_cases, terms=FOR_THREE)
    half, none = await use_cases.challenges.accept(challenge.id, CLARA, NOON)
    assert (half.state, none) == (ChallengeState.OPEN, None)
    full, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    assert match is not None
    assert (full.state, full.match) == (ChallengeState.ACCEPTED, match.id)
    assert match.players == (ANNA, CLARA, BORIS)


async def test_of_many_who_join_at_once_as_many_play_as_there_are_seats(use_cases: UseCases) -> None:
    challenge = await offer(use_cases, terms=FOR_THREE)
    joining = (use_cases.challenges.accept(challenge.id, UserId(user), NOON) for user in range(200, 220))
    results = await asyncio.gather(*joining, return_exceptions=True)
    # After too many conflicts the player is asked to try again.
    assert 1 <= sum(not isinstance(result, BaseException) for result in results) <= 2
    assert {str(result.key) for result in results if isinstance(result, Refused)} <= {"challenge_accepted", "busy"}


async def test_a_seat_that_was_given_back_is_free(use_cases: UseCases) -> None:
    challenge = await offer(use_cases, terms=FOR_THREE)
    await use_cases.challenges.accept(challenge.id, CLARA, NOON)
    assert (await use_cases.challenges.leave(challenge.id, CLARA, NOON)).joined == ()
    assert (await use_cases.challenges.load(challenge.id)).free_seats == 2


async def test_a_counter_offer_is_accepted_by_the_challenger(use_cases: UseCases) -> None:
    challenge = await offer(use_cases, BORIS)
    await use_cases.challenges.change(challenge.id, BORIS, OTHER, NOON, changes=0)
    _, match = await use_cases.challenges.accept(challenge.id, ANNA, NOON, changes=1)
    assert match is not None
    assert match.clock.control == OTHER.control
    assert sorted(match.players) == [ANNA, BORIS]


async def test_nobody_accepts_terms_that_he_has_not_seen(use_cases: UseCases) -> None:
    challenge = await offer(use_cases, BORIS)
    await use_cases.challenges.change(challenge.id, ANNA, OTHER, NOON, changes=0)
    with pytest.raises(Refused, match="challenge_changed"):
        await use_cases.challenges.accept(challenge.id, BORIS, NOON, changes=0)


async def test_of_accepting_and_changing_at_once_exactly_one_happens(use_cases: UseCases) -> None:
    challenge = await offer(use_cases, BORIS)
    results = await asyncio.gather(
        use_cases.challenges.accept(challenge.id, BORIS, NOON, changes=0),
        use_cases.challenges.change(challenge.id, ANNA, OTHER, NOON, changes=0),
        return_exceptions=True,
    )
    assert sum(isinstance(result, Refused) for result in results) == 1


async def test_playing_by_a_counter_offer_takes_the_open_challenge_back(use_cases: UseCases) -> None:
    original = await offer(use_cases)
    counter = await use_cases.challenges.change(original.id, BORIS, OTHER, NOON, changes=0)
    assert (counter.challenger, counter.opponent, counter.counters) == (BORIS, ANNA, original.id)
    assert (await use_cases.challenges.load(original.id)).state is ChallengeState.OPEN
    await use_cases.challenges.accept(counter.id, ANNA, NOON)
    assert (await use_cases.challenges.load(original.id)).state is ChallengeState.WITHDRAWN


async def test_a_counter_offer_stays_open_when_the_open_challenge_was_taken_meanwhile(use_cases: UseCases) -> None:
    original = await offer(use_cases)
    counter = await use_cases.challenges.change(original.id, BORIS, OTHER, NOON, changes=0)
    await use_cases.challenges.accept(original.id, CLARA, NOON, thread=ChannelId(50))
    await use_cases.challenges.accept(counter.id, ANNA, NOON, thread=ChannelId(51))
    assert (await use_cases.challenges.load(original.id)).state is ChallengeState.ACCEPTED


async def test_the_keeper_ends_challenges_that_nobody_took(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    challenge, live = (
        await offer(use_cases),
        await offer(use_cases, terms=replace(TERMS, control=parse_control("5m+10s"))),
    )
    scheduler = DeadlineScheduler(store, use_cases.clocks, use_cases.challenges)
    clock.advance(DAY)
    await scheduler.poll()
    assert (await use_cases.challenges.load(live.id)).state is ChallengeState.EXPIRED
    assert (await use_cases.challenges.load(challenge.id)).state is ChallengeState.OPEN
    clock.advance(6 * DAY)
    await scheduler.poll()
    assert (await use_cases.challenges.load(challenge.id)).state is ChallengeState.EXPIRED


class Cards:
    """A stand-in for cards, some of which cannot be written."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self.written: list[tuple[int, ChallengeState]] = []
        self.torn: set[int] = set()

    async def redraw(self, challenge: Challenge) -> None:
        if challenge.id in self.torn:
            raise ZeroDivisionError
        self.written.append((challenge.id, challenge.state))
        async with self._store.write() as tx:
            await tx.challenges.mark_card_posted(challenge.id, challenge.version, MessageId(9))


async def post_card(store: Database, challenge: Challenge) -> None:
    async with store.write() as tx:
        await tx.challenges.mark_card_posted(challenge.id, challenge.version, MessageId(9))


async def test_the_clerk_writes_each_card_that_is_behind_once(store: Database, use_cases: UseCases) -> None:
    declined, waiting = await offer(use_cases, BORIS), await offer(use_cases)
    for challenge in (declined, waiting):
        await post_card(store, challenge)
    await use_cases.challenges.decline(declined.id, BORIS, Millis(NOON + 1))
    cards = Cards(store)
    refresher = CardRefresher(store, cards)
    await refresher.poll()
    await refresher.poll()
    assert cards.written == [(declined.id, ChallengeState.DECLINED)]


async def test_a_card_that_cannot_be_written_holds_up_no_other(store: Database, use_cases: UseCases) -> None:
    first, second = await offer(use_cases), await offer(use_cases)
    for challenge in (first, second):
        await post_card(store, challenge)
        await use_cases.challenges.decline(challenge.id, ANNA, NOON)
    cards = Cards(store)
    cards.torn.add(first.id)
    refresher = CardRefresher(store, cards, Timing(backoff=Backoff(min_seconds=0.0)))
    await refresher.poll()
    assert cards.written == [(second.id, ChallengeState.WITHDRAWN)]
    cards.torn.clear()
    await refresher.poll()
    assert cards.written[-1] == (first.id, ChallengeState.WITHDRAWN)


async def test_the_refresher_is_woken_by_what_becomes_of_a_challenge(store: Database, use_cases: UseCases) -> None:
    woken = []
    use_cases.events.challenges_changed.subscribe(lambda: woken.append(True))
    challenge = await offer(use_cases, BORIS)
    await use_cases.challenges.change(challenge.id, BORIS, OTHER, NOON, changes=0)
    await use_cases.challenges.decline(challenge.id, BORIS, NOON)
    assert len(woken) == 2
