"""The scheduler flags what is due and sleeps exactly as long as it may; nothing here sleeps."""

from __future__ import annotations

import asyncio

import pytest

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, MessageId, Millis
from play.match.events import EventKind
from play.match.moves import FLAG_GRACE
from storage import Database
from tests.clock import DAY, HOUR, NOON, SECOND, StoppedClock
from tests.matches import (
    ANNA,
    BORIS,
    GAME,
    GUILD,
    a_match,
    add_shown_match,
    load_match,
    pass_time,
    play_turn,
    save_match,
)
from tests.play.naps import running
from tests.storage.sql import spoil
from use_cases import UseCases
from use_cases.clock_service import MAX_JUDGED
from use_cases.worker import Timing
from use_cases.workers.deadline_scheduler import MAX_SLEEP_SECONDS, DeadlineScheduler


@pytest.fixture
def scheduler(store: Database, use_cases: UseCases) -> DeadlineScheduler:
    return DeadlineScheduler(store, use_cases.clocks, use_cases.challenges)


@pytest.fixture
def flagged(use_cases: UseCases) -> asyncio.Event:
    """Is set when a flag falls."""
    fallen = asyncio.Event()
    use_cases.events.match_changed.subscribe(lambda _: fallen.set())
    return fallen


class Rounds:
    """Counts the polls of a scheduler, and can spoil the first of them."""

    def __init__(self, scheduler: DeadlineScheduler, monkeypatch: pytest.MonkeyPatch, *, spoilt: int = 0) -> None:
        self.count = 0
        self.spoilt = spoilt
        self.done = asyncio.Event()
        self._round = scheduler.poll
        monkeypatch.setattr(scheduler, "poll", self)

    async def __call__(self) -> None:
        self.count += 1
        try:
            if self.count <= self.spoilt:
                raise OSError
            await self._round()
        finally:
            self.done.set()


async def rested(scheduler: DeadlineScheduler) -> float:
    """The seconds for which it sleeps after a round."""
    await scheduler.poll()
    return scheduler.pause()


async def test_without_deadlines_it_sleeps_as_long_as_it_may(scheduler: DeadlineScheduler) -> None:
    assert await rested(scheduler) == MAX_SLEEP_SECONDS


async def test_it_sleeps_no_longer_than_it_may(store: Database, scheduler: DeadlineScheduler) -> None:
    await add_shown_match(store, a_match(control="3d"))
    assert await rested(scheduler) == MAX_SLEEP_SECONDS


