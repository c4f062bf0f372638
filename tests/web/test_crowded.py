"""A browser whose move or look is turned away is told so, and keeps its plan."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bot.crowds import FEW_PLACES, crowd
from tests.bot.room import Room
from tests.web.visit import Board


@pytest.fixture
def run_options() -> dict[str, Any]:
    return {"intake": FEW_PLACES}


async def test_a_move_is_not_played_and_told_so(room: Room, board: Board) -> None:
    async with crowd(room.services.intake):
        answer = await board.play("E5")
    assert (answer["is"], answer["line"][:24]) == ("refused", "Your move wasn't played:")
    assert await room.version() == 0


async def test_what_a_turn_would_do_is_not_looked_at(room: Room, board: Board) -> None:
    async with crowd(room.services.intake):
        answer = await board.attempt("E5")
    assert (answer["is"], answer["line"][:33]) == ("refused", "So many people are playing right ")


async def test_a_move_of_a_moment_later_is_played(room: Room, board: Board) -> None:
    async with crowd(room.services.intake):
        await board.play("E5")
    assert (await board.play("E5"))["is"] == "done"
