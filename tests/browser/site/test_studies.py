"""Studies in two browsers: what one draws the other sees, and who has drawn it."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from loopback import Discord
from tests.bot.room import Room
from tests.browser.home_page import home_link, launch_home
from tests.browser.site.test_analysis import button, lay
from tests.browser.site.test_states import expect_accessible, expect_no_faults
from tests.browser.window import Window
from tests.opponent.quick import Inside
from tests.web.visit import with_client_secret


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


@pytest_asyncio.fixture(loop_scope="session")
async def ola(room: Room, window: Window) -> Page:
    """Ola's study, which she has begun by hand."""
    page = window.page
    await page.goto(await home_link(room, room.ola))
    await expect(page.locator("#sections section").first).to_be_visible()
    await page.goto(f"{room.discord.address}study")
    await page.get_by_role("textbox", name="Name").fill("Cuts")
    await page.get_by_role("button", name="Begin", exact=True).click()
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()
    return page


@pytest_asyncio.fixture(loop_scope="session")
async def maksim(room: Room, window: Window, ola: Page) -> Page:
    """The page of one whom Ola's link lets draw."""
    browser = ola.context.browser
    assert browser is not None
    page = await (await browser.new_context(viewport=ola.viewport_size)).new_page()
    await page.goto(await home_link(room, room.maksim))
    await expect(page.locator("#sections section").first).to_be_visible()
    await share(ola)
    await page.goto(await ola.get_by_role("textbox", name="Link for people to join").input_value())
    await expect(page.locator("#sheet-field svg .grid line").first).to_be_attached()
    return page


async def share(ola: Page) -> None:
    await ola.get_by_text("Chapters and sharing").click()
    await ola.get_by_label("People with the link").select_option("drawer")
    await button(ola, "Make a link").click()


async def test_what_one_draws_the_other_sees_with_who_has_drawn_it(ola: Page, maksim: Page) -> None:
    await lay(maksim, "A1", "B2")
    await expect(ola.locator("#sheet nav .move")).to_have_count(3)
    await expect(ola.locator("#study-people")).to_contain_text("Максим")
    await button(ola, "drew B2").click()
    await expect(ola.locator("#sheet-field .people circle")).to_have_count(1)
    await maksim.context.close()


async def test_what_was_drawn_without_a_connection_is_there_after_it(window: Window, ola: Page) -> None:
    await ola.context.set_offline(True)
    await ola.get_by_role("textbox", name="Type a move").fill("A1")
    await ola.keyboard.press("Enter")
    await ola.context.set_offline(False)
    await expect(ola.locator("#sheet nav .move")).to_have_count(2)
    window.complaints.clear()


async def test_an_own_stroke_is_undone_and_done_again(ola: Page) -> None:
    await lay(ola, "A1")
    await button(ola, "Undo").click()
    await expect(ola.locator("#sheet nav .move")).to_have_count(1)
    await button(ola, "Redo").click()
    await expect(ola.locator("#sheet nav .move")).to_have_count(2)


async def tap_the_middle(page: Page) -> None:
    box = await page.locator("#sheet-field").bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] / 2 + 90, box["y"] + box["height"] / 2 + 90)


async def test_marks_that_one_puts_the_other_sees_at_once(ola: Page, maksim: Page) -> None:
    await button(ola, "Marks").click()
    await tap_the_middle(ola)
    await expect(ola.locator("#sheet-field .marks g")).to_have_count(1)
    await expect(maksim.locator("#sheet-field .marks g")).to_have_count(1)
    await maksim.context.close()


async def test_a_set_up_that_one_makes_the_other_sees_at_once(ola: Page, maksim: Page) -> None:
    stones = maksim.locator("#sheet-field .stones use")
    before = await stones.count()
    await button(ola, "Set up").click()
    await tap_the_middle(ola)
    await expect(stones).to_have_count(before + 1)
    await maksim.context.close()


async def test_a_note_that_another_writes_is_not_overwritten_by_one_who_has_typed_nothing(
    ola: Page, maksim: Page
) -> None:
    await lay(maksim, "A1")
    await expect(ola.locator("#sheet nav .move")).to_have_count(2)
    await ola.locator("#sheet nav .move").last.click()
    await ola.locator("#sheet-note").click()
    await maksim.locator("#sheet-note").fill("a cut")
    await expect(ola.locator("#sheet nav q")).to_have_text("a cut")
    await ola.locator("#sheet nav .move").first.click()
    await ola.locator("#sheet nav .move").last.click()
    await expect(ola.locator("#sheet-note")).to_have_value("a cut")
    await maksim.context.close()


