"""The board on the web, in a browser: what a player sees, and what a tap plays."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.async_api import WebSocketRoute, expect

from loopback import Channel
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.web_board import WebBoard, open_board
from tests.browser.window import Window


@in_both_sizes
async def test_a_tap_lays_a_ghost_and_play_plays_it(room: Room, thread: Channel, board: WebBoard) -> None:
    await board.tap("E5")
    await expect(board.ghosts).to_have_count(1)
    await expect(board.stones).to_have_count(0)
    await board.button("Play").click()
    await expect(board.stones).to_have_count(1)
    await expect(board.ghosts).to_have_count(0)
    await room.wait_for_board(thread, 1)


@on_a_phone
async def test_a_second_tap_on_the_ghost_plays_it(room: Room, thread: Channel, board: WebBoard) -> None:
    await board.stop_time()
    await board.tap("E5")
    await expect(board.ghosts).to_have_count(1)
    await board.tap("E5")
    await expect(board.ghosts).to_have_count(1)
    await board.glance()
    await board.tap("E5")
    await expect(board.stones).to_have_count(1)
    await room.wait_for_board(thread, 1)


@on_a_phone
async def test_undo_takes_the_ghost_away(board: WebBoard) -> None:
    await board.tap("E5")
    await board.button("Remove").click()
    await expect(board.ghosts).to_have_count(0)


@on_a_phone
async def test_a_crossing_that_is_not_allowed_says_why(board: WebBoard) -> None:
    await board.tap("A1")
    await expect(board.said).to_contain_text("A1 is too far out")
    await expect(board.ghosts).to_have_count(0)


async def test_a_move_in_discord_appears_at_once(room: Room, thread: Channel, board: WebBoard, window: Window) -> None:
    await room.ola.command(thread, "move", point="E5").answered()
    await expect(board.stones).to_have_count(1)
    await expect(board.status).to_contain_text("Максим")


async def test_the_keyboard_walks_and_plays(room: Room, thread: Channel, board: WebBoard, window: Window) -> None:
    await board.page.locator("#field").focus()
    await board.page.keyboard.press("ArrowUp")
    await board.page.keyboard.press("Enter")
    await expect(board.ghosts).to_have_count(1)
    await expect(board.button("Play")).to_be_enabled()
    await board.glance()
    await board.page.keyboard.press("Enter")
    await expect(board.stones).to_have_count(1)


@on_a_phone
async def test_a_small_board_comes_closer_first(room: Room, window: Window) -> None:
    thread = await room.start_match(size="39x32")
    board = await open_board(room, thread, window, side=39)
    await board.tap("T16")
    await expect(board.ghosts).to_have_count(1)
    await board.button("Play").tap()
    await expect(board.stones).to_have_count(1)


@on_a_phone
async def test_the_board_keeps_clear_of_what_discord_lays_over_it(board: WebBoard, window: Window) -> None:
    root = board.page.locator("html")
    await root.evaluate("(root) => root.style.setProperty('--discord-safe-area-inset-top', '48px')")
    box = await board.page.locator("#players li").last.bounding_box()
    assert box is not None
    assert box["y"] == 48


async def test_a_socket_that_answers_no_ping_is_replaced(room: Room, thread: Channel, window: Window) -> None:
    sockets: list[WebSocketRoute] = []

    def swallow_pings(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()
        if len(sockets) == 1:
            socket.on_message(lambda message: None)

    await window.page.route_web_socket("**/live/**", swallow_pings)
    await window.page.clock.install()
    board = await open_board(room, thread, window)
    await board.page.clock.run_for(31_000)  # a ping after 20 seconds, an answer to wait for, and a pause
    await board.tap("E5")
    await expect(board.ghosts).to_have_count(1)
    assert len(sockets) == 2


async def test_a_tap_out_of_turn_says_whose_turn_it_is(room: Room, thread: Channel, board: WebBoard) -> None:
    await room.play(thread, "E5")
    await expect(board.stones).to_have_count(1)
    await board.tap("D4")  # which may have been meant for the position before
    await board.glance()
    await expect(board.said).to_be_empty()
    await board.tap("D4")
    await expect(board.said).to_have_text("It's Максим's turn.")
    await expect(board.ghosts).to_have_count(0)
    await room.maksim.command(thread, "move", point="D4").answered()
    await expect(board.said).to_be_empty()


@in_both_sizes
async def test_the_next_game_is_one_press_away_until_it_is_ones_turn_here(
    room: Room, thread: Channel, window: Window
) -> None:
    slow = await room.start_match(size="9x9", start="empty", clock="3d")
    board = await open_board(room, slow, window, room.ola)
    await board.tap("E5")
    await board.button("Play").click()
    link = board.page.get_by_role("link", name="Next game (1)")
    await expect(link).to_be_visible()
    await room.play(slow, "E6")
    await expect(link).to_have_count(0)
    await board.tap("F5")
    await board.button("Play").click()
    await link.click()
    await expect(board.page).to_have_url(re.compile(r"/board/1\?as="))
    await expect(board.stones).to_have_count(0)


@in_both_sizes
async def test_a_move_opens_the_next_game_and_the_way_back_for_those_who_wish(room: Room, window: Window) -> None:
    await room.change_settings(room.ola, opens_next=True)
    first, second = [await room.start_match(size="9x9", start="empty", clock="3d") for _ in range(2)]
    board = await open_board(room, first, window, room.ola)
    await board.tap("E5")
    await board.button("Play").click()
    await expect(board.page).to_have_url(re.compile(r"/board/2\?as=.*&from=1$"))
    await expect(board.said).to_have_text("This is your next game.")
    await expect(board.stones).to_have_count(0)
    back = board.page.get_by_role("link", name="Back", exact=True)
    await back.click()
    await expect(board.page).to_have_url(re.compile(r"/board/1\?as=[^&]*$"))
    await expect(board.stones).to_have_count(1)
    await expect(back).to_have_count(0)
    assert room.boards(second)


async def test_a_page_is_not_left_while_something_else_is_begun_on_it(room: Room, window: Window) -> None:
    await room.change_settings(room.ola, opens_next=True)
    first, _ = [await room.start_match(size="9x9", start="empty", clock="3d") for _ in range(2)]
    board = await open_board(room, first, window, room.ola)
    await board.tap("E5")
    await board.page.clock.install()
    await board.page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))
    await board.button("Play").click()
    await expect(board.page.locator("#live")).to_contain_text("On to your next game…")
    await board.page.locator("#try").click()
    await expect(board.page.locator("#sheet-status")).to_be_visible()
    await board.page.clock.run_for(5000)
    await expect(board.page).to_have_url(re.compile("/board/1"))
    await expect(board.page.get_by_role("link", name="Next game (1)", include_hidden=True)).to_have_count(1)


@in_both_sizes
async def test_a_spectator_sees_and_asks_but_lays_nothing(room: Room, thread: Channel, window: Window) -> None:
    await room.play(thread, "E5")
    board = await open_board(room, thread, window, room.kasia)
    await expect(board.stones).to_have_count(1)
    await expect(board.page.locator("#notes")).to_have_text("You're watching this game.")
    await board.tap("D4")
    await expect(board.said).to_have_text("Only its players can move.")
    if window.narrow:
        await board.button("More").tap()
    await expect(board.page.locator("#help")).not_to_contain_text("Tap")
    typed = board.page.get_by_role("textbox", name="Ask, such as row 12")
    await typed.fill("what is at E5")
    await typed.press("Enter")
    await expect(board.said).to_have_text("E5: Ola.")
    if window.narrow:
        await board.button("More").tap()
    await typed.fill("D4")
    await typed.press("Enter")
    await expect(board.said).to_contain_text("You're watching this game.")
    await expect(board.ghosts).to_have_count(0)
    for name in ("Play", "Resign"):
        await expect(board.button(name)).to_be_hidden()
