"""Exercises on the home page: solved by finger, mouse and keyboard, with mistakes in between."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, ViewportSize, expect
from pydantic import SecretStr

from bot.markup import spoken
from loopback import Discord
from play.community.daily import STEPS
from play.community.exercise import Kind
from play.community.puzzle import puzzle_day
from play.community.rush import LENGTH
from play.community.solving import Solving
from play.ids import UserId
from presentation.daily import title_text
from renderer.theme import THEMES
from rules.dots import Call
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.home_page import launch_home, open_home
from tests.browser.site.conftest import running_site
from tests.browser.web_board import WebBoard
from tests.browser.window import Window
from tests.clock import DAY, StoppedClock
from tests.solvers import settle

WIDTHS = (320, 390, 768, 1280, 1920)

FINGER = 44
"""Pixels that each control has at least, in both directions."""

SMALL_CONTROLS = """least => [...document.querySelectorAll('button, select, summary, a, input')]
  .filter(each => each.offsetParent && Math.min(each.offsetWidth, each.offsetHeight) < least)
  .map(each => each.outerHTML)"""

BYTES = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .reduce((sum, each) => sum + each.decodedBodySize, 0)"""

MAX_BYTES = 120_000
"""Bytes of all files of the page and its puzzles, unpacked."""

OPEN = "Today's puzzles"


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with an Activity."""
    async with running_site(discord, url, clock, run_options, client_secret=SecretStr(discord.client_secret)) as room:
        yield room


class PuzzleBoard(WebBoard):
    """The board of the present step of Ola's puzzles."""

    field = "#puzzle"

    def __init__(self, room: Room, page: Page, *, narrow: bool) -> None:
        super().__init__(page, 0, narrow=narrow)
        self._room = room

    def resize(self, columns: int) -> None:
        """Notes how wide the board is."""
        self._columns = columns

    async def solving(self) -> Solving:
        found = await self._room.use_cases.dailies.state(puzzle_day(self._room.clock()), UserId(self._room.ola.id))
        assert found.solving is not None
        self._columns = found.solving.position.picture().width
        return found.solving

    async def right(self) -> str:
        return (await self.solving()).node.line[0]

    async def wrong(self) -> str:
        solving = await self.solving()
        moves = [str(move) for move in solving.position.moves()]
        return next(move for move in moves if move not in solving.node.right and move != Call.STOP)

    async def enter(self, move: str) -> None:
        """Plays a move by two taps, or STOP by its button."""
        await self.glance()
        if move == Call.STOP:
            await self.button("STOP").click()
            return
        await self.tap(move)
        await expect(self.ghosts).to_have_count(1)
        await self.glance()
        await self.tap(move)

    async def solve_step(self) -> None:
        """Solves the present step, until its verdict is read."""
        for _ in range((await self.solving()).node.depth):
            await self.enter(await self.right())
            await expect(self.ghosts).to_have_count(0)
            await expect(self.page.locator(".puzzles[aria-busy]")).to_have_count(0)
        await expect(self.page.locator(".told")).to_contain_text("Solved")


async def open_exercise(room: Room, window: Window, *ways: str) -> PuzzleBoard:
    """Opens an exercise of Ola's by the links of these addresses, one after the other."""
    page = await open_home(room, window, room.ola)
    await page.clock.install()
    for way in ways:
        await window.press(page.locator(f'[data-focus="{way}"]'))
    await page.locator("#puzzle svg .grid line").first.wait_for(state="attached")
    board = PuzzleBoard(room, page, narrow=window.narrow)
    await board.glance()
    return board


async def open_puzzles(room: Room, window: Window, step: int = 1) -> PuzzleBoard:
    page = await open_home(room, window, room.ola)
    await page.clock.install()
    await window.press(page.locator('[data-focus="puzzles"]'))
    await expect(page.locator(".told")).to_contain_text(f"puzzle {step} of 3")
    await page.locator("#puzzle svg .grid line").first.wait_for(state="attached")
    return PuzzleBoard(room, page, narrow=window.narrow)


