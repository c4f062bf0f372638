"""The notes that players have published on the analysis sheets of a finished game, as its page lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from play.match.match import Match
from play.match.sheet import Sheet, TriedTurn
from rules.point import Seat

MAX_NOTES, MAX_CHARACTERS = 100, 20_000
"""Notes of one player that a page lists, and the characters of their turns and texts: a note may come after 500 turns,
and a page with all of those before each note would be read by no one."""


class Note(NamedTuple):
    """A note of a player after so many moves of the game, and then after the `turns` that were tried from there."""

    seat: Seat
    number: int
    turns: tuple[str, ...]
    text: str


class NoteList(NamedTuple):
    """The notes that a page lists, in the order of the game, and how many `more` there are."""

    notes: list[Note]
    more: int


class _Place(NamedTuple):
    """A turn of a sheet after so many moves of the game; one that `is_played` is the last of them."""

    turn: TriedTurn
    number: int
    is_played: bool


def list_notes(match: Match, sheets: Mapping[Seat, Sheet]) -> NoteList:
    """Returns the first notes of each player, as many as a page has room for.

    Takes time in proportion to the turns of the sheets and to what is listed.
    """
    notes, count = list[Note](), 0
    for seat, sheet in sorted(sheets.items()):
        places = _find_places(match, sheet)
        noted = [place for place in places.values() if place.turn.note and place.turn.after <= len(match.moves)]
        noted.sort(key=lambda place: place.number)
        notes += _fill_page(seat, noted, places)
        count += len(noted)
    return NoteList(sorted(notes, key=lambda note: note.number), count - len(notes))


def _find_places(match: Match, sheet: Sheet) -> dict[int, _Place]:
    """Returns the places of all turns by their ids. A turn comes after its parent in the sheet."""
    moves, found = match.moves, dict[int, _Place]()
    for turn in sheet.turns:
        before = _Place(turn, turn.after, True) if turn.parent is None else found[turn.parent]
        is_played = before.is_played and before.number < len(moves) and moves[before.number].text == turn.text
        found[turn.id] = _Place(turn, before.number + is_played, is_played)
    return found


def _fill_page(seat: Seat, noted: list[_Place], places: Mapping[int, _Place]) -> Iterator[Note]:
    """Yields the notes of a player until the page is full."""
    room = MAX_CHARACTERS
    for place in noted[:MAX_NOTES]:
        room -= len(place.turn.note)
        turns = list[str]()
        step: _Place | None = place
        while step is not None and not step.is_played and room >= 0:
            turns.append(step.turn.text)
            room -= len(step.turn.text)
            step = None if step.turn.parent is None else places[step.turn.parent]
        if room < 0:
            return
        yield Note(seat, place.number, tuple(reversed(turns)), place.turn.note)
