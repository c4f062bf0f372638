"""The stories that the pictures of the guides show: each is played on a stage, and stops where one is taken."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from docs.stage import AnyShot, PageShot, Shot, Stage, Story
from loopback import File
from play.ids import GuildId, IdempotencyKey, MatchId, UserId
from play.records import sgf
from rules.dots import Dots
from rules.registry import GAMES
from tests.bot.features.competitions.tournaments.cup import is_open, resign_all, wait_for
from tests.browser.home_page import home_link
from tests.browser.web_board import WebBoard
from tests.browser.web_sheet import WebSheet
from tests.web.visit import link_on
from web.pages.front import RECORD

if TYPE_CHECKING:
    from playwright.async_api import Page

    from loopback import Channel

SIDE: Final = 13
MIDDLE: Final = 24
"""The move of the recorded game at which pictures show it."""


PAGES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "browser-board": (("board",), ("web.board.",)),
    "browser-home": (("home", "board"), ("web.home.",)),
    "browser-sheet": (("board", "sheet"), ("web.board.", "web.sheet.")),
    "records-page": (("pages", "board"), ("web.game.",)),
}
"""The folders of web/static/ and the beginnings of keys of which the pages in pictures are made."""


def page_shot(
    name: str, address: str, size: tuple[int, int], prepare: Callable[[Page], Awaitable[None]] | None = None
) -> PageShot:
    """Returns the shot of a page in a window of a size."""
    return PageShot(name, address, *PAGES[name], size, prepare)


def recorded(count: int) -> list[str]:
    """Returns the first moves of the recorded game, as they are typed."""
    preset, record = GAMES["zagram"], sgf.read(RECORD.read_bytes())
    assert isinstance(preset, Dots)
    positions = [*record.replay(preset)]
    last = (position.picture().last[0] for position in positions[1 : count + 1])
    return [f"{'ABCDEFGHIJKLM'[point.x]}{point.y + 1}" for point in last]


async def middle(stage: Stage, count: int = MIDDLE, **options: str) -> Channel:
    """Plays the recorded game up to its middle; returns its thread."""
    given = {"size": f"{SIDE}x{SIDE}", "start": "cross", "clock": "3d", **options}
    thread = await stage.start_match(**given)
    await stage.room.play(thread, *recorded(count))
    return thread


async def first_game(stage: Stage) -> AsyncIterator[AnyShot]:
    """Plays from a challenge to the end of a game."""
    room = stage.room
    card = await room.challenge(opponent=room.maksim, size=f"{SIDE}x{SIDE}", start="cross", clock="10m+30s")
    yield Shot("first-game-card", room.maksim, card)
    await stage.press(room.maksim, card, ":accept").followed()
    thread = await room.wait_for_thread(card)
    await room.wait_for_handlers()
    yield Shot("first-game-board", room.ola, stage.newest(thread))
    board = await room.play(thread, *recorded(MIDDLE))
    keypad = await stage.private(stage.press(room.ola, board, ":keypad"))
    yield Shot("first-game-keypad", room.ola, keypad)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    yield Shot("first-game-result", room.ola, await room.wait_for_board(thread, MIDDLE + 1))


async def browser(stage: Stage) -> AsyncIterator[AnyShot]:
    """Opens the pages of the site."""
    room = stage.room
    thread = await middle(stage)

    async def pale(page: Page) -> None:
        board = WebBoard(page, SIDE, narrow=True)
        await page.locator("#field svg .grid line").first.wait_for(state="attached")
        await board.tap("G11")
        await board.ghosts.first.wait_for()

    async def branches(page: Page) -> None:
        await page.clock.install()
        await pale(page)
        await page.locator("#menu").click()
        await page.locator("#try").click()
        await page.locator("#sheet-field svg .grid line").first.wait_for(state="attached")
        sheet = WebSheet(page, SIDE, narrow=True)
        moves = page.locator("#sheet nav .move")
        for crossing in ("G11", "H11", "J11"):
            await page.clock.fast_forward(1000)
            await sheet.tap(crossing)
            await moves.filter(has_text=crossing).first.wait_for()
            if crossing == "H11":  # the next one is another answer
                await moves.filter(has_text="G11").first.click()

    async def sections(page: Page) -> None:
        await page.locator("#sections section").first.wait_for()

    async def link() -> str:
        return link_on(await stage.private(stage.press(room.ola, stage.newest(thread), ":web")))

    yield page_shot("browser-board", await link(), (390, 700), pale)
    home = await home_link(room, room.ola)
    yield page_shot("browser-home", home, (390, 844), sections)
    yield page_shot("browser-sheet", await link(), (390, 844), branches)


async def days(stage: Stage) -> AsyncIterator[AnyShot]:
    """Chooses a clock of days, and what goes with it."""
    room = stage.room
    panel = await stage.command(room.ola, "challenge")
    yield Shot("days-clock", room.ola, panel)
    yield Shot("days-settings", room.ola, await stage.command(room.ola, "settings me"))
    await stage.start_match(size="9x9", clock="3d", breaks="vacations")
    yield Shot("days-vacation", room.ola, await stage.command(room.ola, "vacation"))


async def ladder(stage: Stage) -> AsyncIterator[AnyShot]:
    """Makes a ladder, which three players join, and plays for its first place."""
    room = stage.room
    await stage.command(room.ola, "ladder create")
    for person in (room.ola, room.maksim, room.kasia):
        await stage.command(person, "ladder join")
    standing = await stage.posted("ladder:challenge")
    yield Shot("ladder-standing", room.kasia, standing)
    asked = await stage.private(stage.press(room.kasia, standing, "ladder:challenge"))
    yield Shot("ladder-challenge", room.kasia, asked)
    await stage.command(room.kasia, "ladder challenge", opponent=room.ola)
    card = await stage.posted(":accept")
    await stage.press(room.ola, card, ":accept").followed()
    await room.wait_for_thread(card)
    last = stage.newest()
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    yield Shot("ladder-news", room.kasia, await stage.said(last))


async def league(stage: Stage) -> AsyncIterator[AnyShot]:
    """Opens a league, which three members join."""
    room = stage.room
    question = await stage.command(room.ola, "league open")
    yield Shot("league-question", room.ola, question)
    await stage.press(room.ola, question, "open").followed()
    for person in (room.ola, room.maksim, room.kasia):
        await stage.press(person, await stage.posted("league:join"), "league:join").followed()
    yield Shot("league-message", room.ola, await stage.posted("league:join"))


async def managers(stage: Stage) -> AsyncIterator[AnyShot]:
    """Opens the settings of a server."""
    room = stage.room
    panel = await stage.command(room.ola, "settings server")
    yield Shot("managers-settings", room.ola, panel)
    yield Shot("managers-cards", room.ola, await stage.press(room.ola, panel, "begin:cards").followed())


async def puzzles(stage: Stage) -> AsyncIterator[AnyShot]:
    """Begins the lessons."""
    room = stage.room
    yield Shot("puzzles-lesson", room.ola, await stage.command(room.ola, "learn"))


async def records(stage: Stage) -> AsyncIterator[AnyShot]:
    """Looks at a game again, and at one from elsewhere."""
    room = stage.room
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, pages=True))
    await middle(stage, clock="10m+30s")
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    await room.wait_for_outbox()
    yield Shot("records-replay", room.ola, await stage.command(room.ola, "replay", game=1))
    assert room.services.web_links is not None
    page = room.services.web_links.page(MatchId(1))
    yield page_shot("records-page", page, (390, 844))
    file = File("game.sgf", RECORD.read_bytes())
    yield Shot("records-import", room.ola, await stage.command(room.ola, "import", file=file))


async def servers(stage: Stage) -> AsyncIterator[AnyShot]:
    """Challenges another server."""
    room = stage.room
    yield Shot("servers-code", room.ola, await stage.command(room.ola, "team challenge"))


async def tournament(stage: Stage) -> AsyncIterator[AnyShot]:
    """Holds a tournament of three players."""
    room = stage.room
    given = {"name": "Kropka Open", "format": "round-robin", "size": "9x9", "clock": "1d"}
    await stage.command(room.ola, "tournament create", **given)
    for person in (room.ola, room.maksim, room.kasia):
        await stage.press(person, await stage.posted(":join"), ":join").followed()
    await room.discord.until(lambda: room.kasia.user.name in stage.newest().content)
    message = stage.newest()
    yield Shot("tournament-sign-up", room.ola, message)
    await stage.press(room.ola, message, ":begin").followed()
    for round_ in (1, 2, 3):
        await resign_all(room, await wait_for(room, is_open(round_)))
        if round_ == 2:
            await wait_for(room, is_open(3))
            shown = next(each for each in room.discord.messages(room.channel) if each.id == message.id)
            yield Shot("tournament-table", room.ola, shown)
            last = stage.newest()
    yield Shot("tournament-winner", room.ola, await stage.said(last))


async def votes(stage: Stage) -> AsyncIterator[AnyShot]:
    """Plays a game by votes against the computer."""
    room = stage.room
    question = await stage.command(room.ola, "vote begin", computer=5)
    yield Shot("votes-question", room.ola, question)
    await stage.press(room.ola, question, "vote:begin").followed()
    (thread,) = await room.discord.until(lambda: [each for each in room.discord.threads if room.boards(each)])
    board = await room.discord.until(
        lambda: next(
            (each for each in room.boards(thread) if any(":keypad" in c["custom_id"] for c in each.controls)), None
        )
    )
    yield Shot("votes-keypad", room.kasia, await stage.private(stage.press(room.kasia, board, ":keypad")))
    await room.maksim.command(thread, "move", point="F8").answered()
    voted = room.kasia.command(thread, "move", point="H8")
    yield Shot("votes-shares", room.kasia, await stage.private(voted))


STORIES: Final[tuple[Story, ...]] = (
    *(first_game, browser, days, ladder, league, managers, puzzles, records, servers, tournament, votes),
)
