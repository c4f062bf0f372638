"""The shelf of boards of one's own, their links, and games from a position against people, as players use them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from bot.settings import Hosting
from loopback import Discord
from play.ids import OwnBoardId, UserId
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.site.finished_game import end_game
from tests.browser.site.test_analysis_doors import LINES, MOVES, expect_own_board, lay
from tests.browser.site.test_analysis_states import enter, open_board, tool
from tests.browser.site.test_mini_app import client, launch_of, open_app  # noqa: F401 - a fixture
from tests.browser.window import Window
from tests.opponent.quick import Inside
from tests.web.mini_app import chat_with_app
from tests.web.visit import with_client_secret


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


async def open_game(room: Room, page: Page) -> None:
    await page.goto("about:blank")
    await page.goto(f"{room.discord.address}analysis#game=1")
    await expect(page.locator(LINES).first).to_be_attached()


async def boards_of(room: Room) -> list[str]:
    return [each.name for each in await room.use_cases.own_boards.list(UserId(room.ola.id))]


@in_both_sizes
async def test_a_board_is_renamed_and_deleted_by_a_second_press(room: Room, window: Window) -> None:
    await end_game(room)
    page = await enter(room, window)
    await open_game(room, page)
    await tool(page, "boards")
    item = page.locator("#own-boards li").first
    await expect(item).to_contain_text("from game 1")
    await expect(item).to_contain_text("2025")
    await expect(item.locator("svg.board")).to_be_attached()
    await item.get_by_role("button", name="Rename: Game 1").click()
    await page.get_by_role("textbox", name="Name").fill("My cut")
    await page.keyboard.press("Enter")
    await expect(item.locator("strong")).to_have_text("My cut")
    assert await boards_of(room) == ["My cut"]
    await item.get_by_role("button", name="Delete: My cut").click()
    assert await boards_of(room) == ["My cut"]
    await item.get_by_role("button", name="Delete for good?").click()
    await expect(page.locator("#own-boards .empty")).to_contain_text("New board begins one")
    assert await boards_of(room) == []


async def test_a_name_that_is_refused_is_told_and_the_list_stays(room: Room, window: Window) -> None:
    page = await enter(room, window)
    await open_board(room, page, "en")
    await tool(page, "boards")
    await page.get_by_role("button", name="Rename:").click()
    await page.get_by_role("textbox", name="Name").fill("   ")
    await page.keyboard.press("Enter")
    await expect(page.locator("#asked .trouble")).to_contain_text("60")
    await expect(page.locator("#own-boards li")).to_have_count(1)
    window.complaints.clear()


async def test_a_finished_game_that_is_opened_twice_goes_on_where_it_was(room: Room, window: Window) -> None:
    await end_game(room)
    page = await enter(room, window)
    for moves, text in enumerate(("E6", "D5"), start=3):
        await open_game(room, page)
        await expect(page.locator(MOVES)).to_have_count(moves)
        await lay(page, text)
    assert await boards_of(room) == ["Game 1"]


@in_both_sizes
async def test_a_link_is_read_until_it_ends(room: Room, window: Window, browser: Browser) -> None:
    await end_game(room)
    page = await enter(room, window)
    await open_game(room, page)
    await tool(page, "picture")
    await page.get_by_role("button", name="Make a link").click()
    link = await page.get_by_role("textbox", name="Link to this board").input_value()
    async with await browser.new_context() as context:
        reader = await context.new_page()
        await reader.goto(link)
        await expect(reader.locator("#sheet-title")).to_have_text("Game 1")
        await expect(reader.locator(MOVES)).to_have_count(3)
        await reader.locator("#sheet-field").click()
        await expect(reader.locator("#sheet-line")).to_contain_text("You can only read this board")
        await expect(reader.locator(MOVES)).to_have_count(3)
        await reader.get_by_role("button", name="Copy this board").click()
        await expect(reader.locator("#sheet-status")).to_contain_text("kept in this browser alone")
        await lay(reader, "E6")
        await page.get_by_role("button", name="End the link").click()
        await expect(page.get_by_role("button", name="Make a link")).to_be_visible()
        await reader.goto(link)
        await expect(reader.locator("body")).to_contain_text("no longer shared")
    (kept,) = await room.use_cases.own_boards.list(UserId(room.ola.id))
    assert len((await room.use_cases.own_boards.load(OwnBoardId(kept.id), UserId(room.ola.id))).turns) == 2


@in_both_sizes
async def test_a_challenge_is_posted_from_a_position(room: Room, window: Window) -> None:
    await skip_confirmations(room)
    await end_game(room)
    page = await enter(room, window)
    await open_game(room, page)
    await tool(page, "play")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_text("Against a person").click()
    await dialog.get_by_label("Who").select_option(label="Максим")
    await dialog.get_by_role("button", name="Post the challenge").click()
    await expect(dialog).to_contain_text("Now it waits for an answer")
    (posted,) = await room.use_cases.challenges.list_open(challenger=UserId(room.ola.id))
    assert (posted.opponent, posted.terms.rated) == (room.maksim.id, False)
    assert posted.terms.game.opening is not None


@on_a_phone
async def test_a_code_for_a_friend_is_made_from_a_position(room: Room, window: Window) -> None:
    page = await enter(room, window)
    await open_board(room, page, "en")
    await tool(page, "play")
    dialog = page.get_by_role("dialog")
    await dialog.get_by_text("Against a person").click()
    await dialog.get_by_role("button", name="Code for a friend").click()
    link = await dialog.get_by_role("textbox", name="Link to the game").input_value()
    await page.goto(link)
    await expect(page.locator("body")).to_contain_text("from a position")


async def test_a_visitor_who_opens_a_game_again_goes_on_with_their_board(room: Room, window: Window) -> None:
    page = window.page
    await open_board(room, page, "en")
    await lay(page, "E5")
    await page.evaluate("""() => {
      const kept = JSON.parse(sessionStorage.getItem('kropka-own-board'));
      sessionStorage.setItem('kropka-own-board', JSON.stringify({ ...kept, origin: 'game', match: 7 }));
    }""")
    await page.goto("about:blank")
    await page.goto(f"{room.discord.address}analysis#record=/game/7-{'A' * 16}/game.sgf")
    await expect(page.locator(MOVES)).to_have_count(2)


class TestInTheMiniApp:
    """Boards of one's own in a frame of another chat: signed data open the session."""

    @pytest.fixture
    def run_options(self, discord: Discord) -> dict[str, Any]:
        return {"chats": [chat_with_app], "hosting": Hosting(web=discord.address.rstrip("/")), "thinkers": Inside}

    @on_a_phone
    async def test_a_board_is_kept_and_found_again(self, discord: Discord, room: Room, client: Window) -> None:  # noqa: F811
        frame = await open_app(client, launch_of(discord, room))
        await frame.locator('[data-focus="door_board"]').click()
        await expect_own_board(frame, 0)
        await lay(frame, "E5")
        await frame.get_by_text("Board, file, computer").first.click()
        await frame.get_by_role("button", name="My boards").click()
        await expect(frame.locator("#own-boards svg.board")).to_be_attached()
        await frame.get_by_role("button", name="Close").click()
        assert len(await boards_of(room)) == 1

    @on_a_phone
    async def test_ones_own_finished_game_opens_by_a_tap(self, discord: Discord, room: Room, client: Window) -> None:  # noqa: F811
        await end_game(room)
        frame = await open_app(client, launch_of(discord, room))
        await frame.locator('[data-focus="finished 1"]').click()
        await frame.get_by_role("link", name="On a board of my own").click()
        await expect_own_board(frame, 2)
        assert await boards_of(room) == ["Game 1"]
