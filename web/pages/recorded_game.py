"""The recorded game that plays itself on the page of the site's own address."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from play.records import sgf
from renderer.board import draw
from renderer.theme import PAPER
from rules.dots import Dots
from rules.registry import GAMES
from web.pages.plies import encode_plies

RECORD = Path(__file__).parent / "game.sgf"
"""A short game of the computer against itself: levels 6 and 5 on 13x13. README.md and docs/pictures.py show it, too."""


class RecordedGame(NamedTuple):
    """A game as its page needs it: its positions as web/pages/plies.py writes them, its last board as PNG, and how it
    ended."""

    plies: bytes
    picture: bytes
    score: tuple[float, ...]


@cache
def recorded_game() -> RecordedGame:
    """Returns the game, which takes 100 ms the first time."""
    preset, record = GAMES["zagram"], sgf.read(RECORD.read_bytes())
    assert isinstance(preset, Dots)
    positions = [*record.replay(preset)]
    pictures, scores = [each.picture() for each in positions], [each.score for each in positions]
    return RecordedGame(encode_plies(pictures, scores, "paper"), draw(pictures[-1], None, PAPER), scores[-1])
