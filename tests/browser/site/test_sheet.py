"""The analysis sheet in a browser: what is tried on it stays in private, and nothing of it is played."""

from __future__ import annotations

import pytest_asyncio
from playwright.async_api import WebSocketRoute, expect

from bot.cli.tryout import mount_site
from loopback import Channel, Discord
from tests.bot.room import Room, private_message
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.web_board import SIDE, WebBoard, open_board
from tests.browser.web_sheet import WebSheet
from tests.browser.window import Window
from tests.web.visit import link_for


@pytest_asyncio.fixture(loop_scope="session")
async def sheet(room: Room, thread: Channel, window: Window) -> WebSheet:
    """Ola's sheet."""
    await open_board(room, thread, window)
    return await WebSheet.try_out(window.page, SIDE, narrow=window.narrow)


async def lay(sheet: WebSheet, *names: str) -> None:
    for name in names:
        await sheet.tap(name)
        await expect(sheet.here).to_contain_text(name)


@in_both_sizes
async def test_both_colours_are_laid_and_nothing_is_played(room: Room, sheet: WebSheet) -> None:
    await lay(sheet, "E5", "E6", "D5")
    await expect(sheet.stones).to_have_count(3)
    await expect(sheet.button("Play")).to_have_count(0)
    await sheet.button("Back to the game").click()
    await expect(sheet.page.locator("#field .stones > *")).to_have_count(0)
    assert await room.version() == 0


async def test_each_move_has_the_dot_of_its_player_and_not_a_colour_alone(sheet: WebSheet) -> None:
    await lay(sheet, "E5", "E6")
    for move, dot in (("E5", "#dot-0"), ("E6", "#dot-1")):
        await expect(sheet.move(move).locator("use")).to_have_attribute("href", dot)


@on_a_phone
async def test_branches_and_notes_outlive_a_reload(sheet: WebSheet) -> None:
    await lay(sheet, "E5", "E6")
    await sheet.button("One move back").click()
    await expect(sheet.here).to_contain_text("E5")
    await lay(sheet, "D6")
    await sheet.note.fill("The better answer")
    await sheet.move("E6").click()
    await expect(sheet.note).to_have_value("")
    await sheet.page.reload()
    sheet = await WebSheet.try_out(sheet.page, SIDE, narrow=sheet.narrow)
    await expect(sheet.move("E6")).to_be_visible()
    await sheet.move("D6").click()
    await expect(sheet.note).to_have_value("The better answer")
    await expect(sheet.stones).to_have_count(2)


@on_a_phone
async def test_a_deleted_branch_comes_back(sheet: WebSheet) -> None:
    await lay(sheet, "E5", "E6")
    await sheet.move("E5").click()
    await sheet.button("Delete").click()
    await expect(sheet.move("E6")).to_have_count(0)
    await sheet.button("Undo deleting").click()
    await expect(sheet.move("E6")).to_be_visible()
    await expect(sheet.here).to_contain_text("E5")


@on_a_phone
async def test_a_move_that_arrives_meanwhile_plays_nothing(room: Room, thread: Channel, sheet: WebSheet) -> None:
    await lay(sheet, "E5", "E6")
    await room.ola.command(thread, "move", point="E5").answered()
    await room.maksim.command(thread, "move", point="D4").answered()
    await expect(sheet.button("New moves in the game: 2")).to_be_visible()
    await expect(sheet.here).to_contain_text("E6")
    await expect(sheet.stones).to_have_count(2)
    await sheet.button("New moves in the game: 2").click()
    await expect(sheet.here).to_contain_text("D4")
    await expect(sheet.stones).to_have_count(2)
    assert await room.version() == 2


@on_a_phone
async def test_one_tap_plans_an_answer_that_the_game_plays(room: Room, thread: Channel, sheet: WebSheet) -> None:
    await room.ola.command(thread, "move", point="E5").answered()
    await sheet.button("New moves in the game: 1").click()
    await lay(sheet, "E6", "D6")
    await sheet.button("Plan this answer").click()
    await expect(sheet.page.get_by_text("planned", exact=True)).to_have_count(2)
    await room.maksim.command(thread, "move", point="E6").answered()
    await expect(sheet.button("New moves in the game: 2")).to_be_visible()
    assert await room.version() == 3


async def test_a_crossing_that_the_rules_refuse_is_not_laid(sheet: WebSheet) -> None:
    await sheet.tap("A1")
    await expect(sheet.page.locator("#sheet-line.trouble")).to_contain_text("A1 is too far out")
    await expect(sheet.stones).to_have_count(0)


async def test_a_lost_connection_lays_a_turn_once(room: Room, thread: Channel, window: Window) -> None:
    sockets: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    await window.page.route_web_socket("**/live/**", connect)
    await open_board(room, thread, window)
    sheet = await WebSheet.try_out(window.page, SIDE, narrow=False)
    await lay(sheet, "E5")
    await sockets[-1].close(code=3000)
    await lay(sheet, "E6")
    await expect(sheet.move("E6")).to_have_count(1)


async def test_the_keyboard_lays_and_walks(sheet: WebSheet, window: Window) -> None:
    await sheet.page.locator("#sheet-field").focus()
    for key in ("ArrowUp", "Enter"):
        await sheet.page.keyboard.press(key)
    await expect(sheet.here).to_contain_text("E5")
    await sheet.page.keyboard.press("PageUp")
    await expect(sheet.stones).to_have_count(0)
    await sheet.page.keyboard.press("PageDown")
    await expect(sheet.stones).to_have_count(1)
    await expect(sheet.button("Computer's view")).to_have_count(0)


@on_a_phone
async def test_notes_outlive_a_restart_and_are_published_after_the_game(
    room: Room, discord: Discord, thread: Channel, sheet: WebSheet
) -> None:
    await lay(sheet, "E5")
    await sheet.note.fill("The centre\nif it is quiet")
    await expect(sheet.page.get_by_text("Saved", exact=True)).to_be_visible()
    await expect(sheet.button("Publish my notes")).to_have_count(0)
    await room.restart()
    async with mount_site(discord, room.bot.website):
        await sheet.page.reload()
        again = await WebSheet.try_out(sheet.page, SIDE, narrow=sheet.narrow)
        await again.move("E5").click()
        await expect(again.note).to_have_value("The centre\nif it is quiet")
        await room.play(thread, "E5", "E6")
        asked = await private_message(room.ola.command(thread, "resign"))
        await room.ola.click(asked, "Yes, resign").answered()
        await again.button("Publish my notes").click()
        await expect(again.button("Hide my notes again")).to_be_visible()
        await expect(sheet.page.locator("#sheet-help")).to_contain_text("This sheet is published")
        await room.wait_for_board(thread, 3)
        link = await link_for(room, room.maksim, room.boards(thread)[-1])
        await sheet.page.context.clear_cookies()
        await WebBoard.open(sheet.page, link, SIDE, narrow=sheet.narrow)
        other = WebSheet(sheet.page, SIDE, narrow=sheet.narrow)
        await other.button("Notes of Ola").click()
        await other.move("E5").click()
        await expect(other.note).to_have_value("The centre\nif it is quiet")
        await expect(other.note).not_to_be_editable()
        await sheet.page.goto("about:blank")
