"""Takes pictures of chats on Telegram's stand-in, as a phone shows them: `python -m docs.telegram FOLDER [LANGUAGE…]`.

A newcomer starts the bot, plays the computer, challenges a friend in a group, loses by resigning and looks back.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import aiohttp
from PIL import Image

from docs.stage import open_browser
from presentation.words.words import languages
from storage import Database
from tests.chat.thinking import Thinking, let_play
from tests.chat.world import World
from tests.clock import StoppedClock
from tests.telegram import stand_in
from tests.telegram.driver import TelegramDriver

if TYPE_CHECKING:
    from playwright.async_api import Page

WIDTH: Final = 390
MOVES: Final = ("H9", "H12", "M9", "M12", "G8", "N13", "L8", "G13", "K7", "K14")
NAMES: Final = {"ru": ("Ира", "Миша"), "pl": ("Ola", "Jan")}


@asynccontextmanager
async def open_chat(database: Path) -> AsyncIterator[tuple[World, TelegramDriver, Thinking]]:
    """Yields a group on the stand-in, with a new database."""
    clock, thinking = StoppedClock(), Thinking()
    async with (
        Database.open(f"sqlite:///{database}", now=clock) as store,
        stand_in.serve(clock) as telegram,
        aiohttp.ClientSession() as session,
    ):
        world = World(store, clock, partial(TelegramDriver, telegram=telegram, session=session), thinking)
        await world.open()
        driver = world.driver
        assert isinstance(driver, TelegramDriver), "it is Telegram's"
        yield world, driver, thinking


async def take(tag: str, page: Page, folder: Path, database: Path) -> None:
    """Takes the pictures of the journey in one language."""
    words = languages().of(tag).plain

    async def shoot(driver: TelegramDriver, chat: int, name: str, since: int) -> None:
        await page.set_content(driver.telegram.page(chat, since))
        Image.open(BytesIO(await page.screenshot(full_page=True))).save(folder / f"{name}-{tag}.webp", quality=60)

    async with open_chat(database) as (world, driver, thinking):
        one, two = NAMES.get(tag, ("Ann", "Bob"))
        ann, bob = await world.join(one, tag), await world.join(two, tag)
        own, group = ann.native.id, driver.group
        await world.say(ann, "/start", direct=True)
        choice = (await world.say(ann, f"/{words.called('challenge')}", direct=True))[-1]
        choice = (await world.press(ann, choice, words("chat.choose.level")))[-1]
        choice = (await world.press(ann, choice, choice.labels[1]))[-1]
        await world.press(ann, choice, words("chat.choose.play"))
        for move in ("H9", "M9"):
            await world.say(ann, move, direct=True)
            await let_play(world, thinking)
        await world.say(ann, f"/{words.called('hint')}", direct=True)
        await shoot(driver, own, "first", 0)
        seen = len(driver.telegram.sent)
        card = (await world.say(ann, f"/{words.called('challenge')} @{two.casefold()} 20x20, 3d, first", mention=bob))[
            -1
        ]
        await shoot(driver, group, "card", seen)
        await world.press(bob, card, words("button.accept"))
        for number, move in enumerate(MOVES):
            await world.say((ann, bob)[number % 2], move)
        await shoot(driver, group, "match", seen)
        question = (await world.say(bob, f"/{words.called('resign')}"))[-1]
        await world.press(bob, question, words("button.sure.resign"))
        await world.press(ann, world.board(), words("button.rematch"))
        await shoot(driver, group, "end", seen)
        await world.press(bob, world.board(), words("button.review"))
        await shoot(driver, bob.native.id, "review", seen)
        seen = len(driver.telegram.sent)
        await world.say(bob, f"/{words.called('puzzle')}", direct=True)
        await world.say(bob, f"/{words.called('profile')}", direct=True)
        await world.say(bob, f"/{words.called('link')}", direct=True)
        await world.say(bob, f"/{words.called('tournament')}", direct=True)
        await world.say(bob, f"/{words.called('settings')}", direct=True)
        await shoot(driver, bob.native.id, "own", seen)
        seen = len(driver.telegram.sent)
        await world.say(ann, f"/{words.called('leaderboard')}")
        await shoot(driver, group, "leaderboard", seen)


async def main(folder: Path, tags: list[str], databases: Path) -> None:
    async with open_browser() as browser:
        page = await browser.new_page(viewport={"width": WIDTH, "height": 844})
        for tag in tags or ["en", "ru", "pl"]:
            await take(tag, page, folder, databases / f"{tag}.db")


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as databases:
        asyncio.run(main(Path(sys.argv[1]), sys.argv[2:], Path(databases)))
