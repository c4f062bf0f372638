"""The home page: from nothing to the first move, from game to game, and what each state of it looks like."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, Position, ViewportSize, expect

from bot.markup import spoken
from loopback import Discord, Permission
from play.ids import GuildId, MatchId, UserId
from renderer.theme import THEMES
from tests.bot.room import Room, private_words
from tests.bot.waiting import skip_confirmations
from tests.browser.conftest import in_both_sizes, on_a_phone
from tests.browser.framed_board import FramedBoard
from tests.browser.home_page import frame_of, launch_home, open_home
from tests.browser.window import Window
from tests.clock import StoppedClock
from tests.web.finished import store_game
from tests.web.games_at_home import begin_games
from tests.web.home_visit import room_with_activity
from tests.web.test_home import GAME

MAX_BYTES = 120_000
"""Bytes of all files of the page, unpacked."""

MAX_FIRST_MILLIS = 300
"""Milliseconds until something is drawn."""

FINGER = 44
"""Pixels that each control has at least, in both directions."""

WIDTHS = (320, 390, 640, 768, 1280, 1920)

BYTES = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .reduce((sum, each) => sum + each.decodedBodySize, 0)"""

FIRST_PICTURE = "() => performance.getEntriesByType('paint').at(-1).startTime"

SMALL_CONTROLS = """least => [...document.querySelectorAll('button, select, summary, a, label.check')]
  .filter(each => each.offsetParent && Math.min(each.offsetWidth, each.offsetHeight) < least)
  .map(each => each.outerHTML)"""


