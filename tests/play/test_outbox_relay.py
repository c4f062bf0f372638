"""The relay tells each version once and in order, whatever channels and stores do; nothing here sleeps."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from play.clock.clock import ReminderStep
from play.ids import MatchId, MessageId, Millis
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.match.outbox_entry import REPLY_MILLIS, OutboxEntry
from storage import Database
from storage.unit_of_work import Reader
from tests.clock import HOUR, SECOND, StoppedClock
from tests.matches import ANNA, BORIS, a_match, add_match, load_match, pass_time, play_turn, resign, save_match
from tests.play.naps import Naps, running
from tests.same_database import SameDatabase
from use_cases.match_writer import ANSWERABLE_MILLIS
from use_cases.worker import MAX_PLAY_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS, Undeliverable
from use_cases.workers.outbox_relay import MAX_ENDED_AT_ONCE, OutboxRelay

Step = Exception | asyncio.Event


class Channels:
    """Posts boards. Before the board of a (match, version), each step of its script spoils or delays one try."""

    def __init__(self) -> None:
        self.script: dict[tuple[MatchId, int], list[Step]] = defaultdict(list)
        self.posted: list[tuple[MatchId, int, MessageId | None]] = []
        self.told_before: list[int] = []
        self.answered: set[int] = set()
        self.looked_for: list[tuple[MatchId, int]] = []
        self.refusals: list[Exception] = []
        self.noticed: list[Notice] = []
        self.began = asyncio.Event()

    async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
        self.began.set()
        steps = self.script[match.id, match.version]
        if steps:
            step = steps.pop(0)
            if isinstance(step, Exception):
                raise step
            await step.wait()
        if announcement.answer_until is not None:
            self.looked_for.append((match.id, match.version))
        self.posted.append((match.id, match.version, announcement.previous))
        if announcement.before is not None:
            self.told_before.append(announcement.before.version)
        return board(match)

    async def find_answer(self, match: Match) -> MessageId | None:
        return board(match) if match.version in self.answered else None

    async def notify(self, match: Match, notice: Notice) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.noticed.append(notice)


def board(match: Match) -> MessageId:
    return MessageId(match.id * 100 + match.version)


class Passing(Naps):
    """Sleeps in no time, by moving the clock; between two polls, for ever."""

    def __init__(self, clock: StoppedClock) -> None:
        super().__init__()
        self._clock = clock

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        self._clock.advance(int(seconds * 1000))


@pytest.fixture
def channels() -> Channels:
    return Channels()


@pytest.fixture
def relay(store: Database, channels: Channels, naps: Naps) -> OutboxRelay:
    return OutboxRelay(store, channels, naps.timing)


async def quiet(store: Database, *, but: tuple[Match, ...] = ()) -> None:
    """Until the outbox is empty, but for these."""
    while True:
        async with store.read() as reader:
            if await reader.outbox.pending_matches() == [match.id for match in but]:
                return


async def post_all(relay: OutboxRelay, store: Database) -> None:
    """Lets the relay post what waits."""
    async with running(relay):
        await quiet(store)


async def test_what_waits_at_the_start_is_told(store: Database, relay: OutboxRelay, channels: Channels) -> None:
    one, other = await add_match(store, a_match(1)), await add_match(store, a_match(2))
    await post_all(relay, store)
    assert sorted(channels.posted) == [(one.id, 0, None), (other.id, 0, None)]


async def test_boards_of_games_that_are_over_take_turns_and_no_other_board_waits_for_them(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    free, over = asyncio.Event(), list[Match]()
    for channel in range(MAX_ENDED_AT_ONCE + 3):
        over.append(await save_match(store, resign(await add_match(store, a_match(channel)))))
        channels.script[over[-1].id, 1] = [free]
        async with store.write() as tx:
            await tx.outbox.mark_posted(OutboxEntry(over[-1].id, 0, None), None)
    goes_on = await add_match(store, a_match(1000))
    async with running(relay):
        await quiet(store, but=tuple(over))
        assert channels.posted == [(goes_on.id, 0, None)]
        assert sum(not channels.script[match.id, 1] for match in over) == MAX_ENDED_AT_ONCE
        free.set()
        await quiet(store)


async def test_the_first_turn_begins_when_its_board_is_posted(
    store: Database, relay: OutboxRelay, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(control="5s random"))
    await load_match(store, match.id)  # it is in the cache
    await pass_time(store, clock, 3 * SECOND)
    async with running(relay):
        await quiet(store)
    begun = await load_match(store, match.id)
    assert (begun.started, begun.clock.deadline) == (clock(), clock() + 5 * SECOND)
    async with store.read() as reader:
        assert await reader.deadlines.next_deadline() == clock() + 5 * SECOND


async def test_a_first_turn_that_was_made_before_its_board_was_posted_keeps_its_time(
    store: Database, relay: OutboxRelay, clock: StoppedClock
) -> None:
    match = await save_match(store, play_turn(await add_match(store, a_match(control="5m+5s")), at_once=True))
    await pass_time(store, clock, 3 * SECOND)
    async with running(relay):
        await quiet(store)
    assert (await load_match(store, match.id)).clock == match.clock


async def test_versions_are_told_in_order_each_with_the_board_before_it(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    begun = await add_match(store)
    played = await save_match(store, play_turn(begun))
    await save_match(store, resign(played))
    await post_all(relay, store)
    assert channels.posted == [(begun.id, 0, None), (begun.id, 1, board(begun)), (begun.id, 2, board(played))]


async def test_a_version_is_told_as_the_match_was_at_it(store: Database, naps: Naps) -> None:
    match = await save_match(store, play_turn(await add_match(store)))
    await save_match(store, resign(match))
    seen = []

    class Watching(Channels):
        async def announce(self, match: Match, announcement: OutboxEntry) -> MessageId:
            seen.append((match.version, len(match.moves), match.outcome is None))
            return await super().announce(match, announcement)

    await post_all(OutboxRelay(store, Watching(), naps.timing), store)
    assert seen == [(0, 0, True), (1, 1, True), (2, 1, False)]


async def test_a_wake_brings_a_new_version_at_once(store: Database, relay: OutboxRelay, channels: Channels) -> None:
    match = await add_match(store)
    async with running(relay):
        await quiet(store)
        relay.note_match(await save_match(store, play_turn(match)))
        await quiet(store)
    assert [version for _, version, _ in channels.posted] == [0, 1]


async def test_what_another_process_left_is_found_at_the_next_look(
    store: Database, relay: OutboxRelay, channels: Channels, naps: Naps
) -> None:
    match = await add_match(store)
    async with running(relay):
        await quiet(store)
        await save_match(store, play_turn(match))
        naps.rescan.set()
        await quiet(store)
    assert [version for _, version, _ in channels.posted] == [0, 1]


async def test_what_fails_is_tried_again_with_growing_pauses(
    store: Database, relay: OutboxRelay, channels: Channels, naps: Naps
) -> None:
    match = await add_match(store)
    channels.script[match.id, 0] = [OSError() for _ in range(8)]
    await post_all(relay, store)
    assert naps.pauses == [MIN_BACKOFF_SECONDS, 2, 4, 8, 16, 32, MAX_PLAY_BACKOFF_SECONDS, MAX_PLAY_BACKOFF_SECONDS]
    assert channels.posted == [(match.id, 0, None)]


async def test_after_a_success_the_pauses_begin_anew(
    store: Database, relay: OutboxRelay, channels: Channels, naps: Naps
) -> None:
    match = await save_match(store, play_turn(await add_match(store)))
    channels.script[match.id, 0] = [OSError(), OSError()]
    channels.script[match.id, 1] = [OSError()]
    await post_all(relay, store)
    assert naps.pauses == [MIN_BACKOFF_SECONDS, 2 * MIN_BACKOFF_SECONDS, MIN_BACKOFF_SECONDS]


async def test_what_fails_holds_back_the_versions_after_it(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    match = await save_match(store, play_turn(await add_match(store)))
    channels.script[match.id, 0] = [OSError()]
    await post_all(relay, store)
    assert [version for _, version, _ in channels.posted] == [0, 1]


async def test_what_can_never_be_posted_is_passed_over(store: Database, relay: OutboxRelay, channels: Channels) -> None:
    begun = await add_match(store)
    played = await save_match(store, play_turn(begun))
    await save_match(store, resign(played))
    channels.script[begun.id, 1] = [Undeliverable("the channel is gone")]
    await post_all(relay, store)
    assert channels.posted == [(begun.id, 0, None), (begun.id, 2, board(begun))]


async def test_a_slow_channel_holds_up_no_other(store: Database, relay: OutboxRelay, channels: Channels) -> None:
    slow, quick = await add_match(store, a_match(1)), await add_match(store, a_match(2))
    patience = asyncio.Event()
    channels.script[slow.id, 0] = [patience]
    async with running(relay):
        await quiet(store, but=(slow,))
        assert channels.posted == [(quick.id, 0, None)]
        patience.set()
        await quiet(store)


async def test_a_wake_while_a_board_is_being_posted_is_not_lost(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    match = await add_match(store)
    patience = asyncio.Event()
    channels.script[match.id, 0] = [patience]
    async with running(relay):
        await channels.began.wait()
        relay.note_match(await save_match(store, play_turn(match)))
        patience.set()
        await quiet(store)
    assert [version for _, version, _ in channels.posted] == [0, 1]


async def test_many_wakes_make_one_board(store: Database, relay: OutboxRelay, channels: Channels) -> None:
    match = await add_match(store)
    async with running(relay):
        for _ in range(10):
            relay.note_match(match)
            await asyncio.sleep(0)
        await quiet(store)
    assert channels.posted == [(match.id, 0, None)]


async def test_a_wake_while_nothing_runs_waits_in_the_outbox(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    match = await add_match(store)
    relay.note_match(match)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await post_all(relay, store)
    relay.note_match(match)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert channels.posted == [(match.id, 0, None)]


async def test_a_cancelled_relay_leaves_no_task_and_what_it_was_at_in_the_outbox(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    match = await add_match(store)
    channels.script[match.id, 0] = [asyncio.Event()]
    async with running(relay):
        await channels.began.wait()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    await post_all(relay, store)
    assert channels.posted == [(match.id, 0, None)]


async def test_a_store_that_cannot_be_read_is_asked_again(store: Database, channels: Channels, naps: Naps) -> None:
    class Failing(SameDatabase):
        times = 1

        @asynccontextmanager
        async def read(self) -> AsyncIterator[Reader]:
            if self.times:
                self.times -= 1
                naps.rescan.set()
                raise OSError
            async with super().read() as reader:
                yield reader

    match = await add_match(store)
    await post_all(OutboxRelay(Failing(store), channels, naps.timing), store)
    assert channels.posted == [(match.id, 0, None)]


async def reminded(store: Database, match: Match) -> Notice:
    notice = Notice(match.id, match.version, ANNA, NoticeKind.REMINDER)
    async with store.write() as tx:
        await tx.deadlines.mark_reminded(match, ReminderStep.MOST, notice)
    return notice


async def test_a_notice_is_told_after_the_boards(store: Database, relay: OutboxRelay, channels: Channels) -> None:
    match = await add_match(store, a_match(control="3d"))
    notice = await reminded(store, match)
    await post_all(relay, store)
    assert (len(channels.posted), channels.noticed) == (1, [notice])


async def test_a_reminder_that_comes_too_late_is_not_told(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    match = await add_match(store, a_match(control="3d"))
    await reminded(store, match)
    await save_match(store, play_turn(match))
    await post_all(relay, store)
    assert channels.noticed == []


async def test_a_notice_that_fails_is_tried_again(
    store: Database, relay: OutboxRelay, channels: Channels, naps: Naps
) -> None:
    notice = await reminded(store, await add_match(store, a_match(control="3d")))
    channels.refusals = [OSError(), OSError()]
    await post_all(relay, store)
    assert channels.noticed == [notice]
    assert naps.pauses == [MIN_BACKOFF_SECONDS, 2 * MIN_BACKOFF_SECONDS]


async def test_a_notice_that_can_never_be_told_is_passed_over(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    await reminded(store, await add_match(store, a_match(control="3d")))
    channels.refusals = [Undeliverable("closed")]
    await post_all(relay, store)
    assert channels.noticed == []


async def test_the_players_of_a_match_that_has_no_channel_learn_it(
    store: Database, relay: OutboxRelay, channels: Channels
) -> None:
    match = await add_match(store)
    channels.script[match.id, 0] = [Undeliverable("gone")]
    await post_all(relay, store)
    assert channels.noticed == [Notice(match.id, 0, user, NoticeKind.LOST) for user in (ANNA, BORIS)]


async def answerable(store: Database, match: Match, clock: StoppedClock) -> Match:
    """The match after a move that the answer to its click may bring."""
    after = play_turn(match)
    async with store.write() as tx:
        await tx.matches.save(after, Millis(clock() + ANSWERABLE_MILLIS))
    return after


async def waiting(store: Database, match: Match) -> OutboxEntry:
    async with store.read() as reader:
        announcement = await reader.outbox.next_entry(match.id)
    assert announcement is not None
    return announcement


async def test_a_version_that_a_click_has_reserved_is_not_posted(
    store: Database, relay: OutboxRelay, channels: Channels, clock: StoppedClock
) -> None:
    match = await add_match(store)
    async with running(relay):
        await quiet(store)
        async with relay.reserve(match.place, patience=10) as held:
            assert held is not None
            after = await answerable(store, match, clock)
            relay.note_match(after)
            held.version = after.version
            await held.deliver(await waiting(store, after), board(after))
        await quiet(store)
    assert channels.posted == [(match.id, 0, None)]
    async with store.read() as reader:
        assert (await reader.matches.open_of(ANNA))[0].board == board(after)


async def test_what_was_reserved_and_not_sent_is_posted_at_once(
    store: Database, relay: OutboxRelay, channels: Channels, clock: StoppedClock, naps: Naps
) -> None:
    match = await add_match(store)
    async with running(relay):
        await quiet(store)
        async with relay.reserve(match.place, patience=10) as held:
            assert held is not None
            after = await answerable(store, match, clock)
            held.version = after.version
        await quiet(store)
    assert channels.posted[1:] == [(match.id, 1, board(match))]
    assert (channels.looked_for, naps.pauses) == ([], [])


async def test_what_may_have_been_sent_is_looked_for_when_no_answer_can_come_any_more(
    store: Database, channels: Channels, clock: StoppedClock
) -> None:
    naps = Passing(clock)
    relay = OutboxRelay(store, channels, naps.timing)
    match = await add_match(store)
    async with running(relay):
        await quiet(store)
        async with relay.reserve(match.place, patience=10) as held:
            assert held is not None
            after = await answerable(store, match, clock)
            held.version, held.sent = after.version, True
        await quiet(store)
    assert naps.pauses == [ANSWERABLE_MILLIS / 1000]
    assert channels.looked_for == [(match.id, 1)]


async def test_another_process_leaves_an_answer_its_time_and_looks_for_it_then(
    store: Database, channels: Channels, clock: StoppedClock
) -> None:
    match = await add_match(store)
    await answerable(store, match, clock)
    naps = Passing(clock)
    await post_all(OutboxRelay(store, channels, naps.timing), store)
    assert naps.pauses == [ANSWERABLE_MILLIS / 1000]
    assert channels.looked_for == [(match.id, 1)]


async def test_an_answer_promised_by_a_clock_that_had_jumped_ahead_holds_up_nothing(
    store: Database, channels: Channels, clock: StoppedClock
) -> None:
    match = await add_match(store)
    clock.advance(HOUR)
    await answerable(store, match, clock)
    clock.advance(-HOUR)
    naps = Passing(clock)
    await post_all(OutboxRelay(store, channels, naps.timing), store)
    assert naps.pauses == []


async def test_a_second_click_waits_for_the_first_one(store: Database, relay: OutboxRelay, clock: StoppedClock) -> None:
    match = await add_match(store)
    order = []

    async def second() -> None:
        async with relay.reserve(match.place, patience=10) as held:
            assert held is not None
            order.append("second")

    async with relay.reserve(match.place, patience=10):
        task = asyncio.create_task(second())
        await asyncio.sleep(0)
        order.append("first")
    await task
    assert order == ["first", "second"]


async def test_a_second_click_does_not_wait_for_ever(store: Database, relay: OutboxRelay) -> None:
    match = await add_match(store)
    async with relay.reserve(match.place, patience=10), relay.reserve(match.place, patience=0) as second:
        assert second is None


async def test_what_happens_while_an_answer_is_on_its_way_is_posted_after_it(
    store: Database, relay: OutboxRelay, channels: Channels, clock: StoppedClock
) -> None:
    match = await add_match(store)
    async with running(relay):
        await quiet(store)
        async with relay.reserve(match.place, patience=10) as held:
            assert held is not None
            after = await answerable(store, match, clock)
            announcement = await waiting(store, after)
            held.version = after.version
            relay.note_match(await save_match(store, resign(after)))
            await held.deliver(announcement, board(after))
        await quiet(store)
    assert channels.posted[1:] == [(match.id, 2, board(after))]


@pytest.fixture
def replying(store: Database, channels: Channels, naps: Naps) -> OutboxRelay:
    """Returns a relay whose process plays as Boris."""
    return OutboxRelay(store, channels, naps.timing, replier=lambda: BORIS)


async def test_a_move_and_the_reply_to_it_are_one_board(
    store: Database, replying: OutboxRelay, channels: Channels
) -> None:
    begun = await add_match(store)
    await save_match(store, play_turn(await save_match(store, play_turn(begun))))
    await post_all(replying, store)
    assert channels.posted == [(begun.id, 0, None), (begun.id, 2, board(begun))]
    assert channels.told_before == [1]


async def test_a_move_waits_for_its_reply_and_no_longer_than_that(
    store: Database, replying: OutboxRelay, channels: Channels, clock: StoppedClock, naps: Naps
) -> None:
    begun = await add_match(store)
    async with running(replying):
        await quiet(store)
        moved = await save_match(store, play_turn(begun, at_once=True))
        replying.note_match(moved)
        while not naps.pauses:
            await load_match(store, begun.id)
        assert channels.posted == [(begun.id, 0, None)]
        clock.advance(REPLY_MILLIS)
        replying.wake(begun.place)
        await quiet(store)
        replying.note_match(await save_match(store, play_turn(moved)))
        await quiet(store)
    assert [version for _, version, _ in channels.posted] == [0, 1, 2]
    assert channels.told_before == []


async def test_what_follows_a_move_and_is_no_reply_has_its_own_board(
    store: Database, replying: OutboxRelay, channels: Channels
) -> None:
    begun = await add_match(store)
    await save_match(store, resign(await save_match(store, play_turn(begun))))
    await post_all(replying, store)
    assert [version for _, version, _ in channels.posted] == [0, 1, 2]


@pytest.mark.parametrize(("answered", "posted"), [({1}, [0, 1, 2]), (set[int](), [0, 2])])
async def test_a_move_that_an_answer_may_have_brought_alone_is_looked_for(
    store: Database, channels: Channels, clock: StoppedClock, answered: set[int], posted: list[int]
) -> None:
    relay, channels.answered = OutboxRelay(store, channels, Passing(clock).timing, replier=lambda: BORIS), answered
    moved = await answerable(store, await add_match(store), clock)
    await save_match(store, play_turn(moved))
    await post_all(relay, store)
    assert [version for _, version, _ in channels.posted] == posted
    assert channels.looked_for == [(moved.id, posted[1])]
