"""Daily puzzles and rushes as their members use them: streaks over days, and ratings by first answers alone."""

from __future__ import annotations

import pytest

from play.community.exercises import first_set
from play.community.puzzle import Answer, Puzzle
from play.community.rush import LENGTH
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.services.puzzles import Puzzles
from play.services.rushes import Rushes
from play.services.use_cases import UseCases
from play.store import Store
from tests.clock import DAY, NOON
from tests.old_puzzles import built_in_puzzle

ANNA, GUILD = UserId(1), GuildId(9)


@pytest.fixture
def puzzles(store: Store, use_cases: UseCases) -> Puzzles:
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


async def test_a_rush_rates_only_what_was_never_answered(store: Store, puzzles: Puzzles) -> None:
    rushes = Rushes(store)
    for number in range(len(first_set())):
        async with store.write() as tx:
            task = list(first_set().values())[number].id
            await tx.puzzles.add_try(ANNA, task, Millis(NOON + number))
    state = await rushes.begin(ANNA, None, NOON)
    for step in range(10):
        state = await rushes.answer(ANNA, state.rush.begun, step, 0, NOON)
    assert state.rush.over
    assert state.rating == await puzzles.skill(ANNA)
    assert state.rating.at is None


async def test_a_rush_leaves_out_the_puzzle_of_today(store: Store, puzzles: Puzzles) -> None:
    today, rushes = await post(puzzles, 0), Rushes(store)
    for number, task in enumerate(first_set().values()):
        if task.id != today.task and number >= LENGTH:
            async with store.write() as tx:
                await tx.puzzles.add_try(ANNA, task.id, Millis(NOON + number))
    state = await rushes.begin(ANNA, GUILD, NOON)
    assert today.task not in state.rush.tasks
    assert len(state.rush.tasks) == LENGTH
