"""Invariants of every game of Dots."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.game import Point, Seat
from tests.examples import examples
from tests.rules.dots.diagram import SYMMETRIES, Symmetry

EXAMPLES = examples(600)


class Dot(NamedTuple):
    """A dot of a game; `y` counts from the top, as in diagrams."""

    seat: Seat
    x: int
    y: int


class Course(NamedTuple):
    """A field and the dots placed on it."""

    width: int
    height: int
    dots: list[Dot]

    def start(self) -> DotsPosition:
        return Dots(key="test", width=self.width, height=self.height, setup=Setup.STONES).start(seed=0)

    def turn(self, dot: Dot) -> Turn:
        return Turn(Point(dot.x, self.height - 1 - dot.y))

    def positions(self) -> list[DotsPosition]:
        """Returns the first position and that after each dot, leaving out those that may no longer be placed."""
        positions = [self.start()]
        for dot in self.dots:
            here = positions[-1]
            if self.turn(dot) in here.moves():
                positions.append(here.with_to_act(dot.seat).play(self.turn(dot)))
        return positions

    def laid(self, symmetry: Symmetry) -> Course:
        """Returns the same course, with the paper turned or mirrored."""
        size = (self.height, self.width) if symmetry.transposed else (self.width, self.height)
        dots = [Dot(dot.seat, *symmetry.dot(dot.x, dot.y, self.width, self.height)) for dot in self.dots]
        return Course(*size, dots)


@st.composite
def courses(draw: st.DrawFn) -> Course:
    """Draws fields up to 9x7 and up to all of their crossings in any order; now and then one player places most."""
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 7))
    crossings = [(x, y) for x in range(width) for y in range(height)]
    order = draw(st.permutations(crossings))[: draw(st.integers(0, len(crossings)))]
    seats = draw(st.sampled_from(((0, 1), (0, 0, 0, 1), (0, 1, 1))))
    return Course(width, height, [Dot(Seat(draw(st.sampled_from(seats))), x, y) for x, y in order])


@EXAMPLES
@given(courses(), st.sampled_from(SYMMETRIES))
def test_a_turned_or_mirrored_game_has_the_turned_or_mirrored_result(course: Course, symmetry: Symmetry) -> None:
    last, laid = course.positions()[-1], course.laid(symmetry).positions()[-1]
    assert laid.rows() == symmetry.rows(last.rows())
    assert laid.score == last.score


@EXAMPLES
@given(courses())
def test_playing_changes_no_earlier_position(course: Course) -> None:
    here, seen = course.start(), []
    positions = [here]
    for dot in course.dots:
        seen.append((here.rows(), here.score, here.free, here.picture()))
        if course.turn(dot) in here.moves():
            here = here.with_to_act(dot.seat).play(course.turn(dot))
            positions.append(here)
        else:
            seen.pop()
    assert seen == [(was.rows(), was.score, was.free, was.picture()) for was in positions[: len(seen)]]


@EXAMPLES
@given(courses())
def test_the_same_dots_make_the_same_position(course: Course) -> None:
    first, second = course.positions(), course.positions()
    assert [position.picture() for position in first] == [position.picture() for position in second]


@EXAMPLES
@given(courses())
def test_there_are_no_moves_exactly_when_there_is_an_outcome(course: Course) -> None:
    for position in course.positions():
        assert (not list(position.moves())) == (position.outcome is not None)


@EXAMPLES
@given(courses())
def test_every_move_is_its_own_notation(course: Course) -> None:
    for position in course.positions()[:3]:
        assert all(position.rules.parse(str(move)) == move for move in position.moves())
