"""The board in the frame of the Activity, used as a player uses it."""

from __future__ import annotations

from playwright.async_api import Frame, Locator, expect

from tests.browser.web_board import SIDE, WHERE
from tests.browser.window import Window


class FramedBoard:
    """The board of an open Activity. Crossings are named as in the game: `K12`."""

    def __init__(self, window: Window, element: Locator, frame: Frame, columns: int) -> None:
        self._window = window
        self._element = element
        self._frame = frame
        self._columns = columns

    @classmethod
    async def find(cls, window: Window, element: Locator, columns: int = SIDE) -> FramedBoard:
        """Waits for the board in the frame that is an element of the page."""
        await element.content_frame.locator("#field svg .grid line").first.wait_for(state="attached")
        await expect(element.content_frame.locator("#entrance")).to_have_count(0)
        frame = await (await element.element_handle()).content_frame()
        assert frame is not None
        return cls(window, element, frame, columns)

    def locator(self, selector: str) -> Locator:
        return self._frame.locator(selector)

    @property
    def stones(self) -> Locator:
        return self.locator("#field .stones > *")

    async def tap(self, name: str) -> None:
        """Clicks on a crossing, or taps it."""
        x, y = ord(name[0]) - ord("A"), int(name[1:]) - 1
        where = WHERE.replace("COLUMNS", str(self._columns)).replace("FIELD", "#field")
        inside = await self._frame.evaluate(where, [x, y])
        box = await self._element.bounding_box()
        assert box is not None
        place = (box["x"] + inside[0], box["y"] + inside[1])
        page = self._window.page
        await (page.touchscreen.tap(*place) if self._window.narrow else page.mouse.click(*place))

    async def lay(self, name: str) -> None:
        """Lays a dot that is not played yet."""
        await self.tap(name)
        await expect(self.locator("#field .ghost > *")).to_have_count(1)

    async def press_play(self) -> None:
        await self._window.press(self._frame.get_by_role("button", name="Play", exact=True))

    async def play(self, name: str) -> None:
        """Lays a dot and presses *Play*."""
        await self.lay(name)
        await self.press_play()
        await expect(self.locator("#field .ghost > *")).to_have_count(0)
