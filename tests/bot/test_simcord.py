"""The flow of a game on simcord, a simulation of Discord by others: it may refuse what ours forgives."""

from __future__ import annotations

from pathlib import Path

from simcord.components import walk_components

from bot.request import own_id
from rules.registry import make_game
from tests.bot.simcord_room import simcord_room


async def test_a_game_goes_from_the_challenge_by_every_way_of_moving_to_a_resignation(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as room:
        await room.ola.slash(room.channel, "challenge", opponent=room.maksim, size="5x5", clock="10m+30s")
        card = room.channel.last_message
        assert card is not None
        await room.maksim.click(card, label="Accept")
        await room.ola.slash(room.thread, "move", point="C5")
        assert "played **C5**" in room.boards()[-1]

        # For simcord a reply to an interaction response does not ping.
        await room.maksim.send(room.thread, f"<@{own_id(room.bot.client)}> a1")
        await room.env.settle()
        assert "played **A1**" in room.boards()[-1]

        form = await room.ola.click(room.thread.history()[-1], label="Type a move")
        await room.ola.submit_modal(form, {"point": "d4"})
        assert "captured 1 dot" in room.boards()[-1]

        question = await room.maksim.slash(room.thread, "resign")
        assert question.ephemeral
        await room.maksim.click(question.response or question.followups[0], label="Yes, resign")
        await room.env.settle()
        assert "resigned" in room.boards()[-1]
        assert len(room.boards()) == 5


async def test_a_move_is_made_with_the_keypad_in_three_taps(tmp_path: Path) -> None:
    async with simcord_room(tmp_path) as room:
        await room.begin(make_game("zagram", {"size": "39x32"}))
        board = room.channel.last_message
        assert board is not None
        keypad = (await room.ola.click(board, custom_id="match:1:0:keypad")).response
        assert keypad is not None
        assert keypad.ephemeral
        assert 30 < sum(1 for _ in walk_components(keypad.components)) <= 39
        look = (await room.ola.click(keypad, label="1")).response
        assert look is not None
        assert look.id == keypad.id
        done = (await room.ola.click(look, custom_id="match:1:0:play:Q19")).response
        newest = room.channel.last_message
        assert newest is not None
        assert done is not None
        assert newest.id == done.id
        assert "played **Q19**" in newest.content
