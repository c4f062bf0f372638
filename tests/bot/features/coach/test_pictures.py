"""A picture of a better turn: the dot, its areas and captures, the line after it, and the played turn."""

from __future__ import annotations

import pytest

from opponent.review import play_line
from presentation.advice import better_turn, draw_part, gain_text
from presentation.words.words import languages
from rules.dash import Choice, Dash, Opening
from rules.dots import Closing, Dots, Scoring, Setup
from rules.game import AnyGame, AnyPosition
from rules.notation import parse_point
from rules.picture import Number, Stone
from rules.point import Point, Seat
from tests.renderer.decoders import png

GAME = Dots("zagram", 20, 20, Setup.EMPTY)
TERRITORY = Dots("german", 20, 20, Setup.EMPTY, closing=Closing.PAINTED, scoring=Scoring.TERRITORY)
MOVES = ("J10", "J9", "I9", "A1", "K9", "A2")
"""With J8 red captures J9."""


def before() -> AnyPosition:
    """Returns the position before the better turn."""
    return play_line(GAME, GAME.start(0), MOVES)


def test_the_better_dot_is_shown_as_one_not_placed_yet() -> None:
    assert better_turn(GAME, before(), ("J8",)).ghost == Stone(parse_point("J8"), Seat(0))


def test_what_it_closes_and_captures_is_marked() -> None:
    picture = better_turn(GAME, before(), ("J8",))
    assert [len(area.ring) for area in picture.plans] == [4]
    assert picture.falling == (parse_point("J9"),)


def test_the_dots_that_follow_are_numbered() -> None:
    picture = better_turn(GAME, before(), ("J8", "T1", "T2"))
    assert picture.numbers == (Number(parse_point("T1"), 2), Number(parse_point("T2"), 3))


def test_the_played_turn_is_there_as_the_last_dot() -> None:
    picture = better_turn(GAME, before(), ("J8",), "C3")
    assert picture.last == (Point(2, 2),)
    assert Stone(Point(2, 2), Seat(0)) in picture.stones


@pytest.mark.parametrize(
    ("game", "points", "said"),
    [
        (GAME, 1, "That captures 1 dot: J8."),
        (TERRITORY, 1, "That wins 1 point: J8."),
        (TERRITORY, 1.5, "That wins 1.5 points: J8."),
        (Dash("dot-dash"), 1, "That makes 1 five: D4-G7."),
        (Dash("dot-dash"), 2, "That makes 2 fives: D4-G7."),
    ],
)
def test_a_gain_is_counted_in_the_unit_of_the_game(game: AnyGame, points: float, said: str) -> None:
    line = ("D4-G7",) if isinstance(game, Dash) else ("J8",)
    assert gain_text(game, points, line, languages().of()) == said


def test_areas_drawn_by_hand_are_marked_too() -> None:
    game = Dots("paper", 20, 20, Setup.EMPTY, closing=Closing.DRAWN)
    position = play_line(game, game.start(0), MOVES)
    assert better_turn(game, position, ("J8",)).falling == (parse_point("J9"),)


def test_a_picture_shows_its_subject_and_not_the_whole_field() -> None:
    whole = png(draw_part(before().picture(), "paper"))
    part = png(draw_part(better_turn(GAME, before(), ("J8",)), "paper"))
    assert whole.height > 0
    assert part.width != whole.width or part.height != whole.height


def test_where_stones_move_the_position_after_the_turn_is_shown() -> None:
    dash = Dash("dot-dash", 9)
    start = dash.start(0).play(Opening(frozenset((Point(0, 0), Point(8, 8))), Point(4, 4))).play(Choice.SINGLE)
    picture = better_turn(dash, start, ("E5-E8",))
    assert picture == start.play(dash.parse("E5-E8")).picture()
    assert png(draw_part(picture, "paper")).width > 0
