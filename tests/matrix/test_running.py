"""The whole program on Matrix alone, built as `kropka run` builds it."""

from __future__ import annotations

import asyncio
from functools import partial
from uuid import uuid4

import aiohttp
from pydantic import SecretStr

from bot import app
from bot.features.coach.computer import ComputerSetup
from bot.features.registry import offered_presets
from bot.parts import Setup
from bot.platforms import matrix
from storage import Database
from tests.matrix.conftest import Meet
from tests.matrix.game import wait_for_boards
from tests.matrix.synapse import Synapse
from tests.opponent.quick import Inside


async def test_the_program_plays_on_matrix_without_a_token_of_discord(synapse: Synapse, meet: Meet, url: str) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    account = await asyncio.to_thread(synapse.register, f"kropka-{uuid4().hex[:8]}")
    async with aiohttp.ClientSession() as session:
        chats = [partial(matrix, synapse.address, SecretStr(account.token), session)]
        setup = Setup(offered_presets(dot_dash=False), chats=chats, thinking=ComputerSetup(Inside()))
        async with app.run(Database.open(url), "a secret to sign links with", setup, on_discord=False) as (_, work):
            room = await ola.make_room(account.user, piet.user)
            await piet.join(room)
            await ola.wait_for_text("begins a game here", room)
            await ola.say(room, f"!challenge {piet.user} 20x20, 3d, first", to=piet.user)
            card = await piet.wait_for_text("challenges you", room)
            await piet.react(room, card["event_id"], "1️⃣")
            await wait_for_boards(ola, room, 1)
            assert not [task for task in work if task.done()]
