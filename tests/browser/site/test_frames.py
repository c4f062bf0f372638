"""The Activity in frames of foreign pages: of another origin, of none, sandboxed, and behind Discord's proxy."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, FrameLocator, Route, WebSocketRoute, async_playwright, expect
from pydantic import SecretStr

from bot.cli.tryout import mount_site
from loopback import Channel, Discord
from play.ids import GuildId, IdempotencyKey, MatchId
from play.people.settings import ServerSettings
from tests.bot.room import Room
from tests.browser.chromium import chromium  # noqa: F401 - a fixture
from tests.browser.framed_board import FramedBoard
from tests.browser.site.conftest import running_site
from tests.browser.test_activity import INSTALLED, PACKAGES, SDK
from tests.browser.window import Window
from tests.clock import StoppedClock

PATIENCE: Final = 8000
"""Milliseconds after which the page gives up."""

CLIENTS: Final = ("another origin", "no origin", "sandboxed")

DISCORD: Final = "https://discord.com"

PROXY_POLICY: Final = "script-src 'self' 'unsafe-eval' 'nonce-proxy' blob:; style-src 'none'"
"""The policy that Discord's proxy sets, by discord/embedded-app-sdk#280, with the strictest for styles."""

SDK_PAGE: Final = """<!doctype html><title>waits</title><link rel="icon" href="data:,"><script type="module" nonce="n">
import { DiscordSDK } from '/node_modules/@discord/embedded-app-sdk/output/index.mjs';
const sdk = new DiscordSDK('1', { disableConsoleLogOverride: true });
await sdk.ready();
const asked = { client_id: '1', response_type: 'code', state: '', scope: ['identify'] };
const { code } = await sdk.commands.authorize(asked);
document.title = code;
</script>"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:  # noqa: F811 - the fixture
    """A browser whose frames may ask this machine, as they may ask any other."""
    options = ["--disable-features=LocalNetworkAccessChecks"]
    async with (
        async_playwright() as playwright,
        await playwright.chromium.launch(executable_path=chromium, args=options) as browser,
    ):
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board and the client secret."""
    secret = SecretStr(discord.client_secret)
    async with running_site(discord, url, clock, run_options, client_secret=secret) as room:
        yield room


@asynccontextmanager
async def served_client(window: Window, kind: str) -> AsyncIterator[str]:
    """Yields the address of a page that is a Discord client: a file has no origin."""
    page = SDK / "client.html"
    await window.page.route(f"{DISCORD}/**", lambda route: route.fulfill(path=page, content_type="text/html"))
    yield page.as_uri() if kind == "no origin" else f"{DISCORD}/client.html"


def write_query(discord: Discord, room: Room, thread: Channel) -> tuple[str, str]:
    """Returns the query of the Activity's page for Ola, and the code that the client gives."""
    instance = room.ola.launch(thread, "launch").id
    query = {"frame_id": "f1", "instance_id": instance, "platform": "mobile", "custom_id": "1"}
    return urlencode(query), room.ola.authorize(str(discord.bot.id), ["identify"])


def sandbox_of(kind: str) -> dict[str, str]:
    """Returns what the client's page is told of the frame's sandbox."""
    return {"sandbox": "allow-scripts"} if kind == "sandboxed" else {}


async def replace_policy(route: Route) -> None:
    """Does to a page what Discord's proxy does."""
    answer = await route.fetch()
    page = re.sub(r'nonce="[^"]*"', 'nonce="proxy"', await answer.text())
    await route.fulfill(response=answer, body=page, headers={**answer.headers, "content-security-policy": PROXY_POLICY})


Open = Callable[..., Any]


@pytest_asyncio.fixture(loop_scope="session")
async def show(discord: Discord, room: Room, thread: Channel, window: Window) -> Open:
    """Opens the Activity in a frame of a client; returns the frame."""

    async def show(client: str, kind: str, path: str = "activity", **given: str) -> FrameLocator:
        query, code = write_query(discord, room, thread)
        fragment = {"frame": f"{discord.address}{path}?{query}", "code": code, **sandbox_of(kind), **given}
        await window.page.goto(f"{client}#{urlencode(fragment)}")
        return window.page.frame_locator("iframe")

    return show


async def show_board(window: Window, show: Open, client: str, kind: str) -> FramedBoard:
    """Opens the Activity in a frame of a client; returns its board."""
    await show(client, kind)
    return await FramedBoard.find(window, window.page.locator("iframe"))


async def test_at_the_sites_own_address_a_frame_has_the_board(window: Window, room: Room, show: Open) -> None:
    async with served_client(window, "sandboxed") as client:
        await show(client, "sandboxed", path="front")
        board = await FramedBoard.find(window, window.page.locator("iframe"))
        await board.play("E5")
    assert await room.version() == 1


