"""The intake lets in what can be done in time, in its order, and turns the rest away at once."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from functools import partial

import pytest

from bot.services.gate import LONG_SECONDS, MAX_OWN, YIELD_SECONDS, Intake, IntakeLimits
from bot.telemetry.metrics import Metrics
from loopback import HANG_SECONDS
from play.ids import UserId
from play.refusal import Reason, Refused
from storage import Database
from tests.bot.crowds import FEW_PLACES, crowd
from use_cases.clock_service import LostTime

OLA, MAKSIM = UserId(1), UserId(2)


class Door:
    """An intake whose clock is stopped, and what became of the clicks that it was offered, by their numbers."""

    def __init__(self, store: Database, limits: IntakeLimits) -> None:
        self.now = 0.0
        self.metrics = Metrics()
        self.intake = Intake(self.metrics, LostTime(store, lambda: self.now), limits, lambda: self.now)
        self.begun: list[int] = []
        self.turned_away: list[int] = []
        self.reasons: list[Reason | None] = []
        self._changed = asyncio.Event()

    def offer(self, *clicks: int, user: UserId | None = None) -> None:
        """Offers clicks, each of a user of its own unless one is given."""
        for click in clicks:
            self.intake.offer(
                click,
                user or UserId(100 + click),
                partial(self._note, self.begun, click),
                partial(self._note, self.turned_away, click),
            )

    async def wait_for(self, clicks: list[int], number: int) -> None:
        """Waits until there are so many."""
        async with asyncio.timeout(HANG_SECONDS):
            while len(clicks) < number:
                self._changed.clear()
                await self._changed.wait()

    def _note(self, clicks: list[int], click: int, why: Reason | None = None) -> None:
        clicks.append(click)
        self.reasons.append(why)
        self._changed.set()


@pytest.fixture
async def door(store: Database) -> Door:
    return Door(store, IntakeLimits(least_at_work=2, most_at_work=2, least_waiting=1, max_wait_seconds=0.035))


async def test_as_many_begin_at_once_as_there_are_places(door: Door) -> None:
    door.offer(1, 2, 3)
    assert door.begun == [1, 2]


async def test_the_next_begins_when_a_place_is_free(door: Door) -> None:
    door.offer(1, 2, 3, 4)
    door.intake.leave(2)
    assert door.begun == [1, 2, 3]


async def test_what_would_wait_for_too_long_is_turned_away_at_once(door: Door) -> None:
    """Works begin every 10 ms, so three wait for 30 ms."""
    door.offer(1, 2, 3, 4, 5, 6)
    assert (door.begun, door.turned_away) == ([1, 2], [6])


async def test_fewer_may_wait_where_works_begin_seldom(door: Door) -> None:
    door.offer(1, 2, 3, 4, 5)
    for done in (1, 2, 3):
        door.now += 0.2
        door.intake.leave(done)
    door.offer(6, 7)
    assert door.turned_away == [7]


async def test_one_who_clicks_faster_than_that_takes_nobodys_place(store: Database) -> None:
    door = Door(store, IntakeLimits(least_at_work=1, most_at_work=1))
    door.offer(*range(1 + MAX_OWN + 2), user=OLA)
    assert door.turned_away == [5, 6]
    assert door.reasons[-2:] == [Reason.TOO_FAST, Reason.TOO_FAST]


async def test_fast_clicks_bring_no_time(store: Database) -> None:
    door = Door(store, IntakeLimits(least_at_work=1, most_at_work=1))
    door.offer(*range(1 + MAX_OWN + 2), user=OLA)
    door.now += 5.0
    door.offer(99, user=OLA)
    assert door.intake.lost.of(OLA) == 0


async def test_a_click_that_has_waited_for_too_long_is_turned_away(store: Database) -> None:
    door = Door(store, IntakeLimits(least_at_work=1, most_at_work=1, work_seconds=60.0, late_seconds=1.0))
    door.offer(1, 2)
    door.now += 1.5
    await door.wait_for(door.turned_away, 1)
    assert (door.begun, door.turned_away) == ([1], [2])


async def test_more_are_at_work_while_the_loop_has_time(store: Database) -> None:
    door = Door(store, IntakeLimits(least_at_work=1, most_at_work=3, work_seconds=60.0))
    door.offer(1, 2, 3, 4)
    await door.wait_for(door.begun, 3)
    assert door.begun == [1, 2, 3]


async def test_no_more_are_at_work_where_works_take_long(store: Database) -> None:
    door = Door(store, IntakeLimits(least_at_work=1, most_at_work=3, work_seconds=60.0, late_seconds=1.0))
    for click in range(20):
        door.offer(click)
        door.now += 5 * LONG_SECONDS
        door.intake.leave(click)
    door.offer(20, 21)
    door.now += 1.5
    await door.wait_for(door.turned_away, 1)  # now the loop was looked at
    door.offer(22)
    assert door.begun == [*range(21)]


async def test_a_work_that_takes_long_gives_up_its_place(store: Database) -> None:
    door = Door(store, IntakeLimits(least_at_work=1, most_at_work=1, work_seconds=0.01))
    door.offer(1, 2)
    await door.wait_for(door.begun, 2)
    assert door.begun == [1, 2]


async def test_a_board_that_nobody_clicked_for_lets_clicks_go_first(door: Door) -> None:
    door.offer(1, 2)

    async def post_board() -> None:
        async with door.intake.yielding_place():
            door.begun.append(0)

    posting = asyncio.create_task(post_board())
    await asyncio.sleep(0)
    door.now += YIELD_SECONDS / 2
    door.offer(3)
    door.intake.leave(1)
    assert door.begun == [1, 2, 3]
    door.intake.leave(2)
    await posting
    assert door.begun == [1, 2, 3, 0]


async def test_a_board_goes_before_clicks_that_came_much_later(door: Door) -> None:
    door.offer(1, 2)
    posting = asyncio.create_task(door.intake.yielding_place().__aenter__())
    await asyncio.sleep(0)
    door.now += 2 * YIELD_SECONDS
    door.offer(3)
    door.intake.leave(1)
    await posting
    assert door.begun == [1, 2]


async def test_a_place_that_there_is_not_is_refused(store: Database) -> None:
    door = Door(store, FEW_PLACES)
    async with crowd(door.intake):
        with pytest.raises(Refused) as refused:
            async with door.intake.place(OLA, Reason.CROWDED_MOVE):
                pass
    assert refused.value.key == "crowded_move"


async def test_one_who_gave_up_waiting_holds_no_place(store: Database) -> None:
    door = Door(store, FEW_PLACES)
    async with crowd(door.intake):
        pass
    door.offer(1, 2, 3, 4)
    assert door.begun == [1, 2, 3, 4]


async def test_a_work_begins_in_the_context_in_which_it_came(door: Door) -> None:
    named = ContextVar("named", default="")
    begun: list[str] = []
    for name in ("one", "two", "three"):
        named.set(name)
        door.intake.offer(name, OLA, lambda: begun.append(named.get()), lambda _: None)
    named.set("")
    door.intake.leave("one")
    assert begun == ["one", "two", "three"]


async def test_when_the_bot_closes_nobody_waits(door: Door) -> None:
    door.offer(1, 2, 3)
    door.intake.clear()
    assert door.turned_away == [3]


async def test_those_who_wait_and_who_were_turned_away_are_counted(door: Door) -> None:
    door.offer(1, 2, 3, 4, 5, 6)
    told = door.metrics.text()
    assert b"kropka_requests_waiting 3.0" in told
    assert b"kropka_turned_away_total 1.0" in told


async def test_the_time_from_being_turned_away_to_the_next_click_is_lost(door: Door) -> None:
    door.offer(1, 2, 3, 4, 5)
    door.offer(6, user=OLA)
    door.now += 3.0
    door.intake.leave(1)
    door.offer(7, user=OLA)
    assert (door.intake.lost.of(OLA), door.intake.lost.of(MAKSIM)) == (3000, 0)
