"""Waiting for the message of a board."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.features.match.delivery.publisher import PostedBoards
from play.ids import ChannelId, MessageId
from tests.bot.table import a_match

MESSAGE = MessageId(7)
SHORT, LONG = 0.01, 10.0
"""Seconds."""


async def test_all_who_wait_learn_the_message() -> None:
    boards, match = PostedBoards(), a_match()
    waiting = [asyncio.create_task(boards.wait(match, LONG)) for _ in range(2)]
    await asyncio.sleep(0)
    boards.settle(match, MESSAGE)
    assert await asyncio.gather(*waiting) == [MESSAGE, MESSAGE]
    assert await boards.wait(match, SHORT) == MESSAGE


async def test_one_who_waits_in_vain_takes_nothing_from_the_next() -> None:
    boards, match = PostedBoards(), a_match()
    assert await boards.wait(match, SHORT) is None
    boards.settle(match, MESSAGE)
    assert await boards.wait(match, SHORT) == MESSAGE


async def test_a_failure_ends_the_wait_and_another_try_may_succeed() -> None:
    boards, match = PostedBoards(), a_match()
    waiting = asyncio.create_task(boards.wait(match, LONG))
    await asyncio.sleep(0)
    boards.settle(match, None)
    assert await waiting is None
    boards.settle(match, MESSAGE)
    assert await boards.wait(match, SHORT) == MESSAGE


async def test_versions_are_told_apart() -> None:
    boards = PostedBoards()
    boards.settle(a_match("zagram", "e5"), MESSAGE)
    assert await boards.wait(a_match(), SHORT) is None


async def test_a_match_that_goes_elsewhere_has_another_board() -> None:
    boards, match = PostedBoards(), a_match()
    boards.settle(match, MESSAGE)
    assert await boards.wait(replace(match, channel=ChannelId(9)), SHORT) is None
