"""Nobody takes the room of all the others."""

from __future__ import annotations

from play.challenge.challenge import Challenge
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, UserId
from play.refusal import Refused
from storage import Database
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD, a_match, add_match, resign, save_match
from use_cases.limits import Capacity

COMPUTER = UserId(999)
DEFAULT = Capacity()


def offer(opponent: UserId = BORIS, level: int | None = None) -> Challenge:
    terms = Terms(GAME, parse_control("1h"), level=level)
    return Challenge(ChallengeId(0), GUILD, ChannelId(1), ANNA, opponent, terms, made=NOON)


async def refusal(store: Database, challenge: Challenge, *players: UserId, capacity: Capacity = DEFAULT) -> str | None:
    async with store.read() as reader:
        try:
            await capacity.check_match(reader, challenge, players, ANNA)
        except Refused as refused:
            return refused.key
    return None


async def test_there_is_room_for_a_further_match(store: Database) -> None:
    await add_match(store)
    assert await refusal(store, offer(), ANNA, BORIS) is None


async def test_a_person_plays_so_many_matches_and_no_more(store: Database) -> None:
    capacity = Capacity(max_of_player=2)
    for channel in (1, 2):
        await add_match(store, a_match(channel, players=(ANNA, CLARA)))
    assert await refusal(store, offer(), ANNA, BORIS, capacity=capacity) == "too_many_matches"
    assert await refusal(store, offer(), BORIS, UserId(5), capacity=capacity) is None


async def test_a_person_who_plays_too_much_reads_like_one_who_has_blocked(store: Database) -> None:
    await add_match(store, a_match(1, players=(BORIS, CLARA)))
    assert await refusal(store, offer(), ANNA, BORIS, capacity=Capacity(max_of_player=1)) == "no_game_with"


async def test_a_match_that_is_over_makes_room(store: Database) -> None:
    capacity = Capacity(max_of_player=1)
    await save_match(store, resign(await add_match(store)))
    assert await refusal(store, offer(), ANNA, BORIS, capacity=capacity) is None


async def test_a_person_plays_fewer_against_the_computer(store: Database) -> None:
    capacity = Capacity(max_against_computer=1)
    await add_match(store, a_match(1, players=(ANNA, COMPUTER)))
    assert await refusal(store, offer(COMPUTER, level=3), ANNA, COMPUTER, capacity=capacity) == "too_many_computers"
    assert await refusal(store, offer(), ANNA, BORIS, capacity=capacity) is None


async def test_the_computer_itself_may_play_as_many_as_it_can(store: Database) -> None:
    capacity = Capacity(max_of_player=1)
    await add_match(store, a_match(1, players=(BORIS, COMPUTER)))
    assert await refusal(store, offer(COMPUTER, level=3), ANNA, COMPUTER, capacity=capacity) is None


async def test_a_server_has_room_for_so_many(store: Database) -> None:
    capacity = Capacity(max_of_server=1)
    await add_match(store, a_match(1, players=(BORIS, CLARA)))
    assert await refusal(store, offer(), ANNA, UserId(5), capacity=capacity) == "server_full"
