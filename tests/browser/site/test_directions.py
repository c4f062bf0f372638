"""Names that are written from the right stand beside their own colours and scores, in the chat and on pages."""

from __future__ import annotations

import pytest_asyncio
from playwright.async_api import Locator, expect

from loopback import Channel, Discord
from tests.bot.room import Room
from tests.browser.site.test_game_page import GAME, MOVES
from tests.browser.window import Window
from tests.web.finished import path_of, store_game, switch_pages

HEBREW, ARABIC = "שלום", "العربية"

PLACES = """(element, parts) => {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const letters = [];
  while (nodes.nextNode()) for (let at = 0; at < nodes.currentNode.length; at++) letters.push([nodes.currentNode, at]);
  const text = letters.map(([node, at]) => node.data[at]).join('');
  let from = 0;
  return parts.map((part) => {
    const begin = text.indexOf(part, from);
    if (begin < 0) throw new Error(`no ${part} in ${text.slice(from)}`);
    from = begin + part.length;
    const range = document.createRange();
    range.setStart(...letters[begin]);
    range.setEnd(letters[from - 1][0], letters[from - 1][1] + 1);
    return range.getBoundingClientRect().left;
  });
}"""
"""Returns where parts of a text begin on the page, which follow each other in the text."""


async def places(element: Locator, *parts: str) -> list[float]:
    found: list[float] = await element.evaluate(PLACES, list(parts))
    return found


@pytest_asyncio.fixture(loop_scope="session")
async def thread(room: Room) -> Channel:
    """The thread of a game of two people with such names, who have the room's seats."""
    room.ola, room.maksim = room.discord.invite(HEBREW), room.discord.invite(ARABIC)
    thread = await room.start_match(size="9x9")
    await room.play(thread, "e5")
    return thread


async def test_in_the_chat_each_score_is_beside_its_player(room: Room, thread: Channel, window: Window) -> None:
    await window.open(room.discord, channel=thread)
    told = window.messages.last
    await expect(told).to_contain_text(HEBREW)
    _, _, *line = await places(told, "🔴", HEBREW, "🔴", HEBREW, "0", "🔵", ARABIC, "0")
    assert line == sorted(line)


async def test_on_the_page_of_a_game_each_score_is_beside_its_player(
    room: Room, discord: Discord, window: Window
) -> None:
    room.ola, room.maksim = room.discord.invite(HEBREW), room.discord.invite(ARABIC)
    await switch_pages(room, on=True)
    await window.page.goto(
        discord.address.rstrip("/") + path_of(room, await store_game(room, room.channel, GAME, MOVES))
    )
    heading = await places(window.page.locator("h1"), HEBREW, "–", ARABIC)
    assert heading == sorted(heading)
