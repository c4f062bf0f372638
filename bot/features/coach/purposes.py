"""The reason for a hinted turn in one sentence, and the moves that follow it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.coach import pictures
from bot.features.match.board.turn_text import turn_text
from bot.i18n.words import Words
from opponent.purpose import Aim, Purpose
from rules.game import AnyGame
from rules.notation import point_name
from rules.point import Point

MAX_NAMED_DOTS = 8
"""Dots that a sentence names; the picture shows them all."""

MAX_EXPECTED_MOVES = 2
"""Moves after the hinted one that a hint names."""


def purpose_text(game: AnyGame, purpose: Purpose, line: Sequence[str], words: Words) -> str:
    """Returns what the first turn of a `line` is good for, and what is expected after it unless it captures at once."""
    if purpose.aim is Aim.WINS:
        return pictures.gain_text(game, purpose.amount, line, words)
    count = int(purpose.amount)
    if purpose.dots:
        why = words(f"hint.dots.{purpose.aim}", count=count, dots=dots_text(purpose.dots))
    elif purpose.aim is Aim.SURROUNDS:
        why = words("hint.surrounds", count=count)
    else:
        why = words(f"hint.why.{purpose.aim}")
    moves = line[1:] if purpose.aim is Aim.LEADS else line[1 : 1 + MAX_EXPECTED_MOVES]
    if purpose.aim in (Aim.CAPTURES, Aim.CALLS) or not moves:
        return why
    return f"{why} {words('hint.expect', line=', '.join(turn_text(game, move, words) for move in moves))}"


def dots_text(dots: Sequence[Point]) -> str:
    """Returns the names of dots, the first ones of many."""
    named = ", ".join(map(point_name, dots[:MAX_NAMED_DOTS]))
    return f"{named}, …" if len(dots) > MAX_NAMED_DOTS else named
