"""Happenings: each event is made once, from any process and over any failure, and only where managers want it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.community.happening import EventId, Happening, HappeningKind, Phase, StoredHappening
from play.ids import ChannelId, GuildId, Millis
from play.people.settings import ServerSettings
from storage import Database
from tests.clock import DAY, HOUR, MINUTE, NOON, StoppedClock
from tests.matches import GUILD
from tests.open_channels import OPEN, StoredChannels
from use_cases.worker import RetryLater, Timing
from use_cases.workers.happening_sync import (
    HELD_MILLIS,
    LOOK_MILLIS,
    REFUSED_MILLIS,
    EventBegun,
    EventGone,
    EventRefused,
    HappeningSync,
)

CUP = Happening(HappeningKind.TOURNAMENT, 7, GUILD, ChannelId(5), "Кубок", Millis(NOON + DAY))


class Killed(BaseException):
    """The end of a process: nothing catches it."""


class Calendar:
    """A gateway in memory. `there` are the events that Discord shows, `asked` the requests."""

    def __init__(self) -> None:
        self.there: dict[EventId, Happening] = {}
        self.asked: list[str] = []
        self.fault: BaseException | None = None
        self.killed_after = ""
        self.begun = False

    async def find(self, happening: Happening) -> EventId | None:
        self._ask("find")
        return next((event for event, shown in self.there.items() if shown.mark == happening.mark), None)

    async def make(self, happening: Happening, now: Millis) -> EventId:
        self._ask("make")
        event = EventId(len(self.asked) + 100)
        self.there[event] = happening
        self._end("make")
        return event

    async def edit(self, event: EventId, happening: Happening, now: Millis) -> None:
        self._ask("edit")
        if event not in self.there:
            raise EventGone
        if self.begun:
            raise EventBegun
        self.there[event] = happening

    async def end(self, event: EventId, guild: GuildId) -> None:
        self._ask("end")
        self._drop(event)
        self.begun = False

    async def delete(self, event: EventId, guild: GuildId) -> None:
        self._ask("delete")
        self._drop(event)

    def _drop(self, event: EventId) -> None:
        if self.there.pop(event, None) is None:
            raise EventGone

    def _ask(self, request: str) -> None:
        self.asked.append(request)
        if self.fault is not None:
            raise self.fault

    def _end(self, request: str) -> None:
        if self.killed_after == request:
            self.killed_after = ""
            raise Killed


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
def sync(store: Database, calendar: Calendar) -> HappeningSync:
    return HappeningSync(store, calendar, OPEN, Timing())


async def choose(store: Database, *, events: bool) -> None:
    async with store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(GUILD), events=events))
        await tx.happenings.reconsider(GUILD, await tx.clock.now())


async def plan(store: Database, happening: Happening = CUP) -> None:
    async with store.write() as tx:
        await tx.happenings.plan(happening, await tx.clock.now())


async def load(store: Database) -> StoredHappening | None:
    async with store.read() as reader:
        return await reader.happenings.get(CUP.guild, CUP.kind, CUP.key)


async def run(sync: HappeningSync) -> None:
    """Runs all that is due, for as long as there is more to do."""
    for key in await sync.pending(50):
        while await sync.process(key):
            pass


async def test_nothing_is_asked_of_discord_where_managers_have_not_chosen_events(
    store: Database, sync: HappeningSync, calendar: Calendar
) -> None:
    await plan(store)
    await run(sync)
    assert await sync.pending(50) == []
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(GUILD))
    await plan(store, replace(CUP, name="Cup"))
    await run(sync)
    assert calendar.asked == []


async def test_an_event_is_made_once_and_edited_only_when_something_changes(
    store: Database, sync: HappeningSync, calendar: Calendar
) -> None:
    await choose(store, events=True)
    for _ in range(3):
        await plan(store)
        await run(sync)
    assert calendar.asked == ["make"]
    await plan(store, later := replace(CUP, begins=Millis(CUP.begins + HOUR)))
    await run(sync)
    assert calendar.asked == ["make", "edit"]
    assert [*calendar.there.values()] == [later]


async def test_an_event_that_was_made_before_a_kill_is_found_again(
    store: Database, sync: HappeningSync, calendar: Calendar, clock: StoppedClock
) -> None:
    await choose(store, events=True)
    await plan(store)
    calendar.killed_after = "make"
    with pytest.raises(Killed):
        await run(sync)
    assert await sync.pending(50) == []
    clock.advance(HELD_MILLIS)
    await run(sync)
    stored = await load(store)
    assert stored is not None
    assert [stored.event] == [*calendar.there]
    assert calendar.asked == ["make", "find", "edit"]


async def test_two_processes_make_one_event(store: Database, sync: HappeningSync, calendar: Calendar) -> None:
    await choose(store, events=True)
    await plan(store)
    other = HappeningSync(store, calendar, OPEN, Timing())
    (key,) = await sync.pending(50)
    assert await other.pending(50) == [key]
    assert [await sync.process(key), await other.process(key)] == [False, False]
    assert calendar.asked == ["make"]


async def test_an_attempt_that_woke_too_late_takes_its_event_back(
    store: Database, sync: HappeningSync, calendar: Calendar, clock: StoppedClock
) -> None:
    class Sleeper(Calendar):
        async def make(self, happening: Happening, now: Millis) -> EventId:
            clock.advance(HELD_MILLIS)
            await run(sync)  # another process, which makes an event meanwhile
            event = EventId(1)
            calendar.there[event] = happening
            return event

        async def delete(self, event: EventId, guild: GuildId) -> None:
            await calendar.delete(event, guild)

    await choose(store, events=True)
    await plan(store)
    await run(HappeningSync(store, Sleeper(), OPEN, Timing()))
    stored = await load(store)
    assert stored is not None
    assert [*calendar.there] == [stored.event] != [EventId(1)]


async def test_a_server_that_refuses_is_asked_again_hours_later(
    store: Database, sync: HappeningSync, calendar: Calendar, clock: StoppedClock
) -> None:
    await choose(store, events=True)
    calendar.fault = EventRefused("403")
    await plan(store)
    await run(sync)
    await plan(store)
    clock.advance(REFUSED_MILLIS - 1)
    await run(sync)
    assert calendar.asked == ["make"]
    calendar.fault = None
    clock.advance(1)
    await run(sync)
    assert calendar.asked == ["make", "find", "make"]


async def test_an_event_that_a_manager_has_deleted_stays_deleted(
    store: Database, sync: HappeningSync, calendar: Calendar
) -> None:
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    calendar.there.clear()
    for name in ("Cup", "Puchar"):
        await plan(store, replace(CUP, name=name))
        await run(sync)
    assert calendar.asked == ["make", "edit"]
    assert not calendar.there


async def test_events_go_when_managers_switch_them_off_and_come_back(
    store: Database, sync: HappeningSync, calendar: Calendar
) -> None:
    await plan(store)
    for events in (True, False, True):
        await choose(store, events=events)
        await run(sync)
        assert len(calendar.there) == events
    assert calendar.asked == ["make", "delete", "find", "make"]


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.CANCELLED])
async def test_what_ends_early_ends_its_event_and_stays_over(
    store: Database, sync: HappeningSync, calendar: Calendar, phase: Phase, clock: StoppedClock
) -> None:
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    for _ in range(2):
        await plan(store, replace(CUP, phase=phase))
        await run(sync)
    await plan(store)
    clock.advance(2 * DAY)
    await run(sync)
    assert calendar.asked == ["make", "end"]
    assert not calendar.there
    assert await load(store) is None


async def test_an_event_whose_time_is_over_is_let_go_without_a_request(
    store: Database, sync: HappeningSync, calendar: Calendar, clock: StoppedClock
) -> None:
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    clock.advance(2 * DAY)
    await run(sync)
    assert await load(store) is None
    assert calendar.asked == ["make"]


async def test_what_is_put_off_after_its_event_has_begun_gets_another_event(
    store: Database, sync: HappeningSync, calendar: Calendar
) -> None:
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    calendar.begun = True
    await plan(store, later := replace(CUP, begins=Millis(CUP.begins + DAY)))
    await run(sync)
    assert calendar.asked == ["make", "edit", "end", "find", "make"]
    assert [*calendar.there.values()] == [later]


async def test_what_begins_before_its_time_begins_now(
    store: Database, sync: HappeningSync, calendar: Calendar, clock: StoppedClock
) -> None:
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    for _ in range(2):
        await plan(store, replace(CUP, phase=Phase.LIVE))
        await run(sync)
        clock.advance(MINUTE)
    assert [each.begins for each in calendar.there.values()] == [NOON]
    assert calendar.asked == ["make", "edit"]


async def test_what_was_never_announced_leaves_no_trace_when_it_is_over(store: Database) -> None:
    await plan(store, replace(CUP, phase=Phase.OVER))
    assert await load(store) is None


async def test_no_event_tells_of_a_channel_that_not_all_members_see(
    store: Database, calendar: Calendar, clock: StoppedClock
) -> None:
    channels = StoredChannels({CUP.channel})
    sync = HappeningSync(store, calendar, channels, Timing())
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    assert calendar.asked == []
    channels.closed = frozenset()
    clock.advance(REFUSED_MILLIS)
    await run(sync)
    assert [*calendar.there.values()] == [CUP]


async def test_an_event_whose_channel_was_closed_goes_when_it_would_be_edited(
    store: Database, calendar: Calendar
) -> None:
    channels = StoredChannels()
    sync = HappeningSync(store, calendar, channels, Timing())
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    channels.closed = {CUP.channel}
    await plan(store, replace(CUP, name="Secret"))
    await run(sync)
    assert (calendar.there, calendar.asked) == ({}, ["make", "delete"])


async def test_an_event_whose_channel_is_closed_while_it_is_shown_goes_within_the_hour(
    store: Database, calendar: Calendar, clock: StoppedClock
) -> None:
    channels = StoredChannels()
    sync = HappeningSync(store, calendar, channels, Timing())
    await choose(store, events=True)
    await plan(store)
    await run(sync)
    clock.advance(LOOK_MILLIS)
    await run(sync)
    assert calendar.asked == ["make"]
    channels.closed = {CUP.channel}
    clock.advance(LOOK_MILLIS)
    await run(sync)
    assert (calendar.there, calendar.asked) == ({}, ["make", "delete"])
    channels.closed = frozenset()
    clock.advance(REFUSED_MILLIS)
    await run(sync)
    assert [*calendar.there.values()] == [CUP]


async def test_while_discord_does_not_say_who_sees_a_channel_its_event_waits(
    store: Database, calendar: Calendar
) -> None:
    channels = StoredChannels(away=True)
    sync = HappeningSync(store, calendar, channels, Timing())
    await choose(store, events=True)
    await plan(store)
    with pytest.raises(RetryLater):
        await run(sync)
    channels.away = False
    await run(sync)
    assert calendar.asked == ["find", "make"]
