"""The line that says that the bot is ready comes once, and again after an outage."""

from __future__ import annotations

import logging

import pytest

from bot.connection import Readiness
from storage.errors import Unavailable


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "bot.connection")
    return caplog


def readiness(servers: int = 12, games: int | None = 3) -> Readiness:
    async def count_servers() -> int:
        return servers

    async def count_games() -> int:
        if games is None:
            raise Unavailable
        return games

    return Readiness(count_servers, count_games)


async def test_it_is_said_once_when_all_shards_are_connected(said: pytest.LogCaptureFixture) -> None:
    ready = readiness()
    for shard in range(3):
        assert said.messages == []
        ready.note_connection(shard)
        await ready.tell(range(3), 3)
    await ready.tell(range(3), 3)
    assert said.messages == ["ready on 12 servers, 3 open games"]


@pytest.mark.parametrize(
    ("servers", "games", "line"),
    [
        (1, 1, "ready on 1 server, 1 open game"),
        (0, 0, "ready on 0 servers, 0 open games"),
        (12345, None, "ready on 12,345 servers, open games unknown"),
    ],
)
async def test_numbers_have_their_forms(
    said: pytest.LogCaptureFixture, servers: int, games: int | None, line: str
) -> None:
    ready = readiness(servers, games)
    ready.note_connection(0)
    await ready.tell([0], 1)
    assert said.messages == [line]


async def test_a_session_that_is_taken_up_again_at_once_is_not_told(said: pytest.LogCaptureFixture) -> None:
    ready = readiness()
    for _ in range(3):
        ready.note_connection(0)
        await ready.tell([0], 1)
        ready.note_loss(0)
    assert len(said.messages) == 1


async def test_after_a_try_that_failed_it_is_said_again_when_the_last_shard_is_back(
    said: pytest.LogCaptureFixture,
) -> None:
    ready = readiness()
    for shard in (0, 1):
        ready.note_connection(shard)
    await ready.tell([0, 1], 2)
    for shard in (0, 1):
        ready.note_loss(shard)
        ready.note_loss(shard)
    ready.note_connection(0)
    await ready.tell([0, 1], 2)
    assert len(said.messages) == 1
    ready.note_connection(1)
    await ready.tell([0, 1], 2)
    assert len(said.messages) == 2


async def test_one_of_many_processes_says_its_share_or_that_it_stands_by(said: pytest.LogCaptureFixture) -> None:
    ready = readiness()
    await ready.tell([], 16)
    await ready.tell([], 16)
    ready.note_connection(4)
    await ready.tell([4], 16)
    assert said.messages == [
        "standing by: other processes run all 16 shards",
        "ready on 12 servers, 3 open games (1 of 16 shards)",
    ]
