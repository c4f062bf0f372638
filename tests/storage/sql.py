"""Statements from outside the store, on any engine."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from play.match.match import Match
from storage import Database
from storage.match_cache import MatchCache


async def execute(url: str, *statements: str) -> None:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()


async def spoil(url: str, store: Database, match: Match) -> None:
    """Makes a match unreadable for a bot that has not read it yet."""
    await execute(url, f"UPDATE \"match\" SET game = 'forgotten' WHERE id = {match.id}")  # noqa: S608
    assert isinstance(store, Database)
    store._cache = MatchCache()
