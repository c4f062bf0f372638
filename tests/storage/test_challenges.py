"""A challenge is stored, ends once, and keeps its id; its card is outdated until it is written anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import cycle

import pytest

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Order, Terms, Window
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, IdempotencyKey, MatchId, MessageId, Millis
from play.refusal import Refused
from storage import Database
from storage.errors import RematchOffered, Stale
from tests.clock import HOUR, NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD, a_match, add_match
from tests.storage.races import PROCESSES
from tests.storage.sql import execute
from use_cases import UseCases
from use_cases.limits import MAX_OPEN_OF_PLAYER

EXPIRES = NOON + 2 * HOUR


def offer() -> Challenge:
    terms = Terms(GAME, parse_control("10m+30s"))
    return Challenge(ChallengeId(0), GUILD, ChannelId(1), ANNA, BORIS, terms, made=NOON)


async def put(store: Database, challenge: Challenge) -> Challenge:
    async with store.write() as tx:
        return await tx.challenges.add(challenge)


async def found(store: Database, challenge: ChallengeId) -> Challenge | None:
    async with store.read() as reader:
        return await reader.challenges.get(challenge)


async def test_a_challenge_keeps_the_language_that_was_settled_first(store: Database) -> None:
    challenge = await put(store, offer())
    async with store.write() as tx:
        assert await tx.challenges.language(challenge.id) is None
        for language in ("pl", "uk"):
            await tx.challenges.settle_language(challenge.id, language)
        await tx.challenges.save(replace(challenge, version=challenge.version + 1))
    async with store.read() as reader:
        assert await reader.challenges.language(challenge.id) == "pl"


@pytest.mark.parametrize(
    "challenge",
    [
        offer(),
        replace(offer(), opponent=None),
        replace(offer(), guild=None),
        replace(
            offer(),
            countered_by=BORIS,
            original_terms=replace(offer().terms, order=Order.LAST, window=Window(1, 2)),
            changes=1,
        ),
        replace(offer(), joined=(CLARA, BORIS)),
    ],
    ids=["to one user", "to anyone", "in private", "on other terms", "half full"],
)
async def test_a_challenge_comes_back_as_it_was_made(store: Database, challenge: Challenge) -> None:
    stored = await put(store, challenge)
    assert await found(store, stored.id) == stored == replace(challenge, id=stored.id)


async def test_an_unknown_challenge_is_not_there(store: Database) -> None:
    assert await found(store, ChallengeId(1)) is None


@pytest.mark.parametrize("state", [ChallengeState.DECLINED, ChallengeState.WITHDRAWN])
async def test_a_challenge_comes_back_ended(store: Database, state: ChallengeState) -> None:
    ended = replace(await put(store, offer()), state=state, version=1)
    async with store.write() as tx:
        await tx.challenges.save(ended)
    assert await found(store, ended.id) == ended


async def test_an_accepted_challenge_knows_who_took_it_and_its_match(store: Database) -> None:
    challenge = await put(store, replace(offer(), opponent=None))
    match = await add_match(store)
    taken = replace(challenge, joined=(BORIS,), state=ChallengeState.ACCEPTED, match=match.id, version=1)
    async with store.write() as tx:
        await tx.challenges.save(taken)
    assert await found(store, taken.id) == taken


async def test_a_challenge_ends_once(store: Database) -> None:
    challenge = await put(store, offer())
    async with store.write() as tx:
        await tx.challenges.save(replace(challenge, state=ChallengeState.DECLINED, version=1))
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.challenges.save(replace(challenge, state=ChallengeState.WITHDRAWN, version=1))


async def test_a_counter_offer_knows_the_open_challenge_that_it_answers(store: Database) -> None:
    original = await put(store, replace(offer(), opponent=None))
    answer = await put(store, replace(offer(), counters=original.id))
    assert await found(store, answer.id) == answer


async def rematch_of(store: Database, match: MatchId) -> Challenge:
    return await put(store, replace(offer(), rematch_of=match))


async def test_a_rematch_and_the_match_before_it_know_each_other(store: Database) -> None:
    stored = await rematch_of(store, (await add_match(store)).id)
    assert await found(store, stored.id) == stored
    assert stored.rematch_of is not None
    async with store.read() as reader:
        assert await reader.challenges.rematch_of(stored.rematch_of) == stored


async def test_of_a_match_one_rematch_is_on_offer(store: Database) -> None:
    first, second = await add_match(store, a_match(1)), await add_match(store, a_match(2))
    await rematch_of(store, first.id)
    with pytest.raises(RematchOffered):
        await rematch_of(store, first.id)
    await rematch_of(store, second.id)


@pytest.mark.parametrize("state", [state for state in ChallengeState if state is not ChallengeState.OPEN])
async def test_when_a_rematch_was_decided_another_one_may_be_offered(store: Database, state: ChallengeState) -> None:
    match = await add_match(store)
    challenge = await rematch_of(store, match.id)
    async with store.write() as tx:
        await tx.challenges.save(replace(challenge, state=state, version=1))
        assert await tx.challenges.rematch_of(match.id) is None
    assert (await rematch_of(store, match.id)).id != challenge.id


async def test_of_two_rematches_that_are_offered_at_once_one_is_taken(url: str, clock: StoppedClock) -> None:
    processes = 1 if url.startswith("sqlite") else PROCESSES
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(Database.open(url, now=clock)) for _ in range(processes)]
        match = await add_match(stores[0])
        use_cases = [UseCases.over(stores[number % processes], seeds=lambda: 0) for number in range(6)]
        await use_cases[0].matches.resign(match.id, ANNA, NOON, IdempotencyKey(1))
        offered = (
            each.challenges.rematch(match.id, user, NOON)
            for each, user in zip(use_cases, cycle((ANNA, BORIS)), strict=False)
        )
        came = await asyncio.gather(*offered, return_exceptions=True)
    assert [each.key for each in came if isinstance(each, Refused)] == ["rematch_offered"] * 5
    assert sum(isinstance(each, Challenge) for each in came) == 1


async def outdated(store: Database) -> list[Challenge]:
    async with store.read() as reader:
        return await reader.challenges.cards_to_update(10)


async def shown(store: Database, challenge: Challenge) -> None:
    async with store.write() as tx:
        await tx.challenges.mark_card_posted(challenge.id, challenge.version, MessageId(9))


async def test_a_card_is_behind_from_a_change_until_it_shows_it(store: Database) -> None:
    challenge = await put(store, offer())
    assert await outdated(store) == []
    await shown(store, challenge)
    assert await outdated(store) == []
    ended = replace(challenge, state=ChallengeState.DECLINED, message=MessageId(9), version=1)
    async with store.write() as tx:
        await tx.challenges.save(ended)
    assert await outdated(store) == [ended]
    await shown(store, ended)
    assert await outdated(store) == []


async def test_a_card_that_shows_more_is_not_noted_as_showing_less(store: Database) -> None:
    challenge = await put(store, offer())
    ended = replace(challenge, state=ChallengeState.DECLINED, version=1)
    async with store.write() as tx:
        await tx.challenges.save(ended)
    await shown(store, ended)
    await shown(store, challenge)
    assert await outdated(store) == []


async def expired(store: Database, now: int, limit: int = 10) -> list[ChallengeId]:
    async with store.read() as reader:
        return await reader.challenges.expired(Millis(now), limit)


async def test_open_challenges_expire_the_oldest_first(store: Database) -> None:
    young = await put(store, replace(offer(), made=Millis(NOON + 1)))
    old = await put(store, offer())
    assert await expired(store, EXPIRES - 1) == []
    assert await expired(store, EXPIRES) == [old.id]
    assert await expired(store, EXPIRES + 1) == [old.id, young.id]
    assert await expired(store, EXPIRES + 1, limit=1) == [old.id]


async def test_what_has_ended_does_not_expire(store: Database) -> None:
    challenge = await put(store, offer())
    async with store.write() as tx:
        await tx.challenges.save(replace(challenge, state=ChallengeState.DECLINED, version=1))
    assert await expired(store, EXPIRES) == []


async def test_the_id_of_a_challenge_is_never_given_again(url: str) -> None:
    async with Database.open(url) as store:
        first = await put(store, offer())
    await execute(url, "DELETE FROM challenge")
    async with Database.open(url) as store:
        assert (await put(store, offer())).id > first.id


async def test_the_id_of_a_match_is_never_given_again(url: str) -> None:
    async with Database.open(url) as store:
        first = await add_match(store, a_match(1))
    await execute(url, "DELETE FROM outbox", "DELETE FROM seat", 'DELETE FROM "match"')
    async with Database.open(url) as store:
        assert (await add_match(store, a_match(1))).id > first.id


@asynccontextmanager
async def crowd(url: str, clock: StoppedClock, size: int) -> AsyncIterator[list[UseCases]]:
    """Services that act at once, in as many processes as the engine allows."""
    processes = 1 if url.startswith("sqlite") else PROCESSES
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(Database.open(url, now=clock)) for _ in range(processes)]
        yield [UseCases.over(stores[number % processes], seeds=lambda: 0) for number in range(size)]


async def test_a_user_is_involved_in_what_they_have_made_are_asked_to_take_or_have_joined(store: Database) -> None:
    made = await put(store, offer())
    asked = await put(store, replace(offer(), challenger=BORIS, opponent=ANNA))
    joined = await put(store, replace(offer(), challenger=BORIS, opponent=None, joined=(ANNA,)))
    await put(store, replace(offer(), challenger=BORIS, opponent=None))
    await put(store, replace(offer(), state=ChallengeState.WITHDRAWN))
    async with store.read() as reader:
        assert await reader.challenges.involving(ANNA, 20) == [joined, asked, made]
        assert await reader.challenges.involving(ANNA, 2) == [joined, asked]


def outcome(came: list[Challenge | BaseException]) -> tuple[set[ChallengeId], list[str]]:
    """Returns the challenges that were made, and the reasons against the others."""
    unforeseen = [each for each in came if not isinstance(each, Challenge | Refused)]
    assert not unforeseen
    return (
        {each.id for each in came if isinstance(each, Challenge)},
        [each.key for each in came if isinstance(each, Refused)],
    )


async def test_of_many_challenges_that_are_made_at_once_no_more_are_taken_than_are_allowed(
    url: str, clock: StoppedClock
) -> None:
    async with crowd(url, clock, 30) as use_cases:
        came = await asyncio.gather(
            *(
                each.challenges.challenge(
                    ANNA, None, GUILD, ChannelId(number), offer().terms, NOON, IdempotencyKey(number)
                )
                for number, each in enumerate(use_cases, 1)
            ),
            return_exceptions=True,
        )
    made, refused = outcome(came)
    assert len(made) == MAX_OPEN_OF_PLAYER
    assert refused == ["too_many_challenges"] * (30 - MAX_OPEN_OF_PLAYER)


async def test_a_command_that_is_delivered_to_two_processes_at_once_makes_one_challenge(
    url: str, clock: StoppedClock
) -> None:
    async with crowd(url, clock, 6) as use_cases:
        came = await asyncio.gather(
            *(
                each.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), offer().terms, NOON, IdempotencyKey(5))
                for each in use_cases
            ),
            return_exceptions=True,
        )
    made, refused = outcome(came)
    assert (len(made), refused) == (1, [])


async def test_a_rematch_that_is_delivered_to_two_processes_at_once_is_one(url: str, clock: StoppedClock) -> None:
    async with crowd(url, clock, 6) as use_cases:
        match = await add_match(use_cases[0].store)
        await use_cases[0].matches.resign(match.id, ANNA, NOON, IdempotencyKey(1))
        came = await asyncio.gather(
            *(each.challenges.rematch(match.id, ANNA, NOON, IdempotencyKey(5)) for each in use_cases),
            return_exceptions=True,
        )
    made, refused = outcome(came)
    assert (len(made), refused) == (1, [])


async def test_the_database_takes_a_delivery_once(store: Database) -> None:
    await put(store, replace(offer(), key=IdempotencyKey(5)))
    with pytest.raises((Stale, RematchOffered)):
        await put(store, replace(offer(), key=IdempotencyKey(5)))
