"""Pages in their states, in six languages and three windows: no text is wider than its box, no part lies over another,
what the task needs is in the window, and axe finds nothing in light and dark."""

from __future__ import annotations

from typing import Any, Final

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, ViewportSize, expect
from pydantic import SecretStr

from bot.markup import spoken
from loopback import Channel, Discord
from play.community.daily import STEPS
from play.community.puzzle import puzzle_day
from play.ids import GuildId, IdempotencyKey, MatchId, UserId
from renderer.theme import DARK, PAPER
from tests.bot.features.coach.missed_capture import MOVES, MissedCaptureEngine, play_moves
from tests.bot.room import Room, private_words
from tests.bot.vote_games import begin_votes
from tests.browser.conftest import on_a_phone
from tests.browser.home_page import open_home
from tests.browser.site.conftest import running_site
from tests.browser.site.test_figures import add_figures, shared_link
from tests.browser.web_board import SIDE, WebBoard
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.finished import store_game, switch_pages
from tests.web.test_game_pages import publish_notes
from tests.web.test_home import GAME
from tests.web.visit import link_for
from web.pages.page import style

LANGUAGES: Final = tuple(spoken().names)

WINDOWS: Final = ((390, 844), (844, 390), (1280, 900))

FAULTS: Final = """needed => {
  const isSeen = (each) => each.checkVisibility() && each.getClientRects().length
    && getComputedStyle(each).visibility === 'visible' && each.offsetWidth > 1
    && each.closest('.unseen, #live') === null;
  const all = (query) => [...document.querySelectorAll(query)].filter(isSeen);
  const name = (each) => `${each.tagName} ${each.id || each.className} "${each.value || each.textContent}"`;
  const paper = document.createElement('canvas').getContext('2d');
  const width = (select) => {
    paper.font = getComputedStyle(select).font;
    return paper.measureText(select.selectedOptions[0]?.text ?? '').width;
  };
  const room = (each) => each.clientWidth - 2 * parseFloat(getComputedStyle(each).paddingLeft);
  const texts = all('button, a, h1, h2, p, legend, label, time, .score, summary');
  const cut = [
    ...texts.filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth && !each.matches('.brief')),
    ...all('select').filter((each) => width(each) > room(each)),
  ];
  const [right, bottom] = [innerWidth + 1, innerHeight + 1];
  const isOut = (box) => box.left < -1 || box.top < -1 || box.right > right || box.bottom > bottom;
  const away = needed.length ? all(needed).filter((each) => isOut(each.getBoundingClientRect())) : [];
  const over = [];
  const isBehind = (each) => document.querySelector('dialog#asked') && !each.closest('dialog'); // it may be covered
  // A lost connection is told over the board.
  const parts = all('button, h1, p:not(#trouble), select, input, #field, #players li');
  for (const [place, one] of parts.entries()) {
    for (const other of parts.slice(place + 1)) {
      if (one.contains(other) || other.contains(one) || isBehind(one) !== isBehind(other)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const up = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && up > 1) over.push(`${name(one)} over ${name(other)}`);
    }
  }
  return { cut: cut.map(name), away: away.map(name), over };
}"""
"""Returns the elements whose text is cut, those of a query that are not in the window, and pairs that overlap."""

TABS: Final = "new Set([...document.querySelectorAll('nav a')].map(each => each.offsetTop)).size"
"""Returns how many lines the tabs take."""

AUDITED: Final = "de"
"""The language in which axe looks at each state: rules of accessibility are the same in all."""

WEAR: Final = """style => {
  for (const line of style.match(/:root \\{ ([^}]*) \\}/)[1].split('; ')) {
    document.documentElement.style.setProperty(...line.split(': '));
  }
}"""
"""Gives the page the colours of a theme, but for those of a drawn board, which is hidden from screen readers."""

NEEDED: Final = "#turn button:not(.idle), #offers button, #offers a, #choices button, #status"
"""Elements of a board that a reader needs now."""


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> Any:
    """A server with a site, and an opponent of a long name."""
    options = {"thinkers": MissedCaptureEngine, **run_options}
    async with running_site(discord, url, clock, options, client_secret=SecretStr(discord.client_secret)) as room:
        room.maksim = discord.invite("Станислав Александров")
        yield room


