"""The README begins with a moving board, which the program draws itself, and with what a stranger can do at once."""

from __future__ import annotations

import re
from io import BytesIO

from PIL import Image

from docs.pictures import FILM, film
from play.records import sgf
from rules.dots import Dots
from rules.registry import GAMES
from tests.docs.pages import ROOT, code_blocks, full_text
from web.pages.front import RECORD

README = full_text("README.md")
MAX_BYTES = 400_000


def test_the_film_is_what_the_recorded_game_plays() -> None:
    assert film() == FILM.read_bytes(), "`make pictures` draws it again"


def test_both_players_capture_in_the_film() -> None:
    preset = GAMES["zagram"]
    assert isinstance(preset, Dots)
    *_, last = sgf.read(RECORD.read_bytes()).replay(preset)
    assert min(last.score) > 0


def test_the_film_shows_every_move_and_is_small() -> None:
    moves = len(sgf.read(RECORD.read_bytes()).moves)
    with Image.open(BytesIO(FILM.read_bytes())) as image:
        assert getattr(image, "n_frames", 1) > moves
    assert FILM.stat().st_size < MAX_BYTES


def test_the_film_comes_before_all_other_links() -> None:
    link = re.search(r'\]\(([^)\s]+)\)|<img src="([^"]+)"', README)
    assert link is not None
    assert (ROOT / (link[1] or link[2])).resolve() == FILM


def test_the_first_command_is_the_one_that_sets_everything_up() -> None:
    first, *others = code_blocks("README.md")
    assert first == "make run\n"
    assert ".venv/" not in README.partition(first)[0]
    assert any("make test" in block for block in others)