async def test_one_who_may_draw_no_longer_sees_no_tools(ola: Page, maksim: Page) -> None:
    await ola.reload()
    await ola.get_by_text("Chapters and sharing").click()
    await ola.locator(".member select").select_option("reader")
    await expect(button(maksim, "Set up")).to_have_count(0)
    await ola.locator(".member select").select_option("drawer")
    await expect(button(maksim, "Set up")).to_be_visible()
    await maksim.context.close()


async def test_what_another_adds_takes_nobody_out_of_a_field(ola: Page, maksim: Page) -> None:
    size = ola.locator('[data-focus="source_size"]')
    await size.focus()
    await maksim.get_by_text("Chapters and sharing").click()
    await button(maksim, "Add chapter").click()
    await expect(ola.locator('[data-focus="chapter"] option')).to_have_count(2)
    await expect(size).to_be_focused()
    await maksim.context.close()


async def test_a_withdrawn_link_closes_the_board_of_the_other(ola: Page, maksim: Page) -> None:
    await button(ola, "Withdraw the link").click()
    await expect(maksim.locator("#sheet")).to_contain_text("Ask its owner for the link")
    await maksim.context.close()


async def test_a_study_in_the_activity_shows_who_draws_in_a_browser(
    room: Room, discord: Discord, window: Window, ola: Page
) -> None:
    browser = ola.context.browser
    assert browser is not None
    await share(ola)
    link = await ola.get_by_role("textbox", name="Link for people to join").input_value()
    phone = await (await browser.new_context(viewport=ola.viewport_size)).new_page()
    await phone.goto(await home_link(room, room.maksim))
    await expect(phone.locator("#sections section").first).to_be_visible()
    await phone.goto(link)
    await expect(phone.locator("#sheet-field svg .grid line").first).to_be_attached()
    frame = await launch_home(window, discord, room.ola, room.channel)
    await frame.locator('[data-focus="door_board"]').click()
    await frame.get_by_text("Board, file, computer").first.click()
    await frame.locator('[data-focus="studies"]').click()
    await frame.get_by_role("link", name="Cuts").click()
    await expect(frame.locator("#sheet-field svg .grid line").first).to_be_attached()
    typed = frame.get_by_role("textbox", name="Type a move")
    await typed.fill("A1")
    await typed.press("Enter")
    await expect(phone.locator("#study-people")).to_contain_text("drew A1")
    await lay(phone, "B2")
    await expect(frame.locator("#study-people")).to_contain_text("Максим")
    await frame.get_by_role("button", name="Leave").click()
    await expect(frame.locator(".studies a")).to_have_text("Cuts")
    await phone.context.close()


async def test_a_study_is_begun_in_the_activity_and_gets_a_chapter(
    room: Room, discord: Discord, window: Window
) -> None:
    frame = await launch_home(window, discord, room.ola, room.channel)
    await frame.locator('[data-focus="door_board"]').click()
    await frame.get_by_text("Board, file, computer").first.click()
    await frame.locator('[data-focus="studies"]').click()
    begin = frame.get_by_role("button", name="Begin")
    await begin.click()
    await expect(begin).to_be_visible()  # a study without a name is not begun
    name = frame.locator("#begin-study input").first
    await name.fill("Ladders")
    await name.press("Enter")
    await expect(frame.locator("#sheet-title")).to_have_text("Ladders")
    await frame.locator("#study-panel summary").first.click()
    await frame.get_by_role("button", name="Add chapter").click()
    await expect(frame.locator('[data-focus="chapter"] option')).to_have_count(2)


async def test_a_study_and_the_list_have_no_faults(room: Room, ola: Page) -> None:
    await lay(ola, "A1")
    await share(ola)
    await expect_no_faults(ola, "a study", "#sheet-field, #sheet-back")
    await expect_accessible(ola, "a study")
    await ola.goto(f"{room.discord.address}study")
    await expect(ola.locator(".studies a")).to_have_text("Cuts")
    await expect_no_faults(ola, "the list of studies", ".studies")
    await expect_accessible(ola, "the list of studies")
