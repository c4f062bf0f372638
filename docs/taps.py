"""Counts the taps of the journeys of docs/looks.md on a phone, and the seconds that the program takes for them:
`python -m docs.taps`.

Each begins on a page that is there, with a finger in Chromium at 390x844, and ends when what was wanted is seen. Nobody
thinks in between, the stand-in answers at once, and the computer is a quick one: the seconds are what the pages and the
bot take.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from playwright.async_api import Locator, ViewportSize, expect

from docs.screens import board_link
from docs.stage import Stage, open_browser, open_stage
from play.community.puzzle import puzzle_day
from play.ids import IdempotencyKey, MatchId, UserId
from tests.browser.home_page import home_link
from tests.browser.web_board import WebBoard
from tests.browser.window import Window
from tests.web.games_at_home import begin_games
from use_cases.player_settings import change_player

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    from loopback import Channel

PHONE: Final = ViewportSize(width=390, height=844)
GLANCE: Final = 800
"""Milliseconds after which a puzzle takes a tap: until then one may be meant for what was there before."""

NUMBER: Final = re.compile(r"^\d+$")


class Phone:
    """A phone whose taps are counted, and whose seconds run, once the journey begins."""

    def __init__(self, page: Page) -> None:
        self.page, self.window = page, Window(page, narrow=True)
        self.taps, self._began = 0, 0.0

    def begin(self) -> None:
        self.taps, self._began = 0, monotonic()

    @property
    def seconds(self) -> float:
        return monotonic() - self._began

    async def tap(self, what: Locator) -> None:
        self.taps += 1
        await what.tap()

    async def press(self, name: str) -> None:
        """Taps a button or link of the page."""
        there = self.page.get_by_role("button", name=name, exact=True)
        await self.tap(there.or_(self.page.get_by_role("link", name=name, exact=True)).first)

    async def choose(self, field: str, option: str) -> None:
        """Chooses in a list, which a phone opens by one tap and takes by another."""
        self.taps += 2
        await self.page.get_by_role("combobox", name=field).select_option(option)

    async def touch(self, board: WebBoard, crossing: str) -> None:
        self.taps += 1
        await board.tap(crossing)


Journey = Callable[[Stage, Phone], Awaitable[None]]


class PuzzleBoard(WebBoard):
    """The board of a puzzle on the home page."""

    field = "#puzzle"


async def open_web_board(stage: Stage, phone: Phone, match: int, columns: int) -> WebBoard:
    """Opens Ola's board of a game."""
    await phone.page.goto(await board_link(stage, match))
    await phone.page.locator("#field svg .grid line").first.wait_for(state="attached")
    return WebBoard(phone.page, columns, narrow=True)


async def open_home(stage: Stage, phone: Phone) -> None:
    await phone.page.goto(await home_link(stage.room, stage.room.ola))
    await phone.page.locator("#sections section").first.wait_for()


async def visit(stage: Stage, phone: Phone) -> None:
    """front page: a visitor's first dot, and the computer's answer"""
    await phone.page.goto(f"{stage.discord.address}front")
    await expect(phone.page.locator("#field")).to_have_role("application")
    board = WebBoard(phone.page, 9, narrow=True)
    phone.begin()
    await phone.touch(board, "C3")
    await board.stones.nth(1).wait_for(state="attached")


async def begin_at_home(stage: Stage, phone: Phone) -> None:
    """home page: a newcomer's first own move"""
    await open_home(stage, phone)
    field = phone.page.get_by_role("button", name="Begin your first game")
    box = await field.bounding_box()
    assert box is not None
    phone.begin()
    phone.taps += 1
    await phone.page.touchscreen.tap(box["x"] + 0.3 * box["width"], box["y"] + 0.7 * box["height"])
    await phone.page.locator("#field .ghost > *").first.wait_for()
    await phone.press("Play")
    await expect(phone.page.locator("#field .ghost > *")).to_have_count(0)


async def begin_in_chat(stage: Stage, phone: Phone) -> None:
    """chat: a newcomer's first own move, and the computer's answer"""
    stage.discord.remove_bot()
    stage.discord.add_bot()
    await phone.window.open(stage.discord, stage.room.ola)
    await phone.window.button("Play the computer").wait_for()
    phone.begin()
    await phone.tap(phone.window.button("Play the computer"))
    await phone.tap(phone.window.panel.get_by_role("button", name="Your move"))
    await phone.tap(phone.window.panel.get_by_role("button", name=NUMBER).first)
    await expect(phone.window.panel.get_by_text(re.compile("You played .*\\n.*Kropka played "))).to_be_visible()


async def move_on_the_web(stage: Stage, phone: Phone) -> None:
    """web board 39x32: a move, however far"""
    await stage.start_match(size="39x32", clock="3d")
    board = await open_web_board(stage, phone, 1, 39)
    phone.begin()
    await phone.touch(board, "T18")
    await phone.press("Play")
    await expect(phone.page.locator("#field .stones > *")).to_have_count(1)


async def move_by_keypad(stage: Stage, phone: Phone) -> None:
    """chat 20x20: a far move by keypad"""
    thread = await stage.start_match(size="20x20", clock="3d")
    await phone.window.open(stage.discord, stage.room.ola, thread)
    await phone.window.button("Elsewhere").wait_for()
    phone.begin()
    await phone.tap(phone.window.button("Elsewhere"))
    await phone.tap(phone.window.panel.get_by_role("button", name=re.compile("^[A-P]$"), disabled=False).first)
    await phone.tap(phone.window.panel.get_by_role("button", name=NUMBER).first)
    await stage.room.wait_for_board(thread, 1)


