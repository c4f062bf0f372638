"""The home page of a player, used as a player uses it: in a browser, and in the frame of the Activity."""

from __future__ import annotations

from playwright.async_api import Frame, FrameLocator, Locator, Page, expect

from bot.services.web_links import WebLinks
from loopback import Channel, Discord, Person
from play.ids import UserId
from tests.bot.room import Room
from tests.browser.window import Window

LAUNCH = "/launch"


async def home_link(room: Room, person: Person) -> str:
    """Returns a link to the home of a person, as the bot makes it."""
    links, user = room.services.web_links, UserId(person.id)
    assert isinstance(links, WebLinks), "there is a site"
    sessions = room.services.web_sessions
    return links.make(user, None, room.clock(), key=await sessions.link_key(user), seen=None)


async def open_home(room: Room, window: Window, person: Person) -> Page:
    """Opens the home of a person in a browser."""
    await window.page.goto(await home_link(room, person))
    await expect(window.page.locator("#sections section").first).to_be_visible()
    return window.page


async def launch_home(window: Window, discord: Discord, person: Person, channel: Channel) -> FrameLocator:
    """Opens the Activity in a channel without a game, as from the App Launcher, and waits for the home in it."""
    await window.open(discord, person, channel)
    await window.entry.fill(LAUNCH)
    await window.keys("Enter", "Enter")
    frame = window.page.frame_locator("dialog.activity iframe")
    await expect(frame.locator("#sections section").first).to_be_visible()
    await expect(frame.locator("#entrance")).to_have_count(0)
    return frame


def frame_of(window: Window) -> Locator:
    """Returns the element of the frame of the open Activity."""
    return window.page.locator("dialog.activity iframe")


async def framed(window: Window) -> Frame:
    """Returns the frame of the open Activity."""
    found = await (await frame_of(window).element_handle()).content_frame()
    assert found is not None
    return found
