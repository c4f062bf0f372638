"""The price of a move beside its answer: one hop to a drawing thread, and no picture that nobody sees."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from loopback import Channel
from renderer import png
from tests.bot.room import Room

BEGUN = ("t16", "t17", "t18")


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the work that is handed to threads, by its name, and the files that are drawn."""
    found, to_thread, file = Counter[str](), asyncio.to_thread, png.file

    async def handed(work: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        found[getattr(work, "__qualname__", "other")] += 1
        return await to_thread(work, *args, **options)

    def drawn(*args: Any) -> bytes:
        found["file"] += 1
        return file(*args)

    monkeypatch.setattr(asyncio, "to_thread", handed)
    monkeypatch.setattr(png, "file", drawn)
    return found


async def type_move(room: Room, thread: Channel) -> None:
    await room.play(thread, "u17")


async def reply(room: Room, thread: Channel) -> None:
    room.maksim.say(thread.id, "u17", reply_to=room.boards(thread)[-1])
    await room.wait_for_board(thread, len(BEGUN) + 1)


@pytest.mark.parametrize("move", [type_move, reply])
async def test_a_move_is_drawn_in_one_hop(
    room: Room, counts: Counter[str], no_confirmation: None, move: Callable[[Room, Channel], Awaitable[None]]
) -> None:
    thread = await room.start_match(size="39x32", start="empty")
    await room.play(thread, *BEGUN)
    counts.clear()
    await move(room, thread)
    assert counts == {"BoardMessage.draw": 1, "file": 2}  # the board, and the part round the move


async def test_a_keypad_is_drawn_in_one_hop_and_lowered_in_another(room: Room, counts: Counter[str]) -> None:
    thread = await room.start_match(size="39x32", start="empty")
    board = await room.play(thread, *BEGUN)
    counts.clear()
    label = next(label for label in board.labels if label.startswith("Keypad near"))
    await room.maksim.click(board, label).followed()
    assert counts == {"turn_panel": 1, "fitted": 1, "file": 1}
