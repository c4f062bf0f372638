"""The daily puzzle of a server, answered by buttons."""

from __future__ import annotations

import pytest

from loopback import Message
from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match, picture_answer
from tests.bot.forging import click_on
from tests.bot.room import Room, private_words
from tests.clock import DAY


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


async def post_puzzle(room: Room) -> Message:
    """Returns the message of today's puzzle, for which Kasia asks."""
    await finish_match(room)
    words = await private_words(room.kasia.command(room.channel, "puzzle"))
    assert "Today's puzzle" in words
    return next(message for message in reversed(room.discord.messages(room.channel)) if message.attachments)


async def test_a_puzzle_is_found_in_a_finished_game(room: Room) -> None:
    puzzle = await post_puzzle(room)
    assert "🔴 (red) is to move" in puzzle.content
    assert sorted(puzzle.labels) == ["A1", "B2", "F3"]


async def test_the_right_answer_is_shown_and_its_solver_named(room: Room) -> None:
    puzzle = await post_puzzle(room)
    answer = await picture_answer(room.kasia.click(puzzle, "F3"))
    assert answer.content == "✅ Right! That captures 2 dots: F3."
    shown = room.discord.message(puzzle.id)
    assert shown is not None
    assert "✅ Solved by Kasia Wiśniewska" in shown.content


async def test_a_wrong_answer_shows_the_right_one_and_counts(room: Room) -> None:
    puzzle = await post_puzzle(room)
    answer = await picture_answer(room.kasia.click(puzzle, "B2"))
    assert "The dot to find was **F3**" in answer.content
    assert "the first answer counts" in await private_words(room.kasia.click(puzzle, "F3"))


async def test_a_player_of_the_game_knows_the_answer(room: Room) -> None:
    puzzle = await post_puzzle(room)
    assert "one of your own games" in await private_words(room.ola.click(puzzle, "F3"))


async def test_a_puzzle_of_another_server_is_neither_answered_nor_shown(room: Room) -> None:
    puzzle = await post_puzzle(room)
    await picture_answer(room.kasia.click(puzzle, "F3"))
    dm = room.maksim.open_dm()
    elsewhere = await room.maksim.command(dm, "leaderboard", everywhere=True).followed()
    words = await private_words(click_on(room, room.maksim, elsewhere, "puzzle:1:0"))
    assert "This puzzle no longer exists" in words
    now = room.discord.message(elsewhere)
    assert now is not None
    assert "Kasia" not in now.text


async def test_a_puzzle_outlives_the_process_and_is_posted_once_a_day(room: Room) -> None:
    puzzle = await post_puzzle(room)
    await room.restart()
    await picture_answer(room.kasia.click(puzzle, "F3"))
    words = await private_words(room.maksim.command(room.general, "puzzle"))
    assert str(puzzle.id) in words
    assert "1. Kasia Wiśniewska: 1 of 1" in words


async def test_a_day_without_a_good_position_has_no_puzzle(room: Room) -> None:
    assert "no puzzle today" in await private_words(room.kasia.command(room.channel, "puzzle"))
    await post_puzzle(room)
    await room.pass_time(DAY)
    assert "no puzzle today" in await private_words(room.kasia.command(room.channel, "puzzle"))
