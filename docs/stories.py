"""The stories that the pictures of the guides show: each is played on a stage, and stops where one is taken."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING, Final

from docs.stage import AnyShot, PageShot, Shot, Stage, Story
from loopback import File
from loopback.model import User
from play.challenge.terms import Terms
from play.clock import Speed
from play.community.puzzle import puzzle_day
from play.community.seek import USUAL
from play.competitions.contest import Side
from play.competitions.league import League
from play.competitions.season import Division
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, UserId
from play.match.points import DRAWN, LOST, WON
from play.people.membership import MIN_ACCOUNT_AGE
from play.people.past_mistake import Finding
from play.records import sgf
from rules.dots import Dots
from rules.registry import GAMES, make_game
from tests.bot.border import Border
from tests.bot.features.coach.missed_capture import MOVES
from tests.bot.features.competitions.contests.test_contests import Fair
from tests.bot.features.competitions.tournaments.cup import is_open, resign_all, wait_for
from tests.browser.home_page import home_link
from tests.browser.web_board import WebBoard
from tests.browser.web_sheet import WebSheet
from tests.clock import DAY, MINUTE
from tests.web.visit import link_on
from use_cases.match_writer import retry_on_conflict
from web.pages.front import RECORD

if TYPE_CHECKING:
    from playwright.async_api import Page

    from loopback import Channel, Message

SIDE: Final = 13
MIDDLE: Final = 24
"""The move of the recorded game at which pictures show it."""


PAGES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "browser-board": (("board",), ("web.board.",)),
    "browser-home": (("home", "board"), ("web.home.",)),
    "browser-sheet": (("board", "sheet"), ("web.board.", "web.sheet.")),
    "browser-own": (("board", "sheet", "analysis"), ("web.own.", "web.sheet.")),
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


CAPTURE: Final = (
    "(;GM[40]SZ[9]AB[dc][ed][ce][fe][df]AW[dd][de][ef][fd][gf](;B[ee];W[eg];B[cd]LB[ff:A][fg:B])(;B[cd];W[ee];B[eg]))"
)
"""A position that was set up, with two ways on."""


async def own_board(stage: Stage) -> AsyncIterator[AnyShot]:
    """Opens a record on a board of a player's own."""

    async def opened(page: Page) -> None:
        await page.locator("#sections section").first.wait_for()
        await page.goto(f"{stage.discord.address}analysis")
        await page.locator("#own-tools summary").click()
        await page.locator('#own-tools [data-focus="open"]').click()
        await page.locator("#record-text").fill(CAPTURE)
        await page.locator("#asked .form button").click()
        await page.locator("#sheet nav .branch").wait_for()
        await page.locator("#sheet nav .move").last.click()
        await page.locator("#sheet-field .marks .label").first.wait_for()
        await page.evaluate("for (const each of document.querySelectorAll('*')) each.scrollTop = 0")

    await stage.command(stage.room.ola, "games")  # the site speaks the language of who has used the bot
    home = await home_link(stage.room, stage.room.ola)
    yield page_shot("browser-own", home, (390, 844), opened)


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
    standing = await stage.posted("ladder:challenge", naming="Kasia")
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
    await fill_league(stage)
    yield Shot("league-table", room.ola, await stage.command(room.ola, "league table"))


MEMBERS: Final = (
    *("Anna", "Bartek", "Celina", "Dmytro", "Ewa", "Filip", "Hanka"),
    *("Irena", "Jakub", "Lena", "Marek", "Nina", "Oksana"),
)
"""Those who play in the league beside the three: two divisions of eight."""


async def fill_league(stage: Stage) -> None:
    """Has more members join, and lets a season begin of which two thirds are played."""
    room, guild = stage.room, GuildId(stage.discord.guild.id)
    world, leagues = stage.discord.world, room.use_cases.leagues
    members = [world.enrol(User(world.ids.next(), name.lower(), name)) for name in MEMBERS]
    await room.pass_time(MIN_ACCOUNT_AGE)
    for member in members:
        await leagues.join(guild, UserId(member.id), room.clock())
    await room.pass_time((await leagues.load(guild)).begins - room.clock())
    room.use_cases.events.league_changed()

    async def begun() -> League | None:
        league = await leagues.load(guild)
        return league if league.season and any(each.match for each in league.season.games) else None

    await room.until(begun)

    async def decide() -> None:
        async with room.services.store.write() as tx:
            league = await tx.leagues.get(guild)
            assert league is not None
            assert league.season is not None
            season = replace(league.season, divisions=tuple(map(_half_played, league.season.divisions)))
            await tx.leagues.save(replace(league, season=season), league)

    await retry_on_conflict(decide)


