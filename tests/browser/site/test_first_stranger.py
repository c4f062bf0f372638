"""From an empty account to a stranger's board on a phone: on the home page, in the Activity and in the chat. Taps may
only become fewer; and what people do by mistake on the way leads there as well."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, FrameLocator, Locator, Page, expect

from bot.markup import spoken
from loopback import Discord
from play.community.seek import CALL_MILLIS
from play.ids import UserId
from tests.bot.border import Border
from tests.bot.room import private_message
from tests.browser.conftest import on_a_phone
from tests.browser.home_page import home_link, launch_home, open_home
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.home_visit import room_with_activity
from use_cases.player_settings import change_player

TAPS = 2
"""*Live game* and *I'm here*, on the home page and in the Activity."""

TAPS_IN_CHAT = 5
"""The command and what sends it, *Live game*, *I'm here*, and the way to the board."""


@pytest_asyncio.fixture(loop_scope="session")
async def border(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Border]:
    async with room_with_activity(discord, url, clock, run_options) as room:
        border = Border(room)
        yield border
        assert border.wall.violations == []


class Finger:
    """Taps, which are counted."""

    def __init__(self) -> None:
        self.taps = 0

    async def tap(self, what: Locator) -> None:
        self.taps += 1
        await what.click()


async def jadwiga_looks(border: Border) -> None:
    """Has an opponent look for a live game, so that both are called."""
    panel = await private_message(border.jadwiga.command(border.there, "play"))
    await border.jadwiga.click(panel, "Live game").followed()
    border.room.bot.workers.matchmaker.wake()


async def jadwiga_answers(border: Border) -> None:
    messages = border.room.discord.messages(border.there)
    call = [each for each in messages if any(":ready" in part["custom_id"] for part in each.controls)][-1]
    await border.jadwiga.click(call, call.controls[0]["custom_id"]).answered()


async def find_stranger(border: Border, play: Locator, finger: Finger, language: str = "en") -> None:
    """Looks for a live game until both have answered the call."""
    words = spoken().of(language).plain
    await finger.tap(play.get_by_role("button", name=words("seek.button.live")))
    await expect(play.get_by_role("button", name=words("seek.button.leave"))).to_be_visible()
    await jadwiga_looks(border)
    await finger.tap(play.get_by_role("button", name=words("seek.button.ready")))
    await expect(play).to_contain_text(words("seek.ready"))
    await jadwiga_answers(border)


@on_a_phone
@pytest.mark.parametrize("language", ["en", "ru", "pl"])
async def test_from_an_empty_home_page(border: Border, window: Window, language: str) -> None:
    await change_player(border.room.services.store, UserId(border.ola.id), {"language": language})
    page, finger = await open_home(border.room, window, border.ola), Finger()
    await find_stranger(border, page.locator("section.play"), finger, language)
    await page.wait_for_url("**/board/1?**")
    assert finger.taps <= TAPS


@on_a_phone
async def test_from_an_empty_activity(discord: Discord, border: Border, window: Window) -> None:
    frame: FrameLocator = await launch_home(window, discord, border.ola, border.here)
    finger = Finger()
    await find_stranger(border, frame.locator("section.play"), finger)
    await expect(frame.locator("#field svg").first).to_be_visible()
    assert finger.taps <= TAPS


@on_a_phone
async def test_from_the_chat(discord: Discord, border: Border, window: Window) -> None:
    await window.open(discord, border.ola, border.here)
    finger = Finger()
    await window.entry.fill("/play")
    finger.taps += 2
    await window.keys("Enter", "Enter")
    await finger.tap(window.button("Live game").last)
    await expect(window.button("Stop looking").last).to_be_visible()
    await jadwiga_looks(border)
    await finger.tap(window.button("I'm here").last)
    await jadwiga_answers(border)
    await finger.tap(window.page.get_by_role("link", name="go to the game").last)
    await expect(window.page.get_by_role("button", name="More", exact=True).last).to_be_visible()
    assert finger.taps <= TAPS_IN_CHAT


@on_a_phone
async def test_two_meet_in_their_browsers(border: Border, window: Window, browser: Browser) -> None:
    ola = await open_home(border.room, window, border.ola)
    async with await browser.new_context() as context:
        jadwiga = await context.new_page()
        await jadwiga.goto(await home_link(border.room, border.jadwiga))
        for page in (ola, jadwiga):
            await page.get_by_role("button", name="Live game").click()
            await expect(page.get_by_role("button", name="Stop looking")).to_be_visible()
        border.room.bot.workers.matchmaker.wake()
        for page in (ola, jadwiga):
            await page.get_by_role("button", name="I'm here").click()
        for page in (ola, jadwiga):
            await page.wait_for_url("**/board/1?**")
            await expect(page.locator("#field svg").first).to_be_visible()


class TestMistakes:
    """Mistakes that people make."""

    @on_a_phone
    async def test_two_presses_begin_one_search(self, border: Border, window: Window) -> None:
        page = await open_home(border.room, window, border.ola)
        await page.locator("section.play").get_by_role("button", name="Live game").dblclick()
        await expect(page.locator("section.play").get_by_role("button", name="Stop looking")).to_have_count(1)
        assert len(await border.room.use_cases.seeks.outlooks(UserId(border.ola.id))) == 1

    @on_a_phone
    async def test_who_leaves_and_looks_again_is_called(self, border: Border, window: Window) -> None:
        page = await open_home(border.room, window, border.ola)
        play = page.locator("section.play")
        await play.get_by_role("button", name="Live game").click()
        await play.get_by_role("button", name="Stop looking").click()
        await find_stranger(border, play, Finger())
        await page.wait_for_url("**/board/1?**")

    @on_a_phone
    async def test_a_tab_that_was_closed_finds_its_search_and_its_call(self, border: Border, window: Window) -> None:
        page = await open_home(border.room, window, border.ola)
        await page.locator("section.play").get_by_role("button", name="Live game").click()
        await expect(page.get_by_role("button", name="Stop looking")).to_be_visible()
        address = page.url
        await page.goto("about:blank")
        await jadwiga_looks(border)
        await page.goto(address)
        await page.get_by_role("button", name="I'm here").click()
        await jadwiga_answers(border)
        await page.wait_for_url("**/board/1?**")

    @on_a_phone
    async def test_who_answers_too_late_is_told_so_and_looks_again_by_one_tap(
        self, border: Border, window: Window
    ) -> None:
        page = await open_home(border.room, window, border.ola)
        play = page.locator("section.play")
        await play.get_by_role("button", name="Live game").click()
        await expect(play.get_by_role("button", name="Stop looking")).to_be_visible()
        await jadwiga_looks(border)
        await expect(play.get_by_role("button", name="I'm here")).to_be_visible()
        await miss(border, page)
        await expect(page.get_by_role("status")).to_contain_text("weren't there")
        await expect(play.get_by_role("button", name="Live game")).to_be_visible()


async def miss(border: Border, page: Page) -> None:
    """Lets the time for an answer pass."""
    await border.room.pass_time(CALL_MILLIS)
    border.room.bot.workers.matchmaker.wake()
