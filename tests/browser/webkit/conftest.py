"""WebKit with one window in it, as wide as a computer's or as narrow as a phone's, which all tests share.

Each test has a server and a bot of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from pydantic import SecretStr

from loopback import Channel, Discord
from tests.bot.room import Room
from tests.browser.conftest import NARROW, WIDE
from tests.browser.site.conftest import running_site
from tests.browser.web_board import SIDE
from tests.browser.webkit.driver import MISSING, WebKit, is_installed
from tests.clock import StoppedClock

SIDEWAYS = "return document.documentElement.scrollWidth > innerWidth"

in_both_sizes = pytest.mark.parametrize("window", ["computer", "phone"], indirect=True)
on_a_phone = pytest.mark.parametrize("window", ["phone"], indirect=True)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def webkit(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WebKit]:
    """The browser of all tests."""
    if not is_installed():
        pytest.skip(MISSING)
    async with WebKit.running(tmp_path_factory.mktemp("webkit")) as webkit:
        yield webkit


@pytest_asyncio.fixture(loop_scope="session")
async def window(request: pytest.FixtureRequest, webkit: WebKit) -> AsyncIterator[WebKit]:
    """Its window, of a computer unless the test says so."""
    size = NARROW if getattr(request, "param", "computer") == "phone" else WIDE
    await webkit.resize(size["width"], size["height"])
    yield webkit
    await webkit.leave()


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot that has a web board and the client secret."""
    secret = SecretStr(discord.client_secret)
    async with running_site(discord, url, clock, run_options, client_secret=secret) as room:
        yield room


@pytest_asyncio.fixture(loop_scope="session")
async def thread(room: Room) -> Channel:
    """The thread of a game in which Ola is to move."""
    return await room.start_match(size=f"{SIDE}x{SIDE}")
