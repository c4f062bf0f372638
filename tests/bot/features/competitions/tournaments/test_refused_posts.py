"""Posts of a tournament that Discord refuses for good are plainer or left out; the tournament goes on."""

from __future__ import annotations

import pytest

from loopback import errors
from play.competitions.tournament import Stage
from tests.bot.features.competitions.tournaments.cup import (
    begin_tournament,
    make_tournament,
    wait_for,
    wait_for_message,
)
from tests.bot.room import Room, private_words

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = f"{MESSAGES}/{{message_id}}"


@pytest.mark.sample(3)
@pytest.mark.parametrize("code", [200000, 240000, 50035, 77777])
async def test_a_table_that_is_refused_ends_no_tournament(room: Room, code: int) -> None:
    card = await make_tournament(room)
    fault = room.discord.fault("PATCH", MESSAGE, 400, code=code, times=None)
    await private_words(room.maksim.click(card, "Sign up"))
    now = await wait_for(room, lambda later: len(later.users) == 1)
    assert (now.stage, len(fault.hits)) == (Stage.SIGN_UP, 1)
    fault.end()
    await private_words(room.kasia.click(card, "Sign up"))
    await wait_for_message(room, lambda each: "Signed up (2)" in each.content)


async def test_a_call_with_names_that_a_filter_refuses_comes_without_them(room: Room) -> None:
    fault = room.discord.fault("POST", MESSAGES, errors.MESSAGE_BLOCKED, times=None, word="round 1:")
    now = await begin_tournament(room, format="round-robin")
    calls = [each for each in room.discord.messages(room.channel) if each.content == "**Round 1**"]
    games = [bout for bout in now.current_pairings if bout.match]
    assert len(calls) == len(games) == len(fault.hits) > 0


@pytest.mark.parametrize("code", [0, 50001, 50013])
async def test_a_table_waits_for_a_right_that_is_missing(room: Room, code: int) -> None:
    card = await make_tournament(room)
    fault = room.discord.fault("PATCH", MESSAGE, 403, code=code, times=None)
    await private_words(room.maksim.click(card, "Sign up"))
    await room.discord.until(lambda: fault.hits)
    fault.end()
    await wait_for_message(room, lambda each: "Signed up (1)" in each.content)
