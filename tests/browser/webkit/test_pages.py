"""Each page in WebKit: it has its styles and pictures, its scripts run, and it does not scroll sideways."""

from __future__ import annotations

from typing import Final

from loopback import Discord
from play.ids import GuildId, UserId
from tests.bot.room import Room
from tests.browser.home_page import home_link
from tests.browser.site.test_game_page import GAME, MOVES
from tests.browser.webkit.conftest import SIDEWAYS, in_both_sizes
from tests.browser.webkit.driver import WebKit
from tests.web.finished import path_of, store_game, switch_pages
from tests.web.visit import link_for

STYLED: Final = "[...document.styleSheets].every(sheet => sheet.cssRules.length > 0) && document.styleSheets.length > 0"

PICTURES: Final = "return [...document.images].filter(image => !image.naturalWidth).map(image => image.src)"
"""Returns the pictures that are not there."""


async def pages(room: Room, discord: Discord) -> dict[str, tuple[str, str]]:
    """Returns the address of a page of each kind, and what is on it as soon as its scripts have run."""
    await switch_pages(room, on=True)
    game = await store_game(room, room.channel, GAME, MOVES)
    thread = await room.start_match(size="9x9")
    links, guild, site = room.services.web_links, GuildId(room.discord.guild.id), discord.address.rstrip("/")
    assert links is not None
    return {
        "front": (f"{site}/front", "#field svg .grid line"),
        "game": (site + path_of(room, game), "#field svg .grid line"),
        "leaderboard": (links.place(lambda paths: paths.leaderboard(guild)), "main"),
        "player": (links.place(lambda paths: paths.player(guild, UserId(room.ola.id))), "main"),
        "tournaments": (links.place(lambda paths: paths.tournaments(guild)), "main"),
        "ladder": (links.place(lambda paths: paths.ladder(guild)), "main"),
        "league": (links.place(lambda paths: paths.league(guild)), "main"),
        "linked roles": (f"{site}/linked-roles", "main"),
        "way in": (f"{site}/enter", "main"),
        "nothing": (f"{site}/nothing", "main"),
        "home": (await home_link(room, room.ola), "#sections .settings"),
        "puzzles": (f"{site}/home#quiz=daily", "main.puzzles"),
        "board": (await link_for(room, room.ola, room.boards(thread)[-1]), "#field svg .grid line"),
        "chat": (f"{discord.page_address}#{thread.id}", ".message img"),
    }


@in_both_sizes
async def test_each_page_has_its_styles_and_pictures_and_does_not_scroll_sideways(
    window: WebKit, room: Room, discord: Discord
) -> None:
    faults = []
    for name, (address, ready) in (await pages(room, discord)).items():
        await window.open(address)
        await window.wait_for(f"document.querySelector('{ready}')")
        await window.wait_for("[...document.images].every(image => image.complete)")
        if not await window.run(f"return {STYLED}"):
            faults.append(f"{name}: styles")
        if missing := await window.run(PICTURES):
            faults.append(f"{name}: {missing}")
        if await window.run(SIDEWAYS):
            faults.append(f"{name}: scrolls sideways")
    assert faults == []