async def challenge(stage: Stage, phone: Phone) -> None:
    """home page: a friend challenged by name, with the usual terms"""
    await begin_games(stage.room, stage.room.ola, stage.room.maksim, 1, size="9x9")
    await open_home(stage, phone)
    phone.begin()
    await phone.tap(phone.page.get_by_text("Challenge a friend"))
    await phone.choose("Who", "Максим")
    await phone.press("Post the challenge")
    await expect(phone.page.locator(".offered")).to_contain_text("Waiting for Максим")


async def accept(stage: Stage, phone: Phone) -> None:
    """home page: a challenge accepted"""
    await stage.room.maksim.command(stage.room.channel, "challenge", opponent=stage.room.ola, size="9x9").answered()
    await open_home(stage, phone)
    await phone.page.locator("section.asked").wait_for()
    phone.begin()
    await phone.tap(phone.page.locator("section.asked").get_by_role("button", name=re.compile("^Accept")))
    await phone.page.locator("#field svg .grid line").first.wait_for(state="attached")


async def finish(stage: Stage) -> Channel:
    """Plays a game of Ola and Максим, which Максим resigns; returns its thread."""
    thread = await stage.start_match(size="9x9")
    await stage.room.play(thread, *("E5", "E4", "F5", "F4", "D4", "A7", "G4", "A6", "E3", "A5", "B2", "A4"))
    await stage.room.use_cases.matches.resign(
        MatchId(1), UserId(stage.room.maksim.id), stage.room.clock(), IdempotencyKey(5)
    )
    await stage.room.wait_for_outbox()
    return thread


async def rematch(stage: Stage, phone: Phone) -> None:
    """web board: a rematch offered"""
    await finish(stage)
    await open_web_board(stage, phone, 1, 9)
    phone.begin()
    await phone.press("Rematch")
    await expect(phone.page.locator("#offers")).to_contain_text("Your rematch is waiting for Максим.")


async def accept_rematch(stage: Stage, phone: Phone) -> None:
    """web board: a rematch accepted, up to the new board"""
    thread = await finish(stage)
    await open_web_board(stage, phone, 1, 9)
    await stage.room.maksim.command(thread, "rematch").answered()
    await expect(phone.page.locator("#offers")).to_contain_text("Максим offers a rematch.")
    await phone.page.wait_for_timeout(GLANCE)
    phone.begin()
    await phone.press("Accept")
    await expect(phone.page).to_have_url(re.compile(r"/board/2\?as="))
    await phone.page.locator("#field svg .grid line").first.wait_for(state="attached")


async def review(stage: Stage, phone: Phone) -> None:
    """web board: the review of a finished game of 12 moves"""
    await finish(stage)
    await open_web_board(stage, phone, 1, 9)
    await phone.page.wait_for_timeout(GLANCE)
    phone.begin()
    await phone.press("Review")
    await phone.page.get_by_role("button", name=re.compile(r"^\d+ · ")).first.wait_for()


async def replay(stage: Stage, phone: Phone) -> None:
    """web board: one move back in a finished game"""
    await finish(stage)
    board = await open_web_board(stage, phone, 1, 9)
    steps = phone.page.get_by_role("group", name="Replay").get_by_role("button")
    await expect(board.stones).to_have_count(12)
    phone.begin()
    await phone.tap(steps.nth(1))
    await expect(board.stones).to_have_count(11)


async def daily(stage: Stage, phone: Phone) -> None:
    """home page: the first move of the day's first puzzle"""
    room, user = stage.room, UserId(stage.room.ola.id)
    await change_player(room.services.store, user, {"confirm_days": True})  # as it is by default
    await open_home(stage, phone)
    phone.begin()
    await phone.tap(phone.page.locator('[data-focus="puzzles"]'))
    await phone.page.locator("#puzzle svg .grid line").first.wait_for(state="attached")
    solving = (await room.use_cases.dailies.state(puzzle_day(room.clock()), user)).solving
    assert solving is not None
    board, right = PuzzleBoard(phone.page, solving.position.picture().width, narrow=True), solving.node.line[0]
    for _ in range(2):
        await phone.page.wait_for_timeout(GLANCE)
        await phone.touch(board, right)
    await expect(phone.page.locator(".told")).to_contain_text(re.compile("Solved|Right"))


async def hint(stage: Stage, phone: Phone) -> None:
    """web board: a hint, and its move"""
    await stage.start_match(size="9x9", clock="3d")
    board = await open_web_board(stage, phone, 1, 9)
    phone.begin()
    await phone.press("More")
    await phone.press("Hint")
    await phone.press("Play it")
    await expect(board.stones).to_have_count(1)


JOURNEYS: Final[tuple[Journey, ...]] = (
    *(visit, begin_at_home, begin_in_chat, move_on_the_web, move_by_keypad, challenge, accept),
    *(rematch, accept_rematch, review, replay, daily, hint),
)


class Taken(NamedTuple):
    """Taps and seconds of a journey."""

    taps: int
    seconds: float


@asynccontextmanager
async def open_phone(browser: Browser) -> AsyncIterator[Phone]:
    async with await browser.new_context(
        viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=2, locale="en-GB"
    ) as context:
        yield Phone(await context.new_page())


async def measure(browser: Browser, journey: Journey) -> Taken:
    """Makes a journey on a stage of its own."""
    async with open_stage("en") as stage, open_phone(browser) as phone:
        await journey(stage, phone)
        return Taken(phone.taps, phone.seconds)


async def main(wanted: list[str]) -> None:
    """Prints what each journey takes, or each of the `wanted` ones, as a table."""
    print("| journey | taps | seconds |\n|---|---|---|")  # noqa: T201
    async with open_browser() as browser:
        for journey in JOURNEYS:
            if wanted and journey.__name__ not in wanted:
                continue
            taps, seconds = await measure(browser, journey)
            print(f"| {journey.__doc__} | {taps} | {seconds:.1f} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
