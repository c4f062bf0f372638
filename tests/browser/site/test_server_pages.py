"""The pages of a server, in a browser: what a phone shows of wide tables, and links from page to page."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import expect

from loopback import Discord
from loopback.permissions import Permission
from play.ids import GuildId, UserId
from tests.bot.features.leaderboards.test_leaderboards import play_league
from tests.bot.features.tournaments.cup import begin_with, invite, is_open, resign_all, wait_for
from tests.bot.room import Room, private_words
from tests.bot.waiting import skip_confirmations
from tests.browser.conftest import on_a_computer, on_a_phone
from tests.browser.window import CAN_SCROLL_SIDEWAYS, Window
from tests.web.finished import store_game, switch_pages
from tests.web.test_server_pages import GAME, MOVES

PLAYERS = 12
"""Players of a tournament whose crosstable is wider than a phone."""


class Places(NamedTuple):
    """The addresses of the pages."""

    leaderboard: str
    player: str
    tournaments: str
    tournament: str
    ladder: str


@pytest_asyncio.fixture(loop_scope="session")
async def places(room: Room, discord: Discord, request: pytest.FixtureRequest) -> Places:
    """A server with rated players, a tournament (its format is the parameter) and a ladder."""
    await switch_pages(room, on=True)
    await skip_confirmations(room)
    discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await play_league(room)
    for _ in range(3):
        await store_game(room, room.channel, GAME, MOVES)
    cup = await begin_with(room, invite(room, PLAYERS), format=getattr(request, "param", "round-robin"))
    await resign_all(room, cup)
    await wait_for(room, is_open(2))
    await private_words(room.ola.command(room.channel, "ladder create"))
    for person in (room.kasia, room.ola, room.maksim):
        await private_words(person.command(room.channel, "ladder join"))
    links, guild = room.services.web_links, GuildId(discord.guild.id)
    assert links is not None
    return Places(
        links.place(lambda paths: paths.leaderboard(guild)),
        links.place(lambda paths: paths.player(guild, UserId(room.maksim.id))),
        links.place(lambda paths: paths.tournaments(guild)),
        links.place(lambda paths: paths.tournament(guild, cup.id)),
        links.place(lambda paths: paths.ladder(guild)),
    )


@on_a_phone
@pytest.mark.parametrize("places", ["round-robin", "knock-out"], indirect=True)
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
    assert window.complaints == []


@on_a_phone
async def test_all_links_are_large_enough_for_a_finger(places: Places, window: Window) -> None:
    for address in places:
        await window.page.goto(address)
        for box in [await link.bounding_box() for link in await window.page.locator("main a:visible").all()]:
            assert box is not None
            assert box["height"] >= 24, (address, box)


@on_a_computer
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
    assert window.complaints == []


@on_a_computer
async def test_pages_follow_a_dark_system(places: Places, window: Window) -> None:
    papers = []
    for scheme in ("light", "dark"):
        await window.page.emulate_media(color_scheme=scheme)
        await window.page.goto(places.leaderboard)
        paper = await window.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        papers.append(sum(map(int, paper.removeprefix("rgb(").removesuffix(")").split(","))))
    assert papers[0] > 600 > 200 > papers[1]
