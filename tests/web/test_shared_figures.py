"""The page of shared figures: what a stranger sees of them, and how a player changes and ends that."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
import yarl

from loopback import Discord
from play.community.exercise import Kind
from play.community.shared_figures import FigurePart
from play.community.year import Year
from play.ids import UserId
from tests.bot.room import Room
from tests.clock import DAY, StoppedClock
from tests.web.finished import store_game
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_figures import MOVES, add_review
from tests.web.test_home import GAME
from tests.web.visit import Visit

ALL = [each.value for each in FigurePart]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


class Sharer:
    """Ola in a browser, who shares her figures."""

    def __init__(self, browser: Visit) -> None:
        self.browser = browser

    @classmethod
    async def enter(cls, room: Room, browser: Visit) -> Sharer:
        await AtHome.enter(room, room.ola, browser)
        return cls(browser)

    async def share(self, *parts: str) -> str:
        """Ticks parts and no others; returns the path of the link."""
        status, told = await self.browser.post("/figures/share", {"parts": parts})
        assert status == 200, told
        assert told["parts"] == sorted(parts)
        return yarl.URL(told["link"]).path if told["link"] else ""


def titles(page: str) -> list[str]:
    """Returns the parts of a page."""
    return re.findall(r'<h2 id="(\w+)">', page)


async def test_a_stranger_sees_the_parts_that_are_ticked_and_no_others(room: Room, visit: Callable[[], Visit]) -> None:
    await add_review(room, {Kind.NET: 9.0})
    sharer = await Sharer.enter(room, visit())
    for parts, shown in (
        (["results"], ["rules", "sizes"]),
        (["strength"], ["strengths"]),
        (["losses"], ["causes", "months"]),
        (["time"], ["times"]),
        (["results", "losses"], ["causes", "months", "rules", "sizes"]),
    ):
        status, page = await visit().get(await sharer.share(*parts))
        assert (status, titles(page)) == (200, shown)


async def test_a_shared_page_names_no_opponent_no_server_and_no_game(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    await add_review(room, {Kind.NET: 9.0})
    sharer = await Sharer.enter(room, visit())
    _, page = await visit().get(await sharer.share(*ALL))
    assert "Ola" in page
    for hidden in ("Максим", room.discord.guild.name, "/board/", "#quiz", str(room.ola.id), str(room.maksim.id)):
        assert hidden not in page


async def test_the_name_is_the_one_that_strangers_see(room: Room, visit: Callable[[], Visit]) -> None:
    sharer = await Sharer.enter(room, visit())
    path = await sharer.share("results")
    async with room.services.store.write() as tx:
        settings = await tx.people.get(UserId(room.ola.id))
        await tx.people.save(replace(settings, alias="Kropeczka"))
    room.services.names.forget(UserId(room.ola.id))
    _, page = await visit().get(path)
    assert "Kropeczka" in page
    assert "Ola" not in page


async def test_a_stranger_reads_it_in_their_language(room: Room, visit: Callable[..., Visit]) -> None:
    sharer = await Sharer.enter(room, visit())
    _, page = await visit(accept="pl").get(await sharer.share("results"))
    assert '<html lang="pl">' in page
    assert "Nie ma tu jeszcze liczb." in page


async def test_search_engines_are_told_to_leave_it_out(room: Room, visit: Callable[[], Visit]) -> None:
    sharer = await Sharer.enter(room, visit())
    path, browser = await sharer.share("results"), visit()
    assert (await browser.headers(path))["X-Robots-Tag"] == "noindex"
    _, page = await browser.get(path)
    assert '<meta name="robots" content="noindex">' in page
    assert '<meta name="referrer" content="no-referrer">' in page


async def test_a_part_that_is_taken_back_is_gone_at_the_next_look(room: Room, visit: Callable[[], Visit]) -> None:
    await add_review(room, {Kind.NET: 9.0})
    sharer, reader = await Sharer.enter(room, visit()), visit()
    path = await sharer.share("results", "losses")
    tag = (await reader.headers(path))["Etag"]
    assert await reader.status(path, {"If-None-Match": tag}) == 304
    assert await sharer.share("results") == path
    assert await reader.status(path, {"If-None-Match": tag}) == 200
    _, page = await reader.get(path)
    assert titles(page) == ["rules", "sizes"]


async def test_the_last_tick_that_is_taken_away_ends_the_link(room: Room, visit: Callable[[], Visit]) -> None:
    sharer, reader = await Sharer.enter(room, visit()), visit()
    path = await sharer.share("results")
    assert await sharer.share() == ""
    assert await reader.status(path) == 404
    assert await sharer.share("results") != path


@pytest.mark.parametrize("link", ["A" * 16, "share", "..", "a" * 200, "%00", "%F0%9F%98%80"])
async def test_a_guessed_link_is_no_page(room: Room, visit: Callable[[], Visit], link: str) -> None:
    sharer = await Sharer.enter(room, visit())
    await sharer.share("results")
    status, page = await visit().get(f"/figures/of/{link}")
    assert status in (401, 404)
    assert "Figures of" not in page


async def test_an_ended_link_and_a_guessed_one_say_the_same(room: Room, visit: Callable[[], Visit]) -> None:
    sharer, reader = await Sharer.enter(room, visit()), visit()
    path = await sharer.share("results")
    await sharer.share()
    assert await reader.get(path) == await reader.get(f"/figures/of/{'B' * 16}")


async def test_nobody_changes_or_ends_the_link_of_another(room: Room, visit: Callable[[], Visit]) -> None:
    sharer, thief = await Sharer.enter(room, visit()), visit()
    path = await sharer.share("results")
    await AtHome.enter(room, room.maksim, thief)
    await thief.post("/figures/share", {"parts": [], "user": str(room.ola.id), "link": path.rpartition("/")[2]})
    assert await visit().status(path) == 200


@pytest.mark.parametrize(
    "body", [{}, {"parts": None}, {"parts": "results"}, {"parts": [1]}, {"parts": ["all"]}, {"parts": ["time"] * 99}]
)
async def test_a_made_up_change_is_refused(room: Room, visit: Callable[[], Visit], body: dict[str, Any]) -> None:
    sharer = await Sharer.enter(room, visit())
    path = await sharer.share("results")
    status, _ = await sharer.browser.post("/figures/share", body)
    assert status == 400
    assert await visit().status(path) == 200


async def test_a_foreign_page_and_a_stranger_share_nothing(room: Room, visit: Callable[..., Visit]) -> None:
    sharer = await Sharer.enter(room, visit())
    sharer.browser.origin = "https://evil.example"
    assert (await sharer.browser.post("/figures/share", {"parts": ["results"]}))[0] == 403
    assert (await visit().post("/figures/share", {"parts": ["results"]}))[0] == 401


async def test_the_own_page_has_the_link_and_what_is_ticked(room: Room, visit: Callable[[], Visit]) -> None:
    sharer = await Sharer.enter(room, visit())
    path = await sharer.share("openings")
    _, page = await sharer.browser.get("/figures")
    assert f'value="{room.discord.address.rstrip("/")}{path}"' in page
    assert re.findall(r'name="(\w+)" autocomplete="off" checked', page) == ["openings"]


async def test_the_card_of_a_shared_year_names_no_friend(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    sharer, reader = await Sharer.enter(room, visit()), visit()
    path = await sharer.share("year")
    _, page = await reader.get(path)
    assert titles(page) == ["year"]
    assert f'src="{path}/year.png"' in page
    assert "0 won, 0 drawn, 1 lost" in page
    assert "Максим" not in page
    headers = await reader.headers(f"{path}/year.png")
    assert (headers["Content-Type"], headers["X-Robots-Tag"]) == ("image/png", "noindex")


async def test_a_card_that_is_not_shared_has_no_picture(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    sharer, reader = await Sharer.enter(room, visit()), visit()
    path = await sharer.share("year")
    assert await reader.status(f"{path}/year.png") == 200
    await sharer.share("results")
    assert await reader.status(f"{path}/year.png") == 404
    assert await reader.status(f"/figures/of/{'C' * 16}/year.png") == 404


async def test_before_the_first_game_of_a_year_the_one_before_is_shown(room: Room, visit: Callable[[], Visit]) -> None:
    await store_game(room, room.channel, GAME, MOVES)
    year = Year.at(room.clock()).number
    await room.pass_time(366 * DAY)
    sharer = await Sharer.enter(room, visit())
    _, page = await visit().get(await sharer.share("year"))
    assert f"{year} in dots" in page


async def test_a_deleted_player_shows_nothing(room: Room, visit: Callable[[], Visit]) -> None:
    sharer = await Sharer.enter(room, visit())
    path = await sharer.share(*ALL)
    await room.services.privacy.forget(UserId(room.ola.id), room.clock())
    assert await visit().status(path) == 404
