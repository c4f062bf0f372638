"""The pages of a server, in a browser: what a phone shows of wide tables, links from page to page, and their policy."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal, NamedTuple

import pytest
import pytest_asyncio
import yarl
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from play.ids import GuildId, UserId
from tests.bot.conftest import stand_in
from tests.bot.features.competitions.tournaments.cup import begin_with, invite, is_open, resign_all, wait_for
from tests.bot.features.leaderboards.test_leaderboards import play_league
from tests.bot.room import Room, private_words
from tests.bot.waiting import skip_confirmations
from tests.browser.conftest import on_a_phone
from tests.browser.site.conftest import running_site
from tests.browser.site.test_policy import POLICY
from tests.browser.window import CAN_SCROLL_SIDEWAYS, Window
from tests.clock import StoppedClock
from tests.web.finished import store_game, switch_pages
from tests.web.test_server_pages import GAME, MOVES

PLAYERS = 12
"""Players of a tournament whose crosstable is wider than a phone."""


on_round_robin = pytest.mark.parametrize("places", ["round-robin"], indirect=True)


class Places(NamedTuple):
    """The addresses of the pages."""

    server: str
    leaderboard: str
    player: str
    tournaments: str
    tournament: str
    ladder: str
    game: str


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["round-robin", "knock-out"])
async def places(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Places]:
    """A server with rated players, a tournament of a format and a ladder, which all tests only look at."""
    clock, url = StoppedClock(), f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('places')}/kropka.db"
    with pytest.MonkeyPatch.context() as monkeypatch:
        async with stand_in(clock, monkeypatch) as discord, running_site(discord, url, clock, {}) as room:
            yield await fill(room, request.param)


async def fill(room: Room, format_: str) -> Places:
    """Plays all that the pages show."""
    await switch_pages(room, on=True)
    await skip_confirmations(room)
    room.make_moderator(room.ola)
    await play_league(room)
    games = [await store_game(room, room.channel, GAME, MOVES) for _ in range(3)]
    cup = await begin_with(room, invite(room, PLAYERS), format=format_)
    await resign_all(room, cup)
    await wait_for(room, is_open(2))
    await private_words(room.ola.command(room.channel, "ladder create"))
    for person in (room.kasia, room.ola, room.maksim):
        await private_words(person.command(room.channel, "ladder join"))
    links, guild = room.services.web_links, GuildId(room.discord.guild.id)
    assert links is not None
    return Places(
        links.place(lambda paths: paths.server(guild)),
        links.place(lambda paths: paths.leaderboard(guild)),
        links.place(lambda paths: paths.player(guild, UserId(room.maksim.id))),
        links.place(lambda paths: paths.tournaments(guild)),
        links.place(lambda paths: paths.tournament(guild, cup.id)),
        links.place(lambda paths: paths.ladder(guild)),
        links.page(games[0].id),
    )


@on_a_phone
async def test_a_phone_scrolls_wide_tables_in_their_box_and_no_page_sideways(places: Places, window: Window) -> None:
    for address in places:
        await window.page.goto(address)
        assert not await window.page.evaluate("document.documentElement.scrollWidth > innerWidth"), address
    await window.page.goto(places.tournament)
    box = window.page.locator(".wide").first
    assert await box.evaluate(CAN_SCROLL_SIDEWAYS)
    await box.focus()
    await window.page.keyboard.press("End")
    await expect(box).to_have_js_property("tabIndex", 0)


@on_round_robin
@on_a_phone
async def test_all_links_are_large_enough_for_a_finger(places: Places, window: Window) -> None:
    for address in set(places) - {places.game}:
        await window.page.goto(address)
        links = window.page.locator("main a:visible")
        for height in await links.evaluate_all("links => links.map(each => each.getBoundingClientRect().height)"):
            assert height >= 24, address


@on_round_robin
async def test_pages_lead_to_each_other_without_a_script(places: Places, window: Window) -> None:
    page = window.page
    await page.goto(places.leaderboard)
    await page.get_by_role("link", name="Максим").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Максим")
    await expect(page.get_by_role("img", name="Максим's rating in Dots (over days)")).to_be_visible()
    await page.get_by_role("row", name="Game 30").get_by_role("link", name="Ola").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Ola")
    await page.get_by_role("navigation").get_by_role("link", name="Tournaments").click()
    await page.get_by_role("link", name="Autumn Cup").click()
    await expect(page.get_by_role("table", name="Standings").get_by_role("row")).to_have_count(PLAYERS + 1)
    await page.get_by_role("navigation").get_by_role("link", name="Ladder").click()
    await expect(page.get_by_role("listitem").first).to_have_text("Kasia Wiśniewska")


@on_round_robin
async def test_pages_follow_a_dark_system(places: Places, window: Window) -> None:
    papers = []
    for scheme in ("light", "dark"):
        await window.page.emulate_media(color_scheme=scheme)
        await window.page.goto(places.leaderboard)
        paper = await window.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        papers.append(sum(map(int, paper.removeprefix("rgb(").removesuffix(")").split(","))))
    assert papers[0] > 600 > 200 > papers[1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_all_pages_keep_the_rules_of_accessibility(
    places: Places, window: Window, scheme: Literal["light", "dark"]
) -> None:
    await window.page.emulate_media(color_scheme=scheme)
    for address in set(places) - {places.game}:
        await window.page.goto(address)
        found = await Axe().run(window.page)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"


@on_round_robin
async def test_all_pages_keep_to_the_policy(places: Places, window: Window, asked: set[str]) -> None:
    for address in places:
        await window.page.goto(address)
    await expect(window.page.locator("#now")).to_contain_text(f"{len(MOVES)} / ")  # a game's page loads its moves last
    assert window.complaints == []
    nothing = str(yarl.URL(places.game).with_path("/nothing"))
    await window.page.goto(nothing)
    assert window.complaints.pop(0) == f"{nothing}: 404"
    assert not [each for each in window.complaints if POLICY in each]
    window.complaints.clear()  # that the console names the status, too
    assert asked == {str(yarl.URL(places.game).origin())}
