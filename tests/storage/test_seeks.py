"""Searches in SQL, on each engine: who waits, who is called first, and how players have behaved."""

from __future__ import annotations

from dataclasses import replace

from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.community.conduct import Conduct
from play.community.seek import CALL_MILLIS, LIFETIME, Seek, SeekCall, SeekId, SeekState, meet
from play.community.seek import end as end_seek
from play.ids import HOUR, ChannelId, MessageId, Millis, UserId
from rules.registry import GAMES
from storage import Database
from tests.clock import StoppedClock
from tests.people import person

LIVE = Terms(GAMES["quick"], parse_control("10m+10s"))
DAYS = replace(LIVE, control=parse_control("3d"))
ANNA, BORIS, CLARA, DORA = (person(101 + place) for place in range(4))


async def add(store: Database, user: UserId, at: Millis, terms: Terms = LIVE) -> Seek:
    async with store.write() as tx:
        return await tx.seeks.add(Seek(SeekId(0), user, None, ChannelId(user), terms, at, at))


async def pair(store: Database, one: Seek, other: Seek, at: Millis, *, called: bool) -> None:
    async with store.write() as tx:
        met = [meet(one, other.id, at), meet(other, one.id, at)]
        for seek in met:
            await tx.seeks.save(seek)
            if called:
                call = SeekCall(MessageId(900 + seek.id), seek.channel, seek.id, seek.user, seek.guild)
                await tx.seeks.note_calls(seek, [call])
        if called:
            await tx.seeks.note_met(met, at)


async def test_those_who_wait_are_found_by_their_speed(store: Database, clock: StoppedClock) -> None:
    live, days = await add(store, ANNA, clock.time), await add(store, ANNA, clock.time, DAYS)
    async with store.read() as reader:
        found = [await reader.seeks.waiting(speed, clock.time, 9) for speed in (Speed.LIVE, Speed.DAYS)]
        assert found == [[live], [days]]
        assert [await reader.seeks.count_waiting(speed, clock.time) for speed in Speed] == [1, 1]


async def test_a_search_waits_until_its_time_is_over(store: Database, clock: StoppedClock) -> None:
    early = await add(store, ANNA, clock.time)
    late = await add(store, BORIS, Millis(clock.time + 1))
    end = Millis(clock.time + LIFETIME[Speed.LIVE])
    async with store.read() as reader:
        assert await reader.seeks.waiting(Speed.LIVE, Millis(clock.time + 1), 5) == [early, late]
        assert await reader.seeks.waiting(Speed.LIVE, clock.time, 5) == [early]
        assert await reader.seeks.expired(Millis(end - 1), 5) == []
        assert await reader.seeks.expired(end, 5) == [early]


async def test_of_those_whose_time_is_over_the_live_ones_come_sooner(store: Database, clock: StoppedClock) -> None:
    live, _ = await add(store, ANNA, clock.time), await add(store, ANNA, clock.time, DAYS)
    async with store.read() as reader:
        assert await reader.seeks.expired(Millis(clock.time + LIFETIME[Speed.LIVE]), 9) == [live]


async def test_those_who_have_time_to_answer_come_after_those_who_are_not_called(
    store: Database, clock: StoppedClock
) -> None:
    anna, boris, clara, dora = [await add(store, user, clock.time) for user in (ANNA, BORIS, CLARA, DORA)]
    await pair(store, anna, boris, clock.time, called=True)
    await pair(store, clara, dora, Millis(clock.time + 1), called=False)
    async with store.read() as reader:
        assert await reader.seeks.called(clock.time, 9) == [clara.id, anna.id]
        assert await reader.seeks.called(Millis(clock.time + CALL_MILLIS), 9) == [anna.id, clara.id]


async def test_a_missed_call_is_a_strike_of_the_week_and_of_the_month(store: Database, clock: StoppedClock) -> None:
    anna, boris = await add(store, ANNA, clock.time), await add(store, BORIS, clock.time)
    await pair(store, anna, boris, clock.time, called=True)
    async with store.write() as tx:
        stored = await tx.seeks.get(anna.id)
        assert stored is not None
        await tx.seeks.save(end_seek(stored, SeekState.MISSED))
    async with store.read() as reader:
        assert await reader.seeks.conduct([ANNA, BORIS], Millis(clock.time + HOUR)) == {
            ANNA: Conduct(0, 1, 1),
            BORIS: Conduct(),
        }
