"""The page of the explorer of openings: who may ask what, and what a made-up position is answered with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import yarl

from loopback import Discord
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.web.finished import store_game, switch_pages
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_home import GAME
from tests.web.visit import Visit

MOVES = ("E5", "E6", "D5")


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


async def ask(room: Room, visit: Callable[[], Visit], person: Any = None, **query: str) -> tuple[int, str]:
    """Asks as Ola, or as another person."""
    browser = visit()
    await AtHome.enter(room, person or room.ola, browser)
    return await browser.get(str(yarl.URL("/openings") % query))


async def test_a_stranger_is_refused(room: Room, visit: Callable[[], Visit]) -> None:
    assert (await visit().get("/openings"))[0] == 401


async def test_own_games_go_on_from_the_start_of_the_latest_one(room: Room, visit: Callable[[], Visit]) -> None:
    match = await store_game(room, room.channel, GAME, MOVES)
    status, page = await ask(room, visit)
    assert status == 200
    assert "0 won, 0 drawn, 1 lost" in page
    assert f"/board/{match.id}?as=" in page


async def test_the_next_dot_leads_on(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    _, page = await ask(room, visit, dots="E5")
    assert "dots=E5-E6" in page or "dots=E5-" in page


async def test_public_games_are_those_of_servers_with_pages(room: Room, visit: Callable[[], Visit]) -> None:
    match = await store_game(room, room.channel, GAME, MOVES)
    options = {"scope": "public", "size": "9x9", "start": GAME.options["start"], "rules": GAME.key}
    assert f"/board/{match.id}?" not in (await ask(room, visit, room.kasia, **options))[1]
    await switch_pages(room, on=True)
    assert f"/board/{match.id}?" in (await ask(room, visit, room.kasia, **options))[1]


@pytest.mark.parametrize(
    "query",
    [
        {"rules": "nothing"},
        {"rules": "dash"},
        {"size": "1x1"},
        {"size": "x" * 90},
        {"dots": "E5-E5"},
        {"dots": "Z99"},
        {"dots": "-".join(f"A{row}" for row in range(1, 15)), "size": "20x20", "start": "empty"},
        {"dots": "??"},
        {"scope": "all"},
    ],
    ids=str,
)
async def test_a_position_that_is_none_has_no_page(
    room: Room, visit: Callable[[], Visit], query: dict[str, str]
) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    assert (await ask(room, visit, **query))[0] == 404
