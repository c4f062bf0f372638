"""The page of the explorer of openings: who may ask what, and what a made-up position is answered with."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import yarl

from loopback import Discord
from play.ids import UserId
from rules.registry import make_game
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


async def test_choices_are_remembered(room: Room, visit: Callable[[], Visit]) -> None:
    await ask(room, visit, rules="classic", size="13x13", start="empty", scope="recorded")
    _, page = await ask(room, visit)
    assert '<option value="classic" selected>' in page
    assert '<option value="13x13" selected>' in page
    assert '<option value="empty" selected>' in page
    assert 'aria-current="page">Recorded' in page


@pytest.mark.parametrize("size", ["13x 13", "013x13", "13"])
async def test_a_size_is_remembered_as_boards_have_it(room: Room, visit: Callable[[], Visit], size: str) -> None:
    await ask(room, visit, rules="classic", size=size, start="empty")
    status, page = await ask(room, visit)
    assert status == 200
    assert '<option value="13x13" selected>' in page


async def test_after_a_game_from_a_position_the_usual_start_is_explored(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, make_game("zagram", {"size": "9x9", "start": "stones"}), MOVES)
    assert '<option value="cross" selected>' in (await ask(room, visit))[1]


async def test_dots_alone_are_not_remembered(room: Room, visit: Callable[[], Visit]) -> None:
    await ask(room, visit, dots="E5")
    async with room.services.store.read() as reader:
        assert (await reader.people.get(UserId(room.ola.id))).explored is None


async def test_other_rules_begin_as_they_do_by_themselves(room: Room, visit: Callable[[], Visit]) -> None:
    _, page = await ask(room, visit, rules="paper")
    assert '<option value="empty" selected>' in page


async def test_recorded_games_have_results_and_no_boards(room: Room, visit: Callable[[], Visit]) -> None:
    _, page = await ask(room, visit, rules="classic", size="25x25", start="empty", scope="recorded", dots="M13")
    assert "No recorded game had this position." in page
    _, page = await ask(room, visit, rules="classic", size="25x25", start="empty", scope="recorded")
    assert "won" in page
    assert "/board/" not in page


@pytest.mark.parametrize("scope", ["own", "server", "public", "recorded"])
async def test_an_empty_answer_says_what_to_do(room: Room, visit: Callable[[], Visit], scope: str) -> None:
    _, page = await ask(room, visit, scope=scope, size="9x9", start="empty")
    assert re.search(r'<p class="empty">No[^.]+\. [^<]+', page)


async def test_games_of_a_server_are_not_told_to_those_who_are_not_there(
    room: Room, visit: Callable[[], Visit]
) -> None:
    match = await store_game(room, room.channel, GAME, MOVES)
    query = {"scope": "server", "size": "9x9", "start": GAME.options["start"], "rules": GAME.key}
    assert f"/board/{match.id}?" in (await ask(room, visit, **query))[1]
    room.maksim.leave()
    assert f"/board/{match.id}?" not in (await ask(room, visit, room.maksim, **query))[1]


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


async def test_the_frame_shows_what_the_browser_shows_with_addresses_of_its_own(
    room: Room, visit: Callable[[], Visit]
) -> None:
    match = await store_game(room, room.channel, GAME, MOVES)
    there = await AtHome.launch(room, room.ola, room.discord.open_channel("elsewhere"), visit())
    assert there.told is not None
    body = {"token": there.told["token"], "page": "openings", "query": {"dots": "E5"}}
    status, told = await there.visit.post("/activity/page", body)
    assert status == 200
    assert f'href="#board={match.id}"' in told["main"]
    assert 'href="#page=figures"' in told["main"]
    assert "<html" not in told["main"]
    assert re.search(r'href="[^#]', told["main"]) is None


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"page": "settings", "query": {}}, 404),
        ({"page": "openings", "query": {"size": 9}}, 400),
        ({"page": "openings", "query": []}, 400),
        ({"page": "openings"}, 400),
        ({"page": "openings", "query": {"dots": "Z99"}}, 404),
    ],
    ids=str,
)
async def test_the_frame_is_shown_nothing_for_what_is_no_page(
    room: Room, visit: Callable[[], Visit], body: dict[str, Any], status: int
) -> None:
    there = await AtHome.launch(room, room.ola, room.discord.open_channel("elsewhere"), visit())
    assert there.told is not None
    assert (await there.visit.post("/activity/page", {"token": there.told["token"], **body}))[0] == status
