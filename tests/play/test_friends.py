"""Friends who share no server: one gives a code, the other plays by it, once."""

from __future__ import annotations

import asyncio

import pytest

from play.codes import MAX_TRIES
from play.community.conduct import Level
from play.community.seek import LIFETIME, SeekState
from play.ids import MINUTE, UserId
from play.people.settings import Block
from play.refusal import Reason, Refused
from storage import Database
from tests.clock import StoppedClock
from tests.matches import ANNA, BORIS, CLARA
from tests.play.test_seeks import DAYS, LIVE, PLACES, Display, display, look, matchmaker, reload, round_of
from use_cases import UseCases
from use_cases.friends import Invitation
from use_cases.workers.matchmaker import Matchmaker

__all__ = ["display", "matchmaker"]


async def invite(use_cases: UseCases, user: UserId = ANNA, terms: object = DAYS) -> Invitation:
    return await use_cases.friends.invite(user, *PLACES[user], terms)  # type: ignore[arg-type]


async def refusal(use_cases: UseCases, code: str, user: UserId = BORIS) -> Reason:
    with pytest.raises(Refused) as refused:
        await use_cases.friends.accept(user, code, *PLACES[user])
    return Reason(refused.value.key)


async def test_a_friend_who_has_the_code_plays_in_their_own_place(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, display: Display
) -> None:
    seek, code = await invite(use_cases)
    assert (await use_cases.friends.look_up(BORIS, code.lower())).id == seek.id
    taken = await use_cases.friends.accept(BORIS, code, *PLACES[BORIS])
    await round_of(matchmaker)
    assert display.calls == [(ANNA, BORIS), (BORIS, ANNA)]
    one, other = await reload(store, seek, taken)
    assert one.match is not None
    assert one.match == other.match
    match = await use_cases.matches.load(one.match)
    assert match.away is not None
    assert (match.guild, match.away.guild) == (PLACES[ANNA][0], PLACES[BORIS][0])


async def test_nobody_else_meets_who_waits_for_a_friend(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    seek, _ = await invite(use_cases)
    other = await look(use_cases, BORIS, clock.time, DAYS)
    await round_of(matchmaker)
    assert await use_cases.open_seats.for_user(CLARA, 9) != []
    assert [each.seek.id for each in await use_cases.open_seats.everywhere()] == [other.id]
    assert [each.state for each in await reload(store, seek, other)] == [SeekState.OFFERED, SeekState.WAITING]


async def test_a_code_is_used_once_though_two_give_it_at_once(use_cases: UseCases) -> None:
    _, code = await invite(use_cases)

    async def accept(user: UserId) -> str:
        try:
            await use_cases.friends.accept(user, code, *PLACES[user])
        except Refused as refused:
            return refused.key
        return "seated"

    found = await asyncio.gather(*(accept(user) for user in (BORIS, CLARA) for _ in range(5)))
    assert set(found) == {"seated", Reason.NO_FRIEND_CODE}
    assert found.count("seated") == 5


async def test_a_code_is_over_with_its_time_its_withdrawal_and_the_next_one(
    use_cases: UseCases, clock: StoppedClock
) -> None:
    first, second = await invite(use_cases), await invite(use_cases)
    assert await refusal(use_cases, first.code) is Reason.NO_FRIEND_CODE
    await use_cases.friends.withdraw(second.seek.id, ANNA)
    assert await refusal(use_cases, second.code) is Reason.NO_FRIEND_CODE
    third = await invite(use_cases)
    clock.advance(LIFETIME[third.seek.speed])
    assert await refusal(use_cases, third.code) is Reason.NO_FRIEND_CODE


async def test_wrong_letters_make_a_code_void(use_cases: UseCases) -> None:
    _, code = await invite(use_cases)
    wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
    for _ in range(MAX_TRIES):
        assert await refusal(use_cases, wrong) is Reason.NO_FRIEND_CODE
    assert await refusal(use_cases, code) is Reason.NO_FRIEND_CODE
    assert await refusal(use_cases, "no code") is Reason.NO_FRIEND_CODE


async def test_the_own_code_is_for_a_friend(use_cases: UseCases) -> None:
    _, code = await invite(use_cases)
    assert await refusal(use_cases, code, ANNA) is Reason.SEAT_OWN


async def test_a_block_holds_for_a_code_and_is_not_told(use_cases: UseCases, clock: StoppedClock) -> None:
    _, code = await invite(use_cases)
    block = Block(ANNA, BORIS)
    await use_cases.blocks.block(block.user, block.blocked, clock.time)
    assert await refusal(use_cases, code) is Reason.SEAT_CLOSED


async def test_a_friend_who_isn_t_there_can_be_called_again_and_has_no_strike(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    seek, code = await invite(use_cases, terms=LIVE)
    taken = await use_cases.friends.accept(BORIS, code, *PLACES[BORIS])
    await round_of(matchmaker)
    clock.advance(MINUTE)
    await round_of(matchmaker)
    assert [each.state for each in await reload(store, seek, taken)] == [SeekState.OFFERED, SeekState.EXPIRED]
    async with store.read() as reader:
        conduct = await reader.seeks.conduct([ANNA, BORIS], clock.time)
    assert [each.level for each in conduct.values()] == [Level.FINE, Level.FINE]
    again = await use_cases.friends.accept(BORIS, code, *PLACES[BORIS])
    assert again.partner == seek.id


async def test_a_search_for_strangers_goes_on_beside_a_friend_s_game(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    weekly = await look(use_cases, ANNA, clock.time, DAYS, weekly=True)
    _, code = await invite(use_cases)
    await use_cases.friends.accept(BORIS, code, *PLACES[BORIS])
    assert [each.state for each in await reload(store, weekly)] == [SeekState.WAITING]
