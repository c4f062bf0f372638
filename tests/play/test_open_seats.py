"""Open seats: who may take one, on which terms, and that exactly one does."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.challenge.terms import Terms, Window
from play.clock import parse_control
from play.community.seek import CALL_MILLIS, LIFETIME, Seek, SeekId, SeekState, answer
from play.ids import MINUTE, ChannelId, Millis, Platform, UserId, ids_at
from play.people.settings import Block
from play.refusal import Reason, Refused
from rules.registry import GAMES
from storage import Database
from tests.clock import StoppedClock
from tests.matches import ANNA, BORIS, CLARA
from tests.play.test_seeks import DAYS, LIVE, PLACES, Display, begin, display, look, matchmaker, reload, round_of
from use_cases import UseCases
from use_cases.workers.matchmaker import Matchmaker

__all__ = ["display", "matchmaker"]

SMALL = Terms(GAMES["paper"], parse_control("5m+5s"), rated=False)


async def sit(use_cases: UseCases, seat: Seek, user: UserId) -> Seek:
    return await use_cases.open_seats.sit(seat.id, user, *PLACES.get(user, (None, ChannelId(user))))


async def refusal(use_cases: UseCases, seat: Seek, user: UserId) -> Reason:
    with pytest.raises(Refused) as refused:
        await sit(use_cases, seat, user)
    return Reason(refused.value.key)


async def test_who_sits_down_accepts_the_terms_of_the_seat(use_cases: UseCases, clock: StoppedClock) -> None:
    seat = await look(use_cases, ANNA, clock.time, SMALL)
    seated = await sit(use_cases, seat, BORIS)
    assert seated.terms == SMALL
    assert (seated.partner, seated.state, seated.ready) == (seat.id, SeekState.CALLED, True)


async def test_a_live_game_waits_for_the_one_who_has_not_just_pressed(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock, display: Display
) -> None:
    seat = await look(use_cases, ANNA, clock.time, SMALL)
    seated = await sit(use_cases, seat, BORIS)
    await round_of(matchmaker)
    assert display.calls == [(ANNA, BORIS), (BORIS, ANNA)]
    assert [each.match for each in await reload(store, seat, seated)] == [None, None]
    await use_cases.seeks.answer(seat.id, ANNA, clock.time)
    await round_of(matchmaker)
    one, other = await reload(store, seat, seated)
    assert one.match == other.match
    assert one.match is not None
    assert (await use_cases.matches.load(one.match)).game == SMALL.game


async def test_whose_partner_does_not_come_looks_on_by_the_terms_of_the_seat(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    seat = await look(use_cases, ANNA, clock.time, SMALL)
    seated = await sit(use_cases, seat, BORIS)
    await round_of(matchmaker)
    clock.advance(CALL_MILLIS)
    await round_of(matchmaker)
    one, other = await reload(store, seat, seated)
    assert (one.state, other.state, other.terms) == (SeekState.MISSED, SeekState.WAITING, SMALL)


async def test_of_ten_who_press_thirty_times_in_a_second_exactly_one_sits(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    seat = await look(use_cases, ANNA, clock.time)
    people = [UserId(BORIS + 100 + number) for number in range(10)]

    async def press(user: UserId) -> UserId | str:
        try:
            return (await sit(use_cases, seat, user)).user
        except Refused as refused:
            return refused.key

    pressed = await asyncio.gather(*(press(user) for _ in range(3) for user in people))
    [seated] = {each for each in pressed if not isinstance(each, str)}
    assert {each for each in pressed if isinstance(each, str)} == {Reason.SEAT_TAKEN}
    async with store.read() as reader:
        found = [seek for user in people for seek in await reader.seeks.open_of(user)]
    assert [each.user for each in found] == [seated]


async def test_a_seat_is_free_until_its_player_is_called_leaves_or_its_time_is_over(
    use_cases: UseCases, clock: StoppedClock
) -> None:
    left, late = await look(use_cases, ANNA, clock.time), await look(use_cases, CLARA, clock.time)
    await use_cases.seeks.leave(left.id, ANNA)
    assert await refusal(use_cases, left, BORIS) is Reason.SEAT_TAKEN
    clock.advance(LIFETIME[late.speed])
    assert await refusal(use_cases, late, BORIS) is Reason.SEAT_TAKEN
    assert await use_cases.open_seats.everywhere() == []


async def test_nobody_sits_down_opposite_themselves(use_cases: UseCases, clock: StoppedClock) -> None:
    seat = await look(use_cases, ANNA, clock.time)
    assert await refusal(use_cases, seat, ANNA) is Reason.SEAT_OWN
    assert await use_cases.open_seats.for_user(ANNA, 9) == []


async def test_another_account_of_the_same_person_does_not_sit_down(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    seat, elsewhere = await look(use_cases, ANNA, clock.time), UserId(ids_at(Platform.TELEGRAM, clock.time)[7])
    async with store.write() as tx:
        await tx.own_accounts.join("one", [ANNA, elsewhere])
    assert await refusal(use_cases, seat, elsewhere) is Reason.SEAT_OWN
    assert await use_cases.open_seats.for_user(elsewhere, 9) == []


@pytest.mark.parametrize("block", [Block(ANNA, BORIS), Block(BORIS, ANNA)])
async def test_a_block_closes_a_seat_and_is_not_told(use_cases: UseCases, clock: StoppedClock, block: Block) -> None:
    seat = await look(use_cases, ANNA, clock.time)
    await use_cases.blocks.block(block.user, block.blocked, clock.time)
    assert await refusal(use_cases, seat, BORIS) is Reason.SEAT_CLOSED
    assert await use_cases.open_seats.for_user(BORIS, 9) == []
    assert len(await use_cases.open_seats.for_user(CLARA, 9)) == 1


async def test_a_seat_says_by_which_ratings_it_may_be_taken(use_cases: UseCases, clock: StoppedClock) -> None:
    seat = await look(use_cases, ANNA, clock.time, replace(LIVE, window=Window(1800, 2200)))
    assert await refusal(use_cases, seat, BORIS) is Reason.OUTSIDE_WINDOW
    assert await use_cases.open_seats.for_user(BORIS, 9) == []


async def test_two_who_have_met_lately_sit_down_with_others_first(
    use_cases: UseCases, matchmaker: Matchmaker, store: Database, clock: StoppedClock
) -> None:
    await begin(use_cases, matchmaker, store, clock)
    seat = await look(use_cases, ANNA, clock.time)
    assert await refusal(use_cases, seat, BORIS) is Reason.SEAT_AGAIN
    assert await use_cases.open_seats.for_user(BORIS, 9) == []


async def strike(store: Database, user: UserId, at: Millis, count: int) -> None:
    """Notes that a user was called to live games and not there."""
    for _ in range(count):
        async with store.write() as tx:
            seek = Seek(SeekId(0), user, None, ChannelId(9), LIVE, at, at)
            await tx.seeks.add(replace(seek, state=SeekState.MISSED, met=at))


async def test_who_has_left_strangers_leaves_a_seat_to_others_first(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    await strike(store, BORIS, clock.time, 2)
    seat = await look(use_cases, ANNA, clock.time)
    assert await refusal(use_cases, seat, BORIS) is Reason.SEAT_LATER
    clock.advance(Millis(2 * MINUTE))
    assert (await sit(use_cases, seat, BORIS)).partner == seat.id


async def test_who_is_out_neither_sits_down_nor_has_a_seat(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    seat, own = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    await strike(store, BORIS, clock.time, 6)
    assert await refusal(use_cases, seat, BORIS) is Reason.SEEK_OUT
    assert [each.seek.user for each in await use_cases.open_seats.everywhere()] == [ANNA]
    assert await refusal(use_cases, own, CLARA) is Reason.SEAT_CLOSED


async def test_sitting_down_ends_an_own_search_of_that_speed(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    seat, own = await look(use_cases, ANNA, clock.time), await look(use_cases, BORIS, clock.time)
    days = await look(use_cases, BORIS, clock.time, DAYS)
    await sit(use_cases, seat, BORIS)
    assert [each.state for each in await reload(store, own, days)] == [SeekState.LEFT, SeekState.WAITING]


async def test_a_game_a_week_is_not_lost_for_a_seat(use_cases: UseCases, clock: StoppedClock) -> None:
    seat = await look(use_cases, ANNA, clock.time, DAYS)
    await look(use_cases, BORIS, clock.time, DAYS, weekly=True)
    assert await refusal(use_cases, seat, BORIS) is Reason.SEAT_WEEKLY


async def test_who_is_being_called_does_not_sit_down_elsewhere(use_cases: UseCases, clock: StoppedClock) -> None:
    seat, other = await look(use_cases, ANNA, clock.time), await look(use_cases, CLARA, clock.time)
    first = await sit(use_cases, seat, BORIS)
    assert await refusal(use_cases, other, BORIS) is Reason.SEAT_CALLED
    assert await sit(use_cases, seat, BORIS) == first


async def test_the_nearest_seats_are_those_of_the_own_speed(use_cases: UseCases, clock: StoppedClock) -> None:
    days, live = await look(use_cases, ANNA, clock.time, DAYS), await look(use_cases, CLARA, clock.time)
    await look(use_cases, BORIS, clock.time, SMALL)
    assert [each.seek.id for each in await use_cases.open_seats.for_user(BORIS, 9)] == [live.id, days.id]
    assert [each.seek.id for each in await use_cases.open_seats.for_user(BORIS, 1)] == [live.id]


async def test_a_seat_that_is_taken_is_open_no_more(use_cases: UseCases, clock: StoppedClock) -> None:
    seat = await look(use_cases, ANNA, clock.time)
    seated = await sit(use_cases, seat, BORIS)
    assert await use_cases.open_seats.everywhere() == []
    assert answer(seated, BORIS, clock.time).ready
