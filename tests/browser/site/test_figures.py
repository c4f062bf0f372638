"""The page of a player's figures in a browser: what a tap opens, its weight, and its width."""

from __future__ import annotations

import re

from playwright.async_api import Locator, Page, ViewportSize, expect

from play.community.exercise import Kind
from play.ids import UserId
from play.people.past_mistake import ReviewedGame
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.home_page import open_home
from tests.browser.site.test_home import BYTES, FIRST_PICTURE, MAX_FIRST_MILLIS
from tests.browser.window import Window
from tests.web.finished import store_game
from tests.web.test_home import GAME

MAX_BYTES = 60_000
WIDTHS = (320, 390, 768, 1280)
OPENINGS = (("E5", "E6", "D5", "D6", "C5"), ("E5", "D4", "F6", "C3", "G7"))


async def add_figures(room: Room) -> None:
    """Stores games of Ola with reviews, and puzzles that she has tried."""
    causes = {Kind.NET: 9.0, Kind.CAPTURE: 4.5, Kind.WALL: 3.0, Kind.ENDING: 1.5, Kind.STOP: 1.0, "": 2.5}
    for number in range(6):
        match = await store_game(room, room.channel, GAME, OPENINGS[number % 2])
        async with room.services.store.write() as tx:
            named = {str(kind): lost for kind, lost in causes.items()}
            await tx.past_mistakes.add_review(ReviewedGame(UserId(room.ola.id), match.id, room.clock(), 21.5, named))
            await tx.puzzles.note_figure(UserId(room.ola.id), Kind.NET, right=bool(number % 2))


async def open_figures(room: Room, window: Window) -> Page:
    """Opens the page from home, as a player does."""
    page = await open_home(room, window, room.ola)
    await page.locator("[data-focus='figures']").click()
    await expect(page.locator("#causes")).to_be_visible()
    return page


async def test_a_tap_on_a_line_shows_its_games_and_another_opens_one(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    line = page.locator("#causes + ul details").first
    await line.locator("summary").click()
    await line.locator(".games a").first.click()
    await expect(page.locator("#field")).to_be_visible()


async def test_train_opens_an_exercise_of_the_kind(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    await page.locator("#causes + ul a.back").first.click()
    await expect(page).to_have_url(re.compile("#quiz=train:net"))
    await expect(page.locator("main.puzzles")).to_contain_text("Close a net around")


async def shared_link(page: Page) -> str:
    """Returns the link to the figures, once it is there."""
    await expect(page.locator("#shared")).to_be_visible()
    return await page.locator("#link").input_value()


def part(page: Page, name: str) -> Locator:
    """Returns the box of a part."""
    return page.locator(f"#sharing [name={name}]")


async def test_a_tick_shares_a_part_and_the_link_ends_in_a_tap(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    await part(page, "results").check()
    link = await shared_link(page)
    async with await page.context.browser.new_context() as strange:  # type: ignore[union-attr]
        stranger = await strange.new_page()
        await stranger.goto(link)
        await expect(stranger.locator("h2")).to_have_text(["Results by rules", "Results by size"])
        async with page.expect_response(re.compile("/figures/share")):
            await part(page, "time").check()
        await stranger.reload()
        await expect(stranger.locator("h2")).to_have_text(["Results by rules", "Results by size", "Time for a move"])
        await page.locator("#end").click()
        await expect(page.locator("#line")).to_contain_text("The link has ended")
        await expect(page.locator("#shared")).to_be_hidden()
        await expect(part(page, "results")).not_to_be_checked()
        answer = await stranger.reload()
        assert answer is not None
        assert answer.status == 404


async def test_quick_ticks_are_all_kept(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    boxes = await page.locator("#sharing input[type=checkbox]").all()
    await page.evaluate("document.querySelectorAll('#sharing input[type=checkbox]').forEach(each => each.click())")
    await shared_link(page)
    async with page.expect_response(re.compile("/figures/share")):
        await boxes[0].uncheck()
    await page.reload()
    assert [await each.is_checked() for each in await page.locator("#sharing input[type=checkbox]").all()] == [
        number > 0 for number in range(len(boxes))
    ]


async def test_a_tick_that_does_not_arrive_is_taken_back_and_said(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    await part(page, "results").check()
    await shared_link(page)
    await page.context.set_offline(True)
    await part(page, "time").click()
    await expect(page.locator("#line")).to_contain_text("Check your connection")
    await expect(part(page, "time")).not_to_be_checked()
    await expect(part(page, "results")).to_be_checked()
    await page.context.set_offline(False)
    async with page.expect_response(re.compile("/figures/share")):
        await part(page, "time").check()
    await expect(page.locator("#line")).to_have_text("")
    await page.reload()
    await expect(part(page, "time")).to_be_checked()
    assert window.complaints
    window.complaints.clear()


async def test_the_sharing_is_done_by_keyboard(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    await part(page, "year").focus()
    await page.keyboard.press("Space")
    await shared_link(page)
    await page.locator("#end").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#shared")).to_be_hidden()


@on_a_phone
async def test_it_is_light_and_quick(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    await page.reload()
    await page.wait_for_function("performance.getEntriesByType('paint').length")
    assert await page.evaluate(BYTES) < MAX_BYTES
    assert await page.evaluate(FIRST_PICTURE) < MAX_FIRST_MILLIS


@on_a_phone
async def test_the_explorer_is_light_and_quick(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    await page.locator("#openings ~ .more a").click()
    await expect(page.locator(".explored")).to_be_visible()
    await page.reload()
    await page.wait_for_function("performance.getEntriesByType('paint').length")
    assert await page.evaluate(BYTES) < MAX_BYTES
    assert await page.evaluate(FIRST_PICTURE) < MAX_FIRST_MILLIS


@in_both_sizes
async def test_the_explorer_shows_what_is_chosen_and_keeps_it(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    await page.goto(f"{room.discord.address}openings")
    await page.get_by_label("Board size").select_option("25x25")
    await page.get_by_label("First dots").select_option("empty")
    await window.press(page.get_by_role("button", name="Show"))
    await window.press(page.get_by_role("link", name="Recorded"))
    await expect(page.locator(".lines > li").first).to_be_visible()
    await page.goto(f"{room.discord.address}openings")
    await expect(page.get_by_label("Board size")).to_have_value("25x25")
    await expect(page.get_by_role("link", name="Recorded")).to_have_attribute("aria-current", "page")


async def test_no_width_makes_it_scroll_sideways(room: Room, window: Window) -> None:
    await add_figures(room)
    page = await open_figures(room, window)
    await page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    for width in WIDTHS:
        await page.set_viewport_size(ViewportSize(width=width, height=900))
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
