"""Chromium with one window in it, as wide as a computer's or as narrow as a phone's."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import ViewportSize, async_playwright

from tests.bot.conftest import discord, room
from tests.browser.chromium import MISSING, find_chromium
from tests.browser.window import Window

__all__ = ["discord", "room"]

WIDE = ViewportSize(width=1280, height=800)
NARROW = ViewportSize(width=390, height=844)


on_a_computer = pytest.mark.parametrize("window", ["computer"], indirect=True)
on_a_phone = pytest.mark.parametrize("window", ["phone"], indirect=True)


@pytest.fixture(params=["computer", "phone"])
async def window(request: pytest.FixtureRequest) -> AsyncIterator[Window]:
    """An empty window of a computer, then one of a phone; whatever its console says fails the test.

    Each test has a browser of its own, since each has an event loop of its own; it starts within a second.
    """
    program = find_chromium()
    if program is None:
        pytest.skip(MISSING)
    narrow = request.param == "phone"
    async with async_playwright() as playwright, await playwright.chromium.launch(executable_path=program) as browser:
        context = await browser.new_context(
            viewport=NARROW if narrow else WIDE,
            is_mobile=narrow,
            has_touch=narrow,
            device_scale_factor=2 if narrow else 1,
        )
        window = Window(await context.new_page(), narrow=narrow)
        yield window
    assert window.complaints == []
