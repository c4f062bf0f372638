"""A window of the chat page, used as a player uses it: by mouse or finger, and by keyboard."""

from __future__ import annotations

import asyncio
import re
from io import BytesIO

from PIL import Image
from playwright.async_api import ConsoleMessage, Error, Locator, Page, Request, Response, expect

from loopback import HANG_SECONDS, Channel, Discord, Person

PAPER_GREY = 200
"""From this grey on, of 255, a pixel belongs to the paper of a board; the page itself is below 100."""

LEFT = "net::ERR_ABORTED"
"""Why a request fails if the window leaves the page before the answer."""

REFUSED = "responded with a status of 4"
"""Words by which the console tells of a refusal."""

SMALL_FIELDS = """() => [...document.querySelectorAll('input:not([type=checkbox], [type=file]), select, textarea')]
  .filter(each => parseFloat(getComputedStyle(each).fontSize) < 16).map(each => each.outerHTML)"""
"""Returns the fields that an iPhone zooms in on."""

CAN_SCROLL_SIDEWAYS = "log => log.scrollWidth > log.clientWidth"

expect.set_options(timeout=HANG_SECONDS * 1000)


class Window:
    """A tab of the browser.

    Attributes:
        narrow: whether it is a phone, which has fingers instead of a mouse.
        complaints: what the console said and which requests failed; a test that expects some takes them out.
    """

    def __init__(self, page: Page, *, narrow: bool) -> None:
        self.page = page
        self.narrow = narrow
        self.complaints: list[str] = []
        self._expects_refusals = False
        page.set_default_timeout(HANG_SECONDS * 1000)
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("requestfailed", self._note_failure)
        page.on("response", self._note_refusal)

    def expect_refusals(self) -> None:
        """Takes answers with a status of 400 to 499 for no complaints from now on, however late the browser tells."""
        self._expects_refusals = True

    def _note_console(self, message: ConsoleMessage) -> None:
        if not (self._expects_refusals and REFUSED in message.text):
            self.complaints.append(f"{message.type}: {message.text}")

    def _note_failure(self, request: Request) -> None:
        if request.failure != LEFT:
            self.complaints.append(f"{request.url}: {request.failure}")

    def _note_refusal(self, response: Response) -> None:
        if response.status >= (500 if self._expects_refusals else 400):
            self.complaints.append(f"{response.url}: {response.status}")

    # What is on the page

    @property
    def entry(self) -> Locator:
        """The field in which messages are written."""
        return self.page.get_by_role("textbox", name="or type a slash for commands")

    @property
    def suggestions(self) -> Locator:
        """The options that the picker over the field offers."""
        return self.page.get_by_role("listbox", name="Suggestions").get_by_role("option")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def messages(self) -> Locator:
        return self.page.get_by_role("article")

    @property
    def panel(self) -> Locator:
        """The newest message for this player alone."""
        return self.messages.filter(has_text="Only you can see this").last

    @property
    def command_line(self) -> Locator:
        """The command that is being written."""
        return self.page.get_by_role("group", name="Command ")

    @property
    def more(self) -> Locator:
        """The field behind the options of the command that is being written."""
        return self.command_line.locator(".chip-more")

    @property
    def strip(self) -> Locator:
        """The line that says who else is mentioned."""
        return self.page.get_by_role("status").filter(has_text="is mentioned in")

    def badge(self, name: str) -> Locator:
        """Returns the number of the mentions of another person."""
        return self.page.get_by_role("group", name="Play as").get_by_role("button", name=name).locator(".badge")

    @property
    def zoom(self) -> Locator:
        """How large the picture is that is shown alone."""
        return self.dialog.get_by_role("status", name="Zoom")

    async def width_of_picture(self) -> float:
        """Returns the width of the picture that is shown alone, in CSS pixels."""
        box = await self.dialog.get_by_role("img").bounding_box()
        assert box is not None
        return box["width"]

    def option(self, name: str) -> Locator:
        """Returns the field of an option of the command that is being written."""
        return self.page.get_by_role("combobox", name=f"{name}: ")

    def button(self, label: str) -> Locator:
        """Returns the newest button with this label on a message."""
        return self.messages.get_by_role("button", name=label, exact=True).last

    # What a player does

    async def open(self, discord: Discord, seat: Person | None = None, channel: Channel | None = None) -> None:
        """Opens the printed address, in the first seat and channel unless others are given."""
        taken = f"&seat={seat.id}" if seat else ""
        await self.page.goto(f"{discord.page_address}{taken}#{channel.id if channel else ''}")

    async def press(self, target: Locator) -> None:
        """Clicks or taps the target as soon as it can be reached."""
        await (target.tap() if self.narrow else target.click())

    async def type(self, text: str) -> None:
        """Types where the focus is."""
        await self.page.keyboard.type(text)

    async def paste(self, text: str) -> None:
        """Enters text at once where the focus is."""
        await self.page.keyboard.insert_text(text)

    async def choose(self, suggestion: str) -> None:
        """Takes the suggestion as soon as it is the first."""
        await expect(self.suggestions.first).to_contain_text(suggestion)
        await self.keys("Enter")

    async def keys(self, *names: str) -> None:
        """Presses keys one after the other."""
        for name in names:
            await self.page.keyboard.press(name)

    async def write(self, text: str) -> None:
        """Begins to write a message."""
        await self.press(self.entry)
        await self.type(text)

    async def follow_call(self, name: str) -> None:
        """Takes the seat of the person who is mentioned elsewhere, and goes there."""
        await self.press(self.strip.filter(has_text=name).get_by_role("button", name="Switch"))
        await expect(self.page).to_have_title(re.compile(f" · {name} · "))

    async def speak(self, language: str) -> None:
        """Switches the client of this person to a language, by the language's own name."""
        if self.narrow:
            await self.press(self.page.get_by_role("button", name="Switch seats"))
        await self.page.get_by_label("Language of this client").filter(visible=True).select_option(language)
        if self.narrow:
            await self.keys("Escape")

    async def take_seat(self, name: str) -> None:
        """Becomes another person: in the sidebar or, on a phone, behind the picture in the header."""
        if self.narrow:
            await self.press(self.page.get_by_role("button", name="Switch seats"))
        await self.press(self.page.get_by_role("group", name="Play as").get_by_role("button", name=name))
        await expect(self.page).to_have_title(re.compile(f" · {name} · "))

    async def go_to(self, channel: str) -> None:
        """Opens a channel from the sidebar, which is a drawer on a phone."""
        if self.narrow:
            await self.press(self.page.get_by_role("button", name="Channels"))
        await self.press(self.page.get_by_role("navigation").get_by_role("link", name=channel, exact=True))

    async def pinch(self, x: float, y: float, *, start: float, end: float) -> None:
        """Moves two fingers apart about a point, from one distance in CSS pixels to another."""
        client = await self.page.context.new_cdp_session(self.page)
        for kind, spread in (("touchStart", start), ("touchMove", (start + end) / 2), ("touchMove", end)):
            points = [{"x": x + side * spread / 2, "y": y, "id": side + 1} for side in (-1, 1)]
            await client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    async def forget_pictures(self) -> None:
        """Lets the browser drop the pictures that it does not show, as it does where memory is short."""
        client = await self.page.context.new_cdp_session(self.page)
        await client.send("HeapProfiler.collectGarbage")
        await client.send("Memory.simulatePressureNotification", {"level": "critical"})

    # What a player expects

    async def expect_board(self, picture: Locator) -> None:
        """Waits until a board is on the screen, and not only in the document, which has it before it is loaded."""
        async with asyncio.timeout(HANG_SECONDS):
            while not await _is_painted(picture):
                await expect(picture).to_be_visible()

    async def wait_until(self, condition: str) -> None:
        """Waits until an expression of a script is true. `Page.wait_for_function` cannot: it evaluates the expression
        in the page, whose security policy forbids that."""
        async with asyncio.timeout(HANG_SECONDS):
            while not await self.page.evaluate(condition):
                pass

    async def expect_fit(self) -> None:
        """Fails if the messages are wider than the window."""
        assert not await self.page.get_by_role("region", name="Messages").evaluate(CAN_SCROLL_SIDEWAYS)


def is_paper(screenshot: bytes) -> bool:
    """Returns whether most of a picture is as light as a board, and not as dark as the page."""
    picture = Image.open(BytesIO(screenshot)).convert("L")
    return sum(picture.histogram()[PAPER_GREY:]) > picture.width * picture.height / 2


async def _is_painted(picture: Locator) -> bool:
    """Returns whether a picture shows paper; not while its message is being drawn anew."""
    try:
        return is_paper(await picture.screenshot())
    except Error:
        return False
