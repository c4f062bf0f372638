"""PNG files made of pieces."""

from __future__ import annotations

import random
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from renderer.board import draw, forget
from renderer.brush import forget_tiles
from renderer.png import file, piece
from renderer.theme import PAPER, THEMES
from tests.renderer.decoders import png
from tests.renderer.goldens import GOLDENS
from tests.renderer.looks import game, header, keypad, window
from tests.renderer.page import decode

MOVES = range(100, 244, 24)


@pytest.mark.parametrize("seed", range(20))
def test_pieces_of_any_content_and_length_make_one_stream(seed: int) -> None:
    luck = random.Random(seed)
    width, pieces, above, expected = luck.randrange(1, 400), [], b"", b""
    for _ in range(luck.randrange(1, 9)):
        rows = [luck.randbytes(width) if luck.random() < 0.5 else bytes(width) for _ in range(luck.randrange(1, 200))]
        lines = b"".join(b"\0" + row for row in rows)
        pieces.append(piece(lines, above))
        above, expected = lines, expected + b"".join(rows)
    screen = png(file((width, len(expected) // width), bytes(768), pieces))
    assert screen.pixels == expected


def test_the_checksum_of_a_piece_is_that_of_its_lines() -> None:
    lines = b"\0abc" * 30_000
    assert (piece(lines).adler, piece(lines).length) == (zlib.adler32(lines), len(lines))


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", GOLDENS)
@pytest.mark.parametrize("theme", THEMES)
def test_another_decoder_reads_the_same_pixels(name: str, theme: str) -> None:
    drawn = draw(*GOLDENS[name], THEMES[theme])
    assert png(drawn).colours == decode(drawn).tobytes()


def test_a_board_drawn_after_the_one_before_is_the_same_file_as_one_drawn_anew() -> None:
    for move in MOVES:
        forget()
        *_, following = [draw(game()[each][0], header(each)) for each in range(move - 3, move + 1)]
        forget()
        forget_tiles()
        assert draw(game()[move][0], header(move)) == following


def test_a_crop_drawn_after_the_whole_board_is_the_same_file_as_one_drawn_anew() -> None:
    draw(game()[150][0], header(150))
    part = window(game()[150][0])
    following = draw(keypad(150), None, PAPER, part)
    forget()
    forget_tiles()
    assert draw(keypad(150), None, PAPER, part) == following


def test_boards_drawn_in_many_threads_are_those_drawn_in_one() -> None:
    jobs = [(move, theme) for move in MOVES[:3] for theme in THEMES.values()]
    alone = [draw(game()[move][0], header(move), theme) for move, theme in jobs]
    forget()
    forget_tiles()
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda job: draw(game()[job[0]][0], header(job[0]), job[1]), jobs))
    assert together == alone
