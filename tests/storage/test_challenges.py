"""A challenge is stored, ends once, and keeps its id."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.challenge import Challenge, ChallengeState, Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId
from play.store import Stale, Store
from storage import Database
from tests.clock import NOON
from tests.matches import ANNA, BORIS, GAME, GUILD, a_match, added
from tests.storage.sql import execute


def offer() -> Challenge:
    terms = Terms(GAME, parse_control("10m+30s"))
    return Challenge(ChallengeId(0), GUILD, ChannelId(1), ANNA, BORIS, terms, made=NOON)


async def put(store: Store, challenge: Challenge) -> Challenge:
    async with store.write() as transaction:
        return await transaction.add_challenge(challenge)


async def found(store: Store, challenge: ChallengeId) -> Challenge | None:
    async with store.read() as reader:
        return await reader.challenge(challenge)


@pytest.mark.parametrize(
    "challenge",
    [offer(), replace(offer(), opponent=None), replace(offer(), guild=None)],
    ids=["to one person", "to anybody", "in private"],
)
async def test_a_challenge_comes_back_as_it_was_made(store: Store, challenge: Challenge) -> None:
    stored = await put(store, challenge)
    assert await found(store, stored.id) == stored == replace(challenge, id=stored.id)


async def test_a_challenge_that_nobody_made_is_not_there(store: Store) -> None:
    assert await found(store, ChallengeId(1)) is None


@pytest.mark.parametrize("state", [ChallengeState.DECLINED, ChallengeState.WITHDRAWN])
async def test_a_challenge_comes_back_ended(store: Store, state: ChallengeState) -> None:
    ended = replace(await put(store, offer()), state=state)
    async with store.write() as transaction:
        await transaction.save_challenge(ended)
    assert await found(store, ended.id) == ended


async def test_an_accepted_challenge_knows_who_took_it_and_its_match(store: Store) -> None:
    challenge = await put(store, replace(offer(), opponent=None))
    match = await added(store)
    taken = replace(challenge, opponent=BORIS, state=ChallengeState.ACCEPTED, match=match.id)
    async with store.write() as transaction:
        await transaction.save_challenge(taken)
    assert await found(store, taken.id) == taken


async def test_a_challenge_ends_once(store: Store) -> None:
    challenge = await put(store, offer())
    async with store.write() as transaction:
        await transaction.save_challenge(replace(challenge, state=ChallengeState.DECLINED))
    with pytest.raises(Stale):
        async with store.write() as transaction:
            await transaction.save_challenge(replace(challenge, state=ChallengeState.WITHDRAWN))


async def test_the_id_of_a_challenge_is_never_given_again(url: str) -> None:
    async with Database.open(url) as store:
        first = await put(store, offer())
    await execute(url, "DELETE FROM challenge")
    async with Database.open(url) as store:
        assert (await put(store, offer())).id > first.id


async def test_the_id_of_a_match_is_never_given_again(url: str) -> None:
    async with Database.open(url) as store:
        first = await added(store, a_match(1))
    await execute(url, "DELETE FROM outbox", "DELETE FROM seat", 'DELETE FROM "match"')
    async with Database.open(url) as store:
        assert (await added(store, a_match(1))).id > first.id
