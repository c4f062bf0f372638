"""Those who watch, on the page of a board: a number for a glance, and names for those who look for them."""

from __future__ import annotations

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from loopback import Channel
from tests.bot.room import Room
from tests.browser.conftest import in_both_sizes
from tests.browser.site.test_looks import WINDOWS, box_of
from tests.browser.web_board import WebBoard
from tests.web.visit import Visit, link_for

LINE = "1 person is watching: Kasia Wiśniewska"


async def note(room: Room) -> None:
    assert room.bot.website is not None
    await room.bot.website.hub.note_watchers()


@in_both_sizes
async def test_a_player_sees_how_many_watch_and_who(room: Room, thread: Channel, board: WebBoard) -> None:
    eye, line = board.page.locator("#watchers"), board.page.locator("#spectators")
    await expect(eye).to_be_hidden()
    async with Visit(room.discord.address) as visit:
        await visit.open(await link_for(room, room.kasia, room.boards(thread)[-1]))
        await note(room)
        await expect(eye).to_have_text(f"1{LINE}")
        if board.narrow:
            await board.button("More").click()
        await expect(line).to_have_text(LINE)
        await expect(line).to_be_visible()
        found = await Axe().run(board.page)
        assert found.violations_count == 0, found.generate_report()
    await room.until(lambda: is_empty(room))
    await note(room)
    await expect(eye).to_be_hidden()
    await expect(line).to_be_hidden()


async def is_empty(room: Room) -> bool | None:
    """Returns True once no spectator's socket is open."""
    assert room.bot.website is not None
    return not any(each.audience.seat is None for each in room.bot.website.hub.watchers) or None


PARTS = ("#field", "#turn", "#players .mine")
"""The parts that are under fingers."""

SHOW = """([count, line]) => {
  const eye = document.getElementById('watchers');
  eye.hidden = !count;
  eye.children[1].textContent = count;
  document.getElementById('spectators').textContent = line;
}"""


async def test_one_who_comes_moves_nothing_that_can_be_pressed(board: WebBoard) -> None:
    for width, height in WINDOWS:
        await board.page.set_viewport_size({"width": width, "height": height})
        places = []
        for told in ([0, ""], [128, LINE]):
            await board.page.evaluate(SHOW, told)
            places.append([await box_of(board.page.locator(part)) for part in PARTS])
        assert places[0] == places[1], (width, height)
