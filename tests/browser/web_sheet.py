"""The analysis sheet in a browser, used as a player uses it."""

from __future__ import annotations

from playwright.async_api import Locator, Page

from tests.browser.web_board import WebBoard


class WebSheet(WebBoard):
    """An open sheet."""

    field = "#sheet-field"

    @classmethod
    async def try_out(cls, page: Page, columns: int, *, narrow: bool) -> WebSheet:
        """Presses *Analysis* on the open board."""
        analysis = page.get_by_role("button", name="Analysis", exact=True)
        if narrow and not await analysis.is_visible():  # it is behind More while the game goes on
            await page.get_by_role("button", name="More", exact=True).click()
        await analysis.click()
        await page.locator("#sheet-field svg .grid line").first.wait_for(state="attached")
        return cls(page, columns, narrow=narrow)

    def move(self, text: str) -> Locator:
        """Returns a move in the tree."""
        return self.page.get_by_role("navigation").locator(".move").filter(has_text=text)

    @property
    def here(self) -> Locator:
        """The move whose position is shown."""
        return self.page.locator('#sheet nav [aria-current="true"]')

    @property
    def note(self) -> Locator:
        return self.page.get_by_role("textbox", name="Note")
