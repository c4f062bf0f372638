"""Chromium with one window in it, as wide as a computer's or as narrow as a phone's.

All tests of the folder share one event loop, and so one browser: to start it takes longer than most of them. Each has a
context, a server and a bot of its own.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ViewportSize, async_playwright

from loopback import Discord
from tests.bot.conftest import running_room, stand_in
from tests.bot.room import Room
from tests.browser.chromium import chromium  # noqa: F401 - a fixture
from tests.browser.window import Window
from tests.clock import StoppedClock

HERE = f"{Path(__file__).parent}{os.sep}"

WIDE = ViewportSize(width=1280, height=800)
NARROW = ViewportSize(width=390, height=844)

on_a_phone = pytest.mark.parametrize("window", ["phone"], indirect=True)
in_both_sizes = pytest.mark.parametrize("window", ["computer", "phone"], indirect=True)
"""For tests of what fingers do otherwise than the mouse, or of what is elsewhere on a narrow page."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if str(item.path).startswith(HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def discord(clock: StoppedClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Discord]:
    """The stand-in."""
    async with stand_in(clock, monkeypatch) as discord:
        yield discord


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot."""
    async with running_room(discord, url, clock, run_options) as room:
        yield room


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:  # noqa: F811 - the fixture
    """The browser of all tests."""
    async with async_playwright() as playwright, await playwright.chromium.launch(executable_path=chromium) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def window(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[Window]:
    """An empty window of a computer, or of a phone if the test says so; whatever its console says fails the test."""
    narrow = getattr(request, "param", "computer") == "phone"
    async with await browser.new_context(
        viewport=NARROW if narrow else WIDE,
        is_mobile=narrow,
        has_touch=narrow,
        device_scale_factor=2 if narrow else 1,
    ) as context:
        window = Window(await context.new_page(), narrow=narrow)
        yield window
    assert window.complaints == []
