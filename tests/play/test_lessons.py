"""The lessons teach what is true: the right dots are those that a search finds, and every other one is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from play.community.lesson import Lesson
from play.community.path import LESSONS, PATH
from rules.dots import DotsPosition, Turn
from rules.notation import parse_point, point_name
from tests.play.lesson_search import ME, captures, dots_of, drives, gain, nets, play

CHASE_DOTS = 4
"""Dots of a chase that are looked at."""

Proof = Callable[[Lesson, DotsPosition], bool]
"""Tells whether a dot that has led to a position is right."""


def gains_most(lesson: Lesson, after: DotsPosition) -> bool:
    """Returns whether no dot on the whole board is worth more, by what both capture."""
    before = lesson.position
    return gain(before, after) == max(gain(before, play(before, dot)) for dot in dots_of(before))


def chases(_: Lesson, after: DotsPosition) -> bool:
    """Returns whether a dot threatens, and all that follows does, until there is a capture."""
    return bool(captures(after, ME)) and drives(after, 1, CHASE_DOTS)


def catches(lesson: Lesson, after: DotsPosition) -> bool:
    return nets(after, lesson.zone)


PROOFS: dict[str, Proof] = {
    **dict.fromkeys(LESSONS, gains_most),
    "fork": chases,
    "wedge": chases,
    "chase": chases,
    "net": catches,
}
QUICK = [lesson for lesson in LESSONS.values() if PROOFS[lesson.key] is not catches]
SLOW = [lesson for lesson in LESSONS.values() if PROOFS[lesson.key] is catches]


def prove(lesson: Lesson) -> None:
    """Raises AssertionError unless exactly the right dots of the part that is shown are right."""
    proved = {
        point_name(dot)
        for dot in dots_of(lesson.position, lesson.zone)
        if PROOFS[lesson.key](lesson, play(lesson.position, dot))
    }
    assert proved == set(lesson.right)


@pytest.mark.parametrize("lesson", QUICK, ids=lambda lesson: lesson.key)
def test_exactly_the_right_dots_of_a_lesson_do_what_it_teaches(lesson: Lesson) -> None:
    prove(lesson)


@pytest.mark.contest
@pytest.mark.parametrize("lesson", SLOW, ids=lambda lesson: lesson.key)
def test_exactly_the_right_dots_of_a_net_catch(lesson: Lesson) -> None:
    prove(lesson)


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.key)
def test_every_dot_has_an_answer_that_can_be_played(lesson: Lesson) -> None:
    for dot in dots_of(lesson.position, lesson.zone):
        attempt = lesson.answer(point_name(dot))
        position = lesson.position
        for move in attempt.line:
            position = position.play(Turn(parse_point(move)))
        assert attempt.right == (point_name(dot) in lesson.right)
        assert attempt.right or len(attempt.line) == 2


@pytest.mark.parametrize("lesson", QUICK, ids=lambda lesson: lesson.key)
def test_the_answer_to_a_wrong_dot_leaves_less_than_the_right_one_wins(lesson: Lesson) -> None:
    for dot in dots_of(lesson.position, lesson.zone):
        attempt = lesson.answer(point_name(dot))
        if attempt.right:
            continue
        after = play(lesson.position, *map(parse_point, attempt.line))
        if PROOFS[lesson.key] is chases:
            assert not captures(after, ME)
            assert not any(chases(lesson, play(after, again)) for again in dots_of(after))
        else:
            best = gain(lesson.position, play(lesson.position, parse_point(lesson.right[0])))
            assert gain(lesson.position, play(lesson.position, dot)) < best


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.key)
def test_the_line_of_a_lesson_captures_at_its_end(lesson: Lesson) -> None:
    if lesson.line:
        position = play(lesson.position, *map(parse_point, (lesson.right[0], *lesson.line)))
        assert position.score[ME] > 0


def test_a_lesson_is_in_one_chapter_and_the_part_shown_is_on_its_board() -> None:
    assert len(LESSONS) == sum(len(chapter.lessons) for chapter in PATH)
    for lesson in LESSONS.values():
        high = lesson.zone.high
        assert (high.x < len(lesson.rows[0]), high.y < len(lesson.rows)) == (True, True), lesson.key
