"""Turns of each rule set on the web board, by finger on a phone: captures and dashes."""

from __future__ import annotations

from collections import deque

import pytest
from playwright.async_api import expect

from loopback import Channel, Person
from play.ids import IdempotencyKey, MatchId
from play.match import moves
from play.match.match import Match
from rules.dash import Choice, DashPosition, Move, Opening
from rules.dots import Closing, Dots
from rules.game import point_name
from rules.registry import GAMES
from tests.bot.room import Room
from tests.browser.conftest import on_a_phone
from tests.browser.site.test_turns import DIAMOND, drag
from tests.browser.web_board import SIDE, WebBoard
from tests.browser.window import Window
from tests.web.visit import link_for

DASH_TURNS = 6
"""The opening, the choice, and two dashes of each player."""

CAPTURE = "E4"
FIRST = ("E6", "D5", "F5", CAPTURE)
"""The first player's dots; the last captures E5."""

OTHERS = (("E5", "A9", "B9", "C9"), ("D4", "H9", "I9"), ("F6", "B1", "C1"))
"""Those of the second, third and fourth player. Each begins in the middle third."""

DOTS = [name for name in GAMES if not name.startswith("dot-dash") and name != "four"]


def closing_of(rules: str) -> Closing:
    game = GAMES[rules]
    assert isinstance(game, Dots)
    return game.closing


CLOSED = [name for name in DOTS if closing_of(name) is not Closing.AUTOMATIC]
DASHES = [name for name in GAMES if name.startswith("dot-dash")]


async def load(room: Room) -> Match:
    return await room.use_cases.matches.load(MatchId(1))


async def begin(room: Room, rules: str, start: str | None) -> tuple[Channel, list[Person]]:
    """Starts a game with as many people as it takes; returns its thread and the players by seat."""
    card = await room.challenge(rules=rules, size=f"{SIDE}x{SIDE}", start=start)
    others = (room.maksim, room.kasia, room.discord.invite("Jan"))[: GAMES[rules].seats - 1]
    for person in others:
        await person.click(card, "Join" if "Join" in card.labels else "Accept").answered()
    thread = await room.wait_for_thread(card)
    people = {person.id: person for person in room.discord.people.values()}
    return thread, [people[player] for player in (await load(room)).players]


async def open_boards(room: Room, thread: Channel, window: Window, players: list[Person]) -> list[WebBoard]:
    """Returns a board for each player, all in one phone."""
    boards = []
    for number, person in enumerate(players):
        page = window.page if number == 0 else await window.page.context.new_page()
        link = await link_for(room, person, room.boards(thread)[-1])
        boards.append(await WebBoard.open(page, link, SIDE, narrow=True))
    return boards


async def close_by_finger(board: WebBoard) -> None:
    """Takes back the area that is chosen at first, and chooses it by finger."""
    plans = board.page.locator("#field .plans > *")
    await expect(plans).to_have_count(1)
    await board.tap("E5")
    await expect(plans).to_have_count(0)
    if "Draw" in " ".join(await board.page.locator("#choices button").all_inner_texts()):
        await drag(board.page, [await board.place(name) for name in DIAMOND], narrow=True)
    else:
        await board.tap("E5")
    await expect(plans).to_have_count(1)


async def lay_until_capture(room: Room, dots: list[deque[str]]) -> None:
    """Plays in the store the dots before the one that captures."""
    match = await load(room)
    async with room.services.store.write() as tx:
        while dots[match.position.to_act][0] != CAPTURE:
            seat = match.position.to_act
            key = IdempotencyKey(match.version + 1)
            match = moves.move(match, match.players[seat], dots[seat].popleft(), room.clock(), key)
            await tx.matches.save(match)


async def lay_by_finger(room: Room, boards: list[WebBoard], dots: list[deque[str]]) -> str:
    """Lays the next dot of the player to act, who closes by finger what has to be closed; returns its crossing."""
    match = await load(room)
    seat = match.position.to_act
    board, name = boards[seat], dots[seat].popleft()
    await board.page.bring_to_front()  # Chromium slows down those behind it
    await board.wait_for_turn(seat)
    await board.tap(name)
    await expect(board.ghosts).to_have_count(1)
    assert isinstance(match.game, Dots)
    if name == CAPTURE and match.game.closing is not Closing.AUTOMATIC:
        await close_by_finger(board)
    await board.play()
    return name


async def expect_capture(room: Room, boards: list[WebBoard]) -> None:
    """Expects the capture and all dots on each board."""
    position = (await load(room)).position
    assert position.score[0] >= 1
    for board in boards:
        await expect(board.stones).to_have_count(len(position.picture().stones))
        await expect(board.page.locator("#field .bases > *")).to_have_count(2)  # the tint of the area and its line


