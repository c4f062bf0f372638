"""Published notes in the order of the game, each with the turns that lead to it."""

from __future__ import annotations

from play.match.sheet import Sheet, try_turn
from rules.point import Seat
from tests.matches import ANNA, BORIS, a_match, play_turn
from web.pages.notes import Note, list_notes


def test_a_note_is_at_a_move_of_the_game_or_at_turns_beside_it() -> None:
    match = play_turn(play_turn(a_match(), "A1"), "E5")
    sheet, played = try_turn(Sheet(match.id, ANNA), match, "A1", after=0)
    sheet, tried = try_turn(sheet, match, "E4", after=0, parent=played.id)
    sheet, _ = try_turn(sheet, match, "A2", after=0, parent=tried.id)
    sheet = sheet.annotate(tried.id, "Better").annotate(played.id, "A corner")
    other, first = try_turn(Sheet(match.id, BORIS), match, "E1", after=0)
    other = other.annotate(first.id, "Why not here?")
    assert list_notes(match, {Seat(0): sheet, Seat(1): other}) == [
        Note(Seat(1), 0, ("E1",), "Why not here?"),
        Note(Seat(0), 1, (), "A corner"),
        Note(Seat(0), 1, ("E4",), "Better"),
    ]
