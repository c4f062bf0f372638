"""The page of a finished game, in a browser: the board moves by buttons, keys, fingers, the graph and the list."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from io import BytesIO
from itertools import islice
from typing import Any, Literal

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from PIL import Image
from playwright.async_api import Browser, Locator, Page, expect

from loopback import Discord
from opponent.review import replay_positions
from rules.game import AnyGame, IllegalMove, Point, point_name
from rules.registry import GAMES
from tests.bot.room import Room, private_message
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.window import Window
from tests.web.finished import path_of, store_game, switch_pages
from web.live.pictures import picture_json

MOVES = ("E5", "E6", "F6", "C3", "E7", "C4", "D6", "C5")
"""Ola captures E6 with the seventh move."""

STEP = 700
"""Milliseconds that each move of a short game is shown when it is played."""

MAX_CHOICES = 1000
"""Legal turns among which one is chosen: more than a board of dots has, and the set-up of Dot Dash has 255,000."""

LONG, MAX_BYTES = 1000, 150_000
"""Moves of a long game, and bytes that its page may weigh."""

GAME = GAMES["zagram"].with_options({"size": "9x9", "start": "empty"})

SIZES = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .map(each => [new URL(each.name).pathname, each.transferSize])"""
"""Returns the path and the bytes of each file that the page has loaded."""