@on_a_phone
@pytest.mark.parametrize("rules", DOTS)
async def test_a_capture_and_its_answer_are_played_by_finger(room: Room, window: Window, rules: str) -> None:
    thread, players = await begin(room, rules, start="empty")
    dots = [deque(FIRST), *map(deque, OTHERS)]
    await lay_until_capture(room, dots)
    boards = await open_boards(room, thread, window, players[:2])
    for _ in ("capture", "answer"):
        await lay_by_finger(room, boards, dots)
    await expect_capture(room, boards)


@on_a_phone
@pytest.mark.parametrize("rules", CLOSED)
async def test_a_game_is_played_by_finger_with_mistakes(room: Room, window: Window, rules: str) -> None:
    thread, players = await begin(room, rules, start="empty")
    boards = await open_boards(room, thread, window, players[:2])
    dots = [deque(FIRST), *map(deque, OTHERS)]
    while (seat := (await load(room)).position.to_act) or dots[0][0] != CAPTURE:
        board = boards[seat]
        await board.page.bring_to_front()
        await board.wait_for_turn(seat)
        await board.tap("D6")
        await expect(board.ghosts).to_have_count(1)
        await board.button("Remove").tap()  # that was the wrong crossing
        await expect(board.ghosts).to_have_count(0)
        await lay_by_finger(room, boards, dots)
    board = boards[0]
    await board.page.bring_to_front()
    await board.wait_for_turn(0)
    await board.tap("E6")
    await expect(board.said).to_contain_text("E6")  # that is taken
    await board.tap(CAPTURE)
    plans = board.page.locator("#field .plans > *")
    await expect(plans).to_have_count(1)
    await (miss_an_area(board) if closing_of(rules) is Closing.PAINTED else miss_a_chain(board))
    await expect(plans).to_have_count(1)
    await board.play()
    await expect_capture(room, boards)


async def miss_an_area(board: WebBoard) -> None:
    """Taps beside what is to be closed, and on it once too often."""
    await board.tap("A5")
    await expect(board.page.locator("#field .plans > *")).to_have_count(0)
    await board.tap(CAPTURE)
    await expect(board.page.locator("#field .plans > *")).to_have_count(1)
    for count in (0, 1):
        await board.tap("E5")
        await expect(board.page.locator("#field .plans > *")).to_have_count(count)


async def miss_a_chain(board: WebBoard) -> None:
    """Draws a chain that ends too early, one over crossings without a dot, and the rest of it."""
    await draw(board, *DIAMOND[:3])
    await expect(board.said).to_contain_text("E4–D5–E6")
    await expect(board.button("Play")).to_be_disabled()
    await board.tap("H8")  # which is no dot of the chain
    await expect(board.said).to_contain_text("E4–D5–E6")
    await board.button("Remove").tap()
    await expect(board.said).to_contain_text("E4–D5")
    await expect(board.said).not_to_contain_text("E6")
    await draw(board, "D5", "E6", "E7", *DIAMOND[2:])  # the finger goes on, over a crossing without a dot and back
    await expect(board.button("Remove last chain")).to_be_visible()
    await expect(board.button("Play")).to_be_enabled()
    await board.button("Remove last chain").click()  # Chromium may take no tap while the row of buttons scrolls
    await expect(board.page.locator("#field .plans > *")).to_have_count(0)
    await draw(board, *reversed(DIAMOND))


async def draw(board: WebBoard, *names: str) -> None:
    await drag(board.page, [await board.place(name) for name in names], narrow=True)


@on_a_phone
async def test_four_players_play_from_the_first_dot_to_a_capture_by_finger(room: Room, window: Window) -> None:
    thread, players = await begin(room, "four", start="empty")
    boards = await open_boards(room, thread, window, players)
    dots = [deque(FIRST), *map(deque, OTHERS)]
    while await lay_by_finger(room, boards, dots) != CAPTURE:
        pass
    await expect_capture(room, boards)


@on_a_phone
@pytest.mark.parametrize("rules", DASHES)
async def test_turns_of_dot_dash_are_played_by_finger(room: Room, window: Window, rules: str) -> None:
    thread, players = await begin(room, rules, start=None)
    boards = await open_boards(room, thread, window, players)
    for _ in range(DASH_TURNS):
        position = (await load(room)).position
        assert isinstance(position, DashPosition)
        board = boards[position.to_act]
        await board.page.bring_to_front()
        await board.wait_for_turn(position.to_act)
        match next(iter(position.moves())):
            case Opening(pair, single):
                for point in (*sorted(pair), single):
                    await board.tap(point_name(point))
            case Choice():
                await board.page.locator("#choices button").first.tap()
            case Move(here, there):
                # The player who chose the side also moves first, so `wait_for_turn` does not wait for this board.
                await expect(board.status).to_have_text("It's your turn to dash.")
                await drag(board.page, [await board.place(point_name(point)) for point in (here, there)], narrow=True)
        await expect(board.button("Play")).to_be_enabled()
        await board.play()
    for board in boards:
        await expect(board.stones).to_have_count(len((await load(room)).position.picture().stones))
