"""Rematches on the web board: against the computer the first tap leads to the new game; between people one offers it,
the other answers, and both go on to the new board."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect
from pydantic import SecretStr

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Channel, Discord, Message
from play.ids import ChallengeId, IdempotencyKey, MatchId, UserId
from play.refusal import Refused
from tests.bot.features.coach.missed_capture import MissedCaptureEngine
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_activity import open_framed
from tests.browser.web_board import SIDE, open_board
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.visit import Visit, link_for


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board, an Activity, and a computer whose moves are known."""
    hosting = Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))
    room = Room(discord, url, clock, **{"hosting": hosting, **run_options})
    room.thinkers = MissedCaptureEngine
    await room.start()
    await room.client.tree.sync()
    async with mount_site(discord, room.bot.website):
        yield room
    await room.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def thread(room: Room) -> Channel:
    """The thread of a game against the computer, which Ola has resigned."""
    thread = await room.wait_for_thread(await room.challenge(computer=4, size="7x7", clock="3d"))
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    await room.wait_for_outbox()
    return thread


@in_both_sizes
async def test_the_first_tap_leads_to_the_new_game(room: Room, thread: Channel, window: Window) -> None:
    board = await open_board(room, thread, window, side=7)
    await board.button("Rematch").click()
    await expect(board.page).to_have_url(re.compile(r"/board/2\?as="))
    await expect(board.page.locator("#players .name")).to_have_count(2)
    await board.page.go_back()
    link = board.page.get_by_role("link", name="Open the rematch")
    await expect(link).to_have_attribute("href", re.compile(r"/board/2\?as="))
    await expect(board.button("Rematch")).to_be_hidden()


async def test_a_second_tap_makes_no_second_game(room: Room, thread: Channel, browser: Browser) -> None:
    async with Visit(room.discord.address) as visit:
        board = await visit.open(await link_for(room, room.ola, room.boards(thread)[-1]))
        first, second = [await board.ask("act", version=board.board["version"], action="rematch") for _ in range(2)]
    assert (first["is"], first["match"]) == (second["is"], second["match"]) == ("done", 2)
    with pytest.raises(Refused, match="no_challenge"):
        await room.use_cases.challenges.load(ChallengeId(3))  # the game's own is the first
    assert not [each for each in room.discord.messages(thread) if "eclined" in each.content]


async def test_the_activity_goes_on_to_the_new_game(
    discord: Discord, room: Room, thread: Channel, window: Window
) -> None:
    board = await open_framed(window, discord, thread, room.ola, 7)
    await board.locator("#offers button").first.click()
    frame = window.page.locator("dialog.activity iframe").content_frame
    await expect(frame.locator("#players li[aria-current]")).to_have_count(1)
    assert (await room.use_cases.matches.load(MatchId(2))).outcome is None


@pytest_asyncio.fixture(loop_scope="session")
async def over(room: Room) -> Channel:
    """The thread of a game with Максим, who has resigned."""
    thread = await room.start_match(size=f"{SIDE}x{SIDE}")
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    await room.wait_for_outbox()
    return thread


async def card_of(room: Room, thread: Channel) -> Message:
    """Returns the card of the rematch once it is posted."""
    card: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "Accept" in each.labels), None)
    )
    return card


@in_both_sizes
async def test_who_offers_waits_on_the_page_and_goes_on_once_it_is_accepted(
    room: Room, over: Channel, window: Window
) -> None:
    board = await open_board(room, over, window)
    await board.button("Rematch").click()
    await expect(board.page.locator("#offers")).to_contain_text("Your rematch is waiting for Максим.")
    await expect(board.button("Rematch")).to_be_hidden()
    await room.maksim.click(await card_of(room, over), "Accept").answered()
    await expect(board.page).to_have_url(re.compile(r"/board/2\?as="))
    await expect(board.page.locator("#players .name")).to_have_text(["Максим", "Ola"])
    await board.page.go_back()
    await expect(board.page.get_by_role("link", name="Open the rematch")).to_be_visible()  # nobody is led away again


@in_both_sizes
async def test_who_is_asked_accepts_on_the_page(room: Room, over: Channel, window: Window) -> None:
    board = await open_board(room, over, window)
    await room.maksim.command(over, "rematch").answered()
    await expect(board.page.locator("#offers")).to_contain_text("Максим offers a rematch.")
    await expect(board.button("Decline")).to_be_visible()
    await board.button("Accept").click()
    await expect(board.page).to_have_url(re.compile(r"/board/2\?as="))


async def test_a_page_that_was_asleep_goes_on_to_the_rematch(room: Room, over: Channel, window: Window) -> None:
    board = await open_board(room, over, window)
    await board.button("Rematch").click()
    await expect(board.button("Withdraw")).to_be_visible()
    await window.page.context.set_offline(True)
    await room.maksim.click(await card_of(room, over), "Accept").answered()
    window.complaints.clear()
    await window.page.context.set_offline(False)
    await expect(board.page).to_have_url(re.compile(r"/board/2\?as="))
    window.complaints.clear()


async def test_a_refusal_is_said_and_another_offer_may_follow(room: Room, over: Channel, window: Window) -> None:
    board = await open_board(room, over, window)
    await board.button("Rematch").click()
    await room.maksim.click(await card_of(room, over), "Decline").answered()
    await expect(board.page.locator("#notes")).to_have_text("No rematch this time: Максим doesn't want one now.")
    await board.button("Rematch").click()
    await board.button("Withdraw").click()
    await expect(board.button("Rematch")).to_be_visible()


async def test_who_looks_at_the_analysis_is_not_led_away(room: Room, over: Channel, window: Window) -> None:
    board = await open_board(room, over, window)
    await board.button("Rematch").click()
    await expect(board.button("Withdraw")).to_be_visible()
    await board.button("Analysis").click()
    await expect(board.page.locator("#sheet")).to_be_visible()
    await room.maksim.click(await card_of(room, over), "Accept").answered()
    await expect(board.page.locator("#live")).to_contain_text("The rematch begins")
    await board.page.clock.run_for(2000)
    await expect(board.page).to_have_url(re.compile(r"/board/1\?as="))