@pytest.mark.parametrize("proxied", [False, True])
@pytest.mark.parametrize("kind", CLIENTS)
async def test_the_board_and_its_sheet_open(window: Window, show: Open, kind: str, proxied: bool) -> None:
    if proxied:
        await window.page.route("**/activity?*", replace_policy)
    async with served_client(window, kind) as client:
        frame = await show(client, kind)
        await expect(frame.locator("#players li").first).to_contain_text("Ola")
        await expect(frame.locator("#entrance")).to_have_count(0)
        await expect(frame.locator("main")).to_have_css("display", "grid")
        await frame.locator("#try").click()
        await expect(frame.locator("#sheet-status")).to_be_visible()
        await expect(frame.locator("#sheet")).to_have_css("display", "grid")


async def recorded(room: Room) -> list[tuple[int | None, str]]:
    """Returns the seats and the texts of what the match's record has."""
    return [(event.seat, event.text) for event in (await room.use_cases.matches.load(MatchId(1))).events]


@pytest.mark.parametrize("proxied", [False, True])
@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_move_arrives_in_the_game_and_the_answer_in_the_frame(
    room: Room, thread: Channel, window: Window, show: Open, kind: str, proxied: bool
) -> None:
    if proxied:
        await window.page.route("**/activity?*", replace_policy)
    async with served_client(window, kind) as client:
        board = await show_board(window, show, client, kind)
        await board.play("E5")
        posted = await room.wait_for_board(thread, 1)
        assert "**Ola** played **E5**" in posted.content
        await room.maksim.command(thread, "move", point="D4").answered()
        await expect(board.stones).to_have_count(2)
    assert await recorded(room) == [(0, "E5"), (1, "D4")]


@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_move_that_its_socket_loses_arrives_once_by_the_next_one(
    room: Room, thread: Channel, window: Window, show: Open, kind: str
) -> None:
    sockets: list[WebSocketRoute] = []

    def lose_the_first_move(socket: WebSocketRoute) -> None:
        server, is_first = socket.connect_to_server(), not sockets
        sockets.append(socket)

        def pass_on(message: str | bytes) -> None:
            if not (is_first and '"do":"play"' in str(message)):
                server.send(message)

        socket.on_message(pass_on)

    await window.page.route_web_socket("**/activity/live/*", lose_the_first_move)
    async with served_client(window, kind) as client:
        board = await show_board(window, show, client, kind)
        await board.lay("E5")
        await board.press_play()
        await sockets[0].close(code=1012)
        await expect(board.stones).to_have_count(1)
        await room.wait_for_board(thread, 1)
        await room.maksim.command(thread, "move", point="D4").answered()
        await expect(board.stones).to_have_count(2)
        await board.play("F6")
    assert len(sockets) == 2
    assert await recorded(room) == [(0, "E5"), (1, "D4"), (0, "F6")]


async def test_a_frame_goes_on_after_a_restart_of_the_bot(
    discord: Discord, room: Room, thread: Channel, window: Window, show: Open
) -> None:
    async with served_client(window, "sandboxed") as client:
        async with mount_site(discord, room.bot.website):
            board = await show_board(window, show, client, "sandboxed")
            await board.play("E5")
        await room.wait_for_board(thread, 1)
        await room.restart()
        await room.maksim.command(thread, "move", point="D4").answered()
        async with mount_site(discord, room.bot.website):
            await expect(board.stones).to_have_count(2)
            await board.play("F6")
    assert await recorded(room) == [(0, "E5"), (1, "D4"), (0, "F6")]
    window.complaints.clear()  # of the sockets that found no server


@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_client_that_stays_silent_is_given_up_after_eight_seconds(
    window: Window, show: Open, kind: str
) -> None:
    await window.page.clock.install()
    async with served_client(window, kind) as client:
        frame = await show(client, kind, silent="HANDSHAKE")
        await window.page.wait_for_function("heard.length === 1")
        await expect(frame.get_by_role("status")).to_have_text("One moment…")
        await window.page.clock.fast_forward(PATIENCE)
        await expect(frame.get_by_role("status")).to_contain_text("Press “Browser” under your game in Discord")


@pytest.mark.parametrize("message", ["HANDSHAKE", "AUTHORIZE"])
async def test_a_client_that_answers_late_is_heard(window: Window, show: Open, message: str) -> None:
    await window.page.clock.install()
    async with served_client(window, "sandboxed") as client:
        frame = await show(client, "sandboxed", silent=message)
        await window.page.wait_for_function("'answer' in window")
        await window.page.clock.fast_forward(PATIENCE)
        await expect(frame.get_by_role("status")).to_contain_text("Discord doesn't answer here.")
        await window.page.evaluate("answer()")
        await expect(frame.locator("#players li").first).to_contain_text("Ola")


