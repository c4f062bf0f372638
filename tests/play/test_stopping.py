"""Background work ends on request and leaves nothing half done."""

from __future__ import annotations

import asyncio

from loopback import HANG_SECONDS
from play.ids import MatchId, MessageId
from play.match.events import Notice
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from play.match.outbox_entry import OutboxEntry
from storage import Database
from tests.clock import HOUR, StoppedClock
from tests.matches import a_match, add_match, play_turn, save_match
from use_cases import UseCases
from use_cases.workers.deadline_scheduler import DeadlineScheduler
from use_cases.workers.news_relay import CardRefresher
from use_cases.workers.outbox_relay import OutboxRelay


class Slow:
    """An announcer that posts when it is let."""

    def __init__(self) -> None:
        self.posting, self.may_post = asyncio.Event(), asyncio.Event()
        self.posted: list[int] = []
        self.failures = 0

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        self.posting.set()
        await self.may_post.wait()
        if self.failures:
            self.failures -= 1
            raise OSError("Discord is away")
        self.posted.append(match.version)
        return MessageId(match.version + 1)

    async def find_answer(self, match: Match) -> MessageId | None: ...

    async def notify(self, match: Match, notice: Notice) -> None:
        raise NotImplementedError


class Idle:
    async def redraw(self, challenge: object) -> None:
        raise NotImplementedError


async def untold(store: Database) -> list[MatchId]:
    async with store.read() as reader:
        return await reader.outbox.pending_matches()


async def ended(task: asyncio.Task[None]) -> None:
    async with asyncio.timeout(HANG_SECONDS):
        await task


async def test_a_relay_that_sleeps_stops_at_once(store: Database) -> None:
    relay = OutboxRelay(store, Slow())
    running = asyncio.create_task(relay.run())
    await asyncio.sleep(0)
    relay.stop()
    await ended(running)


async def test_a_relay_first_tells_what_was_woken(store: Database) -> None:
    announcer = Slow()
    relay = OutboxRelay(store, announcer)
    match = await save_match(store, play_turn(await add_match(store)))
    running = asyncio.create_task(relay.run())
    await announcer.posting.wait()
    relay.note_match(match)
    relay.stop()
    announcer.may_post.set()
    await ended(running)
    assert announcer.posted == [0, 1]
    assert await untold(store) == []


async def test_what_a_stopping_relay_cannot_post_waits_in_the_outbox(store: Database) -> None:
    announcer = Slow()
    announcer.failures = 1
    relay = OutboxRelay(store, announcer)
    match = await add_match(store)
    running = asyncio.create_task(relay.run())
    await announcer.posting.wait()
    relay.stop()
    announcer.may_post.set()
    await ended(running)
    assert announcer.posted == []
    assert await untold(store) == [match.id]


async def test_a_scheduler_stops_at_once(store: Database) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 0)
    scheduler = DeadlineScheduler(store, use_cases.clocks, use_cases.challenges)
    running = asyncio.create_task(scheduler.run())
    await asyncio.sleep(0)
    scheduler.stop()
    await ended(running)


async def test_how_late_a_flag_falls_is_told(store: Database, clock: StoppedClock) -> None:
    late: list[float] = []
    use_cases = UseCases.over(store, seeds=lambda: 0)
    scheduler = DeadlineScheduler(store, use_cases.clocks, use_cases.challenges, late.append)
    await scheduler.poll()
    await add_match(store, a_match(control="1h"))
    clock.advance(HOUR + FLAG_GRACE + 1 + 1500)
    await scheduler.poll()
    assert late == [1.5]


async def test_a_refresher_stops_at_once(store: Database) -> None:
    refresher = CardRefresher(store, Idle())
    running = asyncio.create_task(refresher.run())
    await asyncio.sleep(0)
    refresher.stop()
    await ended(running)
