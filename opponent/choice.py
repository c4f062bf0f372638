"""The computer's opinion of a position."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was searched: how often (`visits`), and its expected result for its player (see Choice)."""

    move: str
    visits: int
    win: float
    value: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that the player to act should make, in the game's notation, and its expected result.

    `value` is the expected difference of the scores at the end, in points: their own less the best opponent's. `win` is
    the expected share of the win, from 0 to 1 (a draw counts a half). `line` is the expected continuation, beginning
    with `move`. `candidates` are the moves searched most, in this order; a move that was proved need not be among them.
    """

    move: str
    value: float
    win: float
    line: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