@pytest_asyncio.fixture(loop_scope="session")
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with a computer and an Activity."""
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


async def expect_rules_kept(page: Page) -> None:
    """Expects that axe-core finds nothing wrong with the page as it is."""
    found = await Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


async def fill(room: Room) -> None:
    """Gives Ola thirty games, a challenge of each kind, and something to watch."""
    await begin_games(room, room.ola, room.maksim, 30)
    await room.kasia.command(room.channel, "challenge", computer=3).answered()
    await room.challenge(opponent=room.maksim)
    await room.maksim.command(room.channel, "challenge", opponent=room.ola, size="9x9").answered()
    await room.kasia.command(room.channel, "challenge", size="15x15").answered()


@in_both_sizes
async def test_an_account_without_a_game_is_two_taps_from_its_first_move_in_the_activity(
    discord: Discord, room: Room, window: Window
) -> None:
    home = await launch_home(window, discord, room.kasia, room.general)
    field = home.get_by_role("button", name="Begin your first game")
    box = await field.bounding_box()
    assert box is not None
    free = Position(x=box["width"] * 0.3, y=box["height"] * 0.7)
    await (field.tap(position=free) if window.narrow else field.click(position=free))
    board = await FramedBoard.find(window, frame_of(window))
    await expect(board.locator("#field .ghost > *")).to_have_count(1)
    await board.press_play()
    await expect(board.locator("#field .ghost > *")).to_have_count(0)
    assert await room.version() >= 1


@in_both_sizes
async def test_ten_games_are_played_in_ten_moves_and_ten_next(discord: Discord, room: Room, window: Window) -> None:
    begun = await begin_games(room, room.ola, room.maksim, 10, size="9x9")
    home = await launch_home(window, discord, room.ola, room.general)
    await window.press(home.get_by_role("link", name="Next game (10)"))
    entries = [request for request in discord.requests if "oauth2" in request.endpoint]
    for left in range(9, -1, -1):
        board = await FramedBoard.find(window, frame_of(window))
        if window.narrow:
            await board.tap("F4")
            await expect(board.locator("#field .ghost > *")).to_have_count(1)
        else:
            await board.lay("F4")
        await board.press_play()
        await expect(board.locator("#field .ghost > *")).to_have_count(0)
        if left:
            await window.press(
                board.locator(
                    "#offers a",
                ).filter(has_text=f"Next game ({left})")
            )
            await expect(board.locator("#offers a")).to_have_count(0)
    waiting = await room.use_cases.matches.waiting_for(UserId(room.ola.id), MatchId(0))
    assert waiting == []
    assert len(begun) == 10
    assert [request for request in discord.requests if "oauth2" in request.endpoint] == entries


@in_both_sizes
async def test_many_games_are_six_tiles_and_the_others_one_tap_away(room: Room, window: Window) -> None:
    await begin_games(room, room.ola, room.maksim, 8, size="9x9")
    page = await open_home(room, window, room.ola)
    tiles = page.locator("section.games .tile").filter(visible=True)
    await expect(tiles).to_have_count(6)
    await window.press(page.get_by_text("Other games (2)"))
    await expect(tiles).to_have_count(8)


async def test_other_games_stay_in_sight_when_the_home_is_asked_for_again(room: Room, window: Window) -> None:
    await begin_games(room, room.ola, room.maksim, 8, size="9x9")
    page = await open_home(room, window, room.ola)
    await page.get_by_text("Other games (2)").click()
    await room.kasia.command(room.channel, "challenge", opponent=room.ola, size="9x9").answered()
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect(page.locator("section.asked")).to_be_visible()
    await expect(page.locator("section.games .tile").filter(visible=True)).to_have_count(8)


@in_both_sizes
async def test_home_leads_to_a_board_and_the_board_back(discord: Discord, room: Room, window: Window) -> None:
    await begin_games(room, room.ola, room.maksim, 2, size="9x9")
    home = await launch_home(window, discord, room.ola, room.general)
    await window.press(home.locator(".games a").nth(1))
    board = await FramedBoard.find(window, frame_of(window))
    await window.press(board.locator("#home"))
    await expect(home.locator(".games .tile")).to_have_count(2)
    await expect(home.get_by_role("heading", name="Home")).to_be_focused()
    await expect(home.locator("#field")).to_have_count(0)


@in_both_sizes
async def test_in_a_browser_a_challenge_is_accepted_posted_and_withdrawn(room: Room, window: Window) -> None:
    await room.maksim.command(room.channel, "challenge", opponent=room.ola, size="9x9").answered()
    await begin_games(room, room.ola, room.maksim, 1, size="9x9")
    page = await open_home(room, window, room.ola)
    await window.press(page.get_by_text("Challenge a friend"))
    await expect(page.locator(".play details > div > .fields > label")).to_have_count(3)  # who, rules, size
    sizes = page.get_by_role("combobox", name="Board size")
    await sizes.select_option("13x13")
    await expect(sizes).to_have_value("13x13")
    await window.press(page.get_by_role("button", name="Post the challenge"))
    await expect(page.get_by_text("Your challenge is posted.")).to_be_visible()
    (posted,) = await room.use_cases.challenges.list_open(challenger=UserId(room.ola.id))
    link = f"https://discord.com/channels/{posted.guild}/{posted.channel}/{posted.message}"
    await expect(page.get_by_role("textbox", name="Link to the challenge")).to_have_value(link)
    assert posted.terms.game.options["size"] == "13x13"
    await window.press(page.get_by_role("button", name="Withdraw: Open to anyone"))
    await expect(page.locator(".offered")).to_have_count(0)
    await window.press(page.get_by_role("button", name="Accept: Максим challenges you"))
    await page.wait_for_url("**/board/2**")


async def test_a_tile_shows_the_whole_board_and_of_a_large_one_the_place_of_the_last_move(
    room: Room, window: Window
) -> None:
    begun = await begin_games(room, room.ola, room.maksim, 4)
    page = await open_home(room, window, room.ola)
    shown = {
        match: await page.locator(f'[data-focus="game {match}"] .board').get_attribute("viewBox") for match in begun
    }
    assert [shown[match] for match in begun[:3]] == [f"-0.8 -0.8 {steps + 1.6} {steps + 1.6}" for steps in (8, 19, 12)]
    left, top, *size = map(float, (shown[begun[3]] or "").split())
    assert size == [17.6, 17.6]
    match = await room.use_cases.matches.load(begun[3])
    ((x, y),) = match.position.picture().last
    assert left < x < left + 17.6
    assert top < 31 - y < top + 17.6


@in_both_sizes
async def test_a_friend_is_challenged_by_name_and_the_page_waits_for_them(room: Room, window: Window) -> None:
    await begin_games(room, room.ola, room.maksim, 1, size="9x9")
    page = await open_home(room, window, room.ola)
    await window.press(page.get_by_text("Challenge a friend"))
    await page.get_by_role("combobox", name="Who").select_option("Максим")
    await expect(page.get_by_text("They get it in Discord")).to_be_visible()
    await page.get_by_role("combobox", name="Board size").select_option("13x13")
    await expect(page.get_by_role("combobox", name="Who")).to_have_value(str(room.maksim.id))
    await window.press(page.get_by_role("button", name="Post the challenge"))
    await expect(page.locator(".offered")).to_contain_text("Waiting for Максим")
    (posted,) = await room.use_cases.challenges.list_open(challenger=UserId(room.ola.id))
    assert (posted.opponent, posted.terms.game.options["size"]) == (room.maksim.id, "13x13")


@on_a_phone
async def test_among_many_people_one_is_found_by_their_name(room: Room, window: Window) -> None:
    for number in range(9):
        friend = room.discord.invite(f"Zofia {number}")
        await begin_games(room, room.ola, friend, 1, size="9x9")
    page = await open_home(room, window, room.ola)
    await window.press(page.get_by_text("Challenge a friend"))
    await page.get_by_role("searchbox", name="Find by name").fill("fia 4")
    who = page.get_by_role("combobox", name="Who")
    assert await who.locator("option").all_inner_texts() == ["Anyone in the channel", "Zofia 4"]
    await expect(who.locator("option:checked")).to_have_text("Zofia 4")
    await page.get_by_role("searchbox", name="Find by name").fill("nobody")
    await expect(who.locator("option:checked")).to_have_text("Anyone in the channel")


@in_both_sizes
async def test_the_first_row_leads_to_each_part_and_to_the_lessons(room: Room, window: Window) -> None:
    await fill(room)
    page = await open_home(room, window, room.ola)
    for name, part, key in (
        ("Play", ".play", "computer"),
        ("Puzzles", ".puzzles", "puzzles"),
        ("Watch", ".around", None),
        ("Community", ".community", None),
    ):
        await window.press(page.locator("#doors").get_by_role("button", name=name, exact=True))
        await expect(page.locator(f"#sections {part} h2")).to_be_in_viewport()
        focused = await page.evaluate("part => document.querySelector(part).contains(document.activeElement)", part)
        assert focused, name
        if key:
            await expect(page.locator(f"[data-focus='{key}']")).to_be_focused()
    await window.press(page.locator("#doors").get_by_role("link", name="Learn"))
    await expect(page.get_by_role("link", name="Close a chain")).to_be_visible()


@in_both_sizes
async def test_a_ladder_is_joined_in_one_step(discord: Discord, room: Room, window: Window) -> None:
    await skip_confirmations(room)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await private_words(room.ola.command(room.channel, "ladder create"))
    home = await launch_home(window, discord, room.kasia, room.general)
    await window.press(home.get_by_role("button", name="Join: Ladder"))
    await expect(home.locator(".community li")).to_contain_text("You're in.")
    await expect(home.get_by_role("button", name="Join: Ladder")).to_have_count(0)
    assert (await room.use_cases.ladders.load(GuildId(discord.guild.id))).present == (UserId(room.kasia.id),)


async def test_a_home_that_is_looked_at_again_is_as_it_is_now(room: Room, window: Window) -> None:
    begun = await begin_games(room, room.ola, room.maksim, 2, size="9x9")
    page = await open_home(room, window, room.ola)
    await expect(page.get_by_role("link", name="Next game (2)")).to_be_visible()
    match = await room.use_cases.matches.load(begun[0])
    await room.use_cases.matches.resign(match.id, UserId(room.ola.id), room.clock(), 77)  # type: ignore[arg-type]
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.get_by_role("link", name="Next game (1)")).to_be_visible()
    await expect(page.locator(".finished")).to_contain_text("Lost · Максим")


async def test_a_phone_that_wakes_says_in_two_seconds_what_goes_on_and_asks_again(room: Room, window: Window) -> None:
    begun = await begin_games(room, room.ola, room.maksim, 2, size="9x9")
    page = await open_home(room, window, room.ola)
    await expect(page.get_by_role("link", name="Next game (2)")).to_be_visible()
    await room.use_cases.matches.resign(begun[0], UserId(room.ola.id), room.clock(), 77)  # type: ignore[arg-type]
    await page.clock.install()
    await page.route("**/home.json*", lambda _: None)  # half open: what is asked gets no answer
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.clock.run_for(1_900)
    await expect(page.get_by_role("alert")).to_have_text("No answer yet. This page tries again.")
    await page.unroute("**/home.json*")
    await page.clock.run_for(6_000)
    await expect(page.get_by_role("link", name="Next game (1)")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    window.complaints.clear()


@on_a_phone
async def test_earlier_games_come_below_the_latest_and_stay(room: Room, window: Window) -> None:
    for _ in range(9):
        await store_game(room, room.channel, GAME, ("E5", "E6"))
    page = await open_home(room, window, room.ola)
    await expect(page.locator(".finished li")).to_have_count(6)
    await window.press(page.get_by_role("button", name="Earlier games"))
    await expect(page.locator(".finished li")).to_have_count(9)
    await expect(page.get_by_role("button", name="Earlier games")).to_have_count(0)
    await store_game(room, room.channel, GAME, ("E5", "E6"))
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.locator(".finished li")).to_have_count(10)


async def test_servers_that_are_not_known_now_are_told_of_and_not_taken_for_none(room: Room, window: Window) -> None:
    await begin_games(room, room.ola, room.maksim, 1, size="9x9")
    page = await open_home(room, window, room.ola)
    await page.route("**/home/do*", lambda route: route.abort())
    await page.reload()
    await expect(page.locator(".community .empty")).to_contain_text("can't be reached")
    await page.unroute("**/home/do*")
    await page.clock.install()
    await page.clock.run_for(301_000)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.locator(".community .empty")).to_have_count(0)
    window.complaints.clear()


async def test_a_home_that_does_not_come_at_first_comes_later(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    await page.clock.install()
    await page.route("**/home.json*", lambda route: route.abort())
    await page.reload()
    await expect(page.get_by_role("alert")).to_contain_text("can't be reached")
    await page.unroute("**/home.json*")
    await page.clock.run_for(60_000)
    await expect(page.locator("#sections section").first).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    window.complaints.clear()


@in_both_sizes
async def test_a_session_that_ends_and_a_server_that_is_away_are_told(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    await page.route("**/home.json*", lambda route: route.abort())
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.get_by_role("alert")).to_contain_text("can't be reached")
    await expect_rules_kept(page)
    await page.unroute("**/home.json*")
    await room.services.web_sessions.leave_all(UserId(room.ola.id))
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.get_by_role("alert")).to_contain_text("You aren't signed in here.")
    await expect_rules_kept(page)
    assert len(window.complaints) >= 2
    window.complaints.clear()


@pytest.mark.parametrize(
    ("window", "theme"), [("computer", "paper"), *(("phone", theme) for theme in THEMES)], indirect=["window"]
)
async def test_every_state_keeps_the_rules_of_accessibility(room: Room, window: Window, theme: str) -> None:
    await room.change_settings(room.ola, theme=theme)
    page = await open_home(room, window, room.ola)
    await expect_rules_kept(page)
    await begin_games(room, room.ola, room.maksim, 1)
    await page.reload()
    await expect(page.locator(".games .tile")).to_have_count(1)
    await expect_rules_kept(page)
    await fill(room)
    await page.reload()
    await expect(page.locator(".around .tile")).to_have_count(1)
    await page.get_by_text("Challenge a friend").click()
    await expect(page.get_by_role("button", name="Post the challenge")).to_be_visible()
    await expect_rules_kept(page)
    assert await page.evaluate(SMALL_CONTROLS, FINGER) == []


@pytest.mark.parametrize("language", spoken().names)
async def test_no_width_makes_the_page_scroll_sideways(room: Room, window: Window, language: str) -> None:
    await room.change_settings(room.ola, language=language)
    await fill(room)
    page = await open_home(room, window, room.ola)
    await expect(page.locator(".around")).to_be_visible()
    await page.locator("summary[data-focus='offer']").click()
    await expect(page.locator("details:has([data-focus='offer']) .fields button")).to_be_visible()
    for width in WIDTHS:
        await page.set_viewport_size(ViewportSize(width=width, height=900))
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_another_language_is_that_of_the_heading_too(room: Room, window: Window) -> None:
    page = await open_home(room, window, room.ola)
    for language, heading in (("ru", "Главная"), ("de", "Startseite")):
        await page.locator("[data-focus='set language']").select_option(language)
        await expect(page.locator("html")).to_have_attribute("lang", language)
        await expect(page.locator("h1")).to_have_text(heading)


@on_a_phone
async def test_a_home_of_thirty_games_is_light_and_quick(room: Room, window: Window) -> None:
    await fill(room)
    page = await open_home(room, window, room.ola)
    await expect(page.locator(".around")).to_be_visible()
    assert await page.evaluate(BYTES) < MAX_BYTES
    await page.reload()  # as one comes back: nothing has to be made for the first time
    await expect(page.locator(".games .board")).to_have_count(12)
    assert await page.evaluate(FIRST_PICTURE) < MAX_FIRST_MILLIS


async def test_a_keyboard_reaches_everything_in_order(room: Room, window: Window) -> None:
    await begin_games(room, room.ola, room.maksim, 2, size="9x9")
    page = await open_home(room, window, room.ola)
    await expect(page.locator(".community")).to_be_visible()
    await expect(page.get_by_role("button", name="Live game")).to_be_visible()
    reached = []
    for _ in range(27):
        await page.keyboard.press("Tab")
        reached.append(await page.evaluate("document.activeElement.dataset.focus"))
    listed = await room.use_cases.matches.list_open(UserId(room.ola.id))
    doors = ["door_play", "door_puzzles", "door_learn", "door_board", "door_watch", "community"]
    assert reached[:9] == ["next", *doors, *(f"game {each.id}" for each in listed)]
    assert reached[9:] == [
        "computer",
        "level",
        *("look live false", "look days false", "look days true", "own rules"),
        *("code", "show code"),
        "offer",
        "puzzles",
        "rush",
        "kinds",
        "mistakes",
        "lessons",
        (await page.get_by_role("button", name="Open in Discord").get_attribute("data-focus")),
        "set theme",
        "set language",
        "set next",
    ]


async def test_a_code_is_looked_up_in_a_frame_that_submits_no_forms(
    room: Room, discord: Discord, window: Window
) -> None:
    window.expect_refusals()
    frame = await launch_home(window, discord, room.ola, room.channel)
    await frame.locator('[data-focus="code"]').fill("nobody has this")
    await frame.locator('[data-focus="show code"]').click()
    await expect(frame.get_by_text("No game is offered by this code")).to_be_visible()
