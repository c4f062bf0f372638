"""The connection of the web board: when it comes back, and what becomes of a deed that has no answer yet."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Route, WebSocketRoute, expect

from loopback import HANG_SECONDS, Channel, Discord
from tests.bot.room import Room
from tests.browser.web_board import open_board
from tests.browser.window import Window
from tests.web.visit import link_for

EMPTY = '<!doctype html><link rel="icon" href="data:,">'
"""A page without a board."""

CONNECT = """async (random) => {
  const { Connection } = await import('/static/board/connection.js');
  const address = new URL('/live/1', location.href);
  address.protocol = 'ws:';
  window.downs = [];
  window.connection = new Connection(address, 'The board is closed.', { random: () => random, storage: null });
  connection.addEventListener('down', ({ detail }) => downs.push(detail));
}"""
"""Connects from it."""


class Server:
    """The server of a connection, played by the test."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.sockets: list[WebSocketRoute] = []
        self.heard: list[dict[str, Any]] = []

    async def serve(self) -> None:
        await self._window.page.route_web_socket("**/live/**", self._take)

    def _take(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda message: self.heard.append(json.loads(message)))

    async def wait_for_downs(self, number: int) -> None:
        await self._window.wait_until(f"downs.length === {number}")

    async def wait_for_sockets(self, number: int) -> None:
        async with asyncio.timeout(HANG_SECONDS):
            while len(self.sockets) < number:
                await self._window.page.evaluate("0")


@pytest_asyncio.fixture(loop_scope="session")
async def server(room: Room, discord: Discord, window: Window) -> Server:
    """A server to which an empty page connects."""
    await window.page.clock.install(time=0)
    await window.page.clock.pause_at(1000)
    address = f"{discord.address.rstrip('/')}/empty"
    await window.page.route(address, lambda route: route.fulfill(content_type="text/html", body=EMPTY))
    await window.page.goto(address)
    server = Server(window)
    await server.serve()
    return server


async def test_pauses_grow_though_each_socket_says_something_first(window: Window, server: Server) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    for number, pause in enumerate((400, 800, 1600, 3200), 1):
        await server.wait_for_sockets(number)
        server.sockets[-1].send(json.dumps({"is": "board", "version": 0}))
        await server.sockets[-1].close(code=1013)
        await server.wait_for_downs(number)
        await window.page.clock.run_for(pause - 1)
        assert len(server.sockets) == number
        await window.page.clock.run_for(1)
    await server.wait_for_sockets(5)


async def test_pauses_begin_anew_after_a_connection_that_held(window: Window, server: Server) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    for number, pause in enumerate((400, 800, 400), 1):
        await server.wait_for_sockets(number)
        server.sockets[-1].send(json.dumps({"is": "board", "version": 0}))
        await window.wait_until("connection.isOpen")
        if number == 3:
            await window.page.clock.run_for(19_000)
            server.sockets[-1].send(json.dumps({"is": "clock", "players": []}))
            await window.page.clock.run_for(9_000)
            server.sockets[-1].send(json.dumps({"is": "pong"}))
            await window.wait_until("connection.isOpen")
            await window.page.clock.run_for(3_000)
        await server.sockets[-1].close(code=1012)
        await server.wait_for_downs(number)
        await window.page.clock.run_for(pause)
        await server.wait_for_sockets(number + 1)


WAKES = {
    "seen again": "document.dispatchEvent(new Event('visibilitychange'))",
    "out of the cache": "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
}
"""The events that a page hears when it wakes."""


@pytest.mark.parametrize("wake", WAKES)
async def test_a_page_that_wakes_up_with_a_dead_connection_has_another_within_a_second(
    window: Window, server: Server, wake: str
) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    await server.wait_for_sockets(1)
    server.sockets[-1].send(json.dumps({"is": "board", "version": 0}))
    await window.wait_until("connection.isOpen")
    await window.page.clock.run_for(5_000)  # from here on the server stays silent, and no close comes
    await window.page.evaluate(WAKES[wake])
    await window.page.clock.run_for(999)
    assert await window.page.evaluate("downs.length") == 0
    await window.page.clock.run_for(1)
    await server.wait_for_downs(1)  # which the page tells in a line
    await server.wait_for_sockets(2)


async def test_a_page_that_wakes_up_keeps_a_connection_that_answers(window: Window, server: Server) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    await server.wait_for_sockets(1)
    server.sockets[-1].send(json.dumps({"is": "board", "version": 0}))
    await window.wait_until("connection.isOpen")
    await window.page.evaluate("connection.addEventListener('pong', () => { window.answered = true; })")
    await window.page.evaluate(WAKES["seen again"])
    server.sockets[-1].send(json.dumps({"is": "pong"}))
    await window.wait_until("window.answered")
    await window.page.clock.run_for(2_000)
    assert (await window.page.evaluate("downs.length"), len(server.sockets)) == (0, 1)


