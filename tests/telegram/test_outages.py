"""Telegram out of reach for an hour: no clock of its players counts it, others go on, and all is posted after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from play.clock.schedule import Span
from play.ids import IdempotencyKey, Millis, Platform
from play.match.match import Match
from storage import Database
from tests.chat.conftest import open_world
from tests.chat.test_faults import begin_between
from tests.chat.world import World
from tests.clock import HOUR, MINUTE, SECOND, StoppedClock
from tests.matches import ANNA, BORIS, a_match, add_shown_match, load_match, pass_time
from tests.telegram.driver import TelegramDriver
from tests.telegram.stand_in import Refusal, Telegram
from use_cases.worker import RetryLater

FAULTS = {"html": {"down": True}, "cut": {"cuts": True}, "too many": {"slow_down": 60}}


@pytest.fixture
async def world(store: Database, clock: StoppedClock) -> AsyncIterator[World]:
    async with open_world("telegram", store, clock) as world:
        yield world


@pytest.fixture
def driver(world: World) -> TelegramDriver:
    assert isinstance(world.driver, TelegramDriver)
    return world.driver


@pytest.fixture
def telegram(driver: TelegramDriver) -> Telegram:
    return driver.telegram


async def go_on(world: World, driver: TelegramDriver, fault: dict[str, object], hours: int = 1) -> None:
    """Lets the reader run through so many hours of a fault, in pauses of a minute; then Telegram answers again."""
    telegram, rounds = driver.telegram, 60 * hours
    back = asyncio.Event()

    async def pause(_: float) -> None:
        nonlocal rounds
        await pass_time(world.store, world.clock, MINUTE)
        await world.use_cases.clocks.flag_overdue()
        rounds -= 1
        if not rounds:
            for name in fault:
                setattr(telegram, name, False)
            back.set()
        elif rounds < 0:
            await asyncio.sleep(30)

    for name, value in fault.items():
        setattr(telegram, name, value)
    driver.updates._sleep = pause
    reading = asyncio.create_task(driver.updates.run())
    await back.wait()
    async with asyncio.timeout(10):
        for _ in range(2):  # the second one is asked once what came by the first is noted
            telegram.asked.clear()
            await telegram.asked.wait()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


async def outages(world: World) -> list[tuple[Platform, Span]]:
    async with world.store.read() as reader:
        return await reader.platforms.outages(Millis(0))


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_no_clock_of_its_players_counts_an_hour_out_of_reach(
    world: World, driver: TelegramDriver, fault: dict[str, object]
) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "20x20, 10m, first")
    began = world.clock()
    await go_on(world, driver, fault)
    assert await outages(world) == [(Platform.TELEGRAM, Span(began, Millis(began + HOUR)))]
    assert (await world.match(ola)).outcome is None
    await world.say(ola, "C3")
    assert [move.text for move in (await world.match(ola)).moves] == ["C3"]
    left = (await world.match(ola)).clock.remaining[0]
    assert left >= 10 * MINUTE - 3 * SECOND


async def test_players_elsewhere_lose_on_time_as_always(world: World, driver: TelegramDriver) -> None:
    elsewhere = await add_shown_match(world.store, a_match(players=(ANNA, BORIS), control="10m"))
    await go_on(world, driver, {"down": True})
    assert (await load_match(world.store, elsewhere.id)).outcome is not None


async def test_an_outage_that_goes_on_stops_clocks_between_two_looks(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "20x20, 10m, first")
    await pass_time(world.store, world.clock, 9 * MINUTE)
    since = world.clock()
    await pass_time(world.store, world.clock, MINUTE - SECOND)
    await world.use_cases.outages.note(Platform.TELEGRAM, since)
    await pass_time(world.store, world.clock, 30 * MINUTE)
    await world.use_cases.clocks.flag_overdue()
    assert (await world.match(ola)).outcome is None


async def test_what_was_written_meanwhile_is_heard_at_its_time(
    world: World, driver: TelegramDriver, telegram: Telegram
) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "20x20, 10m, first")
    telegram.write(ola.native, driver.group, "C3")
    written = world.clock()
    await go_on(world, driver, {"down": True})
    match: Match = await world.match(ola)
    assert [move.text for move in match.moves] == ["C3"]
    assert match.events[-1].at <= written + SECOND


async def test_an_update_waits_while_the_database_is_away(
    world: World, driver: TelegramDriver, telegram: Telegram, monkeypatch: pytest.MonkeyPatch
) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    left, handle = 2, driver.updates.handle

    async def failing(update: dict[str, object]) -> None:
        nonlocal left
        if left:
            left -= 1
            raise RetryLater("the database does not answer")
        await handle(update)

    async def pause(_: float) -> None: ...

    monkeypatch.setattr(driver.updates, "handle", failing)
    driver.updates._sleep = pause
    await world.say(ola, "C3")
    assert len((await world.match(ola)).moves) == 1


async def test_a_board_waits_as_long_as_telegram_says(world: World, telegram: Telegram) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    match = await world.match(ola)
    await world.use_cases.matches.move(match.id, ola.user, "C3", world.clock(), IdempotencyKey(1))
    telegram.refusals.append(Refusal(429, "Too Many Requests: retry after 17", retry_after=17))
    (key,) = await world.relay.pending(50)
    with pytest.raises(RetryLater) as caught:
        await world.relay.process(key)
    assert caught.value.seconds == 17
    await world.settle()
    assert "C3" in world.board().text


async def test_the_other_platform_of_a_game_goes_on_through_the_hour(store: Database, clock: StoppedClock) -> None:
    async with open_world("memory", store, clock) as one, open_world("telegram", store, clock) as other:
        match = await begin_between(one, other)
        assert isinstance(other.driver, TelegramDriver)
        await go_on(other, other.driver, {"down": True})
        await one.use_cases.matches.move(match.id, match.players[0], "C3", one.clock(), IdempotencyKey(7))
        await one.settle()
        assert "C3" in one.board().text
        assert "C3" in other.board().text
