"""A turn that is being planned on the web board while the game goes on: nothing is played that was not meant."""

from __future__ import annotations

import asyncio

import pytest_asyncio
from playwright.async_api import FloatRect, Locator, WebSocketRoute, expect

from loopback import HANG_SECONDS, Channel
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.web_board import SIDE, WebBoard, open_board
from tests.browser.window import Window

CHANGED = "The position has changed, so your move wasn't played. Choose it again."


@pytest_asyncio.fixture(loop_scope="session")
async def thread(room: Room) -> Channel:
    """The thread of a game in which Ola is to move for the second time."""
    thread = await room.start_match(size=f"{SIDE}x{SIDE}", start="empty")
    await room.play(thread, "E5", "D4")
    return thread


async def overtake(room: Room, thread: Channel, board: WebBoard) -> None:
    """Plays a move of Ola's on another device, and the answer to it."""
    before = await board.stones.count()
    await room.play(thread, "F6", "C3")
    await expect(board.stones).to_have_count(before + 2)


async def box_of(part: Locator) -> FloatRect:
    box = await part.bounding_box()
    assert box is not None
    return box


@on_a_phone
async def test_a_plan_that_a_move_overtakes_is_dropped_and_the_player_is_told(
    room: Room, thread: Channel, board: WebBoard
) -> None:
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await overtake(room, thread, board)
    await expect(board.ghosts).to_have_count(0)
    await expect(board.said).to_have_text(CHANGED)
    await expect(board.button("Play")).to_be_hidden()
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await expect(board.said).not_to_have_text(CHANGED)
    await board.play()
    assert await room.version() == 5


@on_a_phone
async def test_taps_while_a_move_arrives_play_nothing(room: Room, thread: Channel, board: WebBoard) -> None:
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await board.glance()
    await board.stop_time()
    await overtake(room, thread, board)
    for _ in range(3):
        await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await expect(board.button("Play")).to_be_enabled()
    assert await room.version() == 4


