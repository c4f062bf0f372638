"""Open challenges are bounded: of a person, from one person to another, to one person, and in a channel."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from play.challenge.challenge import MAX_CHANGES, Challenge
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, Millis, SourceId, UserId
from play.refusal import Refused
from play.services import capacity
from play.services.matches import Tables
from play.store import Store
from tests.clock import HOUR, NOON, StoppedClock
from tests.matches import ANNA, BORIS, GAME, GUILD, added, resigned, saved

TERMS = Terms(GAME, parse_control("3d"))
COMPUTER = UserId(999)
_numbers = count(1)


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store, seeds=lambda: 0)


async def offered(
    tables: Tables,
    user: UserId = ANNA,
    opponent: UserId | None = None,
    channel: int | None = None,
    at: Millis = NOON,
    terms: Terms = TERMS,
) -> Challenge:
    """A challenge, in a channel of its own unless one is named."""
    here = ChannelId(next(_numbers) if channel is None else channel)
    return await tables.challenge(user, opponent, GUILD, here, terms, at, SourceId(next(_numbers)))


async def refusal(offer: Callable[[], object]) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(Refused) as refused:
        await offer()  # type: ignore[misc]
    return refused.value.key, refused.value.details


async def test_a_person_has_so_many_open_challenges_and_no_more(tables: Tables) -> None:
    for _ in range(capacity.MAX_OPEN_OF_PERSON):
        await offered(tables)
    assert await refusal(lambda: offered(tables)) == ("too_many_challenges", {"count": capacity.MAX_OPEN_OF_PERSON})


async def test_who_withdraws_one_may_make_another(tables: Tables) -> None:
    challenges = [await offered(tables) for _ in range(capacity.MAX_OPEN_OF_PERSON)]
    await tables.decline(challenges[0].id, ANNA, NOON)
    await offered(tables)


async def test_other_peoples_challenges_do_not_count(tables: Tables) -> None:
    for _ in range(capacity.MAX_OPEN_OF_PERSON):
        await offered(tables)
    await offered(tables, BORIS)


async def test_one_person_is_not_asked_by_the_same_one_over_and_over(tables: Tables) -> None:
    for _ in range(capacity.MAX_TO_SAME_PERSON):
        await offered(tables, opponent=BORIS)
    key, details = await refusal(lambda: offered(tables, opponent=BORIS))
    assert (key, details) == ("too_many_to_one", {"count": capacity.MAX_TO_SAME_PERSON, "user": BORIS})


async def test_withdrawing_does_not_let_anybody_be_pinged_on_and_on(tables: Tables) -> None:
    for _ in range(capacity.MAX_TO_SAME_PERSON):
        challenge = await offered(tables, opponent=BORIS)
        await tables.decline(challenge.id, ANNA, NOON)
    assert (await refusal(lambda: offered(tables, opponent=BORIS)))[0] == "too_many_to_one"


async def test_an_hour_later_they_may_be_asked_again(tables: Tables) -> None:
    for _ in range(capacity.MAX_TO_SAME_PERSON):
        challenge = await offered(tables, opponent=BORIS)
        await tables.decline(challenge.id, BORIS, NOON)
    await offered(tables, opponent=BORIS, at=Millis(NOON + HOUR))


async def test_what_was_accepted_is_no_burden(tables: Tables) -> None:
    for _ in range(capacity.MAX_TO_SAME_PERSON + 2):
        challenge = await offered(tables, opponent=BORIS)
        await tables.accept(challenge.id, BORIS, NOON)


async def test_however_many_ask_a_person_they_are_pinged_so_often_and_no_more(tables: Tables) -> None:
    for number in range(capacity.MAX_TO_PERSON):
        await offered(tables, UserId(1000 + number), BORIS)
    key, details = await refusal(lambda: offered(tables, opponent=BORIS))
    assert (key, details) == ("person_asked_by_many", {"count": capacity.MAX_TO_PERSON, "user": BORIS})


async def test_the_computer_is_asked_as_often_as_people_like(tables: Tables) -> None:
    level = Terms(GAME, parse_control("3d"), level=3)
    for number in range(capacity.MAX_TO_PERSON + 1):
        await offered(tables, UserId(1000 + number), COMPUTER, terms=level)


async def test_a_channel_has_so_many_open_challenges_and_no_more(tables: Tables) -> None:
    for number in range(capacity.MAX_OPEN_IN_CHANNEL):
        await offered(tables, UserId(1000 + number), channel=0)
    key, details = await refusal(lambda: offered(tables, channel=0))
    assert (key, details) == ("channel_full", {"count": capacity.MAX_OPEN_IN_CHANNEL})
    await offered(tables)


async def test_a_rematch_counts_like_any_challenge(store: Store, tables: Tables) -> None:
    match = await saved(store, resigned(await added(store)))
    for _ in range(capacity.MAX_OPEN_OF_PERSON):
        await offered(tables)
    key, _ = await refusal(lambda: tables.rematch(match.id, ANNA, NOON, SourceId(next(_numbers))))
    assert key == "too_many_challenges"


async def test_an_answer_with_other_terms_to_an_open_challenge_counts_too(tables: Tables) -> None:
    original = await offered(tables, BORIS)
    for _ in range(capacity.MAX_OPEN_OF_PERSON):
        await offered(tables)
    other = Terms(GAME, parse_control("1d"))
    key, _ = await refusal(
        lambda: tables.change(original.id, ANNA, other, NOON, changes=0, source=SourceId(next(_numbers)))
    )
    assert key == "too_many_challenges"


async def test_terms_are_changed_so_often_and_no_more(tables: Tables) -> None:
    challenge = await offered(tables, opponent=BORIS)
    orders = [Order.FIRST, Order.LAST]
    for number in range(MAX_CHANGES):
        terms = Terms(GAME, parse_control("3d"), orders[number % 2])
        challenge = await tables.change(challenge.id, ANNA, terms, NOON, changes=number)
    terms = Terms(GAME, parse_control("3d"), orders[MAX_CHANGES % 2])
    key, details = await refusal(lambda: tables.change(challenge.id, ANNA, terms, NOON, changes=MAX_CHANGES))
    assert (key, details) == ("too_many_changes", {"count": MAX_CHANGES})


async def test_a_command_that_arrives_twice_makes_one_challenge(tables: Tables, clock: StoppedClock) -> None:
    made = [
        await tables.challenge(ANNA, BORIS, GUILD, ChannelId(1), TERMS, NOON, source=SourceId(77)) for _ in range(2)
    ]
    assert made[0] == made[1]


async def test_two_commands_make_two(tables: Tables) -> None:
    assert (await offered(tables)).id != (await offered(tables)).id


async def test_an_answer_that_arrives_twice_makes_one_challenge(tables: Tables) -> None:
    original = await offered(tables, BORIS)
    other = Terms(GAME, parse_control("1d"))
    made = [await tables.change(original.id, ANNA, other, NOON, changes=0, source=SourceId(78)) for _ in range(2)]
    assert made[0] == made[1] != original
    assert made[0].id != ChallengeId(0)


async def test_a_rematch_that_arrives_twice_is_one_and_no_refusal(store: Store, tables: Tables) -> None:
    match = await saved(store, resigned(await added(store)))
    made = [await tables.rematch(match.id, ANNA, NOON, source=SourceId(79)) for _ in range(2)]
    assert made[0] == made[1]
