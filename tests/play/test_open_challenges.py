"""Open challenges are bounded: of a person, from one person to another, to one person, and in a channel."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from play.challenge.challenge import MAX_CHANGES, Challenge
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, IdempotencyKey, Millis, UserId
from play.refusal import Refused
from storage import Database
from tests.clock import HOUR, NOON, StoppedClock
from tests.matches import ANNA, BORIS, GAME, GUILD, add_match, resign, save_match
from use_cases import UseCases, limits

TERMS = Terms(GAME, parse_control("3d"))
COMPUTER = UserId(999)
_numbers = count(1)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 0)


async def offered(
    use_cases: UseCases,
    user: UserId = ANNA,
    opponent: UserId | None = None,
    channel: int | None = None,
    at: Millis = NOON,
    terms: Terms = TERMS,
) -> Challenge:
    """A challenge, in a channel of its own unless one is named."""
    here = ChannelId(next(_numbers) if channel is None else channel)
    return await use_cases.challenges.challenge(user, opponent, GUILD, here, terms, at, IdempotencyKey(next(_numbers)))


async def refusal(offer: Callable[[], object]) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(Refused) as refused:
        await offer()  # type: ignore[misc]
    return refused.value.key, refused.value.details


async def test_a_person_has_so_many_open_challenges_and_no_more(use_cases: UseCases) -> None:
    for _ in range(limits.MAX_OPEN_OF_PLAYER):
        await offered(use_cases)
    assert await refusal(lambda: offered(use_cases)) == ("too_many_challenges", {"count": limits.MAX_OPEN_OF_PLAYER})


async def test_who_withdraws_one_may_make_another(use_cases: UseCases) -> None:
    challenges = [await offered(use_cases) for _ in range(limits.MAX_OPEN_OF_PLAYER)]
    await use_cases.challenges.decline(challenges[0].id, ANNA, NOON)
    await offered(use_cases)


async def test_other_peoples_challenges_do_not_count(use_cases: UseCases) -> None:
    for _ in range(limits.MAX_OPEN_OF_PLAYER):
        await offered(use_cases)
    await offered(use_cases, BORIS)


async def test_one_person_is_not_asked_by_the_same_one_over_and_over(use_cases: UseCases) -> None:
    for _ in range(limits.MAX_TO_SAME_OPPONENT):
        await offered(use_cases, opponent=BORIS)
    key, details = await refusal(lambda: offered(use_cases, opponent=BORIS))
    assert (key, details) == ("too_many_to_one", {"count": limits.MAX_TO_SAME_OPPONENT, "user": BORIS})


async def test_withdrawing_does_not_let_anybody_be_pinged_on_and_on(use_cases: UseCases) -> None:
    for _ in range(limits.MAX_TO_SAME_OPPONENT):
        challenge = await offered(use_cases, opponent=BORIS)
        await use_cases.challenges.decline(challenge.id, ANNA, NOON)
    assert (await refusal(lambda: offered(use_cases, opponent=BORIS)))[0] == "too_many_to_one"


async def test_an_hour_later_they_may_be_asked_again(use_cases: UseCases) -> None:
    for _ in range(limits.MAX_TO_SAME_OPPONENT):
        challenge = await offered(use_cases, opponent=BORIS)
        await use_cases.challenges.decline(challenge.id, BORIS, NOON)
    await offered(use_cases, opponent=BORIS, at=Millis(NOON + HOUR))


async def test_what_was_accepted_is_no_burden(use_cases: UseCases) -> None:
    for _ in range(limits.MAX_TO_SAME_OPPONENT + 2):
        challenge = await offered(use_cases, opponent=BORIS)
        await use_cases.challenges.accept(challenge.id, BORIS, NOON)


async def test_however_many_ask_a_person_they_are_pinged_so_often_and_no_more(use_cases: UseCases) -> None:
    for number in range(limits.MAX_TO_OPPONENT):
        await offered(use_cases, UserId(1000 + number), BORIS)
    key, details = await refusal(lambda: offered(use_cases, opponent=BORIS))
    assert (key, details) == ("no_game_with", {"user": BORIS})


async def test_the_computer_is_asked_as_often_as_people_like(use_cases: UseCases) -> None:
    level = Terms(GAME, parse_control("3d"), level=3)
    for number in range(limits.MAX_TO_OPPONENT + 1):
        await offered(use_cases, UserId(1000 + number), COMPUTER, terms=level)


async def test_a_channel_has_so_many_open_challenges_and_no_more(use_cases: UseCases) -> None:
    for number in range(limits.MAX_OPEN_IN_CHANNEL):
        await offered(use_cases, UserId(1000 + number), channel=0)
    key, details = await refusal(lambda: offered(use_cases, channel=0))
    assert (key, details) == ("channel_full", {"count": limits.MAX_OPEN_IN_CHANNEL})
    await offered(use_cases)


async def test_a_rematch_counts_like_any_challenge(store: Database, use_cases: UseCases) -> None:
    match = await save_match(store, resign(await add_match(store)))
    for _ in range(limits.MAX_OPEN_OF_PLAYER):
        await offered(use_cases)
    key, _ = await refusal(lambda: use_cases.challenges.rematch(match.id, ANNA, NOON, IdempotencyKey(next(_numbers))))
    assert key == "too_many_challenges"


async def test_an_answer_with_other_terms_to_an_open_challenge_counts_too(use_cases: UseCases) -> None:
    original = await offered(use_cases, BORIS)
    for _ in range(limits.MAX_OPEN_OF_PLAYER):
        await offered(use_cases)
    other = Terms(GAME, parse_control("1d"))
    key, _ = await refusal(
        lambda: use_cases.challenges.change(
            original.id, ANNA, other, NOON, changes=0, key=IdempotencyKey(next(_numbers))
        )
    )
    assert key == "too_many_challenges"


async def test_terms_are_changed_so_often_and_no_more(use_cases: UseCases) -> None:
    challenge = await offered(use_cases, opponent=BORIS)
    orders = [Order.FIRST, Order.LAST]
    for number in range(MAX_CHANGES):
        terms = Terms(GAME, parse_control("3d"), orders[number % 2])
        challenge = await use_cases.challenges.change(challenge.id, ANNA, terms, NOON, changes=number)
    terms = Terms(GAME, parse_control("3d"), orders[MAX_CHANGES % 2])
    key, details = await refusal(
        lambda: use_cases.challenges.change(challenge.id, ANNA, terms, NOON, changes=MAX_CHANGES)
    )
    assert (key, details) == ("too_many_changes", {"count": MAX_CHANGES})


async def test_a_command_that_arrives_twice_makes_one_challenge(use_cases: UseCases, clock: StoppedClock) -> None:
    made = [
        await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), TERMS, NOON, key=IdempotencyKey(77))
        for _ in range(2)
    ]
    assert made[0] == made[1]


async def test_two_commands_make_two(use_cases: UseCases) -> None:
    assert (await offered(use_cases)).id != (await offered(use_cases)).id


async def test_an_answer_that_arrives_twice_makes_one_challenge(use_cases: UseCases) -> None:
    original = await offered(use_cases, BORIS)
    other = Terms(GAME, parse_control("1d"))
    made = [
        await use_cases.challenges.change(original.id, ANNA, other, NOON, changes=0, key=IdempotencyKey(78))
        for _ in range(2)
    ]
    assert made[0] == made[1] != original
    assert made[0].id != ChallengeId(0)


async def test_a_rematch_that_arrives_twice_is_one_and_no_refusal(store: Database, use_cases: UseCases) -> None:
    match = await save_match(store, resign(await add_match(store)))
    made = [await use_cases.challenges.rematch(match.id, ANNA, NOON, key=IdempotencyKey(79)) for _ in range(2)]
    assert made[0] == made[1]
