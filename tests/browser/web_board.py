"""The page of a board, used as a player uses it: by mouse or finger, and by keyboard."""

from __future__ import annotations

from typing import Any, cast

from playwright.async_api import Locator, Page, expect

from loopback import Channel, Person
from rules.game import parse_point
from tests.bot.room import Room
from tests.browser.window import Window
from tests.web.visit import link_for

SIDE = 9
"""Lines of most boards, in both directions."""

WHERE = """([x, y]) => {
  const svg = document.querySelector('FIELD svg');
  const rows = svg.querySelectorAll('.grid line').length - COLUMNS;
  const place = new DOMPoint(x, rows - 1 - y).matrixTransform(svg.getScreenCTM());
  return [place.x, place.y];
}"""
"""Returns the pixel of a crossing."""


class WebBoard:
    """An open board. Crossings are named as in the game: `K12`."""

    field = "#field"
    """The element that has the board."""

    def __init__(self, page: Page, columns: int, *, narrow: bool) -> None:
        self.page = page
        self._columns = columns
        self.narrow = narrow

    @classmethod
    async def open(cls, page: Page, link: str, columns: int, *, narrow: bool) -> WebBoard:
        """Opens the link that *Browser* gave."""
        await page.clock.install()
        await page.goto(link)
        await page.locator("#field svg .grid line").first.wait_for(state="attached")
        return cls(page, columns, narrow=narrow)

    @property
    def said(self) -> Locator:
        """The line about the turn that is being entered."""
        return self.page.locator("#ghost")

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    @property
    def ghosts(self) -> Locator:
        """The stone that is not placed yet."""
        return self.page.locator(f"{self.field} .ghost > *")

    @property
    def stones(self) -> Locator:
        return self.page.locator(f"{self.field} .stones > *")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def glance(self) -> None:
        """Lets the moment pass in which no tap plays."""
        await self.page.clock.fast_forward(1000)

    async def stop_time(self) -> None:
        """Stops the page's clock, so that it makes no difference how long a test takes."""
        await self.page.clock.pause_at(await self.page.evaluate("Date.now() + 1000"))

    async def wait_for_turn(self, seat: int) -> None:
        """Returns when the page shows that the player in a seat is to act."""
        await expect(self.page.locator("#players li").nth(seat)).to_have_attribute("aria-current", "true")

    async def play(self) -> None:
        """Presses *Play*; returns when the turn is played."""
        await self.button("Play").click()
        await expect(self.button("Play")).to_be_hidden()

    async def place(self, name: str) -> tuple[float, float]:
        """Returns the pixel of a crossing."""
        point = parse_point(name)
        found: Any = await self.page.evaluate(
            WHERE.replace("COLUMNS", str(self._columns)).replace("FIELD", self.field), [*point]
        )
        return cast("tuple[float, float]", tuple(found))

    async def tap(self, name: str) -> None:
        """Clicks on a crossing, or taps it."""
        x, y = await self.place(name)
        if self.narrow:
            await self.page.touchscreen.tap(x, y)
        else:
            await self.page.mouse.click(x, y)


async def open_board(
    room: Room, thread: Channel, window: Window, person: Person | None = None, side: int = SIDE
) -> WebBoard:
    """Opens the board of a person, by default Ola, by the button below the newest one."""
    link = await link_for(room, person or room.ola, room.boards(thread)[-1])
    return await WebBoard.open(window.page, link, side, narrow=window.narrow)
