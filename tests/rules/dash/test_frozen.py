"""Frozen stones: credited fives stay, and in a run with room for several choices the player declares theirs."""

from __future__ import annotations

import pytest

from rules.dash import Five, Move, Variant
from rules.game import Outcome, Seat
from tests.rules.dash.diagrams import SYMMETRIES, Scene, Symmetry

EVERY_WAY = pytest.mark.parametrize("symmetry", SYMMETRIES)

PLAIN = SYMMETRIES[0]


def field(row: str, symmetry: Symmetry, frozen: str = "", above: str = "") -> Scene:
    """Returns a field of 13x13 with `row` at the bottom and `above` on the fourth row. The opponent has two frozen
    fives. So seat 0, to act, has not won yet with the one in their right-hand corner and those in `frozen`."""
    rows = ["BBBBB...RRRRR", "", "BBBBB", *[""] * 6, above, "", "", row]
    diagram = "\n".join(letters.ljust(13, ".") for letters in rows)
    return Scene(diagram, Variant.FROZEN, frozen=f"A13-E13 A11-E11 I13-M13 {frozen}", symmetry=symmetry)


def new_fives(scene: Scene, dash: str) -> list[frozenset[Five]]:
    """Returns the new fives of each listed choice of this dash."""
    return [after.frozen[0] - scene.position.frozen[0] for after in scene.outcomes(dash)]


@EVERY_WAY
def test_a_stone_of_a_credited_five_never_moves_again(symmetry: Symmetry) -> None:
    assert field("R", symmetry).refusal("I13-I10") == "frozen_stone"


@EVERY_WAY
def test_a_stone_beside_the_credited_five_of_its_run_may_move(symmetry: Symmetry) -> None:
    scene = field("RRRRRR", symmetry, "B1-F1")
    assert {start for start, _ in scene.dashes()} == {(0, 0)}
    assert scene.play("A1-A4").position.score == (2, 2)


def test_in_the_base_game_the_stones_of_a_five_may_move() -> None:
    assert Scene("BBBBB.. ....... ....... ....... ....... ....... RRRRR..").refusal("B1-B4") == "played"


@EVERY_WAY
def test_five_in_a_row_are_credited_without_a_word(symmetry: Symmetry) -> None:
    scene = field("RR.....R", symmetry)
    assert new_fives(scene, "H1-C1") == [scene.fives("A1-E1")]


@EVERY_WAY
@pytest.mark.parametrize(
    ("row", "dash", "choices"),
    [
        ("RRR......R", "J1-D1", ["A1-E1", "B1-F1"]),
        ("RRRR.....R", "J1-E1", ["A1-E1", "B1-F1", "C1-G1"]),
    ],
)
def test_a_run_of_six_or_seven_leaves_the_choice_of_its_five(
    row: str, dash: str, choices: list[str], symmetry: Symmetry
) -> None:
    scene = field(row, symmetry)
    listed = new_fives(scene, dash)
    assert len(listed) == len(choices)
    assert set(listed) == set(map(scene.fives, choices))


@EVERY_WAY
@pytest.mark.parametrize(
    ("row", "choices"),
    [
        ("RRRR.RRR", ["A1-E1", "B1-F1", "C1-G1", "D1-H1"]),
        ("RRRR.RRRR", ["A1-E1 E1-I1"]),
    ],
)
def test_eight_leave_a_choice_of_one_five_and_nine_hold_two_without_a_choice(
    row: str, choices: list[str], symmetry: Symmetry
) -> None:
    scene = field(row, symmetry, above="....R")
    listed = new_fives(scene, "E4-E1")
    assert len(listed) == len(choices)
    assert set(listed) == set(map(scene.fives, choices))


@EVERY_WAY
def test_the_choice_is_bound_by_the_fives_that_are_credited_already(symmetry: Symmetry) -> None:
    scene = field("RRRR.RRRRR", symmetry, "F1-J1", above="....R")
    assert set(new_fives(scene, "E4-E1")) == {scene.fives("A1-E1"), scene.fives("B1-F1")}


