"""The daily, lessons and ten in a row keep apart: a user does not meet the same exercise twice."""

from __future__ import annotations

from play.community.daily import REST_DAYS, calendar
from play.community.exercises import WITHDRAWN, exercise_task, exercises
from play.community.lesson import LESSONS
from play.community.puzzle import puzzle_day
from play.ids import Millis
from storage import Database
from tests.clock import DAY
from tests.matches import ANNA
from use_cases.exercises import read_offer
from use_cases.lessons import Lessons
from use_cases.rushes import Rushes

NOW = Millis(1_795_700_000_000)
"""26 November 2026."""


async def test_exercises_of_the_days_around_and_withdrawn_ones_are_not_offered(store: Database) -> None:
    async with store.read() as reader:
        offered = {each.number for each in (await read_offer(reader, ANNA, NOW)).unmet}
    near = {number for days in (-59, -30, 0, 30, 59) for number in calendar().of(puzzle_day(Millis(NOW + days * DAY)))}
    assert not offered & (near | WITHDRAWN)
    assert {*exercises()} - offered == calendar().around(puzzle_day(NOW)) | WITHDRAWN


async def test_lessons_and_rushes_in_turns_offer_nothing_twice_and_no_daily(store: Database) -> None:
    lessons, rushes, met = Lessons(store), Rushes(store), list[str]()
    for number, lesson in enumerate(LESSONS):
        now = Millis(NOW + number * DAY // 10)
        exercise = await lessons.open_puzzle(ANNA, lesson, now)
        assert exercise is not None
        state = await rushes.begin(ANNA, None, now)
        new = [exercise.id, *(state.rush.tasks if state.rush.step == 0 else ())]
        assert not {exercise_task(each) for each in calendar().around(puzzle_day(now))} & {*new}
        met += new
        for _ in range(2):
            state = await rushes.answer(ANNA, state.rush.begun, state.rush.step, 0, now)
    assert len(met) == len({*met}) > 2 * len(LESSONS)


async def test_what_waits_in_ten_in_a_row_comes_after_no_lesson(store: Database) -> None:
    state = await Rushes(store).begin(ANNA, None, NOW)
    async with store.read() as reader:
        offer = await read_offer(reader, ANNA, NOW)
    assert not {each.id for each in offer.unmet} & {*state.rush.tasks}


async def test_a_user_who_has_met_all_meets_the_oldest_again_and_no_daily(store: Database) -> None:
    async with store.write() as tx:
        for number in exercises():
            await tx.puzzles.add_try(ANNA, exercise_task(number), Millis(NOW + number))
    now = Millis(NOW + REST_DAYS * DAY)
    async with store.read() as reader:
        offer = await read_offer(reader, ANNA, now)
    assert not offer.unmet
    state = await Rushes(store).begin(ANNA, None, now)
    assert {*state.rush.tasks} == {each.id for each in offer.again[:10]}
    assert not {*state.rush.tasks} & {exercise_task(number) for number in calendar().around(puzzle_day(now))}
    assert not await Lessons(store).has_puzzle(ANNA, "capture", now)
