"""Turns with the mouse that take more than a click: chains, dashes; and a connection that is lost.

test_rule_sets.py has the same by finger, and areas.
"""

from __future__ import annotations

from itertools import pairwise

from playwright.async_api import Page, WebSocketRoute, expect

from play.ids import MatchId
from rules.dash import Move
from rules.game import point_name
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.web_board import SIDE, open_board
from tests.browser.window import Window

SURROUNDED = ("E6", "E5", "D5", "A9", "F5", "B9")
"""Ola's dots around E5 but for E4, and Максим's."""

DIAMOND = ("E4", "D5", "E6", "F5", "E4")
"""The chain round E5."""


async def drag(page: Page, places: list[tuple[float, float]], *, narrow: bool) -> None:
    """Draws along some pixels with a finger, or with the mouse."""
    way = [places[0]]
    for (x, y), (u, v) in pairwise(places):
        way += [(x + (u - x) * k / 6, y + (v - y) * k / 6) for k in range(1, 7)]
    if not narrow:
        await page.mouse.move(*way[0])
        await page.mouse.down()
        for place in way[1:]:
            await page.mouse.move(*place)
        await page.mouse.up()
        return
    touch = await page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(way):
        kind = "touchMove" if number else "touchStart"
        await touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_a_chain_is_drawn_with_the_mouse(room: Room, window: Window) -> None:
    thread = await room.start_match(rules="paper", size=f"{SIDE}x{SIDE}", start="empty")
    await room.play(thread, *SURROUNDED)
    board = await open_board(room, thread, window)
    await board.tap("E4")
    plans = board.page.locator("#field .plans > *")
    await expect(plans).to_have_count(1)  # what a dot can close for the first time is chosen already
    await board.tap("E5")
    await expect(plans).to_have_count(0)
    await drag(board.page, [await board.place(name) for name in DIAMOND], narrow=window.narrow)
    await expect(plans).to_have_count(1)
    await expect(board.button("Play")).to_be_enabled()
    await board.button("Play").click()
    await expect(board.page.locator("#field .bases > *")).to_have_count(2)
    assert (await room.use_cases.matches.load(MatchId(1))).score[0] == 1


async def test_a_drawn_chain_takes_the_place_of_the_same_one_that_is_chosen_already(room: Room, window: Window) -> None:
    thread = await room.start_match(rules="paper", size=f"{SIDE}x{SIDE}", start="empty")
    await room.play(thread, *SURROUNDED)
    board = await open_board(room, thread, window)
    await board.tap("E4")
    await expect(board.page.locator("#field .plans > *")).to_have_count(1)
    await drag(board.page, [await board.place(name) for name in DIAMOND], narrow=window.narrow)
    await expect(board.button("Remove last chain")).to_be_visible()
    await board.play()
    assert (await room.use_cases.matches.load(MatchId(1))).events[-1].text == "E4 draw E4-D5-E6-F5"


@on_a_phone
async def test_a_tap_on_the_first_dot_closes_a_chain(room: Room, window: Window) -> None:
    thread = await room.start_match(rules="paper", size=f"{SIDE}x{SIDE}", start="empty")
    await room.play(thread, *SURROUNDED)
    board = await open_board(room, thread, window)
    await board.tap("E4")
    await board.button("Draw it yourself").tap()
    for name in DIAMOND[:-1]:
        await board.tap(name)
        await board.tap(name)
    await expect(board.said).to_have_text("E4 with the chain E4–D5–E6–F5. Close it?")
    await board.tap("D5")
    await expect(board.said).to_have_text("E4 with the chain E4–D5–E6–F5. Close it?")
    await board.tap("E4")
    await board.play()
    assert (await room.use_cases.matches.load(MatchId(1))).score[0] == 1


async def test_dot_dash_is_played_with_the_mouse(room: Room, window: Window) -> None:
    thread = await room.start_match(rules="dot-dash", size="9x9", start=None)
    board = await open_board(room, thread, window)
    for name in ("E5", "E6", "F5"):
        await board.tap(name)
    await board.play()
    await expect(board.stones).to_have_count(3)
    assert await room.version() == 1
    await room.maksim.command(thread, "move", point="swap").answered()


@in_both_sizes
async def test_the_directions_of_a_dash_are_round_their_stone(room: Room, window: Window) -> None:
    thread = await room.start_match(rules="dot-dash", size="9x9", start=None)
    for person, move in ((room.ola, "set E5 E6/F5"), (room.maksim, "take single")):
        await person.command(thread, "move", point=move).answered()
    match = await room.use_cases.matches.load(MatchId(1))
    mover = next(each for each in (room.ola, room.maksim) if each.id == match.players[match.position.to_act])
    await room.wait_for_outbox()
    board = await open_board(room, thread, window, mover)
    dash = next(move for move in match.position.moves() if isinstance(move, Move))
    await board.tap(point_name(dash.start))
    choices = board.page.locator("#choices button")
    await expect(choices).to_have_text(list("↖↑↗←■→↙↓↘"))
    places = [await choice.bounding_box() for choice in await choices.all()]
    rows = sorted({place["y"] for place in places if place})
    columns = sorted({place["x"] for place in places if place})
    assert (len(rows), len(columns)) == (3, 3)
    for choice in await choices.all():
        await expect(choice).to_be_in_viewport(ratio=1)
    await choices.and_(board.page.locator(":enabled")).first.click()
    await expect(board.said).not_to_be_empty()


async def test_a_lost_connection_keeps_the_ghost_and_plays_once(room: Room, window: Window) -> None:
    thread = await room.start_match(size=f"{SIDE}x{SIDE}")
    sockets: list[WebSocketRoute] = []
    drops = True

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)

        def to_page(message: str | bytes) -> None:
            if not (drops and '"done"' in str(message)):
                socket.send(message)

        server.on_message(to_page)

    await window.page.route_web_socket("**/live/**", relay)
    board = await open_board(room, thread, window)
    await board.tap("E5")
    await expect(board.ghosts).to_have_count(1)
    await sockets[-1].close(code=3000)
    await expect(board.ghosts).to_have_count(1)
    await expect(board.page.locator("#trouble")).to_be_hidden()
    await board.button("Play").click()
    await expect(board.stones).to_have_count(1)
    drops = False
    await sockets[-1].close(code=3000)
    await expect(board.button("Play")).to_be_hidden()
    await expect(board.stones).to_have_count(1)
    assert await room.version() == 1
