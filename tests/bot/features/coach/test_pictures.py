"""A picture of a better turn: the dot, its areas and captures, the line after it, and the played turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import ImageChops

from bot.markup import spoken
from opponent.review import play_line
from presentation.advice import better_turn, captures_text, draw_part, draw_solution, gain_text, line_picture
from renderer.theme import DARK, PAPER, Theme, blend
from rules.dash import Choice, Dash, Opening
from rules.dots import Closing, Dots, Scoring, Setup
from rules.game import AnyGame, AnyPosition, Number, Point, Seat, Stone, parse_point, point_name
from tests.renderer.decoders import png
from tests.renderer.page import Page, diamond

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


@pytest.mark.parametrize("theme", [PAPER, DARK], ids=["light", "dark"])
def test_of_a_solution_the_right_dot_is_ringed_and_the_wrong_one_faint_and_crossed(theme: Theme) -> None:
    """J8 was right and C3 wrong: full ink is on the right one alone, the ring of the last move on none."""
    page = Page(line_picture(GAME, before(), ("J8",), "C3"), theme=theme)
    ink, (right, wrong) = theme.inks[0].colour, (parse_point("J8"), parse_point("C3"))
    assert {ink, theme.last} <= page.square(*right)
    assert ink not in page.square(*wrong)
    assert theme.last not in page.square(*wrong)
    assert page.at(*wrong) == theme.text
    faint = blend(theme.paper, ink, theme.fading)
    assert page.at(*wrong, right=0.2) == pytest.approx(faint, abs=8)  # a palette rounds it


def test_a_solution_has_the_numbers_of_its_dots_from_1_on() -> None:
    numbered = Page(line_picture(GAME, before(), ("J8", "T1", "T2"), "C3")).image
    bare = Page(replace(line_picture(GAME, before(), ("J8", "T1", "T2"), "C3"), numbers=())).image
    assert ImageChops.difference(numbered, bare).getbbox() is not None
    picture = line_picture(GAME, before(), ("J8", "T1", "T2"), "C3")
    assert picture.numbers == tuple(Number(parse_point(dot), place) for place, dot in enumerate(("J8", "T1", "T2"), 1))


def test_a_wrong_dot_on_which_a_later_one_came_to_lie_is_not_crossed() -> None:
    picture = line_picture(GAME, before(), ("J8", "C3"), "C3")
    assert not picture.falling
    assert Stone(parse_point("C3"), Seat(1)) in picture.stones


def test_a_solution_shows_all_that_it_closes() -> None:
    """The chain round the blue dot reaches far beyond the part round the dot that closes it."""
    *ring, last = diamond(0, 10, 10, 6).ring
    ring, blue = [Point(9, 9), *ring], [Point(10, 10), *(Point(k % 20, k // 20) for k in range(len(ring)))]
    moves = [point_name(dot) for pair in zip(ring, blue, strict=False) for dot in pair]
    position, line = play_line(GAME, GAME.start(0), moves), (point_name(last),)
    part = png(draw_solution(GAME, position, line, None, "paper"))
    assert part.height > png(draw_part(line_picture(GAME, position, line), "paper")).height


def test_captured_dots_are_named_and_the_moves_after_which_they_fall() -> None:
    words, fallen = spoken().of(), [parse_point("J9"), parse_point("K9")]
    assert captures_text(GAME, fallen, ("J8",), words) == "That captures 2 dots: J9, K9."
    assert captures_text(GAME, fallen, ("J8", "A1", "K8"), words) == "That captures 2 dots: J9, K9 (after J8, A1, K8)."
    assert not captures_text(GAME, [], ("J8",), words)


@pytest.mark.parametrize(
    ("game", "points", "line", "said"),
    [
        (TERRITORY, 1, ("J8",), "That wins 1 point."),
        (TERRITORY, 1.5, ("J8", "A1", "K8"), "That wins 1.5 points (after J8, A1, K8)."),
        (Dash("dot-dash"), 1, ("D4-G7",), "That makes 1 five."),
        (Dash("dot-dash"), 2, ("D4-G7", "A1-A2"), "That makes 2 fives (after D4-G7, A1-A2)."),
        (Dash("dot-dash"), 0, ("D4-G7",), ""),
    ],
)
def test_a_gain_is_counted_in_the_unit_of_the_game(
    game: AnyGame, points: float, line: tuple[str, ...], said: str
) -> None:
    assert gain_text(game, points, line, spoken().of()) == said


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
