"""What the computer thinks of a position."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was thought about: how often (`visits`), and what it promises its player (see Choice)."""

    move: str
    visits: int
    win: float
    value: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that the player to act should make, in the game's notation, and what is expected of it.

    `value` is the expected difference of the scores at the end, his less the best other's, in points; `win` the
    expected part of the win, from 0 to 1 (a draw counts a half). `line` is the expected continuation, beginning with
    `move`; `candidates` are the moves thought about most, the best first, `move` among them.
    """

    move: str
    value: float
    win: float
    line: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
