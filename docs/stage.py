"""A bot on the stand-in in one language, on which stories are played, and the camera that takes pictures of them."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, cast

import pytest
from PIL import Image
from playwright.async_api import Browser, Page, Route, ViewportSize, async_playwright

from bot.cli.tryout import mount_site
from bot.markup import spoken
from bot.settings import Hosting
from loopback import Channel, Discord, Interaction, Message, Person
from loopback.permissions import Permission
from play.people.membership import MIN_ACCOUNT_AGE
from presentation.words.words import Words
from tests.bot.conftest import stand_in
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.browser.chromium import find_chromium
from tests.clock import StoppedClock
from tests.opponent.quick import Inside

ROOT: Final = Path(__file__).parents[1]
STATIC: Final = ROOT / "web" / "static"
LOCALES: Final = {"en": "en-GB", "ru": "ru", "uk": "uk", "pl": "pl", "de": "de", "cs": "cs"}
"""Discord's names of the languages."""

WIDTH: Final = 520
"""Pixels of the window in which the stand-in shows a message: what Discord gives it on a small tablet."""

SHARPNESS: Final = 1.25
"""Pixels of a picture for one of the page."""

QUALITY: Final = 55
"""Of WebP: a panel has 25 kB so."""

BARE: Final = """@font-face { font-family: Inter; font-weight: 400 700; src: url(/static/fonts/inter-4.1.1.woff2) }
.private, .toolbar, .above, .edited, .fill, header time, .aside-time { display: none !important }
.message { margin: 0 !important; padding: 8px 16px 12px 0 !important }"""
"""Hides all that Discord itself says around a message: the stand-in's page is in English."""

CHANGING: Final = re.compile(r"\d{6,}|(?<=\.)[\w-]{20,}|https?://\S+|\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}\b")
"""Ids, addresses, moments and codes."""


MADE_OF: Final = (".css", ".html", ".svg")
"""The files of a page by which it is drawn; scripts change more often than what they show."""


class Shot(NamedTuple):
    """A message as a person sees it."""

    name: str
    person: Person
    message: Message


class PageShot(NamedTuple):
    """A page of the site in a window of a size. `folders` of web/static/ make it, and sentences whose keys begin with
    `keys`; `prepare` does on it what has to be seen, and `part` is what is shown of it."""

    name: str
    address: str
    folders: tuple[str, ...]
    keys: tuple[str, ...]
    size: tuple[int, int] = (390, 700)
    prepare: Callable[[Page], Awaitable[None]] | None = None
    part: str = ""


AnyShot = Shot | PageShot
Story = Callable[["Stage"], AsyncIterator[AnyShot]]


def digest(shot: AnyShot, words: Words) -> str:
    """Returns the digest of what a picture shows: the parts and the pictures of a message, without ids and moments; of
    a page what it is made of."""
    found = sha256()
    if isinstance(shot, PageShot):
        for folder in (*shot.folders, "shared"):
            for path in sorted(each for each in (STATIC / folder).iterdir() if each.suffix in MADE_OF):
                found.update(path.read_bytes())
        for key in spoken().all_keys:
            if key.startswith(shot.keys):
                found.update(words.template(key).encode())
    else:
        shown = json.dumps([shot.message.content, shot.message.embeds, shot.message.components], ensure_ascii=False)
        found.update(CHANGING.sub("#", shown).encode())
        for file in shot.message.attachments:
            found.update(file.data)
    return found.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Stage:
    """A server with a running bot that has a site, all in one language."""

    room: Room
    words: Words

    @property
    def discord(self) -> Discord:
        return self.room.discord

    def press(self, person: Person, message: Message, control: str) -> Interaction:
        """Presses the button of which the id has a part, whatever its label is."""
        found = next(each["custom_id"] for each in message.controls if control in each["custom_id"])
        return person.click(message, found)

    async def command(self, person: Person, command: str, /, **options: Any) -> Message:
        """Returns the private answer to a command."""
        return await self.private(person.command(self.room.channel, command, **options))

    async def private(self, interaction: Interaction) -> Message:
        """Returns the newest message that answers, which only who asked sees."""
        await interaction.answered()
        found: list[Message] = await interaction.until(
            lambda: [each for each in interaction.messages if each.ephemeral and not each.loading]
        )
        return found[-1]

    async def start_match(self, **options: Any) -> Channel:
        """Begins a game of Ola and Максим; returns its thread."""
        room = self.room
        card = await room.challenge(opponent=room.maksim, **options)
        await self.press(room.maksim, card, ":accept").followed()
        thread = await room.wait_for_thread(card)
        await room.wait_for_handlers()
        return thread

    async def posted(self, control: str, naming: str = "") -> Message:
        """Returns the newest message for everybody with a button of which the id has a part, once its text names what
        it has to: a post that is kept up to date is edited later."""
        await self.room.wait_for_handlers()

        def there() -> Message | None:
            found = self.discord.messages(self.room.channel)
            offering = (each for each in reversed(found) if any(control in part["custom_id"] for part in each.controls))
            return next((each for each in offering if not each.ephemeral and naming in each.text), None)

        message: Message = await self.discord.until(there)
        return message

    async def said(self, before: Message) -> Message:
        """Returns the first message of the bot after another, which everybody sees, when there is one."""
        message: Message = await self.discord.until(
            lambda: next(
                (
                    each
                    for each in self.discord.messages(self.room.channel)
                    if each.id > before.id and each.author_id == self.discord.bot.id and not each.ephemeral
                ),
                None,
            )
        )
        return message

    def newest(self, channel: Channel | None = None) -> Message:
        """Returns the newest message of the bot that everybody sees."""
        there = self.discord.messages(channel or self.room.channel)
        return next(each for each in reversed(there) if each.author_id == self.discord.bot.id and not each.ephemeral)


