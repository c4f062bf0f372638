"""Published notes in the order of the game, each with the turns that lead to it."""

from __future__ import annotations

from play.match.match import Match
from play.match.sheet import Sheet, try_turn
from play.match.turn_tree import TriedTurn
from rules.game import Point, Seat, point_name
from rules.registry import make_game
from tests.loop_calls import count_lines
from tests.matches import ANNA, BORIS, a_match, play_turn
from web.pages.games import MAX_CHARACTERS, MAX_NOTES, Note, NoteList, list_notes


def test_a_note_is_at_a_move_of_the_game_or_at_turns_beside_it() -> None:
    match = play_turn(play_turn(a_match(), "A1"), "E5")
    sheet, played = try_turn(Sheet(match.id, ANNA), match, "A1", after=0)
    sheet, tried = try_turn(sheet, match, "E4", after=0, parent=played.id)
    sheet, _ = try_turn(sheet, match, "A2", after=0, parent=tried.id)
    sheet = sheet.annotate(tried.id, "Better").annotate(played.id, "A corner")
    other, first = try_turn(Sheet(match.id, BORIS), match, "E1", after=0)
    other = other.annotate(first.id, "Why not here?")
    notes = [
        Note(Seat(1), 0, ("E1",), "Why not here?"),
        Note(Seat(0), 1, (), "A corner"),
        Note(Seat(0), 1, ("E4",), "Better"),
    ]
    assert list_notes(match, {Seat(0): sheet, Seat(1): other}) == NoteList(notes, 0)


def a_line(length: int, note: str = "x") -> tuple[Match, Sheet]:
    """Returns a match of 600 crossings, and a sheet with one line of so many turns, each with a note."""
    match = a_match(game=make_game("zagram", {"size": "30x20", "start": "empty"}))
    texts = [point_name(Point(number % 30, number // 30)) for number in range(length)]
    turns = tuple(TriedTurn(n + 1, n or None, 0, Seat(n % 2), text, note) for n, text in enumerate(texts))
    return match, Sheet(match.id, ANNA, turns, length + 1)


def test_the_work_for_notes_grows_no_faster_than_what_is_listed() -> None:
    """The first notes of both lines are the same: the bound is reached before the hundredth turn."""
    lines = a_line(250), a_line(500)
    short, long = (count_lines(list_notes, match, {Seat(0): sheet}) for match, sheet in lines)
    assert long < 2.5 * short


def test_the_way_to_a_turn_is_found_in_one_pass() -> None:
    short, long = (count_lines(a_line(length)[1].path, length) for length in (250, 500))
    assert long < 2.5 * short


def test_of_many_notes_a_page_lists_the_first_ones_and_counts_the_others() -> None:
    match, sheet = a_line(300)
    listed = list_notes(match, {Seat(0): sheet})
    assert [len(note.turns) for note in listed.notes] == [*range(1, MAX_NOTES + 1)]
    assert listed.more == 300 - MAX_NOTES


def test_long_notes_take_no_more_room_on_a_page_than_short_ones() -> None:
    match, sheet = a_line(70, "x" * 500)
    listed = list_notes(match, {Seat(0): sheet})
    assert sum(len(note.text) + len("".join(note.turns)) for note in listed.notes) <= MAX_CHARACTERS
    assert len(listed.notes) + listed.more == 70


def test_a_player_with_many_notes_leaves_room_for_those_of_the_other() -> None:
    match, sheet = a_line(300)
    other, turn = try_turn(Sheet(match.id, BORIS), match, "K7", after=0)
    listed = list_notes(match, {Seat(0): sheet, Seat(1): other.annotate(turn.id, "Mine")})
    assert [note.text for note in listed.notes if note.seat == 1] == ["Mine"]
