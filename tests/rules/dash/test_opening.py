"""Setting up, choosing colours, and the end of a game."""

from __future__ import annotations

from math import comb

import pytest

from rules.dash import Choice, Dash, DashPosition, Opening, Phase, Variant
from rules.game import BadNotation, IllegalMove, Outcome, Point, Seat
from tests.rules.dash.diagrams import SYMMETRIES, Scene, Symmetry

SMALL = Dash("test", 7)

FIVE_EACH = """
    ......B
    ..B...B
    ......B
    ......B
    ......B
    R......
    RRRRR..
"""
"""Seat 0 has one stone that may move without breaking the five, A2; both have one five."""


def after(*turns: str, game: Dash = SMALL) -> DashPosition:
    position = game.start(seed=0)
    for turn in turns:
        position = position.play(game.parse(turn))
    return position


def test_seat_0_begins_by_setting_up() -> None:
    position = SMALL.start(seed=0)
    assert (position.phase, position.to_act) == (Phase.SET_UP, 0)


def test_every_pair_and_single_stone_on_three_crossings_is_a_set_up() -> None:
    openings = list(SMALL.start(seed=0).moves())
    assert len(openings) == len(set(openings)) == comb(49, 2) * 47


def test_set_ups_are_listed_only_as_far_as_they_are_asked_for() -> None:
    assert next(Dash("test", 19).start(seed=0).moves()) == Opening(frozenset({Point(0, 0), Point(1, 0)}), Point(2, 0))


def test_a_set_up_takes_its_stones_from_the_reserves() -> None:
    assert after("set B2 C2/F6").reserves == (58, 59)


def test_then_seat_1_chooses_between_the_single_stone_and_the_pair() -> None:
    position = after("set B2 C2/F6")
    assert (position.phase, position.to_act) == (Phase.CHOICE, 1)
    assert list(position.moves()) == [Choice.SINGLE, Choice.PAIR]


def test_the_player_who_takes_the_single_stone_dashes_first() -> None:
    position = after("set B2 C2/F6", "take single")
    assert position.to_act == 1
    assert position.rows()[1] == ".....B."
    assert position.rows()[5] == ".RR...."


def test_the_player_who_takes_the_pair_leaves_the_first_dash_to_the_opponent() -> None:
    position = after("set B2 C2/F6", "take pair")
    assert position.to_act == 0
    assert position.rows()[1] == ".....R."
    assert position.rows()[5] == ".BB...."
    assert position.reserves == (59, 58)


def test_after_the_choice_the_two_dash_in_turn() -> None:
    position = after("set B2 C2/F6", "take single", "F6-C6")
    assert (position.phase, position.to_act) == (Phase.DASH, 0)
    assert after("set B2 C2/F6", "take single", "F6-C6", "B2-B5").to_act == 1


