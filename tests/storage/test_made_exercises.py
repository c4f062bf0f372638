"""Lessons and puzzles that hosts make for their server: who may, which day has which, and who solves them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from play.community.exercise_tree import write_tree
from play.community.made_exercise import MAX_LESSONS, MAX_TEXT, MAX_WAITING, MadeExercise, MadeId
from play.community.puzzle import Puzzle
from play.ids import GuildId, Millis, UserId
from play.people.membership import Membership
from play.refusal import Refused
from storage import Database
from storage.privacy import NOBODY
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD
from tests.positions import AT_ONCE, game_of
from use_cases import UseCases
from use_cases.made_exercises import MadeExercises
from use_cases.proofs.check import Found, Goal, check

ELSEWHERE = GuildId(GUILD + 1)
DAY = 24 * 60 * 60 * 1000

FOUND = check(game_of(AT_ONCE), Goal.CAPTURE)
assert isinstance(FOUND, Found)
PROOF = FOUND.proof
LESSON = MadeExercise(
    GUILD, ANNA, True, "Close it", "The gap was D3.", game_of(AT_ONCE), PROOF.kind, PROOF.points, FOUND.answers,
    write_tree(PROOF.tree), NOON,
)  # fmt: skip
PUZZLE = replace(LESSON, is_lesson=False, name="Monday")

MEMBERS = {
    (GUILD, ANNA): Membership(hosts=True),
    (GUILD, BORIS): Membership(),
    (ELSEWHERE, CLARA): Membership(hosts=True),
}


async def membership(guild: GuildId, user: UserId) -> Membership | None:
    return MEMBERS.get((guild, user))


@pytest.fixture
def made(store: Database) -> MadeExercises:
    return MadeExercises(store, membership)


@pytest.fixture
def cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 0)


async def only(made: MadeExercises, *, lesson: bool = True) -> MadeId:
    (here,) = await made.hosted(ANNA, [GUILD])
    (one,) = here.lessons if lesson else here.waiting
    return one.id


async def test_a_lesson_is_read_back_as_it_was_made(made: MadeExercises, cases: UseCases) -> None:
    await made.add(LESSON)
    (stored,) = await cases.lessons.of_server(GUILD)
    assert stored == replace(LESSON, id=stored.id)


async def test_only_hosts_of_the_server_make_anything_for_it(made: MadeExercises) -> None:
    for user in (BORIS, CLARA):
        with pytest.raises(Refused, match="not_server_host"):
            await made.add(replace(LESSON, user=user))
    assert not await made.hosted(BORIS, [GUILD])


async def test_the_next_day_without_a_puzzle_takes_the_first_that_waits(made: MadeExercises, cases: UseCases) -> None:
    await made.add(PUZZLE)
    await made.add(replace(PUZZLE, name="Tuesday"))
    first = await cases.puzzles.take_made(GUILD, NOON)
    assert await cases.puzzles.take_made(GUILD, NOON) == first
    second = await cases.puzzles.take_made(GUILD, Millis(NOON + DAY))
    assert [each and (await cases.puzzles.exercise(each)).id for each in (first, second)] == ["p1", "p2"]
    assert await cases.puzzles.take_made(GUILD, Millis(NOON + 2 * DAY)) is None


async def test_a_made_puzzle_is_solved_as_any_other(made: MadeExercises, cases: UseCases) -> None:
    await made.add(PUZZLE)
    puzzle = await taken(cases)
    state = await cases.puzzles.play(puzzle.id, BORIS, "D3", NOON)
    assert state.attempt is not None
    assert (state.attempt.right, state.attempt.scored, state.text) == (True, True, "The gap was D3.")


async def test_the_answer_of_its_maker_is_not_scored(made: MadeExercises, cases: UseCases) -> None:
    await made.add(PUZZLE)
    state = await cases.puzzles.play((await taken(cases)).id, ANNA, "D3", NOON)
    assert state.attempt is not None
    assert not state.attempt.scored


async def test_no_made_puzzle_moves_a_rating(made: MadeExercises, cases: UseCases) -> None:
    await made.add(PUZZLE)
    before = await cases.puzzles.skill(BORIS)
    await cases.puzzles.play((await taken(cases)).id, BORIS, "A1", NOON)
    assert await cases.puzzles.skill(BORIS) == before


async def test_puzzles_of_a_server_are_its_own(made: MadeExercises, cases: UseCases) -> None:
    await made.add(PUZZLE)
    assert await cases.puzzles.take_made(ELSEWHERE, NOON) is None


async def test_a_lesson_is_deleted_by_a_host_of_its_server_alone(made: MadeExercises, cases: UseCases) -> None:
    await made.add(LESSON)
    number = await only(made)
    with pytest.raises(Refused, match="not_server_host"):
        await made.delete(number, BORIS)
    with pytest.raises(Refused, match="no_lesson"):
        await made.delete(number, CLARA)
    await made.delete(number, ANNA)
    assert not await cases.lessons.of_server(GUILD)


async def test_a_puzzle_whose_day_has_come_stays(made: MadeExercises, cases: UseCases) -> None:
    await made.add(PUZZLE)
    number = await only(made, lesson=False)
    await taken(cases)
    with pytest.raises(Refused, match="no_lesson"):
        await made.delete(number, ANNA)


async def test_a_server_has_a_bounded_number_of_each(made: MadeExercises) -> None:
    for most, each in ((MAX_LESSONS, LESSON), (MAX_WAITING, PUZZLE)):
        for _ in range(most):
            await made.add(each)
        with pytest.raises(Refused, match="too_many"):
            await made.add(each)


async def test_a_deleted_user_leaves_what_they_have_made_without_a_name(
    made: MadeExercises, cases: UseCases, store: Database
) -> None:
    await made.add(LESSON)
    async with store.write() as tx:
        await tx.privacy.forget(ANNA)
    assert [each.user for each in await cases.lessons.of_server(GUILD)] == [NOBODY]


@pytest.mark.parametrize(("name", "text"), [(" ", ""), ("N" * 61, ""), ("Name", "x" * (MAX_TEXT + 1))])
def test_a_name_and_a_text_are_bounded(name: str, text: str) -> None:
    with pytest.raises(Refused):
        LESSON.tell(name, text)


async def taken(cases: UseCases) -> Puzzle:
    puzzle = await cases.puzzles.take_made(GUILD, NOON)
    assert puzzle is not None
    return puzzle