@asynccontextmanager
async def open_stage(language: str) -> AsyncIterator[Stage]:
    """Opens a stage: its server and its three people speak a language, Ola manages the server, and nobody is new."""
    clock, words = StoppedClock(), spoken().of(language)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        async with stand_in(clock, patch) as discord:
            discord.make_community(LOCALES[language])
            for person in discord.people.values():
                person.speak(LOCALES[language])
            hosting = Hosting(web=discord.address.rstrip("/"))
            room = Room(discord, f"sqlite+aiosqlite:///{folder}/stage.db", clock, thinkers=Inside, hosting=hosting)
            await room.start()
            try:
                async with mount_site(discord, room.bot.website):
                    await room.pass_time(MIN_ACCOUNT_AGE)
                    await skip_confirmations(room)
                    for right in (Permission.MANAGE_GUILD, Permission.MANAGE_MESSAGES):
                        discord.allow(room.channel, right, room.ola)
                    yield Stage(room, words)
            finally:
                await room.stop()


class Taken(NamedTuple):
    """A picture as WebP, and its size in pixels of a page."""

    data: bytes
    width: int
    height: int


class Camera:
    """Takes pictures of what is on a stage."""

    def __init__(self, browser: Browser, language: str) -> None:
        self._browser = browser
        self._language = language

    async def take(self, stage: Stage, shot: AnyShot, scheme: str = "light") -> Taken:
        """Returns the picture of a shot; of a page in a colour scheme."""
        width, height = (WIDTH, 1800) if isinstance(shot, Shot) else shot.size
        async with await self._browser.new_context(
            viewport=ViewportSize(width=width, height=height),
            device_scale_factor=SHARPNESS,
            locale=LOCALES[self._language],
            color_scheme=cast("Any", scheme),
            has_touch=width < WIDTH,
            bypass_csp=True,
            timezone_id="UTC",
        ) as context:
            page = await context.new_page()
            if isinstance(shot, PageShot):
                return await self._take_page(page, shot)
            await page.clock.set_fixed_time(stage.room.clock() / 1000)
            return await self._take_message(page, stage, shot)

    async def _take_page(self, page: Page, shot: PageShot) -> Taken:
        await page.goto(shot.address, wait_until="networkidle")
        if shot.prepare is not None:
            await shot.prepare(page)
        await page.evaluate("document.fonts.ready.then(() => null)")
        target = page.locator(shot.part) if shot.part else page
        return _packed(await target.screenshot(animations="disabled"))

    async def _take_message(self, page: Page, stage: Stage, shot: Shot) -> Taken:
        await page.route("**/times.js", self._in_language)
        address = f"{stage.discord.page_address}&seat={shot.person.id}#{shot.message.channel_id}"
        await page.goto(address, wait_until="networkidle")
        await page.add_style_tag(content=BARE)
        await page.evaluate("document.fonts.load('1em Inter').then(() => null)")
        article = page.locator(f'article[data-id="{shot.message.id}"]')
        await article.scroll_into_view_if_needed()
        await article.evaluate("each => Promise.all([...each.querySelectorAll('img')].map(img => img.decode()))")
        return _packed(await article.screenshot(animations="disabled"))

    async def _in_language(self, route: Route) -> None:
        """Has the page tell times as a client in the language does."""
        answer = await route.fetch()
        text = (await answer.text()).replace("'en-GB'", f"'{LOCALES[self._language]}'")
        await route.fulfill(response=answer, body=text)


def _packed(png: bytes) -> Taken:
    with Image.open(BytesIO(png)) as picture:
        packed = BytesIO()
        picture.convert("RGB").save(packed, "WEBP", quality=QUALITY, method=6)
        return Taken(packed.getvalue(), round(picture.width / SHARPNESS), round(picture.height / SHARPNESS))


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """Starts Chromium. Raises LookupError if there is none."""
    if (program := find_chromium()) is None:
        raise LookupError("pictures need Chromium: apt-get install chromium")
    async with async_playwright() as playwright, await playwright.chromium.launch(executable_path=program) as browser:
        yield browser
