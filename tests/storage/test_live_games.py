"""A player has one live game at a time: when it begins, their other live challenges give way, on every engine."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, IdempotencyKey, MessageId, UserId
from play.match.match import Match
from play.refusal import Refused
from rules.registry import make_game
from storage import Database
from tests.clock import NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD, a_match
from tests.storage.test_challenges import crowd
from use_cases import UseCases
from use_cases.competitions.called_match import add_called

COMPUTER = UserId(999)
LIVE, DAYS = (Terms(GAME, parse_control(control)) for control in ("3m+2s", "3d"))
FOR_THREE = Terms(make_game("three", {"size": "9x9"}), parse_control("3m+2s"))
RUNS = 6


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 0)


async def offer(
    use_cases: UseCases, channel: int, user: UserId = ANNA, opponent: UserId | None = None, terms: Terms = LIVE
) -> Challenge:
    return await use_cases.challenges.challenge(user, opponent, GUILD, ChannelId(channel), terms, NOON)


async def accept(use_cases: UseCases, challenge: Challenge, user: UserId = BORIS) -> Match | None:
    """Accepts a challenge, in a place of its own."""
    thread = ChannelId(1000 * challenge.id + user)
    return (await use_cases.challenges.accept(challenge.id, user, NOON, thread=thread))[1]


async def state(use_cases: UseCases, challenge: Challenge) -> ChallengeState:
    return (await use_cases.challenges.load(challenge.id)).state


async def test_the_other_live_challenges_of_both_go_when_a_live_game_begins(use_cases: UseCases) -> None:
    taken, other = await offer(use_cases, 1), await offer(use_cases, 2)
    asked_by_the_other = await offer(use_cases, 3, BORIS, CLARA)
    await accept(use_cases, taken)
    assert await state(use_cases, taken) is ChallengeState.ACCEPTED
    assert await state(use_cases, other) is ChallengeState.OVERTAKEN
    assert await state(use_cases, asked_by_the_other) is ChallengeState.OVERTAKEN
    with pytest.raises(Refused, match="challenge_overtaken"):
        await accept(use_cases, other, CLARA)


async def test_the_cards_of_those_that_go_are_drawn_anew(store: Database, use_cases: UseCases) -> None:
    taken, other = await offer(use_cases, 1), await offer(use_cases, 2)
    async with store.write() as tx:
        await tx.challenges.mark_card_posted(other.id, other.version, MessageId(9))
    await accept(use_cases, taken)
    async with store.read() as reader:
        assert [each.id for each in await reader.challenges.cards_to_update(9)] == [other.id]


async def test_a_challenge_over_days_stays_beside_a_live_game_and_live_ones_beside_a_game_over_days(
    use_cases: UseCases,
) -> None:
    live, days, other = [await offer(use_cases, number, terms=terms) for number, terms in enumerate((LIVE, DAYS, DAYS))]
    await accept(use_cases, other)
    assert await state(use_cases, live) is ChallengeState.OPEN
    await accept(use_cases, live)
    assert await state(use_cases, days) is ChallengeState.OPEN


async def test_a_challenge_that_waits_for_the_answer_of_a_player_stays(use_cases: UseCases) -> None:
    taken, asks = await offer(use_cases, 1), await offer(use_cases, 2, CLARA, ANNA)
    await accept(use_cases, taken)
    assert await state(use_cases, asks) is ChallengeState.OPEN


async def test_a_seat_that_a_player_has_joined_is_free_for_others(use_cases: UseCases) -> None:
    joined = await offer(use_cases, 1, CLARA, terms=FOR_THREE)
    await accept(use_cases, joined, ANNA)
    await accept(use_cases, await offer(use_cases, 2))
    freed = await use_cases.challenges.load(joined.id)
    assert (freed.state, freed.joined) == (ChallengeState.OPEN, ())


async def test_a_counter_offer_of_a_player_goes_as_their_own(use_cases: UseCases) -> None:
    asked = await offer(use_cases, 1, CLARA, ANNA)
    other = replace(LIVE, control=parse_control("5m+5s"))
    countered = await use_cases.challenges.change(asked.id, ANNA, other, NOON, changes=0)
    await accept(use_cases, await offer(use_cases, 2))
    assert await state(use_cases, countered) is ChallengeState.OVERTAKEN


async def test_a_challenge_that_is_made_during_a_live_game_waits_for_its_end(use_cases: UseCases) -> None:
    match = await accept(use_cases, await offer(use_cases, 1))
    later = await offer(use_cases, 2)
    with pytest.raises(Refused, match="in_live_game") as refused:
        await accept(use_cases, later, CLARA)
    assert refused.value.details == {"user": ANNA}
    assert match is not None
    await use_cases.matches.resign(match.id, ANNA, NOON, IdempotencyKey(1))
    assert await accept(use_cases, later, CLARA) is not None


async def test_who_is_in_a_live_game_may_begin_another_and_knows_it(use_cases: UseCases) -> None:
    await accept(use_cases, await offer(use_cases, 1))
    assert await accept(use_cases, await offer(use_cases, 2, CLARA), ANNA) is not None
    assert await accept(use_cases, await offer(use_cases, 3, BORIS), ANNA) is not None, "both are in that game"


async def test_the_computer_is_left_for_a_player_who_comes(use_cases: UseCases) -> None:
    open_to_all = await offer(use_cases, 1)
    await accept(use_cases, await offer(use_cases, 2, ANNA, COMPUTER, replace(LIVE, level=3)), COMPUTER)
    assert await state(use_cases, open_to_all) is ChallengeState.OPEN
    assert await accept(use_cases, open_to_all) is not None


async def test_a_live_game_of_a_tournament_overtakes_challenges(store: Database, use_cases: UseCases) -> None:
    open_to_all = await offer(use_cases, 1)
    called = Challenge(
        *(ChallengeId(0), GUILD, ChannelId(5), ANNA, BORIS, LIVE, NOON, ChallengeState.ACCEPTED, (BORIS,)),
        message=MessageId(5),
    )
    async with store.write() as tx:
        await add_called(tx, called, a_match(5, control="3m+2s"))
    assert await state(use_cases, open_to_all) is ChallengeState.OVERTAKEN


async def test_of_two_challenges_that_are_accepted_at_once_one_begins(url: str, clock: StoppedClock) -> None:
    came: Counter[str] = Counter()
    async with crowd(url, clock, 2) as (one, two):
        for run in range(RUNS):
            first, second = await offer(one, 2 * run), await offer(one, 2 * run + 1)
            answers = await asyncio.gather(
                accept(one, first, BORIS), accept(two, second, CLARA), return_exceptions=True
            )
            (refused,) = [each for each in answers if isinstance(each, Refused)]
            (match,) = [each for each in answers if isinstance(each, Match)]
            came[refused.key] += 1
            await one.matches.resign(match.id, ANNA, NOON, IdempotencyKey(run))
    assert came == {"challenge_overtaken": RUNS}