async def test_it_sleeps_until_the_first_moment_at_which_the_flag_has_fallen(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    match = await add_shown_match(store, a_match(control="10s"))
    clock.advance(8_000)
    pause = await rested(scheduler)
    assert pause == (2_000 + FLAG_GRACE + 1) / 1000
    clock.advance(int(pause * 1000))
    await scheduler.poll()
    assert (await load_match(store, match.id)).outcome


async def test_a_flag_does_not_fall_before_that_moment(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    match = await add_shown_match(store, a_match(control="10s"))
    clock.advance(10_000 + FLAG_GRACE)
    assert await rested(scheduler) == 0.001
    assert (await load_match(store, match.id)).outcome is None


async def test_when_more_may_be_due_it_does_not_sleep(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    for channel in range(MAX_JUDGED):
        await add_shown_match(store, a_match(channel))
    clock.advance(2 * HOUR)
    assert [await rested(scheduler), await rested(scheduler)] == [0.0, MAX_SLEEP_SECONDS]


async def test_it_flags_what_is_due_at_the_start(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock, flagged: asyncio.Event
) -> None:
    await add_shown_match(store)
    clock.advance(2 * HOUR)
    async with running(scheduler):
        await flagged.wait()


async def test_it_looks_again_when_it_is_woken(
    store: Database,
    use_cases: UseCases,
    scheduler: DeadlineScheduler,
    clock: StoppedClock,
    flagged: asyncio.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = Rounds(scheduler, monkeypatch)
    match = await add_shown_match(store, a_match(control="10s", at=Millis(NOON - 8 * SECOND)))
    async with running(scheduler):
        await rounds.done.wait()
        await pass_time(store, clock, 13 * SECOND)
        scheduler.note_match(match)
        await flagged.wait()


async def test_it_looks_again_when_it_has_slept(
    store: Database,
    use_cases: UseCases,
    scheduler: DeadlineScheduler,
    clock: StoppedClock,
    flagged: asyncio.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timing = Timing(poll_seconds=0.0)
    scheduler = DeadlineScheduler(store, use_cases.clocks, use_cases.challenges, timing=timing)
    rounds = Rounds(scheduler, monkeypatch)
    await add_shown_match(store, a_match(control="10s"))
    async with running(scheduler):
        await rounds.done.wait()
        await pass_time(store, clock, 13 * SECOND)
        await flagged.wait()


async def test_a_failure_does_not_end_it(
    store: Database,
    scheduler: DeadlineScheduler,
    clock: StoppedClock,
    flagged: asyncio.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = Rounds(scheduler, monkeypatch, spoilt=1)
    match = await add_shown_match(store)
    clock.advance(2 * HOUR)
    async with running(scheduler):
        await rounds.done.wait()
        scheduler.note_match(match)
        await flagged.wait()
    assert rounds.count >= 2


async def test_one_wake_is_one_look(scheduler: DeadlineScheduler, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(scheduler, monkeypatch, spoilt=1000)
    async with running(scheduler):
        await rounds.done.wait()
        scheduler.note_match(a_match())
        for _ in range(100):
            await asyncio.sleep(0)
    assert rounds.count == 2


async def test_a_deadline_after_its_next_look_does_not_wake_it(
    store: Database, scheduler: DeadlineScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = Rounds(scheduler, monkeypatch)
    async with running(scheduler):
        await rounds.done.wait()
        rounds.done.clear()
        scheduler.note_match(a_match(control="1h"))
        scheduler.note_match(a_match(control="none"))
        scheduler.note_match(a_match(control="10s", at=Millis(NOON - 8 * SECOND)))
        await rounds.done.wait()
    assert rounds.count == 2


async def test_it_sleeps_after_a_failure(scheduler: DeadlineScheduler, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = Rounds(scheduler, monkeypatch, spoilt=1000)
    async with running(scheduler):
        for _ in range(100):
            await asyncio.sleep(0)
    assert rounds.count == 1


async def test_it_sleeps_until_somebody_is_to_be_reminded(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    await add_shown_match(store, a_match(control="10h"))
    clock.advance(8 * HOUR - 2 * SECOND)
    assert await rested(scheduler) == 2.0


async def test_it_reminds(store: Database, scheduler: DeadlineScheduler, clock: StoppedClock) -> None:
    match = await add_shown_match(store, a_match(control="10h"))
    clock.advance(8 * HOUR)
    await scheduler.poll()
    async with store.read() as reader:
        assert await reader.outbox.next_notice(match.id)


async def test_it_plays_for_a_player_who_is_late_in_a_blitz(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    match = await add_shown_match(store, a_match(control="5s random"))
    for text in ("A1", "E5"):
        match = await save_match(store, play_turn(match, text, at_once=True))
    clock.advance(5 * SECOND + FLAG_GRACE + 1)
    assert await rested(scheduler) == MAX_SLEEP_SECONDS
    assert (await load_match(store, match.id)).events[-1].kind is EventKind.RANDOM


async def test_chance_does_not_play_on_a_board_that_nobody_has_seen_yet(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    match = await add_shown_match(store, a_match(control="5s random"))
    for _ in range(3):
        await pass_time(store, clock, 5 * SECOND + FLAG_GRACE + 1)
        assert await rested(scheduler) == MAX_SLEEP_SECONDS
        assert (await load_match(store, match.id)).clock.deadline == clock() + 5 * SECOND
    async with store.write() as tx:
        entry = await tx.outbox.next_entry(match.id)
        assert entry
        await tx.outbox.mark_posted(entry, MessageId(1))
    await pass_time(store, clock, 5 * SECOND + FLAG_GRACE + 1)
    await scheduler.poll()
    assert (await load_match(store, match.id)).events[-1].kind is EventKind.RANDOM


async def test_before_it_judges_it_credits_the_time_that_the_bot_was_away(
    store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    match = await add_shown_match(store, a_match(control="1h"))
    await pass_time(store, clock, 0)
    clock.advance(DAY)
    await scheduler.poll()
    assert (await load_match(store, match.id)).clock.deadline == clock() + HOUR


async def test_a_match_that_cannot_be_ended_is_such_a_failure(
    url: str, store: Database, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    """Its deadline stays the next one, so to sleep until then would be not to sleep at all."""
    await spoil(url, store, await add_shown_match(store))
    clock.advance(2 * HOUR)
    with pytest.raises(ExceptionGroup):
        await scheduler.poll()


async def test_challenges_expire_after_the_clock_has_gone_back(
    store: Database, use_cases: UseCases, scheduler: DeadlineScheduler, clock: StoppedClock
) -> None:
    await scheduler.poll()
    clock.advance(-2 * HOUR)
    async with store.write() as tx:
        at = Millis(clock() - 2 * HOUR)
        terms = Terms(GAME, parse_control("10m+5s"))
        live = await tx.challenges.add(Challenge(ChallengeId(0), GUILD, ChannelId(1), ANNA, BORIS, terms, made=at))
    await scheduler.poll()
    assert (await use_cases.challenges.load(live.id)).state is ChallengeState.EXPIRED
