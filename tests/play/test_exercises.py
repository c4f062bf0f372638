"""The built-in set: every exercise is legal, and its tree does what its goal says, by the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.resources import files

import pytest

from play.community.exercise import Exercise, Kind
from play.community.exercise_tree import Line, write_tree
from play.community.exercises import exercises
from play.community.solving import Right, Solved, Solving, Wrong
from rules.dots import Call, DotsPosition
from rules.dots.scoring import losses
from rules.game import AnyPosition

MAX_BYTES = 1_000_000
"""Of the file."""

MAX_SHARE = 0.3
"""Of a kind."""

CAPTURES = (Kind.CAPTURE, Kind.NET, Kind.LADDER)
RESCUES = (Kind.ESCAPE, Kind.WALL)

of_few_and_of_many = pytest.mark.parametrize(
    "step", [pytest.param(200, id="few"), pytest.param(20, id="many", marks=pytest.mark.contest)]
)
"""Every so manieth exercise is looked at."""


def sample(step: int) -> list[Exercise]:
    return list(exercises().values())[::step]


def nodes(solving: Solving) -> Iterator[Solving]:
    """Yields a way through an exercise at each of its nodes."""
    yield solving
    for move in solving.node.right:
        verdict = solving.try_move(move)
        if isinstance(verdict, Right):
            yield from nodes(verdict.next)


def after(exercise: Exercise, position: AnyPosition, line: Line) -> DotsPosition:
    for move in line:
        position = position.play(exercise.game.parse(move))
    assert isinstance(position, DotsPosition)
    return position


def lead(position: AnyPosition, seat: int) -> float:
    return position.score[seat] - position.score[1 - seat]


def stop_wins(position: DotsPosition, seat: int) -> bool:
    """Returns whether `seat`, who has stopped, wins whatever the other does alone."""
    return all(lead(position, seat) > loss for loss in losses(position.field.copy(), seat + 1))


def is_reached(exercise: Exercise, position: DotsPosition) -> bool:
    """Returns whether a position is the goal of an exercise at the end of a line."""
    before, seat = exercise.position, exercise.position.to_act
    change = lead(position, seat) - lead(before, seat)
    if exercise.kind in CAPTURES:
        return change >= (exercise.goal.points or 0)
    if exercise.kind in RESCUES:
        return change > -(exercise.goal.points or 0)
    if exercise.kind is Kind.STOP:
        return position.stopped == seat and stop_wins(position, seat)
    return position.free > 0 or lead(position, seat) >= (exercise.goal.points or 0)


def is_refuted(exercise: Exercise, position: DotsPosition) -> bool:
    """Returns whether a position after a refutation shows that the goal is out of reach, where the rules can tell."""
    before, seat = exercise.position, exercise.position.to_act
    change = lead(position, seat) - lead(before, seat)
    if exercise.kind in CAPTURES:
        return change < (exercise.goal.points or 0)
    if exercise.kind in RESCUES:
        return change <= -(exercise.goal.points or 0)
    if exercise.kind is Kind.STOP:
        return lead(position if position.outcome else position.play(Call.STOP), seat) <= 0
    return position.free > 0 or lead(position, seat) < (exercise.goal.points or 0)


def test_the_file_is_small() -> None:
    assert len(files("play.community").joinpath("exercises.json").read_bytes()) <= MAX_BYTES


def test_numbers_go_on_behind_the_first_set() -> None:
    assert list(exercises()) == list(range(101, 101 + len(exercises())))


def test_all_kinds_are_there_and_none_prevails() -> None:
    kinds = Counter(exercise.kind for exercise in exercises().values())
    assert set(kinds) == set(Kind)
    assert max(kinds.values()) <= MAX_SHARE * len(exercises())


def test_some_are_easy_and_some_are_hard() -> None:
    ratings = sorted(exercise.rating.value for exercise in exercises().values())
    assert ratings[len(ratings) // 4] < 1100 < 1400 < ratings[-len(ratings) // 8]


def test_one_to_four_first_moves_are_right_and_one_of_four_answers() -> None:
    for exercise in exercises().values():
        right = exercise.tree.right
        assert 1 <= len(right) <= 4, exercise.number
        assert len(set(exercise.answers)) == len(exercise.answers) == 4, exercise.number
        assert sum(answer in right for answer in exercise.answers) == 1, exercise.number


def test_every_tree_is_the_same_after_its_text() -> None:
    for exercise in exercises().values():
        assert write_tree(exercise.tree) == exercise.source


@of_few_and_of_many
def test_every_way_of_right_moves_ends_at_the_goal(step: int) -> None:
    for exercise in sample(step):
        for solving in nodes(Solving.begin(exercise)):
            assert solving.position.to_act == exercise.position.to_act
            for move in solving.node.right:
                verdict = solving.try_move(move)
                if isinstance(verdict, Solved):
                    assert is_reached(exercise, after(exercise, solving.position, verdict.line)), exercise.number


@of_few_and_of_many
def test_every_other_legal_move_is_refuted_by_a_legal_line(step: int) -> None:
    for exercise in sample(step):
        for solving in nodes(Solving.begin(exercise)):
            for turn in (*solving.position.moves(), *calls(solving.position)):
                verdict = solving.try_move(str(turn))
                if isinstance(verdict, Wrong):
                    assert len(verdict.line) > 1, (exercise.number, turn)
                    assert is_refuted(exercise, after(exercise, solving.position, verdict.line)), (
                        exercise.number,
                        turn,
                    )


def calls(position: AnyPosition) -> tuple[Call, ...]:
    assert isinstance(position, DotsPosition)
    return position.calls()


@of_few_and_of_many
def test_a_stop_after_a_right_dot_wins_whatever_the_reply(step: int) -> None:
    for exercise in [each for each in exercises().values() if each.kind is Kind.STOP][:: max(1, step // 10)]:
        position, seat = exercise.position, exercise.position.to_act
        for move in exercise.tree.right:
            played = after(exercise, position, (move,))
            stopped = [played] if move == Call.STOP else [each.play(Call.STOP) for each in replies(played)]
            assert all(stop_wins(each, seat) for each in stopped), exercise.number


@of_few_and_of_many
def test_a_dot_that_captures_at_once_does_so_and_after_every_reply_to_the_one_before(step: int) -> None:
    """Of the captures in one dot or two the rules alone can try every reply."""
    for exercise in [each for each in exercises().values() if each.kind is Kind.CAPTURE][:: max(1, step // 10)]:
        position, seat = exercise.position, exercise.position.to_act
        goal = lead(position, seat) + (exercise.goal.points or 0)
        if exercise.tree.depth <= 2:
            played = after(exercise, position, exercise.tree.line[:1])
            now = exercise.tree.depth == 1 and lead(played, seat) >= goal
            assert now or all(
                any(lead(captured, seat) >= goal for captured in replies(reply)) for reply in replies(played)
            ), exercise.number


def replies(position: DotsPosition) -> Iterator[DotsPosition]:
    return (position.play(turn) for turn in position.moves())
