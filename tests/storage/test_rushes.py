"""A user has one rush, and a member one best of the week on each server."""

from __future__ import annotations

from dataclasses import replace

from play.community.exercise import TaskId
from play.community.rush import BestRush, Rush
from play.ids import GuildId, Millis
from storage import Database
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD

RUSH = Rush(ANNA, GUILD, NOON, (TaskId("e1"), TaskId("p2")), 1512.5, (3,), (True,))


async def save(store: Database, rush: Rush) -> None:
    async with store.write() as tx:
        await tx.rushes.save(rush)


async def test_a_rush_is_read_back_as_it_was_stored(store: Database) -> None:
    await save(store, RUSH)
    async with store.read() as reader:
        assert await reader.rushes.of_user(ANNA) == RUSH
        assert await reader.rushes.of_user(BORIS) is None


async def test_a_new_rush_takes_the_place_of_the_former_one(store: Database) -> None:
    await save(store, RUSH)
    other = replace(RUSH, guild=None, begun=Millis(NOON + 1), answers=(), right=())
    await save(store, other)
    async with store.read() as reader:
        assert await reader.rushes.of_user(ANNA) == other


async def test_the_best_rush_of_a_week_is_kept(store: Database) -> None:
    right = {ANNA: 1, BORIS: 2, CLARA: 0}
    async with store.write() as tx:
        for user, count in right.items():
            rush = replace(RUSH, user=user, right=(True,) * count)
            await tx.rushes.note_best(rush, GUILD, "2026-w47")
            await tx.rushes.note_best(replace(rush, right=()), GUILD, "2026-w47")
    async with store.read() as reader:
        best = [BestRush(BORIS, 2), BestRush(ANNA, 1), BestRush(CLARA, 0)]
        assert await reader.rushes.best(GUILD, "2026-w47", 5) == best
        assert await reader.rushes.best(GUILD, "2026-w47", 1) == best[:1]
        assert await reader.rushes.best(GUILD, "2026-w48", 5) == []
        assert await reader.rushes.best(GuildId(8), "2026-w47", 5) == []


async def test_a_new_week_takes_the_place_of_the_former_one(store: Database) -> None:
    async with store.write() as tx:
        await tx.rushes.note_best(replace(RUSH, right=(True, True)), GUILD, "2026-w47")
        await tx.rushes.note_best(RUSH, GUILD, "2026-w48")
    async with store.read() as reader:
        assert await reader.rushes.best(GUILD, "2026-w47", 5) == []
        assert await reader.rushes.best(GUILD, "2026-w48", 5) == [BestRush(ANNA, 1)]
