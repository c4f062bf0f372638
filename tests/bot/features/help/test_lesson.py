"""The lesson: three tasks that the rules judge, by buttons alone."""

from __future__ import annotations

import pytest

from bot.features.help.lesson import TASKS
from loopback import Message
from play.ids import UserId
from rules.notation import point_name
from tests.bot.room import Room
from tests.opponent.quick import Inside


@pytest.mark.parametrize("number", range(len(TASKS)))
def test_every_task_has_a_solution_and_a_wrong_answer(number: int) -> None:
    task = TASKS[number]
    assert {task.solves(move.dot) for move in task.position.moves()} == {True, False}


def solution(number: int) -> str:
    """Returns a dot that solves the task."""
    task = TASKS[number]
    return next(point_name(move.dot) for move in task.position.moves() if task.solves(move.dot))


async def test_the_lesson_goes_from_task_to_task_and_may_be_interrupted_by_a_restart(room: Room) -> None:
    shown = (await room.kasia.command(room.general, "learn").answered()).message
    assert shown is not None
    assert shown.ephemeral
    for number in range(len(TASKS)):
        assert f"Step {number + 1} of 3" in shown.text
        await room.restart()
        wrong = next(move.dot for move in TASKS[number].position.moves() if not TASKS[number].solves(move.dot))
        shown = await press(room, shown, f"lesson:{number}:{point_name(wrong)}")
        assert "❌ Not " in shown.text
        shown = await press(room, shown, f"lesson:{number}:{solution(number)}")
        assert "✅" in shown.text
        if number < len(TASKS) - 1:
            shown = await press(room, shown, f"lesson:{number + 1}")
    assert "/challenge" in shown.text
    assert shown.labels == ["Start over"]


async def test_after_the_lesson_one_press_begins_a_game_against_the_weakest_level(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    shown = (await room.kasia.command(room.general, "learn").answered()).message
    assert shown is not None
    last = len(TASKS) - 1
    for number in range(last):
        shown = await press(room, shown, f"lesson:{number}:{solution(number)}")
        shown = await press(room, shown, f"lesson:{number + 1}")
    shown = await press(room, shown, f"lesson:{last}:{solution(last)}")
    assert shown.labels == ["Play the Newcomer on 9×9", "Start over"]
    begun = await room.kasia.click(shown, "Play the Newcomer on 9×9").followed()
    assert "Your game has begun" in begun.text
    (game,) = await room.use_cases.matches.list_open(UserId(room.kasia.id))
    assert game.game.options["size"] == "9x9"


async def press(room: Room, message: Message, custom_id: str) -> Message:
    """Presses a button; returns the panel, which changes in place."""
    changed = await room.kasia.click(message, custom_id).followed()
    assert changed.id == message.id
    return changed
