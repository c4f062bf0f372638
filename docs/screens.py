"""Takes the eleven screens of docs/looks.md again, in two windows and two colour schemes: `python -m docs.screens`.

They are of the program as it is; what they show is noted nowhere, since docs/looks.md is about how it looks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from docs.stage import AnyShot, Camera, PageShot, Shot, Stage, open_browser, open_stage
from docs.stories import MIDDLE, SIDE, recorded
from play.competitions.tournament import TournamentId
from play.ids import GuildId, IdempotencyKey, MatchId, UserId
from tests.bot.features.competitions.tournaments.cup import is_open, resign_all, wait_for
from tests.browser.home_page import home_link
from tests.clock import MINUTE
from use_cases.player_settings import change_player

if TYPE_CHECKING:
    from playwright.async_api import Page

FOLDER: Final = Path(__file__).parent / "looks" / "screens"
SIZES: Final = ((390, 844), (1280, 900))
THEMES: Final = {"light": "paper", "dark": "dark"}
"""The theme that Ola chooses for each scheme: her pages have the colours of her boards."""

Prepare = Callable[["Page"], Awaitable[None]]


def waits_for(selector: str) -> Prepare:
    """Returns a preparation that waits for an element."""

    async def prepare(page: Page) -> None:
        await page.locator(selector).first.wait_for(state="attached")

    return prepare


async def open_sheet(page: Page) -> None:
    """Opens the analysis sheet over a board; on a phone its button is under *More*."""
    await page.locator(LINES).first.wait_for(state="attached")
    if await page.locator("#menu").is_visible():
        await page.locator("#menu").click()
    await page.locator("#try").click()
    await page.locator("#sheet-field svg .grid line").first.wait_for(state="attached")


def exercise(address: str) -> Prepare:
    """Returns a preparation that opens an exercise from the home page."""

    async def prepare(page: Page) -> None:
        await page.locator(SECTIONS).first.wait_for()
        await page.evaluate("address => { location.hash = `quiz=${address}` }", address)
        await page.locator(EXERCISE).first.wait_for()

    return prepare


DIAGRAM: Final = """
..........
..B.......
.BrB..R...
..B..RbR..
......R...
..........
"""
"""The position on a board of one's own."""

LINES: Final = "#field svg .grid line"
EXERCISE: Final = ".solver svg"
SECTIONS: Final = "#sections section"


async def board_link(stage: Stage, match: int) -> str:
    """Returns a link to Ola's board, as the bot signs it."""
    room, user = stage.room, UserId(stage.room.ola.id)
    links, sessions = room.services.web_links, room.services.web_sessions
    assert links is not None, "there is a site"
    return links.make(user, MatchId(match), room.clock(), key=await sessions.link_key(user), seen=None)


async def settle(stage: Stage) -> Shot:
    """Plays all that the screens show: a running game, a finished one, and a tournament; returns the card of a game."""
    room = stage.room
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, pages=True))
    options = {"size": f"{SIDE}x{SIDE}", "start": "cross", "clock": "3d"}
    for match in (1, 2):
        await room.play(await stage.start_match(**options), *recorded(MIDDLE))
        if match == 1:
            await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    given = {"name": "Kropka Open", "format": "round-robin", "size": "9x9", "clock": "1d"}
    await stage.command(room.ola, "tournament create", **given)
    for person in (room.ola, room.maksim, room.kasia):
        await stage.press(person, await stage.posted(":join"), ":join").followed()
    await stage.press(room.ola, await stage.posted(":join"), ":begin").followed()
    await resign_all(room, await wait_for(room, is_open(1)))
    await wait_for(room, is_open(2))
    return Shot("card", room.maksim, await room.challenge(opponent=room.maksim, **options))


async def pages(stage: Stage) -> AsyncIterator[PageShot]:
    """Yields the pages, each with an address that is good for one visit."""
    room, guild = stage.room, GuildId(stage.discord.guild.id)
    links, site = room.services.web_links, stage.discord.address.rstrip("/")
    assert links is not None, "there is a site"
    shown: dict[str, tuple[str, Prepare | None]] = {
        "home": (await home_link(room, room.ola), waits_for(SECTIONS)),
        "puzzle": (await home_link(room, room.ola), exercise("daily")),
        "lesson": (await home_link(room, room.ola), exercise("lesson:net")),
        "board": (await board_link(stage, 2), waits_for(LINES)),
        "finished": (await board_link(stage, 1), waits_for(LINES)),
        "sheet": (await board_link(stage, 1), open_sheet),
        "own": (f"{site}/analysis#diagram={quote(DIAGRAM)}", waits_for("#sheet-field .stones > *")),
        "server": (links.place(lambda paths: paths.server(guild)), None),
        "tournament": (links.place(lambda paths: paths.tournament(guild, TournamentId(1))), None),
        "front": (f"{site}/front", None),
    }
    for name, (address, prepare) in shown.items():
        yield PageShot(name, address, (), (), prepare=prepare)


async def take() -> None:
    """Takes all of them, in English; the chat is dark, and as wide as Discord makes it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    async with open_browser() as browser, open_stage("en") as stage:
        camera, room, card = Camera(browser, "en"), stage.room, await settle(stage)

        async def save(shot: AnyShot, name: str, scheme: str) -> None:
            (FOLDER / f"{name}.webp").write_bytes((await camera.take(stage, shot, scheme)).data)

        await save(card, card.name, "dark")
        for size, scheme in product(SIZES, THEMES):
            await room.pass_time(MINUTE)  # visits are counted by the minute
            await change_player(room.services.store, UserId(room.ola.id), {"theme": THEMES[scheme]})
            async for shot in pages(stage):
                await save(shot._replace(size=size), f"{shot.name}-{size[0]}-{scheme}", scheme)


if __name__ == "__main__":
    asyncio.run(take())
