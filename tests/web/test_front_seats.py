"""The open seats of the world, as the front page shows them to visitors and home pages to players."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from loopback import Discord, Person
from play.ids import UserId
from tests.bot.border import Border
from tests.bot.room import Room
from tests.clock import SECOND, StoppedClock
from tests.web.counting import cost
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.visit import Visit
from use_cases.player_settings import change_player

Visits = Callable[..., Visit]

SEATED = 8
"""Statements by which the seats of others are filtered for one reader."""


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


@pytest.fixture
async def border(room: Room) -> AsyncIterator[Border]:
    border = Border(room)
    yield border
    assert border.wall.violations == []


@pytest.fixture
async def seat(border: Border, visit: Visits) -> int:
    """The search of Jadwiga for a game over days, who is called Nomad outside of her server."""
    await change_player(border.room.services.store, UserId(border.jadwiga.id), {"alias": "Nomad"})
    home = await AtHome.enter(border.room, border.jadwiga, visit())
    told = await home.must("look", speed="days", weekly=False, flexible=True)
    seek: int = told["seeks"][0]["seek"]
    return seek


async def read(visit: Visit) -> dict[str, Any]:
    status, text = await visit.get("/seats.json")
    assert status == 200, text
    told: dict[str, Any] = json.loads(text)
    return told


async def test_a_visitor_reads_who_looks_and_nothing_of_their_places(border: Border, seat: int, visit: Visits) -> None:
    told = await read(visit())
    (shown,) = told["seats"]
    assert shown["seat"] == seat
    assert shown["line"].startswith("Nomad (1500?): Zagram")
    assert told["sit"] == "Sit down"
    text = json.dumps(told, ensure_ascii=False)
    for secret in ("Jadwiga", "Zagroda", "rozgrywki", str(border.there.id), str(border.jadwiga.id)):
        assert secret not in text


async def test_nobody_looks_and_there_is_no_seat(room: Room, visit: Visits) -> None:
    assert (await read(visit()))["seats"] == []


async def test_a_crowd_of_visitors_reads_the_database_once_in_seconds(room: Room, seat: int, visit: Visits) -> None:
    visitor = visit()
    await read(visitor)
    assert await cost(room, lambda: read(visitor)) == 0
    await room.pass_time(5 * SECOND)
    await room.use_cases.seeks.leave(seat, await sitter(room))  # type: ignore[arg-type]
    assert (await read(visitor))["seats"] == []


async def sitter(room: Room) -> UserId:
    async with room.services.store.read() as reader:
        seek = await reader.seeks.get(1)  # type: ignore[arg-type]
    assert seek is not None
    return seek.user


async def test_the_operator_closes_the_seats_of_visitors_too(room: Room, seat: int, visit: Visits) -> None:
    await room.use_cases.operator.close_strangers("operator")
    await room.pass_time(5 * SECOND)
    assert (await read(visit()))["seats"] == []


async def test_a_home_page_filters_the_seats_of_all_for_its_reader(border: Border, seat: int, visit: Visits) -> None:
    room, visitor = border.room, visit()
    ola = await AtHome.enter(room, border.ola, visitor)
    before = await cost(room, ola.read)
    assert [each["seat"] for each in (await ola.read())["searches"]["seats"]] == [seat]
    kasia = await AtHome.enter(room, room.kasia, visit())
    await room.use_cases.blocks.block(UserId(room.kasia.id), await sitter(room), room.clock())
    assert (await kasia.read())["searches"]["seats"] == []
    assert before <= await bare(room, border.ola, visitor) + SEATED


async def bare(room: Room, person: Person, visitor: Visit) -> int:
    """Returns what a home page costs while nobody looks."""
    await room.use_cases.seeks.leave(1, await sitter(room))  # type: ignore[arg-type]
    await room.pass_time(5 * SECOND)
    return await cost(room, AtHome(visitor).read)


async def test_who_sits_down_reads_at_once_what_came_of_it(border: Border, seat: int, visit: Visits) -> None:
    ola = await AtHome.enter(border.room, border.ola, visit())
    await ola.read()
    told = await ola.must("sit", seat=seat)
    assert told["seats"] == []
    assert told["seeks"][0]["leave"] is None, "the other one is being called"


async def test_a_seat_that_is_gone_is_shown_no_more_to_one_who_presses_it(
    border: Border, seat: int, visit: Visits
) -> None:
    ola = await AtHome.enter(border.room, border.ola, visit())
    await ola.read()
    await border.room.use_cases.seeks.leave(seat, UserId(border.jadwiga.id))  # type: ignore[arg-type]
    told = await ola.must("sit", seat=seat)
    assert told["seats"] == []
    assert told["line"]
