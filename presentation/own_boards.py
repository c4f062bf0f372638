"""Boards of one's own that come from files and texts. All of it runs in a worker process."""

from collections.abc import Sequence
from typing import Final

from play.boards import diagram, sgf
from play.boards.own_board import OwnBoard, play_steps
from play.boards.sgf import Grown
from play.match.turn_tree import TriedTurn
from play.records.record import BadRecord
from play.refusal import Refused
from presentation.records import LIKELY_PRESETS, choose_rules, read_game, refuse_record
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.dots import Dots
from rules.game import RuleError
from rules.registry import DEFAULT

RECORD_SIGNS: Final = (b"(;", b"%28%3B")
"""What a record in SGF has near its beginning, also where it was part of an address."""

RECORD_FILES: Final = (".sav", ".sgf", ".sgfs")
"""Names of files that have a record, and no board in letters."""


def import_board(data: bytes, name: str, rules: str | None) -> Grown:
    """Returns the board in a file or a text: SGF or `.sav`, else a position in letters. Raises Refused."""
    try:
        if (own := sgf.read_own(data)) is not None:
            return own
        is_record = name.lower().endswith(RECORD_FILES) or any(sign in data for sign in RECORD_SIGNS)
        if not is_record and b"(" not in data:
            return Grown(diagram.read(data.decode("utf-8", "replace"), rules or DEFAULT))
        game, _ = choose_rules(read_game(data, name, rules or DEFAULT), () if rules else LIKELY_PRESETS)
        if name.lower().endswith(".sav"):
            return Grown(sgf.of_record(game.record, game.game))
        return sgf.grow(data, game.record, game.game)
    except BadRecord as error:
        raise refuse_record(error) from error
    except RuleError as error:
        raise Refused.by_rules(error) from error


def write_board(board: OwnBoard) -> bytes:
    """Returns the board in SGF. Raises Refused (`no_record`)."""
    try:
        return sgf.write(board)
    except BadRecord as error:
        raise refuse_record(error) from error


def draw_board(game: Dots, steps: Sequence[TriedTurn], theme: str) -> bytes:
    """Returns the position after turns as PNG. Raises Refused."""
    return draw(play_steps(game, steps).picture(), None, THEMES.get(theme, PAPER))