async def expect_no_faults(page: Page, state: str, needed: str = NEEDED) -> None:
    """Expects that all is right in each window."""
    await page.evaluate("document.fonts.ready.then(() => null)")
    for width, height in WINDOWS:
        await page.set_viewport_size(ViewportSize(width=width, height=height))
        found = await page.evaluate(FAULTS, needed)
        assert found == {"cut": [], "away": [], "over": []}, f"{state}, {width}x{height}"
    if state.endswith(f", {AUDITED}"):
        await expect_accessible(page, state)


async def expect_accessible(page: Page, state: str) -> None:
    """Expects that axe finds nothing, on light paper and on dark."""
    for theme in (PAPER, DARK):
        await page.evaluate(WEAR, style(theme))
        found = await Axe().run(page)
        assert found.violations_count == 0, f"{state}: {found.generate_report()}"


async def begin_offered(room: Room) -> Channel:
    """Begins a game in which Ola is to move, and to answer an offer."""
    thread = await room.start_match(size=f"{SIDE}x{SIDE}", start="empty", clock="3d")
    await room.play(thread, "E6", "E5", "D5", "A9", "F5", "B9", "E4", "C9")
    await room.maksim.command(thread, "draw").answered()
    await room.wait_for_outbox()
    return thread


async def finish(room: Room, *, notes: bool, rematch: bool) -> Channel:
    """Ends a game of Ola's, with what may follow."""
    thread = await room.start_match(size=f"{SIDE}x{SIDE}", clock="3d")
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    if notes:
        await publish_notes(room, 1)
    await room.wait_for_outbox()
    if rematch:
        await room.maksim.command(thread, "rematch").answered()
        await room.wait_for_outbox()
    return thread


async def look(room: Room, thread: Channel, window: Window, language: str, side: int = SIDE) -> WebBoard:
    """Opens Ola's board in a language."""
    await room.change_settings(room.ola, language=language)
    message = next(each for each in reversed(room.discord.messages(thread)) if "Browser" in each.labels)
    board = await WebBoard.open(window.page, await link_for(room, room.ola, message), side, narrow=window.narrow)
    await expect(window.page.locator("html")).to_have_attribute("lang", language)
    await expect(board.status).not_to_be_empty()
    return board


async def test_a_board_with_a_turn_and_an_offer(room: Room, window: Window) -> None:
    thread = await begin_offered(room)
    for language in LANGUAGES:
        board = await look(room, thread, window, language)
        await expect_no_faults(window.page, f"offered, {language}")
        await board.tap("G7")
        await expect(board.ghosts).to_have_count(1)
        await expect_no_faults(window.page, f"entered, {language}")


@pytest.mark.parametrize("notes", [False, True], ids=["no notes", "notes"])
@pytest.mark.parametrize("rematch", [False, True], ids=["no rematch", "rematch"])
async def test_a_finished_board(room: Room, window: Window, *, notes: bool, rematch: bool) -> None:
    thread = await finish(room, notes=notes, rematch=rematch)
    for language in LANGUAGES:
        await look(room, thread, window, language)
        await expect(window.page.locator("#offers :is(a, button)")).to_have_count(2 + notes + rematch)
        await expect_no_faults(window.page, f"finished, {language}")


async def test_a_finished_game_that_is_looked_back_at(room: Room, window: Window) -> None:
    thread = await play_moves(room, MOVES)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(99))
    await room.wait_for_outbox()
    for language in LANGUAGES:
        await look(room, thread, window, language, side=7)
        await window.page.locator("#steps button").nth(1).click()
        await expect(window.page.locator("#ghost")).to_contain_text("11 / 12")
        await expect_no_faults(window.page, f"replay, {language}")
        await window.page.locator("#offers button").nth(1).click()
        await window.page.locator("#points button").click()
        await expect_no_faults(window.page, f"review, {language}")


