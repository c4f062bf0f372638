"""The keeper flags what is due and sleeps exactly as long as it may; nothing here sleeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, Millis
from play.match.events import EventKind
from play.match.moves import GRACE
from play.services.clock_service import AT_ONCE
from play.services.matches import Tables
from play.store.store import Store
from play.workers import deadline_scheduler as keepers
from play.workers.deadline_scheduler import LONGEST_SLEEP, Keeper
from tests.clock import DAY, HOUR, NOON, SECOND, StoppedClock
from tests.matches import ANNA, BORIS, GAME, GUILD, a_match, added, at_work, loaded, moved, saved
from tests.storage.sql import spoil


@pytest.fixture
def tables(store: Store) -> Tables:
    return Tables(store, seeds=lambda: 4)


@pytest.fixture
def keeper(store: Store, tables: Tables) -> Keeper:
    return Keeper(store, tables)


@pytest.fixture
def flagged(tables: Tables) -> asyncio.Event:
    """Is set when a flag falls."""
    fallen = asyncio.Event()
    tables.listeners.append(lambda _: fallen.set())
    return fallen


class Rounds:
    """Counts the rounds of a keeper, and can spoil the first of them."""

    def __init__(self, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, *, spoilt: int = 0) -> None:
        self.count = 0
        self.spoilt = spoilt
        self.done = asyncio.Event()
        self._round = keeper.round
        monkeypatch.setattr(keeper, "round", self)

    async def __call__(self) -> None:
        self.count += 1
        try:
            if self.count <= self.spoilt:
                raise OSError
            await self._round()
        finally:
            self.done.set()


@asynccontextmanager
async def running(keeper: Keeper) -> AsyncIterator[None]:
    task = asyncio.create_task(keeper.run())
    try:
        async with asyncio.timeout(10):
            yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def rested(keeper: Keeper) -> float:
    """The seconds for which it sleeps after a round."""
    await keeper.round()
    return keeper.pause()


async def test_without_deadlines_it_sleeps_as_long_as_it_may(keeper: Keeper) -> None:
    assert await rested(keeper) == LONGEST_SLEEP


async def test_it_sleeps_no_longer_than_it_may(store: Store, keeper: Keeper) -> None:
    await added(store, a_match(control="3d"))
    assert await rested(keeper) == LONGEST_SLEEP


async def test_it_sleeps_until_the_first_moment_at_which_the_flag_has_fallen(
    store: Store, keeper: Keeper, clock: StoppedClock
) -> None:
    match = await added(store, a_match(control="10s"))
    clock.move(8_000)
    pause = await rested(keeper)
    assert pause == (2_000 + GRACE + 1) / 1000
    clock.move(int(pause * 1000))
    await keeper.round()
    assert (await loaded(store, match.id)).outcome


async def test_a_flag_does_not_fall_before_that_moment(store: Store, keeper: Keeper, clock: StoppedClock) -> None:
    match = await added(store, a_match(control="10s"))
    clock.move(10_000 + GRACE)
    assert await rested(keeper) == 0.001
    assert (await loaded(store, match.id)).outcome is None


async def test_when_more_may_be_due_it_does_not_sleep(store: Store, keeper: Keeper, clock: StoppedClock) -> None:
    for channel in range(AT_ONCE):
        await added(store, a_match(channel))
    clock.move(2 * HOUR)
    assert [await rested(keeper), await rested(keeper)] == [0.0, LONGEST_SLEEP]


async def test_it_flags_what_is_due_at_the_start(
    store: Store, keeper: Keeper, clock: StoppedClock, flagged: asyncio.Event
) -> None:
    await added(store)
    clock.move(2 * HOUR)
    async with running(keeper):
        await flagged.wait()


async def test_it_looks_again_when_it_is_woken(
    store: Store,
    tables: Tables,
    keeper: Keeper,
    clock: StoppedClock,
    flagged: asyncio.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = Rounds(keeper, monkeypatch)
    match = await added(store, a_match(control="10s", at=Millis(NOON - 8 * SECOND)))
    async with running(keeper):
        await rounds.done.wait()
        await at_work(store, clock, 13 * SECOND)
        keeper.wake(match)
        await flagged.wait()


async def test_it_looks_again_when_it_has_slept(
    store: Store,
    tables: Tables,
    keeper: Keeper,
    clock: StoppedClock,
    flagged: asyncio.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keepers, "LONGEST_SLEEP", 0.0)
    rounds = Rounds(keeper, monkeypatch)
    await added(store, a_match(control="10s"))
    async with running(keeper):
        await rounds.done.wait()
        await at_work(store, clock, 13 * SECOND)
        await flagged.wait()


async def test_a_failure_does_not_end_it(
    store: Store, keeper: Keeper, clock: StoppedClock, flagged: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = Rounds(keeper, monkeypatch, spoilt=1)
    match = await added(store)
    clock.move(2 * HOUR)
    async with running(keeper):
        await rounds.done.wait()
        keeper.wake(match)
        await flagged.wait()
    assert rounds.count >= 2


async def test_one_wake_is_one_look(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(keeper, monkeypatch, spoilt=1000)
    async with running(keeper):
        await rounds.done.wait()
        keeper.wake(a_match())
        for _ in range(100):
            await asyncio.sleep(0)
    assert rounds.count == 2


async def test_a_deadline_after_its_next_look_does_not_wake_it(
    store: Store, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = Rounds(keeper, monkeypatch)
    async with running(keeper):
        await rounds.done.wait()
        rounds.done.clear()
        keeper.wake(a_match(control="1h"))
        keeper.wake(a_match(control="none"))
        keeper.wake(a_match(control="10s", at=Millis(NOON - 8 * SECOND)))
        await rounds.done.wait()
    assert rounds.count == 2


async def test_it_sleeps_after_a_failure(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(keeper, monkeypatch, spoilt=1000)
    async with running(keeper):
        for _ in range(100):
            await asyncio.sleep(0)
    assert rounds.count == 1


async def test_it_sleeps_until_somebody_is_to_be_reminded(store: Store, keeper: Keeper, clock: StoppedClock) -> None:
    await added(store, a_match(control="10h"))
    clock.move(8 * HOUR - 2 * SECOND)
    assert await rested(keeper) == 2.0


async def test_it_reminds(store: Store, keeper: Keeper, clock: StoppedClock) -> None:
    match = await added(store, a_match(control="10h"))
    clock.move(8 * HOUR)
    await keeper.round()
    async with store.read() as reader:
        assert await reader.notice(match.id)


async def test_it_plays_for_whoever_is_late_in_a_blitz(store: Store, keeper: Keeper, clock: StoppedClock) -> None:
    match = await added(store, a_match(control="5s random"))
    for text in ("A1", "E5"):
        match = await saved(store, moved(match, text, at_once=True))
    clock.move(5 * SECOND + GRACE + 1)
    assert await rested(keeper) == LONGEST_SLEEP
    assert (await loaded(store, match.id)).events[-1].kind is EventKind.RANDOM


async def test_before_it_judges_it_credits_the_time_that_the_bot_was_away(
    store: Store, keeper: Keeper, clock: StoppedClock
) -> None:
    match = await added(store, a_match(control="1h"))
    await at_work(store, clock, 0)
    clock.move(DAY)
    await keeper.round()
    assert (await loaded(store, match.id)).clock.deadline == clock() + HOUR


async def test_a_match_that_cannot_be_ended_is_such_a_failure(
    url: str, store: Store, keeper: Keeper, clock: StoppedClock
) -> None:
    """Its deadline stays the next one, so to sleep until then would be not to sleep at all."""
    await spoil(url, store, await added(store))
    clock.move(2 * HOUR)
    with pytest.raises(ExceptionGroup):
        await keeper.round()


async def test_challenges_expire_after_the_clock_has_gone_back(
    store: Store, tables: Tables, keeper: Keeper, clock: StoppedClock
) -> None:
    await keeper.round()
    clock.move(-2 * HOUR)
    async with store.write() as transaction:
        at = Millis(clock() - 2 * HOUR)
        terms = Terms(GAME, parse_control("10m+5s"))
        live = await transaction.add_challenge(
            Challenge(ChallengeId(0), GUILD, ChannelId(1), ANNA, BORIS, terms, made=at)
        )
    await keeper.round()
    assert (await tables.offer(live.id)).state is ChallengeState.EXPIRED
