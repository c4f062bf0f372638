"""A turn in the words of a sentence, where its notation names what it closes."""

from __future__ import annotations

from bot.features.match.board.dash_text import name_dash_turn
from bot.i18n.words import Words
from rules.dots import Turn
from rules.game import AnyGame
from rules.notation import point_name
from rules.point import Point

MAX_NAMED_DOTS = 12
"""Dots of a drawn chain that a sentence names; the picture shows them all."""


def turn_text(game: AnyGame, notation: str, words: Words, bold: str = "") -> str:
    """Returns a turn in words, its dot between `bold`; in its notation if that names nothing else."""
    turn = game.parse(notation)
    if not isinstance(turn, Turn):
        return f"{bold}{name_dash_turn(notation, words)}{bold}"
    text = f"{bold}{point_name(turn.dot)}{bold}"
    closed = [*turn.paints, *(chain[0] for chain in turn.chains if len(chain) == 1)]
    if closed:
        text = words("turn.closing", turn=text, points=", ".join(map(point_name, closed)))
    for chain in turn.chains:
        if len(chain) > 1:
            text = words("turn.drawing", turn=text, chain=chain_text(chain))
    return text


def chain_text(chain: tuple[Point, ...]) -> str:
    """Returns the dots of a chain, the last ones of a long one."""
    named = "–".join(map(point_name, chain[-MAX_NAMED_DOTS:]))
    return f"…–{named}" if len(chain) > MAX_NAMED_DOTS else named