async def test_a_board_with_a_hint_and_after_a_move(room: Room, window: Window) -> None:
    thread = await play_moves(room, MOVES[:10])
    for number, language in enumerate(LANGUAGES):
        board = await look(room, thread, window, language, side=7)
        await window.page.locator("#actions button").first.click()
        await expect(window.page.get_by_role("dialog")).to_be_visible()
        await expect_no_faults(window.page, f"hint, {language}", "dialog button, #field")
        await window.page.get_by_role("dialog").locator("button").last.click()
        await board.tap("A1")
        await expect(board.ghosts).to_have_count(1)
        await window.page.locator("#play").click()
        await expect(window.page.locator("#undo")).to_be_visible()
        await expect_no_faults(window.page, f"undo, {language}")
        await window.page.locator("#undo").click()
        await expect(board.stones).to_have_count(10)
        assert await room.version() == 12 + 2 * number


async def test_a_board_with_a_vote(room: Room, window: Window) -> None:
    await begin_votes(room)
    for language in LANGUAGES:
        board = await look(room, room.channel, window, language, side=20)
        await board.tap("M9")
        await expect(board.ghosts).to_have_count(1)
        await expect_no_faults(window.page, f"vote, {language}")


async def test_a_board_without_a_connection(room: Room, window: Window) -> None:
    thread = await begin_offered(room)
    for language in LANGUAGES:
        await look(room, thread, window, language)
        await window.page.context.set_offline(True)
        await window.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await window.page.clock.run_for(11_000)
        await expect(window.page.locator("#trouble")).to_be_visible()
        await expect_no_faults(window.page, f"offline, {language}")
        await window.page.context.set_offline(False)
    window.complaints.clear()


async def test_the_home_page_and_its_form(room: Room, window: Window) -> None:
    await begin_offered(room)
    await store_game(room, room.channel, GAME, ("E5", "E6"))
    await room.maksim.command(room.channel, "challenge", opponent=room.ola).answered()
    await private_words(room.ola.command(room.channel, "ladder create"))
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        page = await open_home(room, window, room.ola)
        await expect(page.locator(".community .primary")).to_be_visible()
        await page.locator("[data-focus='offer']").click()
        await expect(page.locator(".fields select").first).to_be_visible()
        await expect_no_faults(page, f"home, {language}", "")
        await page.locator("[data-focus='more']").click()
        await expect(page.locator("[data-focus='venue']")).to_be_visible()
        await expect_no_faults(page, f"home with all terms, {language}", "")


async def test_a_home_where_nothing_is_yet(room: Room, window: Window) -> None:
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        page = await open_home(room, window, room.ola)
        await expect(page.locator(".community .empty")).to_be_visible()
        await expect_no_faults(page, f"empty home, {language}", "")


async def test_the_figures_of_a_player(room: Room, window: Window) -> None:
    for is_filled in (False, True):
        if is_filled:
            await add_figures(room)
        for language in LANGUAGES:
            await room.change_settings(room.ola, language=language)
            await open_home(room, window, room.ola)
            await window.page.goto(f"{room.discord.address}figures")
            await expect(window.page.locator("#puzzles")).to_be_visible()
            await window.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
            await expect_no_faults(window.page, f"figures, {is_filled}, {language}", "")


async def test_shared_figures_and_their_player(room: Room, window: Window) -> None:
    await add_figures(room)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await window.page.set_extra_http_headers({"Accept-Language": language})
        await open_home(room, window, room.ola)
        await window.page.goto(f"{room.discord.address}figures")
        for part in await window.page.locator("#sharing input[type=checkbox]").all():
            await part.check()
        link = await shared_link(window.page)
        await expect_no_faults(window.page, f"figures that are shared, {language}", "")
        await window.page.goto(link)
        await expect(window.page.locator(".facts")).to_be_visible()
        await expect_no_faults(window.page, f"shared figures, {language}", "")


