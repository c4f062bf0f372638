"""Daily puzzles and rushes as their members use them: streaks over days, and ratings by first answers alone."""

from __future__ import annotations

import pytest

from play.community.exercise import TaskId
from play.community.exercises import exercise_task, exercises, first_set
from play.community.puzzle import Puzzle, PuzzleId
from play.community.rush import LENGTH, Rush
from play.community.solving import Solved, Wrong
from play.community.streak import Streak
from play.ids import ChannelId, GuildId, MessageId, Millis, UserId
from play.refusal import Refused
from rules.registry import make_game
from storage import Database
from tests import matches
from tests.clock import DAY, NOON
from tests.matches import a_match, add_match, play_turn, resign, save_match
from tests.old_puzzles import built_in_puzzle
from use_cases import UseCases
from use_cases.lessons import Lessons
from use_cases.puzzles import Puzzles, PuzzleState
from use_cases.rushes import Rushes

ANNA, GUILD = UserId(1), GuildId(9)


@pytest.fixture
def puzzles(store: Database, use_cases: UseCases) -> Puzzles:
    return Puzzles(store, use_cases.events)


async def post(puzzles: Puzzles, day: int) -> Puzzle:
    """Posts the puzzle of a day; 0 is that of NOON."""
    puzzle = await puzzles.add(built_in_puzzle(GUILD, Millis(NOON + day * DAY), day + 1))
    return await puzzles.mark_posted(puzzle, ChannelId(5), MessageId(6))


async def play(puzzles: Puzzles, day: int, *, right: bool = True, at: int | None = None) -> PuzzleState:
    """Plays a move in the puzzle of a day, on that day or `at` another one."""
    puzzle = await post(puzzles, day)
    move = next(each for each in puzzle.answers if (each == puzzle.solution[0]) is right)
    return await puzzles.play(puzzle.id, ANNA, move, Millis(NOON + (day if at is None else at) * DAY))


async def streak_shown(puzzles: Puzzles, day: int) -> int:
    (line,) = await puzzles.table(GUILD, Millis(NOON + day * DAY))
    return line.streak


async def test_a_puzzle_of_the_server_counts_for_the_one_streak(puzzles: Puzzles, use_cases: UseCases) -> None:
    for day in (0, 1):
        await play(puzzles, day)
    assert await streak_shown(puzzles, 1) == 2
    assert await use_cases.dailies.streak(ANNA, Millis(NOON + DAY)) == 2
    assert await streak_shown(puzzles, 3) == 2
    assert await streak_shown(puzzles, 4) == 0


async def test_a_lesson_and_ten_in_a_row_count_for_the_one_streak(store: Database, use_cases: UseCases) -> None:
    await Lessons(store).note_found(ANNA, "capture", NOON)
    rushes, at = Rushes(store), Millis(NOON + DAY)
    state = await rushes.begin(ANNA, None, at)
    assert state.next is not None
    right = next(answer for answer in range(4) if state.next.is_right(answer))
    await rushes.answer(ANNA, state.rush.begun, 0, right, at)
    assert await use_cases.dailies.streak(ANNA, at) == 2


async def test_a_streak_of_before_goes_on(store: Database, puzzles: Puzzles, use_cases: UseCases) -> None:
    async with store.write() as tx:
        await tx.dailies.save_streak(Streak(ANNA, 5, 9, "2025-06-14"))
    await play(puzzles, 0)
    await play(puzzles, 1)
    async with store.read() as reader:
        assert await reader.dailies.streak(ANNA) == Streak(ANNA, 7, 9, "2025-06-16")


async def test_what_is_missed_or_shown_is_no_day_of_a_streak(puzzles: Puzzles, use_cases: UseCases) -> None:
    puzzle = (await play(puzzles, 0, right=False)).puzzle
    await puzzles.play(puzzle.id, ANNA, None, NOON)
    assert await use_cases.dailies.streak(ANNA, NOON) == 0
    await puzzles.play(puzzle.id, ANNA, puzzle.solution[0], NOON)
    assert await use_cases.dailies.streak(ANNA, NOON) == 1


async def test_a_second_try_is_judged_and_changes_nothing(puzzles: Puzzles) -> None:
    first = await play(puzzles, 0, right=False)
    rating = await puzzles.skill(ANNA)
    assert isinstance(first.verdict, Wrong)
    assert first.first
    second = await play(puzzles, 0)
    assert isinstance(second.verdict, Solved)
    assert (second.attempt, second.first) == (first.attempt, False)
    assert await puzzles.skill(ANNA) == rating


async def test_what_the_rules_reject_is_no_try(puzzles: Puzzles) -> None:
    puzzle = await post(puzzles, 0)
    for move in ("Z99", "nonsense"):
        with pytest.raises(Refused):
            await puzzles.play(puzzle.id, ANNA, move, NOON)
    assert (await puzzles.open(puzzle.id, ANNA)).attempt is None


async def test_a_dot_that_captures_as_much_is_right_too(store: Database, puzzles: Puzzles) -> None:
    match = await add_match(store, a_match(game=make_game("zagram", {"size": "7x7", "start": "empty"})))
    for move in ("E5", "E4", "F5", "F4", "D4", "A7", "G4", "A6", "E3", "A5"):
        match = await save_match(store, play_turn(match, move))
    match = await save_match(store, resign(match))
    found = Puzzle(PuzzleId(0), matches.GUILD, "2025-06-15", match.id, 11, ("B2", "C2"), ("B2", "F3"), 2.0)
    puzzle = await puzzles.add(found)
    assert isinstance((await puzzles.play(puzzle.id, matches.CLARA, "F3", NOON)).verdict, Solved)
    assert isinstance((await puzzles.play(puzzle.id, matches.CLARA, "C2", NOON)).verdict, Wrong)


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
