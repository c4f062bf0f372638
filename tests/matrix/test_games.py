"""Two people with clients that aren't ours play on a real homeserver."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from storage import Database
from tests.matrix.conftest import Meet
from tests.matrix.game import GameBot, seated, settle_terms, wait_for_boards
from tests.matrix.synapse import Synapse


@pytest.fixture
async def bot(synapse: Synapse, store: Database) -> AsyncIterator[GameBot]:
    async with GameBot(synapse, store) as bot:
        yield bot


@pytest.mark.smoke
async def test_a_game_is_played_from_the_challenge_to_the_result(bot: GameBot, meet: Meet, store: Database) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    await settle_terms(store, bot, ola, piet)
    room = await seated(bot, ola, piet)
    await ola.say(room, f"!challenge {piet.user} 20x20, 3d, first", to=piet.user)
    card = await piet.wait_for_text("challenges you", room)
    await piet.react(room, card["event_id"], "1️⃣")
    first = await wait_for_boards(ola, room, 1)
    await ola.say(room, "C3")
    await wait_for_boards(piet, room, 2)
    await piet.say(room, "d4", reply_to=first["event_id"])
    third = await wait_for_boards(ola, room, 3)
    assert "D4" in third["content"]["body"]
    await ola.say(room, "!resign")
    question = await ola.wait_for_text("resign", room)
    await ola.say(room, "1", reply_to=question["event_id"])
    last = await wait_for_boards(piet, room, 4)
    assert "Piet" in last["content"]["body"] or "piet" in last["content"]["body"]