async def test_the_year_of_a_player(room: Room, window: Window) -> None:
    await open_home(room, window, room.ola)
    for is_filled in (False, True):
        if is_filled:
            await add_figures(room)
        for language in LANGUAGES:
            await room.change_settings(room.ola, language=language)
            await window.page.goto(f"{room.discord.address}figures/year")
            await expect(window.page.locator(".facts" if is_filled else ".empty")).to_be_visible()
            await expect_no_faults(window.page, f"year, {is_filled}, {language}", "")


async def test_the_explorer_of_openings(room: Room, window: Window) -> None:
    await add_figures(room)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        await open_home(room, window, room.ola)
        for query in ("?scope=own", "?scope=own&dots=E5", "?scope=server", "?scope=public", "?scope=recorded"):
            await window.page.goto(f"{room.discord.address}openings{query}")
            await expect(window.page.locator(".explored")).to_be_visible()
            await expect_no_faults(window.page, f"openings{query}, {language}", "")


async def test_a_puzzle(room: Room, window: Window) -> None:
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        page = await open_home(room, window, room.ola)
        await page.locator('[data-focus="puzzles"]').click()
        await expect(page.locator(".told button").first).to_be_visible()
        await expect_no_faults(page, f"puzzle, {language}", "main.puzzles :is(h1, p, button, input)")


@on_a_phone
async def test_the_pages_of_a_server_with_nothing_in_them(room: Room, window: Window) -> None:
    await switch_pages(room, on=True)
    links, guild = room.services.web_links, GuildId(room.discord.guild.id)
    assert links is not None, "there is a site"
    addresses = {
        "server": links.place(lambda paths: paths.server(guild)),
        "leaderboard": links.place(lambda paths: paths.leaderboard(guild)),
        "tournaments": links.place(lambda paths: paths.tournaments(guild)),
        "ladder": links.place(lambda paths: paths.ladder(guild)),
        "league": links.place(lambda paths: paths.league(guild)),
    }
    for language in LANGUAGES:
        await window.page.set_extra_http_headers({"Accept-Language": language})
        for name, address in addresses.items():
            await window.page.set_viewport_size(ViewportSize(width=390, height=844))
            await window.page.goto(address)
            await expect(window.page.locator(".empty").first).to_be_visible()
            assert await window.page.evaluate(TABS) == 1, f"{name}, {language}"
            await expect_no_faults(window.page, f"{name}, {language}", "")


async def test_what_is_refused_leads_on(room: Room, window: Window) -> None:
    for language in LANGUAGES:
        await window.page.set_extra_http_headers({"Accept-Language": language})
        for path in ("home", "enter", "board/1", "nothing", "leave"):
            await window.page.goto(f"{room.discord.address}{path}")
            await expect(window.page.locator("#ways a").first).to_be_visible()
            await expect_no_faults(window.page, f"{path}, {language}", "#ways a")
    window.complaints.clear()


async def miss_all(room: Room) -> None:
    """Lets Ola give up today's puzzles."""
    dailies, ola, now = room.use_cases.dailies, UserId(room.ola.id), room.clock()
    await dailies.open(ola, None, now)
    for tries in range(STEPS):
        await dailies.play(puzzle_day(now), ola, tries, None, now)


async def test_what_comes_after_the_puzzles_of_a_day(room: Room, window: Window) -> None:
    await miss_all(room)
    for language in LANGUAGES:
        await room.change_settings(room.ola, language=language)
        page = await open_home(room, window, room.ola)
        await page.locator('[data-focus="puzzles"]').click()
        await expect(page.locator('[data-focus^="back:"]').first).to_be_visible()
        await expect_no_faults(page, f"the result, {language}", "")
        await page.locator('[data-focus^="back:"]').last.click()
        await page.locator(".told button.primary").click()
        await expect(page.locator("#puzzle .number")).to_have_count(1)
        await expect_no_faults(page, f"a look back, {language}", "main.puzzles :is(h1, p, button)")
        await page.evaluate("location.hash = 'quiz=kinds'")
        await expect(page.locator('[data-focus="train:net"]')).to_be_visible()
        await expect_no_faults(page, f"kinds, {language}", "")