def _half_played(division: Division) -> Division:
    """Returns a division of which two games of three are decided: mostly, but not always, won by who is named first."""
    results, decided = cycle((WON, WON, LOST, WON, DRAWN)), cycle((True, True, False))
    games = (
        replace(game, points=points) if is_over else game
        for game, points, is_over in zip(division.games, results, decided, strict=False)
    )
    return replace(division, games=tuple(games))


async def managers(stage: Stage) -> AsyncIterator[AnyShot]:
    """Opens the settings of a server."""
    room = stage.room
    panel = await stage.command(room.ola, "settings server")
    yield Shot("managers-settings", room.ola, panel)
    yield Shot("managers-cards", room.ola, await stage.press(room.ola, panel, "begin:cards").followed())


async def puzzles(stage: Stage) -> AsyncIterator[AnyShot]:
    """Begins the lessons, fails in a puzzle, and has a mistake back."""
    room, ola = stage.room, UserId(stage.room.ola.id)
    yield Shot("puzzles-lesson", room.ola, await stage.command(room.ola, "learn"))
    menu = await stage.command(room.ola, "puzzle")
    panel = await stage.press(room.ola, menu, "daily:open").followed()
    solving = (await room.use_cases.dailies.state(puzzle_day(room.clock()), ola)).solving
    assert solving is not None
    wrong = next(str(move) for move in solving.position.moves() if str(move) not in solving.node.right)
    form = await stage.press(room.ola, panel, ":point").answered()
    assert form.modal is not None
    yield Shot("puzzles-wrong", room.ola, await room.ola.submit(form.modal, {"point": wrong}).followed())
    await stage.start_match(size="7x7")
    for number, (move, player) in enumerate(zip(MOVES, cycle((room.ola, room.maksim)), strict=False)):
        await room.use_cases.matches.move(
            MatchId(1), UserId(player.id), move, room.clock(), IdempotencyKey(number + 10)
        )
    await room.use_cases.matches.resign(MatchId(1), ola, room.clock(), IdempotencyKey(5))
    match = await room.use_cases.matches.load(MatchId(1))
    missed = Finding(MOVES.index("A1") + 1, ("F3", "B7"), ("F3",), 3.0, 3.0)
    await room.use_cases.past_mistakes.note_review(match, {ola: [missed]}, ola)
    await room.pass_time(DAY)
    path = await stage.press(room.ola, await stage.command(room.ola, "learn"), "path:").followed()
    yield Shot("puzzles-mistake", room.ola, await stage.press(room.ola, path, "mistakes:due").followed())


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


async def contest(stage: Stage) -> AsyncIterator[AnyShot]:
    """Plays a contest of two servers, of which the first game is over."""
    room, fair = stage.room, Fair(stage.room)
    await fair.accept()
    await fair.sign_up()
    yield Shot("servers-sign-up", room.ola, await renewed(fair))
    await room.pass_time(2 * DAY)
    begun = await fair.contest(lambda now: bool(now.boards) and all(board.match for board in now.boards))
    board = begun.boards[0]
    assert board.match is not None
    loser = begun.users_of(board)[Side.GUEST]
    match = await room.use_cases.matches.load(board.match)
    first = match.players[match.position.to_act]
    mover = next(each for each in stage.discord.people.values() if each.id == first)
    await fair.move(mover, match.at_home_of(match.position.to_act).channel, "C3")
    await room.use_cases.matches.resign(board.match, loser, room.clock(), IdempotencyKey(5))
    yield Shot("servers-table", room.ola, await renewed(fair))


async def renewed(fair: Fair) -> Message:
    """Returns the message of a contest when it says what is new: it is edited once a minute at most."""
    before = fair.message(fair.here).content
    await fair.room.pass_time(MINUTE)
    fair.room.use_cases.events.contest_changed()
    await fair.room.discord.until(lambda: fair.message(fair.here).content != before)
    return fair.message(fair.here)


async def strangers(stage: Stage) -> AsyncIterator[AnyShot]:
    """Looks for a live game, for which a player of another server is found."""
    room, border = stage.room, Border(stage.room)
    there, channel = GuildId(border.zagroda.id), ChannelId(border.there.id)
    seats = ((border.jadwiga, "zagram", Speed.LIVE), (border.straznik, "sport", Speed.DAYS))
    for person, rules, speed in seats:
        terms = Terms(make_game(rules, {"size": "20x20"}), USUAL[speed])
        await room.use_cases.seeks.look(UserId(person.id), there, channel, terms, room.clock(), flexible=True)
    panel = await stage.command(room.ola, "play")
    yield Shot("strangers-panel", room.ola, panel)
    await stage.press(room.ola, panel, ":live:").followed()
    room.bot.workers.matchmaker.wake()
    yield Shot("strangers-call", room.ola, await stage.posted(":ready"))


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
    *(first_game, browser, own_board, days, ladder, league, managers, puzzles, records, servers, contest, strangers),
    *(tournament, votes),
)
