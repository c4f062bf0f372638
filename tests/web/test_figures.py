"""The page of a player's figures: who sees it, what it says, and where it leads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from loopback import Discord, Message, components
from play.community.exercise import Kind
from play.ids import UserId
from play.people.past_mistake import ReviewedGame
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.web.finished import store_game
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_home import GAME
from tests.web.visit import Visit

MOVES = ("E5", "E6", "D5", "D6", "C5")


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


async def page_of(room: Room, person: Any, visit: Callable[[], Visit]) -> str:
    """Returns the page as a person sees it in a browser."""
    browser = visit()
    await AtHome.enter(room, person, browser)
    status, page = await browser.get("/figures")
    assert status == 200
    return page


async def add_review(room: Room, causes: dict[str, float]) -> None:
    """Stores a game that Ola has lost, with what its mistakes were about."""
    match = await store_game(room, room.channel, GAME, MOVES)
    async with room.services.store.write() as tx:
        review = ReviewedGame(UserId(room.ola.id), match.id, room.clock(), sum(causes.values()), causes)
        await tx.past_mistakes.add_review(review)


def urls(message: Message) -> list[str]:
    """Returns where the buttons of a message lead in a browser."""
    return [part["url"] for part in components.walk(message.components) if "url" in part]


async def test_a_stranger_sees_no_figures(room: Room, visit: Callable[[], Visit]) -> None:
    status, _ = await visit().get("/figures")
    assert status == 401


async def test_a_player_without_games_is_told_how_they_begin(room: Room, visit: Callable[[], Visit]) -> None:
    page = await page_of(room, room.ola, visit)
    assert "Only you see this page." in page
    assert "Reviews of your games tell it." in page


async def test_a_result_leads_to_its_games(room: Room, visit: Callable[[], Visit]) -> None:
    match = await store_game(room, room.channel, GAME, MOVES)
    page = await page_of(room, room.ola, visit)
    assert "0 won, 0 drawn, 1 lost" in page
    assert f'href="/board/{match.id}?as=' in page


async def test_the_opponent_has_figures_of_their_own(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    assert "1 won, 0 drawn, 0 lost" in await page_of(room, room.maksim, visit)


async def test_a_player_who_misses_nets_is_told_so_first_and_can_train_them(
    room: Room, visit: Callable[[], Visit]
) -> None:
    await add_review(room, {Kind.NET: 9.0, Kind.CAPTURE: 2.0, "": 1.5})
    page = await page_of(room, room.ola, visit)
    causes = page[page.index('id="causes"') : page.index('id="months"')]
    assert causes.index("Nets") < causes.index("Captures") < causes.index("Something else")
    assert "#quiz=train:net" in causes
    assert "Points lost: 9" in causes


async def test_what_mistakes_cost_is_told_by_month_and_move(room: Room, visit: Callable[[], Visit]) -> None:
    await add_review(room, {Kind.NET: 6.0})
    assert "Points a move: 2" in await page_of(room, room.ola, visit)  # three moves of hers


async def test_home_leads_to_the_figures(room: Room, visit: Callable[[], Visit]) -> None:
    at_home = await AtHome.enter(room, room.ola, visit())
    assert (await at_home.read())["words"]["figures"] == "Your figures"


async def test_an_own_profile_leads_to_the_figures_and_that_of_another_does_not(room: Room) -> None:
    own = await room.ola.command(room.channel, "profile").followed()
    assert urls(own) == [f"{room.discord.address}figures"]
    other = await room.maksim.command(room.channel, "profile", player=room.ola).followed()
    assert urls(other) == []


async def test_the_frame_has_the_figures_with_a_door_back(room: Room, visit: Callable[[], Visit]) -> None:
    await add_review(room, {Kind.NET: 6.0})
    there = await AtHome.launch(room, room.ola, room.discord.open_channel("elsewhere"), visit())
    assert there.told is not None
    _, told = await there.visit.post("/activity/page", {"token": there.told["token"], "page": "figures", "query": {}})
    assert 'href="#home"' in told["main"]
    assert 'href="#quiz=train:net"' in told["main"]
    assert (told["language"], told["theme"]) == ("en", "paper")


async def test_nobody_sees_figures_in_a_frame_without_a_session(room: Room, visit: Callable[[], Visit]) -> None:
    body = {"token": "made-up", "page": "figures", "query": {}}
    assert (await visit().post("/activity/page", body))[0] in (401, 403)
