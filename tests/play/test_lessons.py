"""The lessons teach what is true: the right dots are those that a search finds, and every other one is answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from play.community.lesson import LESSONS, PATH, Lesson
from play.community.solving import Solved, Solving, Wrong
from rules.dots import Call, DotsPosition, Turn
from rules.game import Point, Zone, parse_point, point_name
from tests.play.lesson_search import (
    ME,
    RIVAL,
    Link,
    captures,
    dots_of,
    drives,
    final_lead,
    gain,
    has_chase,
    lead,
    loses_nothing,
    nets,
    play,
    stop_wins,
    turned,
)

CHASE_DOTS = 4
"""Dots of a chase that are looked at."""

Proof = Callable[[Lesson, DotsPosition], bool]
"""Tells whether a dot that has led to a position is right."""


def start(lesson: Lesson) -> DotsPosition:
    """Returns the position to look at."""
    position = lesson.exercise.position
    assert isinstance(position, DotsPosition)
    return position


def played(lesson: Lesson, turn: str) -> DotsPosition:
    """Returns the position after a dot or STOP."""
    return start(lesson).play(lesson.game.parse(turn))


def gains_most(lesson: Lesson, after: DotsPosition) -> bool:
    """Returns whether no dot on the whole board is worth more, by what both capture."""
    before = start(lesson)
    return gain(before, after) == max(gain(before, play(before, dot)) for dot in dots_of(before))


def chases(_: Lesson, after: DotsPosition) -> bool:
    """Returns whether a dot threatens, and all that follows does, until there is a capture."""
    return bool(captures(after, ME)) and drives(after, 1, CHASE_DOTS)


def catches(lesson: Lesson, after: DotsPosition) -> bool:
    return nets(after, lesson.zone)


def escapes(lesson: Lesson, after: DotsPosition) -> bool:
    """Returns whether the opponent can neither capture nor begin a chase after the dot."""
    return not has_chase(turned(lesson, ("X", last_dot(lesson, after))), CHASE_DOTS)


def last_dot(lesson: Lesson, after: DotsPosition) -> Point:
    before = {stone.point for stone in start(lesson).picture().stones}
    return next(stone.point for stone in after.picture().stones if stone.point not in before)


EDGE = frozenset(Point(x, 0) for x in range(7))
LINKS = {
    "door": Link(ME, Point(3, 2), EDGE, 2, Zone(Point(1, 0), Point(5, 1))),
    "reach": Link(ME, Point(3, 2), EDGE, 2, Zone(Point(1, 0), Point(5, 1))),
    "cut": Link(
        RIVAL, parse_point("B4"), frozenset({parse_point("F4")}), 3, Zone(parse_point("C3"), parse_point("E5"))
    ),
}
"""The links that lessons are about: they are made, or in `cut` prevented, in the part of the board round them."""


def links(lesson: Lesson, after: DotsPosition) -> bool:
    link = LINKS[lesson.key]
    return link.holds(after, RIVAL) == (link.seat == ME)


def wins_at_the_end(_: Lesson, after: DotsPosition) -> bool:
    """Returns whether the player leads once the board is full."""
    return final_lead(after) > 0


def grounds(_: Lesson, after: DotsPosition) -> bool:
    """Returns whether nothing of the player can be taken any more, whatever the opponent answers."""
    return after.stopped is None and all(loses_nothing(play(after, reply)) for reply in dots_of(after))


def wins_by_stop(lesson: Lesson, after: DotsPosition) -> bool:
    """Returns whether the STOP that was said wins, or one after every reply to the dot."""
    if after.stopped is not None:
        return stop_wins(start(lesson))
    if after.outcome is not None:
        return lead(after) > 0
    return all(stop_wins(play(after, reply)) for reply in dots_of(after))


PROOFS: dict[str, Proof] = {
    **dict.fromkeys(LESSONS, gains_most),
    **dict.fromkeys(("fork", "wedge", "chase", "bend", "twist"), chases),
    **dict.fromkeys(("parry", "loosen", "flee", "dodge"), escapes),
    **dict.fromkeys(LINKS, links),
    "net": catches,
    **dict.fromkeys(("fill", "room"), wins_at_the_end),
    "ground": grounds,
    **dict.fromkeys(("stop", "early"), wins_by_stop),
}
SLOW_PROOFS = (catches, escapes, chases, links)
QUICK = [lesson for lesson in LESSONS.values() if PROOFS[lesson.key] not in SLOW_PROOFS or lesson.key == "fork"]
SLOW = [lesson for lesson in LESSONS.values() if lesson not in QUICK]


def prove(lesson: Lesson) -> None:
    """Raises AssertionError unless exactly the right turns are right: dots of the part that is shown, or STOP."""
    proved = {turn for turn in turns_of(lesson) if PROOFS[lesson.key](lesson, played(lesson, turn))}
    assert proved == set(lesson.right)


def turns_of(lesson: Lesson) -> list[str]:
    """Returns all that a lesson has buttons for."""
    return [*map(point_name, dots_of(start(lesson), lesson.zone)), *start(lesson).calls()]


@pytest.mark.sample(5)
@pytest.mark.parametrize("lesson", QUICK, ids=lambda lesson: lesson.key)
def test_exactly_the_right_dots_of_a_lesson_do_what_it_teaches(lesson: Lesson) -> None:
    prove(lesson)


@pytest.mark.contest
@pytest.mark.parametrize("lesson", SLOW, ids=lambda lesson: lesson.key)
def test_exactly_the_right_dots_of_a_lesson_do_what_it_teaches_by_a_long_search(lesson: Lesson) -> None:
    prove(lesson)


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.key)
def test_every_turn_has_an_answer_that_can_be_played(lesson: Lesson) -> None:
    for turn in turns_of(lesson):
        verdict = Solving.begin(lesson.exercise).try_move(turn)
        assert isinstance(verdict, Solved | Wrong)
        position = played(lesson, turn)
        loses = position.score[RIVAL] > start(lesson).score[RIVAL]
        for reply in verdict.line[1:]:
            position = position.play(Turn(parse_point(reply)))
        assert isinstance(verdict, Solved) == (turn in lesson.right)
        assert isinstance(verdict, Solved) or len(verdict.line) == (1 if loses or turn == Call.STOP else 2)


def check_answers(lesson: Lesson) -> None:
    """Raises AssertionError if the answer to a wrong dot does not show what is wrong with it."""
    proof = PROOFS[lesson.key]
    for turn in turns_of(lesson):
        attempt = Solving.begin(lesson.exercise).try_move(turn)
        if not isinstance(attempt, Wrong) or len(attempt.line) == 1:  # what it loses is shown at once
            continue
        dot, reply = map(parse_point, attempt.line)
        after = play(start(lesson), dot, reply)
        if proof is gains_most:
            best = gain(start(lesson), played(lesson, lesson.right[0]))
            assert gain(start(lesson), play(start(lesson), dot)) < best
        elif proof is chases:
            assert not has_chase(after, CHASE_DOTS), attempt.line
        elif proof is escapes:
            seen = turned(lesson, ("X", dot))
            answered = play(seen, reply)
            assert answered.score[ME] > 0 or drives(answered, 1, CHASE_DOTS), attempt.line
        elif proof is links:
            link = LINKS[lesson.key]
            assert link.holds(after, ME) == (link.seat == RIVAL), attempt.line
        elif proof is wins_at_the_end:
            assert final_lead(after) <= 0, attempt.line
        elif proof is grounds:
            assert not loses_nothing(after), attempt.line
        elif proof is wins_by_stop:
            assert not stop_wins(after), attempt.line


@pytest.mark.sample(5)
@pytest.mark.parametrize("lesson", QUICK, ids=lambda lesson: lesson.key)
def test_the_answer_to_a_wrong_dot_shows_what_is_wrong(lesson: Lesson) -> None:
    check_answers(lesson)


@pytest.mark.contest
@pytest.mark.parametrize("lesson", SLOW, ids=lambda lesson: lesson.key)
def test_the_answer_to_a_wrong_dot_shows_what_is_wrong_by_a_long_search(lesson: Lesson) -> None:
    check_answers(lesson)


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.key)
def test_the_line_of_a_lesson_captures_at_its_end(lesson: Lesson) -> None:
    if lesson.line:
        position = play(start(lesson), *map(parse_point, (lesson.right[0], *lesson.line)))
        assert position.score[ME] > 0


def test_a_lesson_is_in_one_chapter_and_the_part_shown_is_on_its_board() -> None:
    assert len(LESSONS) == sum(len(chapter.lessons) for chapter in PATH)
    for lesson in LESSONS.values():
        high = lesson.zone.high
        assert (high.x < len(lesson.rows[0]), high.y < len(lesson.rows)) == (True, True), lesson.key
