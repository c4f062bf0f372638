"""The web board by keyboard and for those who hear it: what may be typed, and what a screen reader is told."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.markup import spoken
from loopback import Channel
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.web_board import SIDE, WebBoard
from tests.browser.window import Window
from tests.web.visit import site_readers

READ = """async ([words, texts]) => {
  const { Commands } = await import('/static/board/commands.js');
  const commands = new Commands(words);
  return texts.map((text) => commands.read(text));
}"""
"""Reads typed texts in the language of some words."""

TYPED = {
    "en": {
        "row 12": "row 12",
        "ro\u00adw\u00a012": "row 12",
        "Column K": "column k",
        "What is at K12?": "at k12",
        "last": "last",
        "Score!": "score",
    },
    "ru": {"ряд 12": "row 12", "столбец К": "column к", "Что на K12?": "at k12", "счет": "score", "поле": "board"},
    "pl": {"wiersz 12": "row 12", "kolumna K": "column k", "co jest na K12": "at k12", "Ostatni ruch": "last"},
    "uk": {"рядок 12": "row 12", "стовпець K": "column k", "що на K12": "at k12", "рахунок": "score"},
    "de": {"Reihe 12": "row 12", "Spalte K": "column k", "Was ist auf K12?": "at k12", "letzter Zug": "last"},
    "cs": {"řada 12": "row 12", "sloupec K": "column k", "co je na K12?": "at k12", "skóre": "score"},
}
"""Typed questions in each language, and how the protocol asks them."""

MOVES = ("K12", "k12", "12k", "swap", "E5+", "rower", "at", "row", "atlas 5", "last 3", "score K12", "")
"""Texts that are no questions."""


@pytest_asyncio.fixture(loop_scope="session")
async def thread(room: Room) -> Channel:
    """The thread of a game in which Ola is to move for the second time."""
    thread = await room.start_match(size=f"{SIDE}x{SIDE}", start="empty")
    await room.play(thread, "E5", "D4")
    return thread


async def test_questions_are_understood_in_each_language_and_everywhere_in_english(room: Room, window: Window) -> None:
    await window.page.goto(f"{room.discord.address}enter")  # a page of the site that may load its scripts
    for language in spoken().names:
        words = dict(site_readers(room.services).page_words(language, "board"))
        typed = {**TYPED["en"], **TYPED[language]}
        assert await window.page.evaluate(READ, [words, [*typed]]) == [*typed.values()], language
        assert await window.page.evaluate(READ, [words, [*MOVES]]) == [None] * len(MOVES), language
        for name in ("row", "column", "at", "last", "score", "board"):
            phrases = [each.strip() for each in words[f"say.{name}"].lower().split("|")]
            told = any(f" {phrase}" in words["help"].lower() for phrase in phrases)
            assert told, f"the help does not tell {name}: {language}"


async def test_a_typed_question_is_answered_where_it_is_read_out(board: WebBoard) -> None:
    typed = board.page.get_by_role("textbox")
    for text, answer in (
        ("what is at E5", "E5: Ola."),
        ("row 4", "Row 4. Dots of blue: D4."),
        ("column A", "Column A. It's empty."),
        ("last", "Максим played D4."),
        ("score", "Score: Ola 0, Максим 0."),
    ):
        await typed.fill(text)
        await typed.press("Enter")
        await expect(board.said).to_have_text(answer)
        await expect(typed).to_have_value("")
    await expect(board.said).to_have_role("status")
    await typed.fill("column Z")
    await typed.press("Enter")
    await expect(board.said).to_contain_text("outside the board")
    await expect(typed).to_have_value("column Z")


async def test_a_typed_move_is_played_and_one_out_of_turn_is_explained(room: Room, board: WebBoard) -> None:
    typed = board.page.get_by_role("textbox")
    await typed.fill("g7")
    await typed.press("Enter")
    await expect(board.stones).to_have_count(3)
    await board.page.clock.run_for(1000)
    await typed.fill("g6")
    await typed.press("Enter")
    await expect(board.said).to_contain_text("Максим")
    assert await room.version() == 3


async def test_what_happens_is_announced_in_order_and_once(room: Room, thread: Channel, board: WebBoard) -> None:
    await board.tap("G7")
    await expect(board.ghosts).to_have_count(1)
    await board.play()
    await room.play(thread, "C3")
    await expect(board.stones).to_have_count(4)
    log = board.page.get_by_role("log").locator("p")
    opened = ["Signed in as Ola", "Максим played D4.", "It's your turn."]
    later = ["Ola played G7.", "It's Максим's turn."]
    await expect(log).to_have_text([*opened, *later, "Максим played C3.", "It's your turn."])


async def test_the_same_answer_is_read_out_each_time(board: WebBoard) -> None:
    said, log = board.said, board.page.get_by_role("log").locator("p")
    before = await log.count()
    typed = board.page.get_by_role("textbox")
    for number in range(3):
        await typed.fill("score")
        await typed.press("Enter")
        await expect(typed).to_have_value("")
        await expect(log).to_have_count(before + number)  # the first time the line itself changes
    await expect(said).to_have_text("Score: Ola 0, Максим 0.")
    await board.tap("E5")
    await expect(said).to_contain_text("E5")
    told = await log.count()
    await board.page.clock.fast_forward(1000)
    await board.tap("E5")
    await expect(log).to_have_count(told + 1)
    await expect(log.last).to_have_text(await said.inner_text())


@pytest.mark.parametrize("key", ["Enter", "Space"])
async def test_a_key_that_is_held_plays_nothing(room: Room, board: WebBoard, key: str) -> None:
    keyboard = board.page.keyboard
    await board.page.locator("#field").focus()
    await keyboard.press("ArrowUp")
    await keyboard.press("ArrowUp")
    await keyboard.down(key)
    await expect(board.ghosts).to_have_count(1)
    await board.glance()
    for _ in range(5):
        await keyboard.down(key)  # a key that is down already repeats
    await keyboard.up(key)
    await keyboard.press("ArrowDown")
    await expect(board.page.get_by_role("log").locator("p").last).to_contain_text("E5")
    await expect(board.ghosts).to_have_count(1)
    assert await room.version() == 2


async def test_arrows_describe_the_crossing_on_which_they_rest(board: WebBoard) -> None:
    asked: list[Any] = []
    log = board.page.get_by_role("log").locator("p")
    opened = await log.count()
    await board.page.locator("#field").focus()
    board.page.on("websocket", lambda socket: socket.on("framesent", asked.append))
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowRight"):
        await board.page.keyboard.press(key)
    await expect(log.last).to_have_text("F6 is free.")
    await board.page.keyboard.press("ArrowLeft")
    await board.page.keyboard.press("ArrowDown")
    await expect(log.last).to_have_text("E5: Ola.")
    assert await log.count() <= opened + 3
    await board.page.keyboard.press("Tab")
    await board.page.keyboard.press("Shift+Tab")
    await board.page.keyboard.press("Shift+ArrowUp")  # goes on where it was
    await expect(log.last).to_have_text("E9 is free.")


async def test_the_focus_stays_on_its_button_when_a_board_arrives(room: Room, thread: Channel, board: WebBoard) -> None:
    resign = board.button("Resign")
    await resign.focus()
    await room.play(thread, "F6", "C3")
    await expect(board.stones).to_have_count(4)
    await expect(resign).to_be_focused()
    room.maksim.command(thread, "draw")
    await expect(board.page.get_by_role("button", name="Accept draw")).to_be_visible()
    await expect(resign).to_be_focused()


async def test_the_focus_goes_to_the_board_when_its_button_goes(room: Room, board: WebBoard) -> None:
    await board.tap("G7")
    await expect(board.button("Play")).to_be_enabled()
    await board.button("Play").focus()
    await board.page.keyboard.press("Enter")
    await expect(board.stones).to_have_count(3)
    await expect(board.page.locator("#field")).to_be_focused()


@on_a_phone
async def test_help_and_the_typed_line_are_behind_more_on_a_phone(board: WebBoard) -> None:
    await expect(board.page.get_by_role("textbox")).to_be_hidden()
    await board.button("More").tap()
    await expect(board.page.locator("#help")).to_be_visible()
    await expect(board.button("Resign")).to_be_visible()
    typed = board.page.get_by_role("textbox")
    await typed.fill("what is at D4")
    await typed.press("Enter")
    await expect(board.said).to_have_text("D4: Максим.")
    await expect(typed).to_be_hidden()
    await board.button("More").tap()
    await expect(typed).to_be_visible()
    await board.page.keyboard.press("Escape")
    await expect(typed).to_be_hidden()


async def test_help_and_the_typed_line_are_behind_more_at_200_percent(board: WebBoard) -> None:
    await board.page.set_viewport_size({"width": 640, "height": 400})
    await board.button("More").click()
    await expect(board.page.get_by_role("textbox")).to_be_in_viewport()
    await expect(board.page.locator("#help")).to_be_in_viewport()
