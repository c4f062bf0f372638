"""The game between strangers that everybody may watch, on its page, the front page and home pages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bot.markup import spoken
from loopback import Discord, Person
from play.ids import IdempotencyKey, UserId
from play.match.match import Match
from tests.bot.border import Border
from tests.bot.room import Room
from tests.clock import SECOND, StoppedClock
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.visit import Visit
from use_cases.player_settings import change_player

Visits = Callable[..., Visit]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


@pytest.fixture
async def border(room: Room) -> Border:
    return Border(room)


@pytest.fixture
async def match(border: Border) -> Match:
    return await border.begin(control="5m", strangers=True)


async def allow(room: Room, *people: Person) -> None:
    for each in people:
        await change_player(room.services.store, UserId(each.id), {"watchable": True})


async def read(visit: Visit, query: str = "") -> dict[str, Any]:
    status, text = await visit.get(f"/watch.json{query}")
    assert status == 200, text
    told: dict[str, Any] = json.loads(text)
    return told


async def test_a_visitor_watches_a_game_without_its_places(
    border: Border, room: Room, match: Match, visit: Visits
) -> None:
    await allow(room, border.ola)
    assert await read(visit()) == {"match": None}
    await allow(room, border.jadwiga)
    await room.pass_time(5 * SECOND)
    told = await read(visit())
    assert (told["match"], told["title"], told["line"]) == (match.id, "Ola – Jadwiga", "It's Ola's turn.")
    assert [each["rating"] for each in told["players"]] == ["1500", "1500"]
    text = json.dumps(told, ensure_ascii=False)
    for secret in ("Zagroda", "rozgrywki", "matches", str(border.here.id), str(border.there.id), str(border.ola.id)):
        assert secret not in text


async def test_the_end_of_a_game_is_shown_to_who_has_watched_it(
    border: Border, room: Room, match: Match, visit: Visits
) -> None:
    await allow(room, border.ola, border.jadwiga)
    assert (await read(visit()))["match"] == match.id
    await room.use_cases.matches.resign(match.id, UserId(border.ola.id), room.clock(), IdempotencyKey(5))
    await room.pass_time(5 * SECOND)
    told = await read(visit(), f"?match={match.id}")
    assert (told["over"], told["line"]) == (True, "🏆 Jadwiga wins: Ola resigned.")
    assert await read(visit()) == {"match": None}


@pytest.mark.parametrize("query", ["?match=", "?match=x", "?match=%D9%A1", "?match=" + "9" * 30, "?match=-1"])
async def test_what_is_no_number_is_no_game(visit: Visits, room: Room, query: str) -> None:
    assert await read(visit(), query) == {"match": None}


@pytest.mark.parametrize("language", spoken().names)
async def test_the_page_speaks_the_language_of_the_browser(room: Room, visit: Visits, language: str) -> None:
    status, page = await visit().get("/watch", headers={"Accept-Language": language})
    assert status == 200
    assert f"<h1>{spoken().of(language).plain('web.watch.title')}</h1>" in page


async def test_a_home_page_leads_to_the_game(border: Border, room: Room, match: Match, visit: Visits) -> None:
    ola = await AtHome.enter(room, border.ola, visit())
    assert (await ola.read())["featured"] is None
    await ola.must("set", field="strangers", value="shown")
    await allow(room, border.jadwiga)
    await room.pass_time(5 * SECOND)
    featured = (await ola.read())["featured"]
    assert (featured["title"], featured["line"]) == ("Ola – Jadwiga", "It's Ola's turn.")
    assert featured["url"].endswith("/watch")
    assert featured["board"]["width"] == 5
