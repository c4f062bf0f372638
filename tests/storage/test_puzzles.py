"""Puzzles are found by their day, and each user answers once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.community.exercise import TaskId
from play.community.puzzle import Attempt, Puzzle, PuzzleId, Solver
from play.ids import ChannelId, GuildId, MatchId, MessageId, Millis
from play.ratings.glicko import Rating
from storage import Database
from storage.errors import Stale
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD, a_match, add_match, resign, save_match
from tests.old_puzzles import built_in_puzzle
from use_cases import UseCases
from use_cases.puzzles import Puzzles

TODAY, TOMORROW = "2026-11-21", "2026-11-22"


def a_puzzle(match: MatchId, day: str = TODAY) -> Puzzle:
    return Puzzle(PuzzleId(0), GUILD, day, match, 7, ("A1", "B2", "C3"), ("B2", "A1", "C3"), 2.5)


async def stored(store: Database, day: str = TODAY, channel: int = 1) -> Puzzle:
    match = await add_match(store, a_match(channel))
    async with store.write() as tx:
        return await tx.puzzles.add(a_puzzle(match.id, day))


async def test_a_puzzle_is_read_back_as_it_was_stored(store: Database) -> None:
    puzzle = await stored(store)
    async with store.read() as reader:
        assert await reader.puzzles.get(puzzle.id) == puzzle
        assert await reader.puzzles.of_day(GUILD, TODAY) == puzzle
        assert await reader.puzzles.of_day(GUILD, TOMORROW) is None
        assert await reader.puzzles.of_day(GuildId(8), TODAY) is None


async def test_a_server_has_one_puzzle_a_day(store: Database) -> None:
    await stored(store)
    with pytest.raises(Stale):
        await stored(store, channel=2)
    await stored(store, TOMORROW, channel=3)


async def test_it_is_noted_where_a_puzzle_stands(store: Database) -> None:
    puzzle = await stored(store)
    async with store.write() as tx:
        await tx.puzzles.mark_posted(puzzle.id, ChannelId(5), MessageId(6))
    async with store.read() as reader:
        there = await reader.puzzles.get(puzzle.id)
    assert there is not None
    assert (there.channel, there.message) == (5, 6)


async def test_a_match_that_goes_on_or_had_its_puzzle_is_no_source(store: Database) -> None:
    await add_match(store, a_match(1))
    used = await save_match(store, resign(await add_match(store, a_match(2))))
    first, second = [await save_match(store, resign(await add_match(store, a_match(channel)))) for channel in (3, 4)]
    async with store.write() as tx:
        await tx.puzzles.add(a_puzzle(used.id))
    async with store.read() as reader:
        assert await reader.puzzles.unused_matches(GUILD, 10) == [second.id, first.id]
        assert await reader.puzzles.unused_matches(GUILD, 1) == [second.id]


async def test_no_user_answers_a_puzzle_twice(store: Database) -> None:
    puzzle = await stored(store)
    attempt = Attempt(puzzle.id, ANNA, True, NOON)
    async with store.write() as tx:
        await tx.puzzles.add_attempt(attempt)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.puzzles.add_attempt(attempt._replace(right=False))
    async with store.read() as reader:
        assert await reader.puzzles.attempts(puzzle.id) == [attempt]


async def test_solvers_are_counted_the_best_first(store: Database) -> None:
    puzzles = [await stored(store, TODAY, 1), await stored(store, TOMORROW, 2)]
    answers = [(0, ANNA, True), (1, ANNA, True), (0, BORIS, False), (1, BORIS, True), (0, CLARA, False)]
    async with store.write() as tx:
        for puzzle, user, right in answers:
            await tx.puzzles.add_attempt(Attempt(puzzles[puzzle].id, user, right, NOON))
    async with store.read() as reader:
        assert await reader.puzzles.solvers(GUILD, 10) == [Solver(ANNA, 2, 2), Solver(BORIS, 1, 2)]
        assert await reader.puzzles.solvers(GUILD, 1) == [Solver(ANNA, 2, 2)]
        assert await reader.puzzles.solvers(GuildId(8), 10) == []


async def test_a_built_in_puzzle_has_no_match(store: Database) -> None:
    puzzle = replace(a_puzzle(MatchId(1)), match=None, exercise=12)
    async with store.write() as tx:
        added = await tx.puzzles.add(puzzle)
    async with store.read() as reader:
        assert await reader.puzzles.of_day(GUILD, TODAY) == replace(puzzle, id=added.id)
    assert (added.task, a_puzzle(MatchId(1)).task) == ("e12", "p0")


async def test_past_puzzles_are_from_the_matches_of_others(store: Database) -> None:
    puzzle = await stored(store)
    exercise = replace(a_puzzle(MatchId(1), "2026-11-20"), match=None, exercise=12)
    async with store.write() as tx:
        await tx.puzzles.add(exercise)
        for number in (puzzle.id, PuzzleId(puzzle.id + 1)):
            await tx.puzzles.mark_posted(number, ChannelId(5), MessageId(6))
    async with store.read() as reader:
        assert [each.id for each in await reader.puzzles.past(GUILD, TOMORROW, CLARA, 5)] == [puzzle.id]
        assert await reader.puzzles.past(GUILD, TOMORROW, ANNA, 5) == []
        assert await reader.puzzles.past(GUILD, TODAY, CLARA, 5) == []


async def test_an_answer_of_a_player_counts_for_no_table(store: Database) -> None:
    puzzle = await stored(store)
    own = Attempt(puzzle.id, ANNA, True, NOON, scored=False)
    async with store.write() as tx:
        await tx.puzzles.add_attempt(own)
    async with store.read() as reader:
        assert await reader.puzzles.attempt(puzzle.id, ANNA) == own
        assert await reader.puzzles.attempt(puzzle.id, BORIS) is None
        assert await reader.puzzles.solvers(GUILD, 10) == []


async def test_puzzle_ratings_are_read_back_and_replaced(store: Database) -> None:
    async with store.read() as reader:
        assert await reader.puzzles.skill(ANNA) == Rating()
        assert await reader.puzzles.grades([TaskId("e1")]) == {}
    for value in (1600.0, 1650.5):
        async with store.write() as tx:
            await tx.puzzles.save_skill(ANNA, Rating(value, 100.0, 0.05, NOON))
            await tx.puzzles.save_grade(TaskId("e1"), Rating(value, 80.0))
    async with store.read() as reader:
        assert await reader.puzzles.skill(ANNA) == Rating(1650.5, 100.0, 0.05, NOON)
        assert await reader.puzzles.grades([TaskId("e1"), TaskId("e2")]) == {TaskId("e1"): Rating(1650.5, 80.0)}


async def test_only_the_first_try_of_a_task_is_one(store: Database) -> None:
    one, other = TaskId("e1"), TaskId("p2")
    async with store.write() as tx:
        assert await tx.puzzles.add_try(ANNA, one, NOON)
        assert await tx.puzzles.add_try(ANNA, other, Millis(NOON + 1))
        assert not await tx.puzzles.add_try(ANNA, one, Millis(NOON + 2))
        assert await tx.puzzles.add_try(BORIS, one, NOON)
    async with store.read() as reader:
        assert await reader.puzzles.tried(ANNA) == [other, one]


async def test_of_many_answers_at_once_one_counts(store: Database) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 4)
    puzzles = Puzzles(store, use_cases.events)
    puzzle = await puzzles.add(built_in_puzzle(GUILD, NOON))
    tries = [puzzles.play(puzzle.id, user, puzzle.answers[n % 3], NOON) for n in range(4) for user in (ANNA, BORIS)]
    given = await asyncio.gather(*tries)
    assert sorted(each.first for each in given) == [False] * 6 + [True] * 2
    assert len(await puzzles.attempts(puzzle.id)) == 2
