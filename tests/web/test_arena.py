"""The arena on the web: its page for everyone, and its place on the home page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from html import unescape
from typing import Any

import pytest

from bot.markup import spoken
from loopback import Discord
from play.ids import MatchId, UserId
from tests.bot.arenas import add_played, gather
from tests.bot.border import Border
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.visit import Visit
from use_cases.player_settings import change_player

Visits = Callable[..., Visit]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


async def page(visit: Visits, language: str = "en") -> str:
    status, text = await visit().get("/arena", {"Accept-Language": language})
    assert status == 200
    return text


@pytest.mark.parametrize("language", spoken().names)
async def test_without_an_arena_the_page_says_when_there_is_one(room: Room, visit: Visits, language: str) -> None:
    assert spoken().of(language)("arena.next") in unescape(await page(visit, language))


async def test_the_page_has_the_names_for_strangers_alone(room: Room, visit: Visits) -> None:
    border = Border(room)
    game = await border.begin()
    users = [UserId(border.ola.id), UserId(border.jadwiga.id)]
    await change_player(room.services.store, users[0], {"alias": "<b>Sowa</b>"})
    room.services.names.forget(users[0])
    await add_played(room, MatchId(game.id), *users)
    text = await page(visit)
    assert "&lt;b&gt;Sowa&lt;/b&gt;" in text
    assert "Zagroda" not in text
    assert "paused" in text


async def test_robots_do_not_list_the_page(room: Room, visit: Visits) -> None:
    assert (await visit().headers("/arena"))["X-Robots-Tag"] == "noindex"


async def test_a_player_joins_and_pauses_on_the_home_page(room: Room, visit: Visits) -> None:
    border = Border(room)
    ola = await AtHome.enter(room, border.ola, visit())
    assert (await ola.must("seeks", of=None))["arena"] is None
    await gather(room)
    told = await ola.must("seeks", of=None)
    assert (told["arena"]["label"], told["arena"]["join"]) == ("Join the arena", True)
    told = await ola.must("arena", join=True)
    assert (told["arena"]["label"], told["arena"]["join"]) == ("Pause", False)
    assert told["seeks"][0]["lines"][-1] == "You're paired as soon as a player is free."
    told = await ola.must("arena", join=False)
    assert told["arena"]["join"]
    assert told["seeks"] == []
