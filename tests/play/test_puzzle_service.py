"""Daily puzzles and rushes as their members use them: streaks over days, and ratings by first answers alone."""

from __future__ import annotations

import pytest

from play.community.exercises import exercises, first_set
from play.community.puzzle import Answer, Puzzle, PuzzleId, TaskId, exercise_task
from play.community.rush import LENGTH, Rush
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from storage import Database
from tests import matches
from tests.clock import DAY, NOON
from tests.matches import a_match, add_match
from tests.old_puzzles import built_in_puzzle
from use_cases import UseCases
from use_cases.puzzles import Puzzles
from use_cases.rushes import Rushes

ANNA, GUILD = UserId(1), GuildId(9)


@pytest.fixture
def puzzles(store: Database, use_cases: UseCases) -> Puzzles:
    return Puzzles(store, use_cases.events)


async def post(puzzles: Puzzles, day: int) -> Puzzle:
    """Posts the puzzle of a day; 0 is that of NOON."""
    puzzle = await puzzles.add(built_in_puzzle(GUILD, Millis(NOON + day * DAY), day + 1))
    return await puzzles.mark_posted(puzzle, ChannelId(5), MessageId(6))


async def answer(puzzles: Puzzles, day: int, *, right: bool = True) -> Answer:
    """Answers the puzzle of a day on that day."""
    puzzle = await post(puzzles, day)
    number = next(each for each, move in enumerate(puzzle.answers) if (move == puzzle.solution[0]) is right)
    return await puzzles.answer(puzzle.id, ANNA, number, Millis(NOON + day * DAY))


async def streak_shown(puzzles: Puzzles, day: int) -> int:
    (line,) = await puzzles.table(GUILD, Millis(NOON + day * DAY))
    return line.streak


async def test_a_day_without_a_posted_puzzle_does_not_break_a_streak(puzzles: Puzzles) -> None:
    await answer(puzzles, 0)
    await puzzles.add(built_in_puzzle(GUILD, Millis(NOON + DAY)))
    assert (await answer(puzzles, 3)).attempt.streak == 2
    assert await streak_shown(puzzles, 3) == 2


async def test_a_posted_puzzle_without_an_answer_breaks_a_streak(puzzles: Puzzles) -> None:
    await answer(puzzles, 0)
    await post(puzzles, 1)
    assert await streak_shown(puzzles, 1) == 1
    assert await streak_shown(puzzles, 2) == 0
    assert (await answer(puzzles, 2)).attempt.streak == 1


async def test_a_wrong_answer_breaks_a_streak(puzzles: Puzzles) -> None:
    await answer(puzzles, 0)
    await answer(puzzles, 1, right=False)
    assert await streak_shown(puzzles, 1) == 0


async def test_a_second_answer_changes_nothing(puzzles: Puzzles) -> None:
    first = await answer(puzzles, 0, right=False)
    rating = await puzzles.skill(ANNA)
    assert first.after == rating
    second = await answer(puzzles, 0)
    assert second == Answer(first.attempt, first=False)
    assert await puzzles.skill(ANNA) == rating


async def test_a_rush_rates_only_what_was_never_answered(store: Database, puzzles: Puzzles) -> None:
    rushes = Rushes(store)
    async with store.write() as tx:
        for number in exercises():
            await tx.puzzles.add_try(ANNA, exercise_task(number), NOON)
    state = await rushes.begin(ANNA, None, NOON)
    for step in range(10):
        state = await rushes.answer(ANNA, state.rush.begun, step, 0, NOON)
    assert state.rush.over
    assert state.rating == await puzzles.skill(ANNA)
    assert state.rating.at is None


async def test_a_rush_takes_puzzles_of_its_server_that_its_user_has_not_answered(
    store: Database, puzzles: Puzzles
) -> None:
    own = list[TaskId]()
    for day in range(3):
        match = await add_match(store, a_match(day + 1))
        found = Puzzle(PuzzleId(0), matches.GUILD, f"2025-06-0{day + 1}", match.id, 1, ("A1", "B2"), ("A1",), 1.0)
        own.append((await puzzles.mark_posted(await puzzles.add(found), ChannelId(5), MessageId(6))).task)
    async with store.write() as tx:
        await tx.puzzles.add_try(matches.CLARA, own[0], NOON)
    state = await Rushes(store).begin(matches.CLARA, matches.GUILD, NOON)
    assert {*own} & {*state.rush.tasks} == {*own[1:]}
    elsewhere = await Rushes(store).begin(UserId(77), None, NOON)
    assert not {*own} & {*elsewhere.rush.tasks}


async def test_a_rush_that_was_begun_with_the_first_set_goes_on(store: Database) -> None:
    tasks = tuple(task.id for task in first_set().values())[:LENGTH]
    async with store.write() as tx:
        await tx.rushes.save(Rush(ANNA, None, NOON, tasks, 1500.0))
    state = await Rushes(store).begin(ANNA, None, NOON)
    assert state.next == first_set()[int(tasks[0][1:])]