async def expect_rules_kept(page: Page) -> None:
    """Expects that axe-core finds nothing wrong with the page as it is."""
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@in_both_sizes
async def test_a_daily_is_solved_with_a_mistake_in_between(room: Room, window: Window) -> None:
    board = await open_puzzles(room, window)
    page = board.page
    await board.enter(await board.wrong())
    await expect(page.locator(".told [role=status]").first).to_contain_text("doesn't do it")
    await expect(page.locator(".told [role=status]").first).to_contain_text("a number on each of these dots")
    assert await page.locator("#puzzle .number").count() >= 1
    await expect_rules_kept(page)
    await window.press(board.button("Try again"))
    await expect(board.button("Show the solution")).to_be_visible()
    await expect(page.locator("#puzzle .number")).to_have_count(0)
    await board.solve_step()
    await window.press(board.button("Next puzzle"))
    await board.solve_step()
    await board.glance()
    await window.press(page.locator("#puzzle"))  # a tap on the board goes on, too
    await board.solve_step()
    await window.press(board.button("See your result"))
    await expect(page.locator(".told")).to_contain_text("Solved: 3 of 3")
    await expect(page.locator(".told")).to_contain_text("1 day in a row")
    await expect(page.locator("#puzzle")).to_be_hidden()
    await expect_rules_kept(page)
    await window.press(page.get_by_role("link", name="← Home"))
    await expect(page.locator("section.puzzles")).to_contain_text("Solved: 3 of 3")
    await expect(page.locator('[data-focus="puzzles"]')).to_be_focused()


@on_a_phone
async def test_a_puzzle_that_is_still_to_be_solved_offers_no_next_one(room: Room, window: Window) -> None:
    board = await open_puzzles(room, window)
    await board.solve_step()
    await board.glance()
    await window.press(board.button("Next puzzle"))
    await expect(board.page.locator(".told")).to_contain_text("puzzle 2 of 3")
    await expect(board.button("Next puzzle")).to_have_count(0)


async def skip_to_a_stop(room: Room) -> None:
    """Lets days pass until the last step of one asks for a STOP, and shows Ola the solutions before it."""
    while room.use_cases.dailies.exercise(puzzle_day(room.clock()), STEPS - 1).kind is not Kind.STOP:
        room.clock.advance(DAY)
    dailies, ola, now = room.use_cases.dailies, UserId(room.ola.id), room.clock()
    await settle(room.services.store, ola, now)
    await dailies.open(ola, None, now)
    for tries in range(STEPS - 1):
        await dailies.play(puzzle_day(now), ola, tries, None, now)


@in_both_sizes
async def test_a_stop_too_early_shows_what_it_costs_and_then_its_step_is_solved(room: Room, window: Window) -> None:
    await skip_to_a_stop(room)
    board = await open_puzzles(room, window, STEPS)
    page = board.page
    await expect(page.locator(".told")).to_contain_text("Win by STOP")
    await board.enter(Call.STOP)
    told = page.locator(".told [role=status]").first
    await expect(told).to_contain_text(re.compile(r"❌ Not STOP: it costs you \d+ dots?\."))
    await expect(told).to_contain_text("The board after STOP.")
    await expect(page.locator("#puzzle .number")).to_have_count(0)
    await expect_rules_kept(page)
    await window.press(board.button("Try again"))
    await board.solve_step()
    await expect(told).to_contain_text("STOP, with a number on each of these dots")
    await window.press(board.button("See your result"))
    await expect(page.locator(".told")).to_contain_text("Solved: 1 of 3")


async def test_the_result_is_copied_or_shown_to_be_copied(room: Room, window: Window) -> None:
    board = await open_puzzles(room, window)
    page = board.page
    for last in ("Next puzzle", "Next puzzle", "See your result"):
        await board.enter(await board.wrong())
        await board.button("Show the solution").click()
        await board.button(last).click()
    await page.evaluate("() => { navigator.clipboard.writeText = async text => { window.copied = text; }; }")
    await board.button("Copy the result").click()
    await expect(board.button("Copied")).to_be_visible()
    assert (
        await page.evaluate("window.copied")
        == f"Kropka Daily {puzzle_day(room.clock())}, first days 1: 0/3\n⚪\n⚪\n⚪"
    )
    await page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('denied')); }")
    await board.button("Copied").click()
    await expect(page.get_by_role("textbox", name="To show it to others")).to_be_focused()
    await expect_rules_kept(page)


