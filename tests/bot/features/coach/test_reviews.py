"""Reviews of finished games, with their turning points."""

from __future__ import annotations

import pytest

from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match, picture_answer
from tests.bot.room import Room, private_words


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


async def test_a_review_shows_the_turning_points_with_pictures_and_a_graph(room: Room) -> None:
    thread = await finish_match(room)
    review = await picture_answer(room.maksim.command(thread, "review"))
    assert "**Move 11:** Ola played A1. **F3** was better, by about 3 points." in review.text
    assert "That captures 2 dots: F3." in review.text
    assert [picture.description for picture in review.attachments] == [
        "A graph of the lead that each side could expect after each move.",
        "The board before move 11: A1 was played, F3 was better.",
    ]


async def test_a_review_is_shared_with_the_channel(room: Room) -> None:
    thread = await finish_match(room)
    review = await picture_answer(room.maksim.command(thread, "review"))
    assert "Shared" in await private_words(room.maksim.click(review, "Share here"))
    (shared,) = [each for each in room.discord.messages(thread) if "Shared by" in each.text]
    assert "**Move 11:** Ola played A1." in shared.text
    assert len(shared.attachments) == len(review.attachments)


async def test_a_review_is_made_once(room: Room, engine: MissedCaptureEngine) -> None:
    thread = await finish_match(room)
    await picture_answer(room.maksim.command(thread, "review"))
    thoughts = engine.thoughts
    await picture_answer(room.ola.command(thread, "review"))
    assert engine.thoughts == thoughts


async def test_a_game_that_goes_on_is_not_reviewed(room: Room) -> None:
    thread = await room.start_match()
    assert "game" in await private_words(room.ola.command(thread, "review"))
