"""Messages that are taken away in mid-game, by moderators and by players."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from storage import Database
from tests.matrix.conftest import Meet
from tests.matrix.game import GameBot, begin_game, boards, wait_for_boards
from tests.matrix.people import Player
from tests.matrix.synapse import Synapse


@pytest.fixture
async def bot(synapse: Synapse, store: Database) -> AsyncIterator[GameBot]:
    async with GameBot(synapse, store) as bot:
        yield bot


async def redact(player: Player, room: str, event: str) -> None:
    await player.call("PUT", f"/rooms/{room}/redact/{event}/{event[1:9]}", {})


async def test_a_board_that_a_moderator_redacts_is_posted_anew(bot: GameBot, meet: Meet) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    room = await begin_game(bot, ola, piet)
    await ola.say(room, "C3")
    board = await wait_for_boards(piet, room, 2)
    for number in (3, 4):
        await redact(ola, room, board["event_id"])
        board = await wait_for_boards(piet, room, number)
        assert "C3" in board["content"]["body"]


async def test_the_move_after_a_redacted_board_brings_one_board(bot: GameBot, meet: Meet) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    room = await begin_game(bot, ola, piet)
    first = await wait_for_boards(piet, room, 1)
    await bot.stop_posting()
    await ola.say(room, "C3")
    await bot.moved(1)
    await redact(ola, room, first["event_id"])
    await piet.say(room, "!games", to=bot.user)
    await piet.wait_for_text("Zagram")
    await bot.post(bot.parts.publisher)
    await wait_for_boards(piet, room, 2)
    await piet.listen()
    assert [event["content"]["filename"][-6:] for event in boards(piet, room)] == ["-0.png", "-1.png"]


async def test_a_move_counts_though_its_line_is_redacted(bot: GameBot, meet: Meet) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    room = await begin_game(bot, ola, piet)
    typed = await ola.say(room, "C3")
    await wait_for_boards(piet, room, 2)
    await redact(ola, room, typed)
    await piet.say(room, "D4")
    board = await wait_for_boards(ola, room, 3)
    assert board["content"]["filename"].endswith("-2.png")


async def test_a_challenge_whose_card_is_redacted_is_withdrawn(bot: GameBot, meet: Meet) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    room = await ola.make_room(bot.user, piet.user)
    await piet.join(room)
    await ola.wait_for_text("begins a game here", room)
    await ola.say(room, f"!challenge {piet.user} 20x20, 3d, first", to=piet.user)
    card = await piet.wait_for_text("challenges you", room)
    await redact(ola, room, card["event_id"])
    await piet.react(room, card["event_id"], "1️⃣")
    await piet.say(room, "!games", to=bot.user)
    await piet.wait_for_text("no open games")
    assert not boards(piet, room)
