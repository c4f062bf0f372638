"""Openings as text, and how a game begins with one."""

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from rules.game import AnyGame, BadOption, Opening, Position

P = TypeVar("P", bound=Position[Any])

MAX_TURNS = 4000
"""Turns of an opening: a full field of 60x60, and calls."""

SEPARATOR = "|"
"""The character between two turns; no notation has it."""

_TEXT = re.compile(r"([0-9]{1,15})@([0-9]{1,5})(?: (.*))?", re.DOTALL)


def opening_text(opening: Opening) -> str:
    """Returns the text that `parse_opening` reads back: `12@3 K12|L13|K13`."""
    return f"{opening.match}@{opening.move} {SEPARATOR.join(opening.turns)}".rstrip()


def parse_opening(text: str) -> Opening | None:
    """Returns the opening that a text names; None for an empty one. Raises BadOption (`bad_start`)."""
    if not text:
        return None
    found = _TEXT.fullmatch(text)
    turns = tuple(filter(None, (found[3] or "").split(SEPARATOR))) if found else ()
    if not found or len(turns) > MAX_TURNS:
        raise BadOption("bad_start")
    return Opening(turns, int(found[1]), int(found[2]))


def play_opening(game: AnyGame, position: P) -> P:
    """Returns the position after the opening of a game, from its first one. Raises BadNotation and IllegalMove."""
    for turn in game.opening.turns if game.opening else ():
        position = position.play(game.parse(turn))
    return position


def play_on(game: AnyGame, seed: int, turns: Sequence[str], match: int = 0) -> AnyGame:
    """Returns the game that begins after these `turns` of a match of `game`, or of a record without a number. Raises
    BadOption for a board that is not offered."""
    game = game.resolve_chance(seed)
    before = game.opening.turns if game.opening else ()
    opening = Opening((*before, *turns), match, len(turns))
    return game.with_options({**game.options, "opening": opening_text(opening)})
