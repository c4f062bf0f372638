"""Hints for the player to move in an unrated game."""

from __future__ import annotations

import pytest

from opponent.choice import Choice
from opponent.pool import Busy
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, UserId
from rules.registry import GAMES
from tests.bot.features.coach.missed_capture import MOVES, MissedCaptureEngine, picture_answer, play_moves
from tests.bot.room import Room, answering_board, private_message, private_words
from tests.opponent.quick import Inside

FOUR = ("C4", "D4", "C5", "E4", "D6", "D5", "E6", "E5", "D3", "A1", "E3", "A2", "F5", "A3")
"""Red can capture four dots with F4."""


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


async def test_a_hint_names_a_move_and_shows_what_it_captures(room: Room) -> None:
    thread = await play_moves(room, MOVES[:10])
    hint = await picture_answer(room.ola.command(thread, "hint"))
    assert hint.text == "I'd play **F3**. It captures 2 dots: E4, F4."
    assert hint.attachments[0].description == "The board with F3 marked."


async def test_a_hint_names_a_capture_of_four_that_the_search_has_not_seen(
    room: Room, engine: MissedCaptureEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def blind(*_: object) -> Choice:
        return Choice("G7", 0.0, 0.5, ("G7",))

    monkeypatch.setattr(engine, "choose", blind)
    thread = await play_moves(room, FOUR)
    hint = await picture_answer(room.ola.command(thread, "hint"))
    assert hint.text == "I'd play **F4**. It captures 4 dots: D4, D5, E4, E5."
    assert "captured 4 dots" in (await answering_board(room.ola.click(hint, "Play it"))).content


async def test_a_hint_is_played_by_its_button(room: Room) -> None:
    thread = await play_moves(room, MOVES[:10])
    hint = await picture_answer(room.ola.command(thread, "hint"))
    assert hint.labels == ["Play it"]
    await room.restart()
    board = await answering_board(room.ola.click(hint, "Play it"))
    assert "played **F3** and captured 2 dots" in board.content


async def test_the_press_is_the_confirmation_of_a_player_who_confirms(room: Room) -> None:
    thread = await play_moves(room, MOVES[:10])
    await room.change_settings(room.ola, confirm_live=True, confirm_days=True)
    hint = await picture_answer(room.ola.command(thread, "hint"))
    assert "captured 2 dots" in (await answering_board(room.ola.click(hint, "Play it"))).content


async def test_a_hint_says_what_to_expect_where_nothing_can_be_captured(room: Room) -> None:
    thread = await play_moves(room, MOVES[:2])
    hint = await picture_answer(room.ola.command(thread, "hint"))
    assert hint.text == "I'd play **F5**. It extends your chain at E5, which has 2 dots now."


async def test_a_hint_is_one_press_below_a_board_against_the_computer(room: Room) -> None:
    thread = await room.wait_for_thread(await room.challenge(computer=3, size="9x9"))
    hint = await picture_answer(room.ola.click(room.boards(thread)[-1], "Hint"))
    assert hint.ephemeral
    assert "I'd play **" in hint.text
    await room.restart()
    await answering_board(room.ola.click(hint, "Play it"))
    assert "aren't playing" in await private_words(room.kasia.click(room.boards(thread)[-1], "Hint"))


async def test_more_has_a_hint_in_an_unrated_game_of_the_player_to_move(room: Room) -> None:
    thread = await play_moves(room, MOVES[:10])
    board = room.boards(thread)[-1]
    assert "Hint" not in board.labels
    assert "Hint" not in (await private_message(room.maksim.click(board, "More"))).labels
    more = await private_message(room.ola.click(board, "More"))
    hint = await room.ola.click(more, "Hint").followed()
    assert "I'd play **F3**" in hint.text
    assert hint.labels == ["Play it"]


async def test_more_has_no_hint_where_none_is_given(room: Room) -> None:
    thread = await room.start_match(size="10x10", rated=True)
    assert "Hint" not in (await private_message(room.ola.click(room.boards(thread)[-1], "More"))).labels
    room.thinkers = None
    await room.restart()
    thread = await room.start_match(size="9x9")
    assert "Hint" not in (await private_message(room.ola.click(room.boards(thread)[-1], "More"))).labels


async def test_a_hint_is_played_once_however_often_it_is_pressed(room: Room) -> None:
    thread = await play_moves(room, MOVES[:10])
    hint = await picture_answer(room.ola.command(thread, "hint"))
    for click in [room.ola.click(hint, "Play it") for _ in range(10)]:
        await click.answered()
    assert await room.version() == 11


async def test_a_hint_that_was_overtaken_plays_nothing(room: Room) -> None:
    thread = await play_moves(room, MOVES[:10])
    hint = await picture_answer(room.ola.command(thread, "hint"))
    await room.play(thread, "a1")
    assert "The game has moved on" in (await room.ola.click(hint, "Play it").followed()).text
    assert await room.version() == 11


async def test_a_hint_is_for_the_player_to_move(room: Room) -> None:
    thread = await room.start_match(size="7x7")
    assert "Ola" in await private_words(room.maksim.command(thread, "hint"))
    assert "aren't playing in this game" in await private_words(room.kasia.command(thread, "hint"))


async def test_there_are_no_hints_in_a_rated_game(room: Room) -> None:
    terms = Terms(GAMES["zagram"], parse_control("1h"), Order.FIRST, rated=True)
    here, ola, maksim = ChannelId(room.channel.id), UserId(room.ola.id), UserId(room.maksim.id)
    offer = await room.use_cases.challenges.challenge(ola, maksim, None, here, terms, room.clock())
    await room.use_cases.challenges.accept(offer.id, maksim, room.clock())
    assert "have no hints" in await private_words(room.ola.command(room.channel, "hint"))


async def test_there_are_no_hints_where_nothing_thinks(room: Room) -> None:
    room.thinkers = None
    await room.restart()
    thread = await room.start_match()
    assert "has no computer player" in await private_words(room.ola.command(thread, "hint"))


class BusyEngine(Inside):
    """An engine whose queue is full."""

    async def choose(self, *_: object) -> Choice:
        raise Busy


async def test_a_player_who_asks_when_too_many_do_has_to_wait(room: Room) -> None:
    room.thinkers = BusyEngine
    await room.restart()
    thread = await room.start_match()
    assert "Try again in a minute" in await private_words(room.ola.command(thread, "hint"))