async def test_a_server_that_answers_late_is_complained_about_and_heard(window: Window, show: Open) -> None:
    held = asyncio.get_running_loop().create_future()
    await window.page.route("**/activity/enter", lambda route: held.set_result(route))
    await window.page.clock.install()
    async with served_client(window, "sandboxed") as client:
        frame = await show(client, "sandboxed")
        route = await held
        await window.page.clock.fast_forward(PATIENCE)
        await expect(frame.get_by_role("status")).to_contain_text("The server can't be reached.")
        await route.continue_()
        await expect(frame.locator("#players li").first).to_contain_text("Ola")


async def test_where_the_board_fails_the_link_is_offered_at_once(window: Window, show: Open) -> None:
    await window.page.route("**/activity/words", lambda route: route.fulfill(json={}))
    async with served_client(window, "another origin") as client:
        frame = await show(client, "another origin")
        await expect(frame.get_by_role("button", name="Open in the browser")).to_be_visible()


async def test_where_no_socket_opens_the_client_opens_the_board_in_the_browser(window: Window, show: Open) -> None:
    await window.page.clock.install()
    await window.page.route_web_socket("**/activity/live/*", lambda _: None)
    async with served_client(window, "another origin") as client:
        frame = await show(client, "another origin")
        await expect(frame.locator("#status")).to_be_attached()
        await window.page.clock.fast_forward(PATIENCE)
        await frame.get_by_role("button", name="Open in the browser").click()
        await window.page.wait_for_function("window.link")
        await window.page.goto(await window.page.evaluate("link"))
        await expect(window.page.locator("#players li").first).to_contain_text("Ola")


@pytest.mark.parametrize("proxied", [False, True])
@pytest.mark.parametrize("kind", CLIENTS)
async def test_the_sdk_of_discord_hears_the_same_clients(window: Window, kind: str, proxied: bool) -> None:
    assert INSTALLED.exists(), "Discord's SDK is not installed: `make test` does that"

    async def page(_: web.Request) -> web.Response:
        return web.Response(text=SDK_PAGE, content_type="text/html")

    app = web.Application()
    app.router.add_get("/activity", page)
    app.router.add_static("/node_modules", PACKAGES)

    async def open_to_frames(_: web.Request, response: web.StreamResponse) -> None:
        response.headers["Access-Control-Allow-Origin"] = "*"

    app.on_response_prepare.append(open_to_frames)
    if proxied:
        await window.page.route("**/activity?*", replace_policy)
    async with TestServer(app) as server, served_client(window, kind) as client:
        address = server.make_url("/activity").with_query(frame_id="f", instance_id="i", platform="desktop")
        fragment = {"frame": str(address), "code": "c0de", **sandbox_of(kind)}
        await window.page.goto(f"{client}#{urlencode(fragment)}")
        await window.page.wait_for_function("heard.includes('AUTHORIZE')")


def test_the_page_hears_the_origins_that_the_sdk_hears() -> None:
    assert INSTALLED.exists(), "Discord's SDK is not installed: `make test` does that"
    theirs = (INSTALLED / "Discord.mjs").read_text(encoding="utf-8").partition("return [\n")[2].partition("]")[0]
    own = (SDK.parents[1] / "web/static/activity/host.js").read_text(encoding="utf-8")
    ours = own.partition("new Set([")[2].partition("]")[0]
    assert set(re.findall(r"'([^']+)'", ours)) == set(re.findall(r"'([^']+)'", theirs))


async def test_three_links_to_games_of_one_channel_open_these_three(
    discord: Discord, room: Room, window: Window
) -> None:
    async with room.services.store.write() as tx:
        await tx.servers.save(ServerSettings(GuildId(discord.guild.id), threads=False))
    for number in range(1, 4):
        card = await room.challenge(opponent=room.maksim, size="9x9", start="empty")
        await room.maksim.click(card, "Accept").followed()
        await room.wait_for_outbox()
        match = await room.use_cases.matches.load(MatchId(number))
        for turn in ("E5", "E6", "D5")[:number]:
            mover = match.players[match.to_act or 0]
            match = await room.use_cases.matches.move(
                match.id, mover, turn, room.clock(), IdempotencyKey(10 * number + match.version)
            )
        await room.use_cases.matches.resign(match.id, match.players[0], room.clock(), IdempotencyKey(10 * number + 9))
        await room.wait_for_outbox()
    for person in (room.ola, room.kasia):
        for number in (2, 1, 3):
            instance = person.launch(room.channel, "launch").id
            query = {"frame_id": "f1", "instance_id": instance, "platform": "mobile", "custom_id": str(number)}
            code = person.authorize(str(discord.bot.id), ["identify"])
            address = f"{discord.address}activity?{urlencode(query)}"
            async with served_client(window, "another origin") as client:
                await window.page.goto("about:blank")
                await window.page.goto(f"{client}#{urlencode({'frame': address, 'code': code})}")
                frame = window.page.frame_locator("iframe")
                await expect(frame.locator("#entrance")).to_have_count(0)
                await expect(frame.locator("#field .stones > *")).to_have_count(number)
