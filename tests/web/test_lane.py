"""The lane of public pages: few parts at once, and each network has its share."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from play.refusal import Refused
from web.pages.page import MAX_REST_SECONDS, Lane

BUSY, QUIET = 1, 2
"""Two networks."""


class Readers:
    """Readers of parts, which `made` lists by their networks in the order of their turns."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.made: list[int] = []
        self.going = asyncio.Event()

    async def read(self, network: int) -> None:
        async with self.lane.turn(network):
            await self.going.wait()
            self.made.append(network)

    async def begin(self, *networks: int) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self.read(network)) for network in networks]
        await asyncio.sleep(0)
        return tasks


async def test_a_network_that_asks_for_much_delays_no_other() -> None:
    readers = Readers(Lane(at_once=1, rest=0))
    tasks = await readers.begin(BUSY, BUSY, BUSY, BUSY, QUIET)
    readers.going.set()
    await asyncio.gather(*tasks)
    assert readers.made == [BUSY, BUSY, QUIET, BUSY, BUSY]


async def test_a_network_that_asks_for_too_much_is_told_to_wait_and_another_is_not() -> None:
    readers = Readers(Lane(at_once=1, rest=0, most_of_network=2))
    tasks = await readers.begin(BUSY, BUSY, BUSY)
    with pytest.raises(Refused) as refused:
        await readers.read(BUSY)
    assert refused.value.key == "too_fast"
    tasks += await readers.begin(QUIET)
    readers.going.set()
    await asyncio.gather(*tasks)
    assert readers.made.count(QUIET) == 1


async def test_of_all_networks_together_a_bounded_number_waits() -> None:
    readers = Readers(Lane(at_once=1, rest=0, most_waiting=2))
    tasks = await readers.begin(1, 2, 3)
    with pytest.raises(Refused) as refused:
        await readers.read(4)
    assert refused.value.key == "lane_busy"
    readers.going.set()
    await asyncio.gather(*tasks)


async def test_where_all_places_are_taken_the_network_with_the_most_gives_way() -> None:
    readers = Readers(Lane(at_once=1, rest=0, most_waiting=8))
    tasks = await readers.begin(*[BUSY] * 9, QUIET)
    readers.going.set()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    refused = [end.key if isinstance(end, Refused) else None for end in ends]
    assert refused == [*[None] * 8, "lane_busy", None]
    assert readers.made[:3] == [BUSY, BUSY, QUIET]


async def test_many_networks_that_fill_the_lane_leave_a_newcomer_a_place() -> None:
    readers = Readers(Lane(at_once=1, rest=0, most_waiting=8))
    tasks = await readers.begin(*[10 + number % 4 for number in range(80)])
    tasks += await readers.begin(QUIET)
    readers.going.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert tasks[-1].exception() is None


async def test_a_reader_who_leaves_gives_the_turn_to_the_next() -> None:
    readers = Readers(Lane(at_once=1, rest=0))
    first, waiting, last = await readers.begin(1, 2, 3)
    waiting.cancel()
    first.cancel()
    readers.going.set()
    await asyncio.gather(first, waiting, last, return_exceptions=True)
    assert readers.made == [3]
    await readers.read(4)


async def test_a_reader_who_leaves_as_the_turn_comes_gives_it_on() -> None:
    readers = Readers(Lane(at_once=1, rest=0))
    first, leaving, last = await readers.begin(1, 2, 3)
    first.cancel()
    await asyncio.sleep(0)  # the turn is given to the second
    leaving.cancel()
    readers.going.set()
    await asyncio.gather(first, leaving, last, return_exceptions=True)
    assert readers.made[-1] == 3
    await readers.read(4)


async def test_a_place_rests_in_proportion_to_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now, rests, loop = 0.0, list[float](), asyncio.get_running_loop()
    lane, call_soon = Lane(at_once=1, rest=4, clock=lambda: now), loop.call_soon

    def note(delay: float, *work: Any) -> asyncio.Handle:
        rests.append(delay)
        return call_soon(*work)

    monkeypatch.setattr(loop, "call_later", note)
    for seconds in (0.1, 60.0):
        async with lane.turn(BUSY):
            now += seconds
    assert rests == [pytest.approx(0.4), MAX_REST_SECONDS]