class GamePage:
    """An open page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def now(self) -> Locator:
        return self.page.locator("#now")

    @property
    def stones(self) -> Locator:
        return self.page.locator("#field .stones > *")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def expect_ply(self, ply: int) -> None:
        """Expects the board after so many moves, and all else on the page to say so."""
        await expect(self.stones).to_have_count(ply)
        await expect(self.now).to_contain_text(f"{ply} / {len(MOVES)}")
        await expect(self.page.locator("#ply")).to_have_js_property("value", str(ply))
        current = self.page.locator("#moves a[aria-current]")
        await expect(current).to_have_count(1 if ply else 0)
        if ply:
            await expect(current).to_contain_text(MOVES[ply - 1])


@pytest_asyncio.fixture(loop_scope="session")
async def address(room: Room, discord: Discord) -> str:
    """The address of the page of a game."""
    await switch_pages(room, on=True)
    return discord.address.rstrip("/") + path_of(room, await store_game(room, room.channel, GAME, MOVES))


@pytest_asyncio.fixture(loop_scope="session")
async def shown(address: str, window: Window) -> GamePage:
    """The page of a game."""
    await window.page.goto(address)
    shown = GamePage(window.page)
    await shown.expect_ply(len(MOVES))
    return shown


async def test_the_result_has_its_sign(shown: GamePage) -> None:
    await expect(shown.page.locator("#result .sign svg path")).to_be_visible()


async def test_each_line_of_a_small_board_has_its_name_once(shown: GamePage) -> None:
    names = shown.page.locator("#field .label")
    await expect(names).to_have_count(18)
    for name in await names.all():
        await expect(name).to_be_visible()
        assert await name.evaluate("each => getComputedStyle(each).clipPath") == "none"


@on_a_phone
async def test_buttons_step_through_the_game(shown: GamePage) -> None:
    await shown.button("To the beginning").click()
    await shown.expect_ply(0)
    await expect(shown.button("One move back")).to_be_disabled()
    await shown.button("One move forward").click()
    await shown.button("One move forward").click()
    await shown.expect_ply(2)
    await shown.button("One move back").click()
    await shown.expect_ply(1)
    await shown.button("To the end").click()
    await shown.expect_ply(len(MOVES))
    await expect(shown.button("One move forward")).to_be_disabled()


async def test_the_slider_and_the_list_show_a_move(shown: GamePage) -> None:
    await shown.page.locator("#ply").fill("3")
    await shown.expect_ply(3)
    await shown.page.get_by_role("link", name="C4").click()
    await shown.expect_ply(6)
    assert await shown.page.locator(".score b").all_inner_texts() == ["0", "0"]
    await shown.page.get_by_role("link", name="D6 +1").click()
    await expect(shown.now).to_have_text("7 / 8 · ● D6 +1")
    assert await shown.page.locator(".score b").all_inner_texts() == ["1", "0"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@in_both_sizes
async def test_the_page_keeps_the_rules_of_accessibility(
    address: str, window: Window, scheme: Literal["light", "dark"]
) -> None:
    await window.page.emulate_media(color_scheme=scheme)
    await window.page.goto(address)
    shown = GamePage(window.page)
    await shown.expect_ply(len(MOVES))
    await shown.button("One move back").click()
    found = await Axe().run(window.page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (1280, 720), (1920, 1080)])
async def test_a_computer_shows_the_board_and_its_buttons_at_once(shown: GamePage, width: int, height: int) -> None:
    await shown.page.set_viewport_size({"width": width, "height": height})
    for part in (shown.page.locator("#field"), shown.page.locator("#ply"), shown.button("To the end")):
        await expect(part).to_be_in_viewport(ratio=1)
    field = await shown.page.locator("#field").bounding_box()
    assert field is not None
    assert field["x"] >= 32
    assert field["height"] >= 0.55 * height


@on_a_phone
async def test_a_phone_on_its_side_has_the_board_and_its_buttons_in_one_window(shown: GamePage) -> None:
    await shown.page.set_viewport_size({"width": 640, "height": 360})
    await shown.page.locator("#field").evaluate("field => field.scrollIntoView()")
    for part in (shown.page.locator("#field"), shown.page.locator("#ply"), shown.button("To the end")):
        await expect(part).to_be_in_viewport(ratio=1)


async def test_the_address_carries_the_move(shown: GamePage, address: str) -> None:
    await shown.button("One move back").click()
    await expect(shown.page).to_have_url(f"{address}#7")
    await shown.page.reload()
    await shown.expect_ply(7)
    await shown.button("To the end").click()
    await expect(shown.page).to_have_url(address)
    for odd, ply in {"#999": len(MOVES), "#-1": len(MOVES), "#x": len(MOVES), "#0": 0}.items():
        await shown.page.evaluate("odd => { location.hash = odd }", odd)
        await shown.expect_ply(ply)


@on_a_phone
async def test_the_graph_shows_a_move(shown: GamePage) -> None:
    box = await shown.page.locator("#graph svg").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / len(MOVES) * 5, box["y"] + box["height"] / 2
    await shown.page.locator("#graph svg").scroll_into_view_if_needed()
    await shown.page.locator("#graph svg").click(position={"x": x - box["x"], "y": y - box["y"]})
    await shown.expect_ply(5)


@on_a_phone
async def test_play_runs_to_the_end_and_stops_at_a_touch(address: str, window: Window) -> None:
    await window.page.clock.install(time=0)
    await window.page.goto(address)
    shown = GamePage(window.page)
    await shown.expect_ply(len(MOVES))
    await window.page.clock.pause_at(60_000)
    await shown.button("Play the moves").tap()
    await window.page.clock.run_for(2 * STEP)
    await shown.expect_ply(2)
    await shown.button("Pause").tap()
    await window.page.clock.run_for(3 * STEP)
    await shown.expect_ply(2)
    await expect(shown.button("Play the moves")).to_be_visible()
    await window.page.locator("#ply").fill("6")
    await shown.button("Play the moves").tap()
    await window.page.clock.run_for(2 * STEP)
    await shown.expect_ply(len(MOVES))
    await expect(shown.button("Play the moves")).to_be_visible()


async def test_keys_step_through_the_game(shown: GamePage) -> None:
    await shown.page.keyboard.press("Home")
    await shown.expect_ply(0)
    await shown.page.keyboard.press("ArrowLeft")
    for _ in range(3):
        await shown.page.keyboard.press("ArrowRight")
    await shown.expect_ply(3)
    await shown.page.locator("#ply").focus()
    await shown.page.keyboard.press("ArrowRight")  # of the slider itself: one move, and not two
    await shown.expect_ply(4)
    await shown.page.keyboard.press("End")
    await shown.expect_ply(len(MOVES))


@on_a_phone
async def test_a_swipe_steps_and_a_scroll_does_not(shown: GamePage) -> None:
    await _swipe(shown, 100, 5)
    await shown.expect_ply(7)
    await _swipe(shown, -100, 5)
    await shown.expect_ply(8)
    await _swipe(shown, 10, -120)
    await shown.expect_ply(8)


async def _swipe(shown: GamePage, right: float, down: float) -> None:
    box = await shown.page.locator("#field").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = await shown.page.context.new_cdp_session(shown.page)
    touches: list[tuple[str, list[dict[str, float]]]] = [("touchStart", [{"x": x, "y": y}])]
    touches += [("touchMove", [{"x": x + right * k / 5, "y": y + down * k / 5}]) for k in range(1, 6)]
    for kind, points in [*touches, ("touchEnd", [])]:
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("preset", ["zagram", "szkrab", "paper", "three", "dot-dash"])
async def test_each_position_is_that_of_the_rules(
    room: Room,
    discord: Discord,
    window: Window,
    preset: str,
) -> None:
    game = GAMES[preset]
    positions = [game.start(1)]
    played: list[str] = []
    while len(played) < 60 and positions[-1].outcome is None:
        choices = sorted(map(str, islice(positions[-1].moves(), MAX_CHOICES)))
        played.append(choices[len(played) * 7919 % len(choices)])
        positions.append(positions[-1].play(game.parse(played[-1])))
    await switch_pages(room, on=True)
    match = await store_game(room, room.channel, game, played, resigns=positions[-1].outcome is None)
    await window.page.goto(discord.address.rstrip("/") + path_of(room, match))
    await expect(window.page.locator("#now")).to_contain_text(f"{len(played)} / ")
    pictures: Any = await window.page.evaluate(
        """async () => {
          const { Plies } = await import('/static/pages/plies.js');
          const plies = new Plies(await (await fetch(`${location.pathname}/moves.json`)).json());
          return Array.from({ length: plies.last + 1 }, (_, ply) => plies.at(ply));
        }"""
    )
    real = replay_positions(match.game, match.seed, played)
    assert pictures == [json.loads(json.dumps(picture_json(each.picture()))) for each in real]


async def test_a_reader_of_dark_pages_gets_a_dark_board(shown: GamePage) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert await shown.page.evaluate(paper) == "rgb(252, 251, 246)"
    await shown.page.emulate_media(color_scheme="dark")
    await expect(shown.page.locator("body")).to_be_visible()
    assert await shown.page.evaluate(paper) == "rgb(30, 32, 38)"
    await shown.button("One move back").click()
    await shown.expect_ply(7)


async def test_a_page_without_scripts_has_the_picture_the_moves_and_the_file(address: str, browser: Browser) -> None:
    async with await browser.new_context(java_script_enabled=False) as context:
        page = await context.new_page()
        await page.goto(address)
        await expect(page.locator("#field img")).to_have_js_property("complete", True)
        assert await page.locator("#field img").evaluate("img => img.naturalWidth") > 100
        assert [each.split()[-1] for each in await page.locator("#moves a").all_inner_texts()][:2] == ["E5", "E6"]
        await expect(page.locator("#controls")).to_be_hidden()
        await expect(page.get_by_role("link", name="Download as SGF")).to_be_visible()


async def test_a_page_whose_moves_do_not_come_shows_the_last_board(address: str, window: Window) -> None:
    await window.page.route("**/moves.json", lambda route: route.fulfill(status=503))
    await window.page.goto(address)
    await expect(window.page.locator("#field img")).to_have_js_property("naturalWidth", await _width(window, address))
    await expect(window.page.locator("#controls")).to_be_hidden()
    assert len(window.complaints) >= 1
    window.complaints.clear()


async def _width(window: Window, address: str) -> int:
    """Returns the pixels across of the picture of a page."""
    answer = await window.page.request.get(f"{address}/board.png")
    return Image.open(BytesIO(await answer.body())).width


@on_a_phone
async def test_the_button_below_the_last_board_opens_the_page(
    room: Room,
    discord: Discord,
    window: Window,
) -> None:
    await switch_pages(room, on=True)
    thread = await room.start_match(size="9x9")
    await room.play(thread, *MOVES)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    await room.wait_for_board(thread, len(MOVES) + 1)
    await window.open(discord, room.ola, thread)
    async with window.page.expect_popup() as opened:
        await window.press(window.page.get_by_role("link", name="Game page"))
    await GamePage(await opened.value).expect_ply(len(MOVES))


@on_a_phone
async def test_a_long_game_on_the_largest_board_weighs_little(
    room: Room,
    discord: Discord,
    window: Window,
) -> None:
    game = GAMES["zagram"].with_options({"size": "39x32", "start": "empty"})
    await switch_pages(room, on=True)
    match = await store_game(room, room.channel, game, _play_long(game, LONG))
    await window.page.goto(discord.address.rstrip("/") + path_of(room, match))
    await expect(window.page.locator("#now")).to_contain_text(f"{LONG} / {LONG}")
    loaded: Any = await window.page.evaluate(SIZES)
    assert sum(size for _, size in loaded) < MAX_BYTES, loaded


def _play_long(game: AnyGame, count: int) -> list[str]:
    """Returns so many moves, most of them near the one before, as people play."""
    rng, position, found, (x, y) = random.Random(5), game.start(1), list[str](), (19, 16)
    while len(found) < count:
        near = rng.random() < 0.8
        x, y = (x + rng.randint(-3, 3), y + rng.randint(-3, 3)) if near else (rng.randrange(39), rng.randrange(32))
        x, y = min(max(x, 0), 38), min(max(y, 0), 31)
        with suppress(IllegalMove):
            position = position.play(game.parse(point_name(Point(x, y))))
            found.append(point_name(Point(x, y)))
    return found