@EVERY_WAY
def test_a_five_in_the_wrong_place_costs_the_second_five_of_nine(symmetry: Symmetry) -> None:
    scene = field("RRRRRR......R", symmetry, "B1-F1")
    assert scene.play("M1-G1").position.score == (2, 2)
    better = field("RRRRRR......R", symmetry, "A1-E1")
    assert better.play("M1-G1").position.score == (3, 2)


@EVERY_WAY
def test_the_declared_five_is_the_one_that_freezes(symmetry: Symmetry) -> None:
    scene = field("RRR......R", symmetry)
    for choice in ("A1-E1", "B1-F1"):
        after = scene.play(f"J1-D1 five {choice}").position
        assert after.frozen[0] - scene.position.frozen[0] == scene.fives(choice)


@pytest.mark.parametrize(
    ("row", "dash", "five"),
    [("RRR......R", "J1-D1", "A1-E1"), ("R......RRR", "A1-G1", "E1-I1")],
)
def test_by_default_the_five_begins_at_the_left_end(row: str, dash: str, five: str) -> None:
    scene = field(row, PLAIN)
    assert scene.play(dash).position.frozen[0] - scene.position.frozen[0] == scene.fives(five)


def test_a_listed_move_declares_only_departures_from_the_default() -> None:
    scene = field("RRR......R", PLAIN)
    moves = {str(move) for move in scene.position.moves() if isinstance(move, Move) and str(move).startswith("J1-D1")}
    assert moves == {"J1-D1", "J1-D1 five B1-F1"}
    assert scene.play("J1-D1 five A1-E1").position == scene.play("J1-D1").position


CROSS = """
    BBBBB....
    .........
    ...R.....
    .....R...
    ....R....
    RRR.RR...
    ..R......
    .R.......
    R........
"""


@EVERY_WAY
def test_lines_that_are_made_together_are_chosen_one_by_one(symmetry: Symmetry) -> None:
    scene = Scene(CROSS, Variant.FROZEN, frozen="A9-E9", to_act=0, symmetry=symmetry)
    rows, slants = ("A4-E4", "B4-F4"), ("A1-E5", "B2-F6")
    assert set(new_fives(scene, "D7-D4")) == {scene.fives(f"{row} {slant}") for row in rows for slant in slants}
    half = scene.play("D7-D4 five B2-F6").position
    assert scene.five("B2-F6") in half.frozen[0]
    assert half.score == (2, 1)


@EVERY_WAY
@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ("A1-E1", "played"),
        ("E1-I1", "played"),
        ("A1-E1 E1-I1", "played"),
        ("C1-G1", "fewer_fives"),
        ("A1-E1 B1-F1", "fewer_fives"),
        ("E1-E5", "no_new_five"),
        ("A13-E13", "no_new_five"),
        ("I13-M13", "no_new_five"),
        ("F1-J1", "no_new_five"),
        ("A1-E1 F1-J1", "no_new_five"),
    ],
)
def test_as_many_fives_are_credited_as_there_is_room_for(declared: str, reason: str, symmetry: Symmetry) -> None:
    scene = field("RRRR.RRRR", symmetry, above="....R")
    assert scene.refusal(f"E4-E1 five {declared}") == reason


@EVERY_WAY
def test_a_player_with_only_frozen_stones_cannot_dash(symmetry: Symmetry) -> None:
    assert field("", symmetry).position.outcome == Outcome((Seat(1),), "blocked")


@EVERY_WAY
def test_frozen_stones_make_part_of_new_fives(symmetry: Symmetry) -> None:
    scene = Scene(
        """
        BBBBB..
        .......
        R......
        R......
        ......R
        R......
        RRRRR..
        """,
        Variant.FROZEN,
        frozen="A7-E7 A1-E1",
        symmetry=symmetry,
    )
    assert scene.play("G3-A3").position.fives[0] == scene.fives("A1-E1 A1-A5")
