"""The statements that a move costs, with its board: docs/capacity.md names them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopback import Channel, Person
from tests.bot.room import Room, private_message
from tests.web.counting import statements
from tests.web.visit import Board, Visit, link_for

POINTS = ("D4", "E4", "F4", "D5", "E5", "F5", "D6", "E6")
"""Moves of Ola and Максим in turn. Each way makes them all, and the cheapest counts: the bot works beside it."""

OWN_LOOKS = "UNION SELECT notice", 'SELECT away_outbox."match"'
"""Parts of the statements by which the test waits for the outbox."""

MOST = {"command": 12, "keypad": 13, "reply": 14, "web": 14}


@pytest.mark.sample(3)
@pytest.mark.parametrize("way", MOST)
async def test_a_move_costs_no_more_statements(
    room: Room, thread: Channel, visit: Callable[[], Visit], way: str
) -> None:
    open_boards: dict[Person, Board] = {}
    counts = []
    for number, point in enumerate(POINTS):
        board = room.boards(thread)[-1]
        player = (room.ola, room.maksim)[number % 2]
        if way == "keypad":
            panel = await private_message(player.click(board, board.labels[0]))
            button = next(part["custom_id"] for part in panel.controls if ":go:" in part["custom_id"])
        if way == "web":
            if player not in open_boards:
                open_boards[player] = await visit().open(await link_for(room, player, board))
            await open_boards[player].version(number)
        await room.wait_for_handlers()
        with statements(room, written=True) as sent:
            if way == "command":
                player.command(thread, "move", point=point)
            elif way == "keypad":
                player.click(panel, button)
            elif way == "reply":
                player.say(thread, point, reply_to=board)
            else:
                await open_boards[player].play(point)
            await room.wait_for_board(thread, number + 1)
            await room.wait_for_handlers()
        counts.append(sum(not any(look in statement for look in OWN_LOOKS) for statement in sent))
    assert min(counts) <= MOST[way]
