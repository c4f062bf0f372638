"""A rematch against the computer on the web board: the first tap leads to the new game, a second one harms nothing."""

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
from loopback import Channel, Discord
from play.ids import ChallengeId, IdempotencyKey, MatchId, UserId
from play.refusal import Refused
from tests.bot.features.coach.missed_capture import MissedCaptureEngine
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_activity import open_framed
from tests.browser.web_board import open_board
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