async def test_a_question_without_an_answer_is_told(window: Window, server: Server) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    await server.wait_for_sockets(1)
    server.sockets[-1].send(json.dumps({"is": "board", "version": 0}))
    await window.wait_until("connection.isOpen")
    await window.page.evaluate("""() => {
      window.slow = 0;
      connection.addEventListener('slow', () => { window.slow += 1; });
      connection.ask({ do: 'review' }, { isLong: true });
    }""")
    await window.page.clock.run_for(2_500)
    assert await window.page.evaluate("slow") == 0
    await window.page.evaluate("() => { connection.ask({ do: 'try', version: 0, steps: ['E5'] }); }")
    await window.page.clock.run_for(2_500)
    assert await window.page.evaluate("slow") == 1


async def test_pauses_differ_by_chance(window: Window, server: Server) -> None:
    script = """async (random) => {
      const { Pauses } = await import('/static/board/pauses.js');
      const pauses = new Pauses(() => random);
      return Array.from({ length: 9 }, () => pauses.next());
    }"""
    low = await window.page.evaluate(script, 0)
    high = await window.page.evaluate(script, 1)
    assert (low[:3], high[:3]) == ([300, 600, 1200], [500, 1000, 2000])
    assert (low[-1], high[-1]) == (0.75 * 15_000, 1.25 * 15_000)


@pytest.mark.parametrize("code", [4401, 4404])
async def test_after_a_final_close_nothing_comes_back_and_all_is_answered(
    window: Window, server: Server, code: int
) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    await server.wait_for_sockets(1)
    await window.page.evaluate("""() => {
      window.answers = [];
      connection.act({ do: 'play' }).then((answer) => answers.push(answer));
      connection.ask({ do: 'try' }).then((answer) => answers.push(answer));
    }""")
    server.sockets[0].send(json.dumps({"is": "gone", "line": "You are signed out."}))
    await server.sockets[0].close(code=code)
    await server.wait_for_downs(1)
    assert await window.page.evaluate("downs") == [{"line": "You are signed out.", "isFinal": True}]
    act, ask = await window.page.evaluate("answers")
    assert (act["is"], act["line"], ask) == ("refused", "You are signed out.", None)
    later = await window.page.evaluate("connection.act({ do: 'play' })")
    assert (later["is"], later["line"]) == ("refused", "You are signed out.")
    await window.page.evaluate("connection.hurry()")
    await window.page.clock.run_for(120_000)
    assert len(server.sockets) == 1


async def test_a_final_close_without_a_word_has_a_sentence(window: Window, server: Server) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    await server.wait_for_sockets(1)
    await server.sockets[0].close(code=4404)
    await server.wait_for_downs(1)
    assert (await window.page.evaluate("downs"))[0]["line"] == "The board is closed."


async def test_hurry_opens_no_second_socket(window: Window, server: Server) -> None:
    await window.page.evaluate(f"({CONNECT})(0.5).then(() => {{ connection.hurry(); connection.hurry(); }})")
    await server.wait_for_sockets(1)
    await server.sockets[0].close(code=1012)
    await server.wait_for_downs(1)
    await window.page.evaluate("() => { connection.hurry(); connection.hurry(); }")
    await server.wait_for_sockets(2)
    await window.page.clock.run_for(9_000)
    assert len(server.sockets) == 2


async def test_hurry_finds_out_that_a_socket_is_dead(window: Window, server: Server) -> None:
    await window.page.evaluate(CONNECT, 0.5)
    await server.wait_for_sockets(1)
    server.sockets[0].send(json.dumps({"is": "board", "version": 0}))
    await window.wait_until("connection.isOpen")
    await window.page.evaluate("connection.hurry()")
    await window.page.clock.run_for(10_400)
    await server.wait_for_sockets(2)
    assert server.heard == [{"do": "ping"}]


@pytest.mark.parametrize("lost", ["the answer", "the move"])
async def test_a_reload_in_mid_act_plays_once(room: Room, thread: Channel, window: Window, lost: str) -> None:
    drops = True

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def to_page(message: str | bytes) -> None:
            if not (drops and lost == "the answer" and '"done"' in str(message)):
                socket.send(message)

        def to_server(message: str | bytes) -> None:
            if not (drops and lost == "the move" and '"do":"play"' in str(message)):
                server.send(message)

        server.on_message(to_page)
        socket.on_message(to_server)

    await window.page.route_web_socket("**/live/**", relay)
    board = await open_board(room, thread, window)
    await board.tap("E5")
    await board.button("Play").click()
    if lost == "the answer":
        await expect(board.stones).to_have_count(1)
    else:
        await expect(board.button("Play")).to_be_disabled()
    drops = False
    await window.page.reload()
    await expect(board.stones).to_have_count(1)
    await window.wait_until("sessionStorage.length === 0")
    await expect(board.said).to_be_empty()
    assert await room.version() == 1


