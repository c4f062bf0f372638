"""Puzzles are found by their day, and each user answers once."""

from __future__ import annotations

import pytest

from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver
from play.ids import ChannelId, GuildId, MatchId, MessageId
from play.store import Stale, Store
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, add_match, resign, save_match

TODAY, TOMORROW = "2026-11-21", "2026-11-22"


def a_puzzle(match: MatchId, day: str = TODAY) -> Puzzle:
    return Puzzle(PuzzleId(0), GUILD, day, match, 7, ("A1", "B2", "C3"), ("B2", "A1", "C3"), 2.5)


async def stored(store: Store, day: str = TODAY, channel: int = 1) -> Puzzle:
    match = await add_match(store, a_match(channel))
    async with store.write() as tx:
        return await tx.puzzles.add(a_puzzle(match.id, day))


async def test_a_puzzle_is_read_back_as_it_was_stored(store: Store) -> None:
    puzzle = await stored(store)
    async with store.read() as reader:
        assert await reader.puzzles.get(puzzle.id) == puzzle
        assert await reader.puzzles.of_day(GUILD, TODAY) == puzzle
        assert await reader.puzzles.of_day(GUILD, TOMORROW) is None
        assert await reader.puzzles.of_day(GuildId(8), TODAY) is None


async def test_a_server_has_one_puzzle_a_day(store: Store) -> None:
    await stored(store)
    with pytest.raises(Stale):
        await stored(store, channel=2)
    await stored(store, TOMORROW, channel=3)


async def test_it_is_noted_where_a_puzzle_stands(store: Store) -> None:
    puzzle = await stored(store)
    async with store.write() as tx:
        await tx.puzzles.mark_posted(puzzle.id, ChannelId(5), MessageId(6))
    async with store.read() as reader:
        there = await reader.puzzles.get(puzzle.id)
    assert there is not None
    assert (there.channel, there.message) == (5, 6)


async def test_a_match_that_goes_on_or_had_its_puzzle_is_no_source(store: Store) -> None:
    await add_match(store, a_match(1))
    used = await save_match(store, resign(await add_match(store, a_match(2))))
    first, second = [await save_match(store, resign(await add_match(store, a_match(channel)))) for channel in (3, 4)]
    async with store.write() as tx:
        await tx.puzzles.add(a_puzzle(used.id))
    async with store.read() as reader:
        assert await reader.puzzles.unused_matches(GUILD, 10) == [second.id, first.id]
        assert await reader.puzzles.unused_matches(GUILD, 1) == [second.id]


async def test_no_user_answers_a_puzzle_twice(store: Store) -> None:
    puzzle = await stored(store)
    attempt = Attempt(puzzle.id, ANNA, 1, True, NOON)
    async with store.write() as tx:
        await tx.puzzles.add_attempt(attempt)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.puzzles.add_attempt(attempt._replace(answer=0, right=False))
    async with store.read() as reader:
        assert await reader.puzzles.attempts(puzzle.id) == [attempt]


async def test_solvers_are_counted_the_best_first(store: Store) -> None:
    puzzles = [await stored(store, TODAY, 1), await stored(store, TOMORROW, 2)]
    answers = [(0, ANNA, True), (1, ANNA, True), (0, BORIS, False), (1, BORIS, True), (0, CLARA, False)]
    async with store.write() as tx:
        for puzzle, user, right in answers:
            await tx.puzzles.add_attempt(Attempt(puzzles[puzzle].id, user, 0, right, NOON))
    async with store.read() as reader:
        assert await reader.puzzles.solvers(GUILD, 10) == [Solver(ANNA, 2, 2), Solver(BORIS, 1, 2)]
        assert await reader.puzzles.solvers(GUILD, 1) == [Solver(ANNA, 2, 2)]
        assert await reader.puzzles.solvers(GuildId(8), 10) == []
