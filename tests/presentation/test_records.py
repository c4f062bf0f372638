"""Pictures and films of recorded games."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from presentation.records import film_record, turn_record
from presentation.words.words import languages
from renderer.theme import PAPER

MOVES = ";W[cc];B[dd];W[ee])"


def has_crown(file: bytes, frame: int = 0) -> bool:
    """Returns whether the header of a frame has the crown of a winner."""
    with Image.open(BytesIO(file)) as picture:
        picture.seek(frame % getattr(picture, "n_frames", 1))
        header = picture.convert("RGB").crop((0, 0, picture.width, 30))
    return PAPER.last in {colour for _, colour in header.getcolors(1 << 16) or ()}


@pytest.mark.parametrize(
    ("result", "crowned"), [("RE[W+R]", True), ("RE[B+Time]", True), ("RE[0]", True), ("RE[?]", False), ("", False)]
)
def test_a_film_of_a_record_ends_with_the_result(result: str, *, crowned: bool) -> None:
    data = f"(;GM[40]SZ[9]{result}{MOVES}".encode()
    film = film_record(data, "game.sgf", "zagram", languages().of("en"), PAPER, 1_000_000).gif
    assert has_crown(film, -1) is crowned
    assert not has_crown(film, -2)


def test_the_last_board_of_a_record_has_the_result_and_no_other() -> None:
    boards = [
        turn_record(f"(;GM[40]SZ[9]RE[W+R]{MOVES}".encode(), "game.sgf", "zagram", number, languages().of("en"), PAPER)
        for number in range(4)
    ]
    assert [has_crown(board.page.png) for board in boards] == [False, False, False, True]
