"""Sacrifice: a dash may end on an opponent's stone, and both go back."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from rules.dash import PRESETS, Variant
from rules.game import Outcome, Seat
from tests.rules.dash.diagrams import SYMMETRIES, Scene, Symmetry, diagram_of

EVERY_WAY = pytest.mark.parametrize("symmetry", SYMMETRIES)

FACING = """
    .......
    .......
    ..B....
    .......
    .......
    R..BB.R
    .......
"""


@EVERY_WAY
def test_both_stones_leave_the_field_and_two_are_placed_as_usual(symmetry: Symmetry) -> None:
    after = Scene(FACING, Variant.SACRIFICE, symmetry=symmetry).play("A2-D2")
    assert after.diagram() == diagram_of("""
        .......
        .......
        ..B....
        .......
        .......
        .RR.B.R
        .......
    """)


@EVERY_WAY
def test_both_stones_return_to_their_owners_reserves(symmetry: Symmetry) -> None:
    scene = Scene(FACING, Variant.SACRIFICE, symmetry=symmetry)
    assert scene.position.reserves == (58, 57)
    assert scene.play("A2-D2").position.reserves == (57, 58)


@EVERY_WAY
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("A2-E2", "way_blocked"),  # over the opponent's stone at D2
        ("G2-E2", "too_short"),
        ("A2-G2", "way_blocked"),
    ],
)
def test_a_sacrifice_is_a_dash_like_any_other(move: str, reason: str, symmetry: Symmetry) -> None:
    assert Scene(FACING, Variant.SACRIFICE, symmetry=symmetry).refusal(move) == reason


@EVERY_WAY
def test_no_player_lands_on_a_stone_of_their_own(symmetry: Symmetry) -> None:
    scene = Scene("R..R... ....... ....... B...... ....... ....... .......", Variant.SACRIFICE, symmetry=symmetry)
    assert scene.refusal("A7-D7") == "landing_taken"
    assert scene.refusal("A7-A4") == "played"


@EVERY_WAY
@pytest.mark.parametrize("variant", [Variant.BASE, Variant.FROZEN])
def test_in_other_variants_no_dash_lands_on_a_stone(variant: Variant, symmetry: Symmetry) -> None:
    assert Scene(FACING, variant, symmetry=symmetry).refusal("A2-D2") == "landing_taken"


@EVERY_WAY
def test_a_sacrifice_can_break_a_five(symmetry: Symmetry) -> None:
    scene = Scene("R...... ....... ....... BBBBB.. ....... ....... .......", Variant.SACRIFICE, symmetry=symmetry)
    assert scene.position.score == (0, 1)
    broken = scene.play("A7-A4").position
    assert broken.score == (0, 0)
    assert broken.outcome is None


@EVERY_WAY
def test_an_enemy_stone_three_away_is_a_way_out(symmetry: Symmetry) -> None:
    stuck = """
        R..B..B
        .......
        .......
        B..B...
        .......
        .......
        .......
    """
    base, sacrifice = (
        Scene(stuck, variant, symmetry=symmetry).position for variant in (Variant.BASE, Variant.SACRIFICE)
    )
    assert base.outcome == Outcome((Seat(1),), "blocked")
    assert sacrifice.outcome is None
    assert len(list(sacrifice.moves())) == 3


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(20))
def test_no_player_ever_loses_their_last_stone(seed: int) -> None:
    """A dash leaves its side at least two stones, and the answer captures one at most."""
    chance = random.Random(seed)
    position = PRESETS[2].with_options({"size": "7"}).start(seed=0)
    position = position.play(chance.choice(list(islice(position.moves(), 20_000))))
    for _ in range(40):
        moves = list(position.moves())
        if not moves:
            break
        most = max(min(position.play(move).reserves) for move in moves)
        position = position.play(chance.choice([move for move in moves if min(position.play(move).reserves) == most]))
        assert max(position.reserves) < 60