async def test_a_move_without_an_answer_is_told_within_three_seconds(
    room: Room, thread: Channel, window: Window
) -> None:
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def relay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def to_server(message: str | bytes) -> None:
            if '"do":"play"' in str(message):
                held.append((server, message))
            else:
                server.send(message)

        socket.on_message(to_server)

    await window.page.route_web_socket("**/live/**", relay)
    board = await open_board(room, thread, window)
    trouble = board.page.locator("#trouble")
    await board.tap("E5")
    await board.button("Play").click()
    await expect(board.button("Play")).to_be_disabled()
    await expect(trouble).to_be_hidden()
    await board.page.clock.run_for(3000)
    await expect(trouble).to_have_text("No answer yet. Your move is kept, and this page tries again.")
    ((server, message),) = held
    server.send(message)
    await expect(board.stones).to_have_count(1)
    await expect(trouble).to_be_hidden()
    assert await room.version() == 1


async def test_a_browser_that_is_offline_says_so_at_once(room: Room, thread: Channel, window: Window) -> None:
    board = await open_board(room, thread, window)
    trouble = board.page.locator("#trouble")
    await window.page.context.set_offline(True)
    await expect(trouble).to_contain_text("The connection is lost. Your move is kept")
    await window.page.context.set_offline(False)
    await expect(trouble).to_be_hidden()
    await board.tap("E5")
    await board.play()
    assert await room.version() == 1
    window.complaints.clear()  # of what the browser asked for meanwhile


async def test_a_page_whose_storage_is_blocked_plays(room: Room, thread: Channel, window: Window) -> None:
    await window.page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    board = await open_board(room, thread, window)
    await board.tap("E5")
    await board.play()
    assert await room.version() == 1


async def test_words_that_do_not_come_are_told_and_tried_again(room: Room, thread: Channel, window: Window) -> None:
    await room.change_settings(room.ola, language="pl")
    answers = ["abort", "busy", "odd"]

    async def fail(route: Route) -> None:
        match answers.pop(0) if answers else "":
            case "abort":
                await route.abort()
            case "busy":
                await route.fulfill(status=503, json={"line": "Zaraz wracam."})
            case "odd":
                await route.fulfill(status=502, body="<html>")
            case _:
                await route.continue_()

    await window.page.route("**/words.json*for=board*", fail)
    await window.page.clock.install(time=0)
    await window.page.goto(await link_for(room, room.ola, room.boards(thread)[-1]))
    trouble = window.page.locator("#trouble")
    await expect(trouble).to_contain_text("Nie można teraz połączyć się z Kropką.")
    await window.page.clock.run_for(600)
    await expect(trouble).to_have_text("Zaraz wracam.")
    await window.page.clock.run_for(1100)
    await expect(trouble).to_contain_text("Nie można teraz połączyć się z Kropką.")
    await window.page.clock.run_for(2100)
    await expect(window.page.locator("#status")).to_have_text("Twój ruch.")
    await expect(trouble).to_be_hidden()
    assert window.complaints
    window.complaints.clear()


async def test_words_that_are_refused_are_not_asked_for_again(room: Room, thread: Channel, window: Window) -> None:
    asked = 0

    async def refuse(route: Route) -> None:
        nonlocal asked
        asked += 1
        await route.fulfill(status=401, json={"line": "You aren't signed in here."})

    await window.page.route("**/words.json*for=board*", refuse)
    await window.page.clock.install(time=0)
    await window.page.goto(await link_for(room, room.ola, room.boards(thread)[-1]))
    await expect(window.page.locator("#trouble")).to_have_text("You aren't signed in here.")
    await window.page.clock.run_for(60_000)
    assert asked == 1
    window.complaints.clear()


async def test_the_page_says_why_the_server_takes_no_more_boards(room: Room, thread: Channel, window: Window) -> None:
    async def turn_away(socket: WebSocketRoute) -> None:
        socket.send(json.dumps({"is": "gone", "line": "Too many boards are open."}))
        await socket.close(code=1013)

    await window.page.route_web_socket("**/live/**", turn_away)
    await window.page.goto(await link_for(room, room.ola, room.boards(thread)[-1]))
    await expect(window.page.locator("#trouble")).to_have_text("Too many boards are open.")
