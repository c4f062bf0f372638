"""Competitions, which Discord alone has, and the sentence in which a chat says so."""

from __future__ import annotations

import pytest

from storage import Database
from tests.chat.driving import FakeDriver
from tests.chat.world import World
from tests.clock import StoppedClock


@pytest.mark.parametrize(("on_discord", "said"), [(True, "are on Discord"), (False, "I play without it here")])
async def test_a_tournament_is_said_to_be_on_discord_only_where_the_bot_is_there(
    store: Database, clock: StoppedClock, on_discord: bool, said: str
) -> None:
    world = World(store, clock, FakeDriver, on_discord=on_discord)
    await world.open()
    (told,) = await world.say(await world.join("ola"), "/tournament")
    assert said in told.text
