"""The page of a player's year in dots: who sees it, what it says, and its card."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from loopback import Discord
from play.community.year import Year
from tests.bot.room import Room
from tests.clock import DAY, StoppedClock
from tests.web.finished import store_game
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_figures import MOVES
from tests.web.test_home import GAME
from tests.web.visit import Visit


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


async def enter(room: Room, person: Any, browser: Visit) -> Visit:
    await AtHome.enter(room, person, browser)
    return browser


@pytest.mark.parametrize("path", ["/figures/year", "/figures/year.png"])
async def test_a_stranger_sees_no_year(room: Room, visit: Callable[[], Visit], path: str) -> None:
    assert await visit().status(path) == 401


async def test_a_player_sees_their_year_with_whom_they_met_most(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    browser = await enter(room, room.ola, visit())
    _, page = await browser.get("/figures/year")
    assert f"<h1>{Year.at(room.clock()).number} in dots</h1>" in page
    assert "0 won, 0 drawn, 1 lost" in page
    assert "Максим · 1" in page
    assert (await browser.headers("/figures/year.png"))["Content-Type"] == "image/png"


async def test_a_year_without_a_game_says_how_one_begins(room: Room, visit: Callable[[], Visit]) -> None:
    _, page = await (await enter(room, room.kasia, visit())).get("/figures/year")
    assert "No game and no puzzle in" in page
    assert "<img class=" not in page


async def test_the_year_before_is_a_tap_away(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    year = Year.at(room.clock()).number
    await room.pass_time(366 * DAY)
    browser = await enter(room, room.ola, visit())
    _, page = await browser.get("/figures/year")
    assert f"year={year}" in page
    _, page = await browser.get(f"/figures/year?year={year}")
    assert "0 won, 0 drawn, 1 lost" in page
    assert f"year={year + 1}" in page


@pytest.mark.parametrize("year", ["", "0", "26", "99999", "1999", "3000", "two", "٢٠٢٦", "-202", "2026.0"])
async def test_a_year_that_is_made_up_is_no_page(room: Room, visit: Callable[[], Visit], year: str) -> None:
    browser = await enter(room, room.ola, visit())
    for path in ("/figures/year", "/figures/year.png"):
        assert await browser.status(f"{path}?year={year}") == 404


async def test_the_figures_lead_to_the_year(room: Room, visit: Callable[[], Visit]) -> None:
    _, page = await (await enter(room, room.ola, visit())).get("/figures")
    assert 'href="/figures/year?as=' in page
