"""Analysis sheets: kept for their player and match, and of many the oldest go."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.ids import MatchId, Millis, UserId
from play.match.sheet import Sheet
from play.match.turn_tree import TriedTurn
from rules.game import Seat
from storage import Database
from storage.errors import Stale
from tests.clock import NOON
from tests.matches import ANNA, BORIS, a_match, add_match

TURNS = (TriedTurn(1, None, 3, Seat(1), "A1", "два\nряда"), TriedTurn(2, 1, 3, Seat(0), "B1", ""))


async def a_sheet(store: Database, channel: int = 1) -> Sheet:
    """Returns a sheet that is not stored, of a match that is."""
    match = await add_match(store, a_match(channel))
    return Sheet(match.id, ANNA, TURNS, 5, TURNS[1:], 1)


async def save(store: Database, sheet: Sheet, at: Millis = NOON, most: int = 10) -> None:
    async with store.write() as tx:
        await tx.sheets.save(sheet, at, most)


async def load(store: Database, match: MatchId, user: UserId = ANNA) -> Sheet | None:
    async with store.read() as reader:
        return await reader.sheets.get(match, user)


async def test_a_sheet_is_read_as_it_was_stored(store: Database) -> None:
    sheet = await a_sheet(store)
    await save(store, sheet)
    assert await load(store, sheet.match) == sheet
    newer = replace(sheet, turns=TURNS[:1], removed=(), version=2, published=True)
    await save(store, newer)
    assert await load(store, sheet.match) == newer
    assert await load(store, sheet.match, BORIS) is None


async def test_a_change_that_another_has_overtaken_is_stale(store: Database) -> None:
    sheet = await a_sheet(store)
    await save(store, sheet)
    for version in (1, 3):
        with pytest.raises(Stale):
            await save(store, replace(sheet, version=version))


async def test_of_two_first_changes_at_once_one_counts(store: Database) -> None:
    sheet = await a_sheet(store)
    results = await asyncio.gather(*(save(store, sheet) for _ in range(2)), return_exceptions=True)
    assert [type(result) for result in results if result] == [Stale]


async def test_only_the_sheets_changed_last_stay(store: Database) -> None:
    sheets = [await a_sheet(store, channel) for channel in (1, 2, 3)]
    for number, sheet in enumerate(sheets):
        await save(store, sheet, Millis(NOON + number), most=2)
    kept = [await load(store, sheet.match) is not None for sheet in sheets]
    assert kept == [False, True, True]


async def test_only_published_sheets_are_listed(store: Database) -> None:
    sheet = await a_sheet(store)
    await save(store, sheet)
    other = replace(sheet, user=BORIS, published=True)
    await save(store, other)
    async with store.read() as reader:
        assert await reader.sheets.published(sheet.match) == [other]
        assert await reader.sheets.published_versions(sheet.match) == {BORIS: 1}