async def test_taps_that_wait_for_an_answer_end_with_their_position(
    room: Room, thread: Channel, window: Window
) -> None:
    sockets: list[WebSocketRoute] = []
    held: asyncio.Queue[str | bytes] = asyncio.Queue()
    tries: list[str | bytes] = []

    def relay(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        server = socket.connect_to_server()

        def to_server(message: str | bytes) -> None:
            tries.extend([message] if '"try"' in str(message) else [])
            server.send(message)

        socket.on_message(to_server)
        server.on_message(lambda message: (held.put_nowait if '"is":"ghost"' in str(message) else socket.send)(message))

    await window.page.route_web_socket("**/live/**", relay)
    board = await open_board(room, thread, window)
    for name in ("G7", "G7", "H7"):
        await board.tap(name)
    async with asyncio.timeout(HANG_SECONDS):
        ghost = await held.get()
    await overtake(room, thread, board)
    await expect(board.said).to_have_text(CHANGED)
    for message in (ghost, '{"is":"refused","id":null,"line":"All is read."}'):
        sockets[0].send(message)
    await expect(board.said).to_have_text("All is read.")
    await expect(board.ghosts).to_have_count(0)
    assert held.empty()
    assert len(tries) == 1


@in_both_sizes
async def test_three_quick_touches_of_a_crossing_play_nothing(room: Room, board: WebBoard) -> None:
    await board.stop_time()
    for _ in range(3):
        await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await expect(board.button("Play")).to_be_enabled()
    assert await room.version() == 2


async def test_taps_on_a_ghost_play_it_once(room: Room, thread: Channel, board: WebBoard) -> None:
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await board.glance()
    await board.stop_time()
    for _ in range(3):
        await board.tap("G7")
    await expect(board.stones).to_have_count(3)
    await expect(board.ghosts).to_have_count(0)
    await expect(board.said).to_be_empty()
    assert await room.version() == 3


async def test_a_tap_before_the_board_of_the_own_move_lays_nothing(room: Room, thread: Channel, window: Window) -> None:
    held: asyncio.Queue[str | bytes] = asyncio.Queue()
    pages: list[WebSocketRoute] = []

    def relay(socket: WebSocketRoute) -> None:
        pages.append(socket)
        server = socket.connect_to_server()
        server.on_message(
            lambda message: (held.put_nowait if '"version":3,"picture"' in str(message) else socket.send)(message)
        )

    await window.page.route_web_socket("**/live/**", relay)
    board = await open_board(room, thread, window)
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await board.play()
    await board.tap("G7")
    async with asyncio.timeout(HANG_SECONDS):
        pages[0].send(await held.get())
    await expect(board.stones).to_have_count(3)
    await expect(board.said).to_be_empty()


@in_both_sizes
async def test_an_offer_keeps_the_plan_and_all_that_a_finger_may_be_on(
    room: Room, thread: Channel, board: WebBoard
) -> None:
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    parts = [board.page.locator("#field svg"), board.button("Play"), board.button("Remove")]
    if not board.narrow:
        parts += await board.page.locator("#actions button").all()
    before = [await box_of(part) for part in parts]
    room.maksim.command(thread, "draw")
    await expect(board.page.get_by_role("button", name="Accept draw")).to_be_visible()
    assert [await box_of(part) for part in parts] == before
    await expect(board.ghosts).to_have_count(1)
    await expect(board.button("Play")).to_be_enabled()
    await board.play()
    assert await room.version() == 4


async def test_an_action_that_an_offer_makes_impossible_waits_for_the_turn(
    room: Room, thread: Channel, board: WebBoard
) -> None:
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    room.maksim.command(thread, "draw")
    await expect(board.page.get_by_role("button", name="Accept draw")).to_be_visible()
    await expect(board.button("Offer a draw")).to_be_disabled()
    await board.button("Remove").click()
    await expect(board.button("Offer a draw")).to_be_hidden()


async def test_an_answer_takes_no_click_in_its_first_moment(room: Room, thread: Channel, board: WebBoard) -> None:
    animations = await board.page.context.new_cdp_session(board.page)
    await animations.send("Animation.enable")
    await animations.send("Animation.setPlaybackRate", {"playbackRate": 0})
    room.maksim.command(thread, "draw")
    accept = board.page.get_by_role("button", name="Accept draw")
    box = await box_of(accept)
    await board.page.mouse.click(box["x"] + 5, box["y"] + 5)
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    assert await room.version() == 3
    await animations.send("Animation.setPlaybackRate", {"playbackRate": 1})
    await accept.click()
    await expect(board.status).to_contain_text("draw")


@on_a_phone
async def test_a_question_that_is_overtaken_closes_and_says_so(room: Room, thread: Channel, board: WebBoard) -> None:
    await board.button("More").click()
    await board.button("Resign").click()
    await expect(board.page.get_by_role("dialog")).to_be_visible()
    await overtake(room, thread, board)
    await expect(board.page.get_by_role("dialog")).to_be_hidden()
    await expect(board.said).to_contain_text("The game has moved on, so your tap did nothing.")
    assert await room.version() == 4


async def test_a_typed_move_is_kept_when_the_board_changes_under_it(
    room: Room, thread: Channel, board: WebBoard
) -> None:
    typed = board.page.get_by_role("textbox")
    await typed.fill("G7")
    await board.stop_time()
    await overtake(room, thread, board)
    await typed.press("Enter")
    await expect(board.said).to_have_text(CHANGED)
    await expect(typed).to_have_value("G7")
    await board.page.clock.run_for(1000)
    await typed.press("Enter")
    await expect(board.stones).to_have_count(5)
    await expect(typed).to_have_value("")
    assert await room.version() == 5


@on_a_phone
async def test_a_chain_that_is_being_drawn_ends_with_its_position(room: Room, thread: Channel, board: WebBoard) -> None:
    touch = await board.page.context.new_cdp_session(board.page)

    async def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await send("touchStart", await board.place("G7"))
    await send("touchMove", await board.place("F6"))
    await overtake(room, thread, board)
    await send("touchMove", await board.place("E5"))
    await send("touchEnd")
    await expect(board.ghosts).to_have_count(0)
    assert await room.version() == 4