@pytest.mark.parametrize("text", ["set B2 B2/F6", "set B2 C2/C2", "set B2 C2/B2", "set B2 B2/B2"])
def test_three_stones_need_three_crossings(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        SMALL.parse(text)
    assert refused.value.key == "same_crossing"


@pytest.mark.parametrize(
    ("turns", "turn", "reason"),
    [
        ((), "take pair", "set_up_due"),
        ((), "B2-B5", "set_up_due"),
        (("set B2 C2/F6",), "set B2 C2/F6", "choice_due"),
        (("set B2 C2/F6",), "F6-C6", "choice_due"),
        (("set B2 C2/F6", "take pair"), "take single", "dash_due"),
        (("set B2 C2/F6", "take pair"), "set B2 C2/F6", "dash_due"),
    ],
)
def test_a_turn_of_another_kind_than_the_one_due_is_refused(turns: tuple[str, ...], turn: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        after(*turns).play(SMALL.parse(turn))
    assert refused.value.key == reason


def test_a_set_up_beside_the_field_is_refused() -> None:
    with pytest.raises(IllegalMove) as refused:
        SMALL.start(seed=0).play(Opening(frozenset({Point(0, 0), Point(7, 0)}), Point(2, 0)))
    assert refused.value.key == "off_field"


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_player_with_more_fives_when_their_turn_begins_has_won(symmetry: Symmetry) -> None:
    ahead = "....... ....... ..B.... ....... ....... ....... RRRRR.."
    assert Scene(ahead, to_act=0, symmetry=symmetry).position.outcome == Outcome((Seat(0),), "fives")


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_player_with_fewer_fives_when_their_turn_begins_may_still_answer(symmetry: Symmetry) -> None:
    ahead = "....... ....... ..B.... ....... ....... ....... RRRRR.."
    assert Scene(ahead, to_act=1, symmetry=symmetry).position.outcome is None


def test_as_many_fives_decide_nothing() -> None:
    assert Scene(FIVE_EACH, to_act=0).position.outcome is None
    assert Scene(FIVE_EACH, to_act=1).position.outcome is None


RACE = "BB....B ....... ....... ....... ....... ....... RR....R"


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_five_that_is_not_answered_wins_when_the_answer_is_played(symmetry: Symmetry) -> None:
    five = Scene(RACE, symmetry=symmetry).play("G1-C1")
    assert (five.position.score, five.position.outcome) == ((1, 0), None)
    assert five.play("A7-A4").position.outcome == Outcome((Seat(0),), "fives")


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_five_that_is_answered_by_a_five_decides_nothing(symmetry: Symmetry) -> None:
    answered = Scene(RACE, symmetry=symmetry).play("G1-C1").play("G7-C7").position
    assert (answered.score, answered.outcome) == ((1, 1), None)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_breaking_ones_own_five_gives_the_other_the_lead(symmetry: Symmetry) -> None:
    broken = Scene(FIVE_EACH, to_act=0, symmetry=symmetry).play("B1-B4")
    assert broken.position.score == (0, 1)
    assert broken.position.outcome == Outcome((Seat(1),), "fives")


BLOCKED = """
    R.B.B..
    .......
    B.B....
    .......
    .......
    .......
    .......
"""


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_player_who_cannot_dash_has_lost(symmetry: Symmetry) -> None:
    assert Scene(BLOCKED, symmetry=symmetry).position.outcome == Outcome((Seat(1),), "blocked")


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_more_fives_win_even_without_a_dash(symmetry: Symmetry) -> None:
    fives = "RRRRRBB BBBBBRR RRRRRBB BB.BBBR RRRRRRR BBB.BBB RRRRRRR"
    position = Scene(fives, symmetry=symmetry).position
    assert position.score[0] > position.score[1]
    assert position.outcome == Outcome((Seat(0),), "fives")


def filled(own: int) -> DashPosition:
    """Returns a field of 19x19 where seat 0, to act, has `own` stones in rows of three, so without a five."""
    cells = [Point(x, y) for y in range(0, 19, 2) for x in range(19) if x % 4 != 3][:own]
    rows = [["."] * 19 for _ in range(19)]
    for x, y in cells:
        rows[18 - y][x] = "R"
    rows[1][7] = "B"
    return Scene("\n".join("".join(row) for row in rows)).position


def test_with_two_stones_in_reserve_one_may_still_dash() -> None:
    position = filled(58)
    assert position.reserves == (2, 59)
    assert position.outcome is None
    assert position.play(next(iter(position.moves()))).reserves == (0, 59)


@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize("own", [59, 60])
def test_with_fewer_than_two_stones_in_reserve_one_has_lost(own: int, variant: Variant) -> None:
    position = filled(own)
    assert position.score == (0, 0)
    assert position.outcome == Outcome((Seat(1),), "reserve")
    assert list(position.moves()) == []


def test_nothing_is_played_after_the_end() -> None:
    scene = Scene(BLOCKED)
    assert scene.refusal("A7-A4") == "game_over"