async def test_a_keyboard_alone_solves_a_step(room: Room, window: Window) -> None:
    board = await open_puzzles(room, window)
    page = board.page
    await expect(page.get_by_role("heading", name="Kropka Daily")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.locator("#puzzle")).to_be_focused()
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("#puzzle .cursor.shown")).to_have_count(1)
    await board.glance()
    await expect(page.locator(".told > .unseen")).to_contain_text(re.compile(r"^[A-K][0-9]+(, red|, blue)?$"))
    await page.get_by_role("textbox", name="Type a move").fill("Z99")
    await page.keyboard.press("Enter")
    await expect(page.locator(".told [role=status]").first).to_contain_text("outside the board")
    for _ in range((await board.solving()).node.depth):
        typed = page.get_by_role("textbox", name="Type a move")
        await typed.fill((await board.right()).lower())
        await page.keyboard.press("Enter")
        await expect(page.locator(".told")).to_contain_text("✅")
    await expect(board.button("Next puzzle")).to_be_visible()
    window.complaints.clear()


async def test_a_page_of_yesterday_says_so_and_offers_today(room: Room, window: Window) -> None:
    board = await open_puzzles(room, window)
    before = puzzle_day(room.clock())
    room.clock.advance(DAY)
    wrong = next(
        str(move)
        for state in [await room.use_cases.dailies.state(before, UserId(room.ola.id))]
        if state.solving
        for move in state.solving.position.moves()
        if str(move) not in state.solving.node.right
    )
    typed = board.page.get_by_role("textbox", name="Type a move")
    await typed.fill(wrong)
    await board.page.keyboard.press("Enter")
    await expect(board.page.get_by_text("A new day has begun")).to_be_visible()
    await board.button("Today's puzzles").click()
    today = title_text(puzzle_day(room.clock()), spoken().of("en").plain)
    await expect(board.page.get_by_role("heading", name=today.removeprefix("🧩 "))).to_be_visible()
    await expect(board.page.get_by_text("A new day has begun")).to_have_count(0)
    assert (await board.solving()).exercise.kind is not None


@on_a_phone
async def test_two_pages_of_one_player_agree(room: Room, window: Window) -> None:
    board = await open_puzzles(room, window)
    await board.tap(await board.right())
    await room.use_cases.dailies.play(puzzle_day(room.clock()), UserId(room.ola.id), 0, None, room.clock())
    await board.glance()
    await window.press(board.page.locator(".told .primary"))
    await expect(board.page.get_by_text("You've moved on since.")).to_be_visible()
    await expect(board.page.get_by_text("puzzle 2 of 3")).to_be_visible()


@in_both_sizes
async def test_the_activity_has_them_in_the_same_page(discord: Discord, room: Room, window: Window) -> None:
    home = await launch_home(window, discord, room.ola, room.general)
    entries = [request for request in discord.requests if "oauth2" in request.endpoint]
    await window.press(home.get_by_role("link", name="Solve them"))
    await expect(home.get_by_text("puzzle 1 of 3")).to_be_visible()
    board = PuzzleBoard(room, window.page, narrow=window.narrow)
    await home.get_by_role("textbox", name="Type a move").fill(await board.wrong())
    await home.get_by_role("textbox", name="Type a move").press("Enter")
    await expect(home.locator(".told")).to_contain_text("doesn't do it")
    await window.press(home.get_by_role("link", name="← Home"))
    await expect(home.get_by_role("link", name="Go on")).to_be_focused()
    assert [request for request in discord.requests if "oauth2" in request.endpoint] == entries


@pytest.mark.parametrize("theme", THEMES)
@on_a_phone
async def test_a_step_keeps_the_rules_of_accessibility(room: Room, window: Window, theme: str) -> None:
    await room.change_settings(room.ola, theme=theme)
    board = await open_puzzles(room, window)
    await board.tap(await board.right())
    await expect(board.ghosts).to_have_count(1)
    await expect_rules_kept(board.page)
    assert await board.page.evaluate(SMALL_CONTROLS, FINGER) == []
    assert await board.page.evaluate(BYTES) < MAX_BYTES


@pytest.mark.parametrize("language", spoken().names)
async def test_no_width_makes_the_page_scroll_sideways(room: Room, window: Window, language: str) -> None:
    await room.change_settings(room.ola, language=language)
    page = await open_home(room, window, room.ola)
    await page.locator('[data-focus="puzzles"]').click()
    await expect(page.locator(".told button").first).to_be_visible()
    for width in WIDTHS:
        await page.set_viewport_size(ViewportSize(width=width, height=900))
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


