"""The turns of Dot Dash that `/move` suggests: what fits the phase, and no set-up that nobody has asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from bot.features.match.turn.typed_codes import read_code
from play.match.match import Match
from play.turns import leaves_choice
from presentation.words.words import Words
from rules.dash import Choice, DashPosition, Phase
from rules.game import BadNotation, RuleError
from rules.notation import parse_point, point_name
from rules.typed_text import plain_text, without_number

MAX_MOVES = 5000
"""Dashes that are ranked; with several ways to declare fives there may be more."""

_BETWEEN = re.compile(r"\s*(?:[-‐–—−>→,\s]+|\bto\b)\s*", re.IGNORECASE)


def suggest_dash_turns(match: Match, position: DashPosition, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    """Yields turns, whole or begun, with their lines in the list, the likeliest first."""
    if position.phase is Phase.SET_UP:
        yield from _set_ups(match, typed.strip(), words)
    elif position.phase is Phase.CHOICE:
        yield from _sides(match, typed, words)
    else:
        yield from _dashes(position, typed, words)


def _set_ups(match: Match, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    """Yields the set-up as far as it is typed, which buttons can complete."""
    if not typed:
        yield "set", words("button.begin.set_up")
        return
    with suppress(RuleError):
        code = read_code(match, typed)
        yield code, words("point.begun", points=code.removeprefix("set ")) if leaves_choice(match, code) else code


def _sides(match: Match, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    sides = [*Choice]
    with suppress(RuleError, ValueError):
        sides = [Choice(read_code(match, typed))]
    for side in sides:
        yield side.value, words(f"step.take.{side.name.lower()}")


def _dashes(position: DashPosition, typed: str, words: Words) -> Iterator[tuple[str, str]]:
    """Yields the dashes that begin as typed, those first that make a five."""
    begun = "-".join(map(_name, filter(None, _BETWEEN.split(without_number(plain_text(typed))))))
    moves = [move for move in islice(position.moves(), MAX_MOVES) if str(move).startswith(begun)]
    mover = position.to_act
    gains = {move: position.play(move).score[mover] - position.score[mover] for move in moves}
    whole = (f"{begun}-", f"{begun} ")
    for move in sorted(moves, key=lambda move: (not str(move).startswith(whole), -gains[move])):
        fives = gains[move]
        yield str(move), words("point.fives", move=str(move), count=fives) if fives > 0 else str(move)


def _name(typed: str) -> str:
    """Returns the name of the crossing that is typed, or what is typed of one."""
    with suppress(BadNotation):
        return point_name(parse_point(typed))
    return typed.upper()
