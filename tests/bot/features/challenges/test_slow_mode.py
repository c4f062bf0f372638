"""Slow mode holds up buttons as well: a challenge says so where its game would be slow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Permission
from tests.bot.room import Room, private_words

THREADS = "/channels/{channel_id}/messages/{message_id}/threads"
SLOW = "This channel has slow mode"


@pytest.fixture(autouse=True)
def _slow(room: Room) -> None:
    room.discord.world.change(replace(room.channel, slowmode=30))


async def test_a_challenge_says_so_where_its_game_is_played_in_the_channel_itself(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    assert SLOW in await private_words(room.ola.command(room.channel, "challenge", opponent=room.maksim, clock="3d"))


async def test_a_game_in_a_thread_has_no_slow_mode(room: Room) -> None:
    said = await private_words(room.ola.command(room.channel, "challenge", opponent=room.maksim, clock="3d"))
    assert SLOW not in said
    asked = room.discord.fault("POST", THREADS, 503)
    await room.start_match(clock="3d")
    assert [each.body["rate_limit_per_user"] for each in asked.hits] == [0]