@in_both_sizes
async def test_a_newcomer_learns_on_the_board_with_a_mistake_in_between(room: Room, window: Window) -> None:
    board = await open_exercise(room, window, "lessons", "lesson:capture")
    page, told = board.page, board.page.locator(".told")
    board.resize(5)
    await expect(told).to_contain_text("Close your chain around the opponent's dot")
    await expect(board.button("Play")).to_have_count(0)
    await board.tap("C3")  # a dot lies there
    await board.tap("A1")
    await expect(told).to_contain_text("❌ Not A1: your opponent answers D3.")
    await expect_rules_kept(page)
    await window.press(board.button("Try again"))
    await board.glance()
    await board.tap("D3")
    await expect(told).to_contain_text("The chain is closed!")
    await expect(page.get_by_role("heading", name="Your lessons: 1 of 30 done")).to_be_visible()
    await window.press(board.button("Next lesson"))
    await expect(told).to_contain_text("Lesson 2 of 30")
    await page.reload()
    await expect(told).to_contain_text("Lesson 2 of 30")
    await window.press(board.button("All lessons"))
    await expect(page.get_by_role("link", name="Close a chain Repeat")).to_be_visible()
    await expect_rules_kept(page)
    assert await page.evaluate(SMALL_CONTROLS, FINGER) == []
    await page.go_back()
    await expect(told).to_contain_text("Lesson 2 of 30")


async def test_a_lesson_takes_no_tap_outside_of_its_part_of_the_board(room: Room, window: Window) -> None:
    board = await open_exercise(room, window, "lessons", "lesson:wedge")
    board.resize(7)
    await board.tap("A7")
    await expect(board.ghosts).to_have_count(0)
    await expect(board.page.locator(".told")).to_contain_text("Find the dot after which")
    await board.tap("D3")
    await expect(board.page.locator(".told")).to_contain_text("Two crossings are left")


@in_both_sizes
async def test_ten_in_a_row_is_answered_by_its_numbers_and_goes_on_after_a_reload(room: Room, window: Window) -> None:
    board = await open_exercise(room, window, "rush")
    page, told = board.page, board.page.locator(".told")
    await expect(page.locator("#puzzle .number")).not_to_have_count(0)
    await expect(page.get_by_role("textbox")).to_have_count(0)
    await expect_rules_kept(page)
    for number in range(1, LENGTH + 1):
        await expect(told).to_contain_text(f"puzzle {number} of 10")
        if number == 4:
            await page.reload()
            await expect(told).to_contain_text("puzzle 4 of 10")
        await window.press(page.locator('[data-focus="choice 0"]'))
        await expect(page.locator(".puzzles[aria-busy]")).to_have_count(0)
        if await page.locator('[data-focus="onward"]').count():
            await expect(told).to_contain_text("wasn't it. The right move was")
            await window.press(page.locator('[data-focus="onward"]'))
    await expect(told).to_contain_text("Ten in a row:")
    await window.press(board.button("Ten more"))
    await expect(told).to_contain_text("puzzle 1 of 10")


async def test_a_keyboard_alone_does_a_lesson(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    await page.locator('[data-focus="lessons"]').focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Your lessons: 0 of 30 done")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    typed = page.get_by_role("textbox", name="Type a move")
    await typed.fill("d3")
    await page.keyboard.press("Enter")
    await expect(page.locator(".told [role=status]").first).to_contain_text("The chain is closed!")
    await expect(page.locator(".told [role=status]").first).to_contain_text("The board after D3")


async def test_what_is_not_there_and_an_empty_list_say_so_and_lead_on(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    await window.press(page.locator('[data-focus="mistakes"]'))
    await expect(page.locator(".told")).to_contain_text("No mistakes here yet.")
    await expect_rules_kept(page)
    await page.evaluate("location.hash = '#quiz=puzzle:77'")
    await expect(page.locator(".told")).to_contain_text("This puzzle no longer exists.")
    await expect_rules_kept(page)
    await window.press(page.get_by_role("link", name="← Home"))
    await expect(page.locator("section.puzzles")).to_be_visible()
    window.complaints.clear()


async def test_without_a_network_the_page_says_so_and_goes_on_when_it_is_back(room: Room, window: Window) -> None:
    board = await open_exercise(room, window, "lessons", "lesson:capture")
    board.resize(5)
    await board.page.context.set_offline(True)
    await board.tap("D3")
    await expect(board.page.locator(".told")).to_contain_text("The server can't be reached.")
    await board.page.context.set_offline(False)
    await board.glance()
    await board.tap("D3")
    await expect(board.page.locator(".told")).to_contain_text("The chain is closed!")
    window.complaints.clear()
