"""Analysis sheets: what may be tried, what a move of the game does to it, and which branch becomes a plan."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.ids import MatchId
from play.match.conditional_moves import plan_line
from play.match.match import Match
from play.match.sheet import MAX_TEXT_LENGTH, MAX_TURNS, Branch, Sheet, branch_to, match_at, try_turn
from play.match.turn_tree import MAX_NOTE_LENGTH, TriedTurn
from play.refusal import Refused
from rules.game import Seat
from rules.registry import make_game
from tests.matches import ANNA, BORIS, a_match, play_turn
from tests.play.walks import PRESETS, random_match, walk

EMPTY = Sheet(MatchId(0), ANNA)


def tried(match: Match, *texts: str, after: int = 0) -> Sheet:
    """Returns a sheet with one branch."""
    sheet, parent = EMPTY, None
    for text in texts:
        sheet, turn = try_turn(sheet, match, text, after=after, parent=parent)
        parent = turn.id
    return sheet


def test_dots_of_both_colours_are_laid_by_turns() -> None:
    match = a_match()
    sheet = tried(match, "a-1", "E5", "A2")
    assert [turn.text for turn in sheet.path(3)] == ["A1", "E5", "A2"]
    assert match_at(sheet, match, after=0, turn=3).to_act == 1
    assert match.version == 0, "the match itself has not moved"


def test_the_same_turn_in_the_same_place_is_tried_once() -> None:
    sheet = tried(a_match(), "A1", "E5")
    assert try_turn(sheet, a_match(), "5e", after=0, parent=1) == (sheet, sheet.turns[1])


def test_a_turn_that_the_rules_refuse_is_not_tried() -> None:
    with pytest.raises(Refused, match="occupied"):
        tried(a_match(), "A1", "A1")


def test_a_branch_may_begin_at_an_earlier_position_but_not_in_the_future() -> None:
    match = play_turn(play_turn(a_match(), "A1"), "E5")
    assert match_at(tried(match, "E5", after=0), match, after=0, turn=1).to_act == 1
    for wrong in (-1, 3):
        with pytest.raises(Refused, match="sheet_turn_gone"):
            tried(match, "B1", after=wrong)


def test_a_removed_turn_takes_its_followers_along_and_its_number_never_returns() -> None:
    sheet = tried(a_match(), "A1", "E5", "A2").remove(2)
    assert [turn.id for turn in sheet.turns] == [1]
    sheet, turn = try_turn(sheet, a_match(), "E4", after=0, parent=1)
    assert turn.id == 4
    with pytest.raises(Refused, match="sheet_turn_gone"):
        sheet.turn(2)


def test_what_was_removed_last_comes_back_with_its_notes() -> None:
    sheet = tried(a_match(), "A1", "E5", "A2").annotate(3, "a cut")
    gone = sheet.remove(2)
    assert gone.remove(2) == gone, "the browser may send it twice"
    assert gone.restore(2).turns == sheet.turns
    assert gone.restore(2).restore(2).turns == sheet.turns
    with pytest.raises(Refused, match="sheet_turn_gone"):
        gone.restore(3)


def test_nothing_comes_back_where_something_new_was_tried() -> None:
    gone = tried(a_match(), "A1", "E5").remove(2)
    sheet, _ = try_turn(gone, a_match(), "E5", after=0, parent=1)
    with pytest.raises(Refused, match="sheet_turn_gone"):
        sheet.restore(2)


def test_a_sheet_is_bounded() -> None:
    full = replace(
        EMPTY, turns=tuple(TriedTurn(n, None, 0, Seat(0), f"{n}") for n in range(MAX_TURNS)), next_id=MAX_TURNS
    )
    with pytest.raises(Refused, match="sheet_full"):
        try_turn(full, a_match(), "A1", after=0)


def test_notes_are_bounded_one_by_one_and_together() -> None:
    sheet = tried(a_match(), "A1").annotate(1, " a cut \n")
    assert sheet.turn(1).note == "a cut"
    with pytest.raises(Refused, match="note_too_long"):
        sheet.annotate(1, "x" * (MAX_NOTE_LENGTH + 1))
    count = MAX_TEXT_LENGTH // MAX_NOTE_LENGTH
    turns = tuple(TriedTurn(n, None, 0, Seat(0), "", "x" * MAX_NOTE_LENGTH) for n in range(count))
    with pytest.raises(Refused, match="sheet_full"):
        replace(EMPTY, turns=(*turns, TriedTurn(count, None, 0, Seat(0), ""))).annotate(count, "x")


def test_a_branch_is_a_plan_together_with_the_own_turn_before_it_is_sent() -> None:
    match = a_match()
    sheet = tried(match, "A1", "E5", "A2", "E4")
    assert branch_to(sheet, match, ANNA, 4) == Branch("A1", (("E5", "A2"),))


def test_the_game_moves_along_a_branch_and_the_rest_is_what_can_be_planned() -> None:
    sheet, match = tried(a_match(), "A1", "E5", "A2", "E4", "A3"), play_turn(a_match(), "A1")
    branch = branch_to(sheet, match, ANNA, 5)
    assert branch == Branch(None, (("E5", "A2"), ("E4", "A3")))
    assert plan_line(match, ANNA, branch.line).replies == branch.line
    assert branch_to(sheet, play_turn(match, "E5"), ANNA, 5) == Branch("A2", (("E4", "A3"),))


def test_a_branch_that_the_game_has_left_is_no_plan() -> None:
    sheet, match = tried(a_match(), "A1", "E5", "A2"), play_turn(a_match(), "B1")
    with pytest.raises(Refused, match="branch_left"):
        branch_to(sheet, match, ANNA, 3)


def test_a_branch_with_too_many_replies_is_no_plan() -> None:
    texts = [f"{column}{row}" for row in (1, 9) for column in "ABCDEFGHIJ"]
    match = a_match(game=make_game("zagram", {"size": "10x10"}))
    with pytest.raises(Refused, match="plan_too_long"):
        branch_to(tried(match, *texts), match, ANNA, 13)


def test_a_branch_that_ends_with_the_opponent_alone_is_no_plan() -> None:
    sheet = replace(tried(a_match(), "A1"), user=BORIS)
    with pytest.raises(Refused, match="branch_left"):
        branch_to(sheet, a_match(), BORIS, 1)


@pytest.mark.sample(5)
@pytest.mark.parametrize("preset", PRESETS)
@given(seed=st.integers(0, 2**32))
def test_a_sheet_follows_the_rules_of_its_match(preset: str, seed: int) -> None:
    chance = random.Random(seed)
    match = walk(random_match(preset, chance), chance, 12)
    after = chance.randint(0, len(match.moves))
    position, sheet, parent = match_at(EMPTY, match, after=after).position, EMPTY, None
    for _ in range(4):
        turns = list(islice(position.moves(), 40))
        if not turns:
            break
        turn = chance.choice(turns)
        position = position.play(turn)
        sheet, found = try_turn(sheet, match, str(turn), after=after, parent=parent)
        parent = found.id
        found_position = match_at(sheet, match, after=after, turn=parent).position
        assert (found_position.picture(), found_position.to_act, found_position.score, found_position.outcome) == (
            position.picture(),
            position.to_act,
            position.score,
            position.outcome,
        )
