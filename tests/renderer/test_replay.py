"""Films of games, read by the second decoder."""

from __future__ import annotations

from itertools import accumulate

import pytest
from PIL import Image

from renderer.header import Header, Mark, Plate
from renderer.layout import MOVING, Layout
from renderer.replay import Moment, Pace, replay
from renderer.theme import DARK, PAPER
from rules.game import Picture
from tests.renderer.decoders import Screen, gif
from tests.renderer.looks import DASH, NAMES, game, header

PACE = Pace(move=200, end=3000)
MOVES = range(60, 100)


def moments(moves: range = MOVES) -> list[Moment]:
    return [Moment(game()[move][0], header(move, over=move == moves[-1])) for move in moves]


def after_each_move(film: bytes, pace: Pace = PACE) -> list[Screen]:
    """Returns the screens at the end of each move's time."""
    frames = list(gif(film))
    ends = accumulate(time for time, _ in frames)
    return [screen for end, (_, screen) in zip(ends, frames, strict=True) if end % pace.move == 0]


@pytest.mark.parametrize("moves", [MOVES[-3:], pytest.param(MOVES, marks=pytest.mark.contest)], ids=len)
def test_after_each_move_the_film_equals_a_film_of_that_move_alone(moves: range) -> None:
    screens = after_each_move(replay(moments(moves), PACE))
    assert len(screens) == len(moves)
    for screen, moment in zip(screens, moments(moves), strict=True):
        ((_, alone),) = gif(replay([moment], PACE))
        assert screen.colours == alone.colours


def test_each_move_is_shown_for_its_time_and_the_last_one_longer() -> None:
    times = [time for time, _ in gif(replay(moments(), PACE))]
    assert sum(times) == (len(MOVES) - 1) * PACE.move + PACE.end
    assert times[-1] > PACE.end - PACE.move


def test_no_frame_is_so_short_that_browsers_slow_it_down() -> None:
    assert min(time for time, _ in gif(replay(moments(), Pace(move=1, end=1)))) >= 20


def test_moments_that_look_the_same_are_shown_for_their_time() -> None:
    picture, words = moments()[0]
    assert sum(time for time, _ in gif(replay([Moment(picture, words)] * 3, PACE))) == 2 * PACE.move + PACE.end


def test_the_score_is_in_the_picture() -> None:
    def film(score: str) -> bytes:
        return replay([Moment(Picture(13, 13), Header((Plate("Ola", score), Plate("Max", "0"))))])

    ((_, one),), ((_, other),) = gif(film("1")), gif(film("8"))
    head = Layout.of(13, 13, form=MOVING).header * one.width
    assert one.pixels[:head] != other.pixels[:head]
    assert one.pixels[head:] == other.pixels[head:]


def test_the_winner_has_a_crown_at_the_end() -> None:
    *_, (_, screen) = gif(replay(moments(), PACE))
    picture = Image.frombytes("RGB", (screen.width, screen.height), screen.colours)
    assert any(plate.mark is Mark.WON for plate in moments()[-1].header.plates)
    assert PAPER.last in picture.crop((0, 0, screen.width, 40)).get_flattened_data()


def test_a_whole_game_takes_at_most_400_kilobytes() -> None:
    assert len(replay(moments(range(len(game()))))) <= 400_000


def test_another_theme_is_another_film() -> None:
    *_, (_, screen) = gif(replay(moments(), PACE, DARK))
    assert screen.palette[:3] == bytes(DARK.paper)


@pytest.mark.parametrize("size", [(1, 1), (5, 5), (60, 60), (60, 5)])
def test_a_field_of_any_size_can_be_filmed(size: tuple[int, int]) -> None:
    ((_, screen),) = gif(replay([Moment(Picture(*size), NAMES)]))
    assert (screen.width, screen.height) == Layout.of(*size, form=MOVING).size


def test_dot_dash_can_be_filmed() -> None:
    assert list(gif(replay([Moment(DASH, NAMES), Moment(Picture(13, 13), NAMES)])))


def test_a_film_without_moments_is_refused() -> None:
    with pytest.raises(ValueError, match="no moments"):
        replay([])


def test_a_film_of_two_fields_is_refused() -> None:
    with pytest.raises(ValueError, match="one field"):
        replay([Moment(Picture(13, 13), NAMES), Moment(Picture(13, 14), NAMES)])
