"""The notes that players have published on the analysis sheets of a finished game, as its page lists them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import NamedTuple

from play.match.match import Match
from play.match.sheet import Sheet
from rules.point import Seat


class Note(NamedTuple):
    """A note of a player after so many moves of the game, and then after the `turns` that were tried from there."""

    seat: Seat
    number: int
    turns: tuple[str, ...]
    text: str


def list_notes(match: Match, sheets: Mapping[Seat, Sheet]) -> list[Note]:
    """Returns the notes in the order of the game."""
    found = []
    for seat, sheet in sorted(sheets.items()):
        for turn in sheet.turns:
            if turn.note and turn.after <= len(match.moves):
                path = [step.text for step in sheet.path(turn.id)]
                played = (move.text for move in match.moves[turn.after :])
                same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, played, strict=False)))
                found.append(Note(seat, turn.after + same, tuple(path[same:]), turn.note))
    return sorted(found, key=lambda note: note.number)
