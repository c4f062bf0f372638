"""New versions of matches, told from process to process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import cast

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from loopback import HANG_SECONDS
from play.ids import MatchId
from play.match.match import Match
from storage.match_notices import CHANNEL, MatchNotices

Heard = asyncio.Queue[tuple[MatchId, int]]


class _Version:
    """A version of a match, as far as a notice tells of it."""

    def __init__(self, match: int, version: int) -> None:
        self.id = MatchId(match)
        self.version = version


def version(match: int, number: int) -> Match:
    return cast("Match", _Version(match, number))


@asynccontextmanager
async def listening(url: str) -> AsyncIterator[tuple[MatchNotices, Heard]]:
    """Runs the notices of one process."""
    heard: Heard = asyncio.Queue()

    async def hear(match: MatchId, number: int) -> None:
        await heard.put((match, number))

    async with MatchNotices.open(url) as notices:
        task = asyncio.create_task(notices.run(hear, retry_seconds=0.01))
        notices.note_match(version(0, 0))  # it hears itself as well: then it listens
        await wait_for(heard, 0)
        try:
            yield notices, heard
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def wait_for(heard: Heard, match: int) -> int:
    """Returns the version that is heard next of a match. Raises TimeoutError."""
    async with asyncio.timeout(HANG_SECONDS):
        while (notice := await heard.get())[0] != match:
            pass
    return notice[1]


async def test_one_process_hears_what_the_other_tells(postgres_url: str) -> None:
    async with listening(postgres_url) as (here, _), listening(postgres_url) as (_, there):
        here.note_match(version(12, 34))
        assert await wait_for(there, 12) == 34


async def test_it_listens_again_after_its_connection_was_lost(postgres_url: str) -> None:
    engine = create_async_engine(postgres_url, isolation_level="AUTOCOMMIT")
    ending = "SELECT pg_terminate_backend(pid, :patience) FROM pg_stat_activity WHERE application_name = :name"
    async with listening(postgres_url) as (here, heard):
        async with engine.connect() as connection:
            await connection.execute(text(ending), {"patience": HANG_SECONDS * 1000, "name": "kropka notices"})
        async with asyncio.timeout(HANG_SECONDS):
            while heard.empty():  # what it tells before it is back gets lost
                here.note_match(version(13, 5))
                await asyncio.sleep(0)
        assert await heard.get() == (13, 5)
    await engine.dispose()


@pytest.mark.parametrize("payload", ["", "x", "1", "1 x", "-1 2", "1 2 3"])
async def test_a_notice_that_is_none_is_passed_over(postgres_url: str, payload: str) -> None:
    engine = create_async_engine(postgres_url, isolation_level="AUTOCOMMIT")
    async with listening(postgres_url) as (here, heard):
        async with engine.connect() as connection:
            await connection.execute(
                text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload}
            )
        here.note_match(version(14, 1))
        async with asyncio.timeout(HANG_SECONDS):
            assert await heard.get() == (14, 1)
    await engine.dispose()
