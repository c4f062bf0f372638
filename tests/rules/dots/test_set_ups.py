"""Set-ups that people make: dots in their order, areas that are closed, and who moves first."""

from __future__ import annotations

import pytest

from rules.dots import Dots
from rules.dots.position import DotsPosition
from rules.game import BadOption, IllegalMove
from rules.registry import make_game

RING = "0:D5 0:C4 0:E4 0:D3"


def set_up(preset: str, **options: str) -> DotsPosition:
    game = make_game(preset, {"size": "10x10", "start": "stones", **options})
    assert isinstance(game, Dots)
    position = make_game(game.key, game.options).start(0)  # by its text, as it is stored
    assert isinstance(position, DotsPosition)
    return position


def test_a_ring_round_a_dot_captures_it_where_areas_close_by_themselves() -> None:
    assert set_up("zagram", stones=f"1:D4 {RING}").score == (1, 0)


def test_a_ring_round_nothing_is_a_house() -> None:
    assert set_up("zagram", stones=RING).rows()[6] == "..R.R....."


@pytest.mark.parametrize("preset", ["zagram-territory", "sport-territory", "paper", "two-squares"])
def test_an_area_is_closed_where_players_close_them(preset: str) -> None:
    dots = f"1:D4 {RING}"
    assert "b" not in set_up(preset, stones=dots).rows()[6]
    assert set_up(preset, stones=dots, areas="0:D4").rows()[6] == "..RbR....."


@pytest.mark.parametrize(
    ("preset", "areas", "reason"),
    [
        ("zagram", "0:D4", "closes_by_itself"),
        ("zagram-territory", "0:H8", "not_enclosed"),
        ("zagram-territory", "1:D4", "not_enclosed"),
        ("sport-territory", "0:H8", "nothing_to_paint"),
        ("zagram-territory", "0:Z9", "off_field"),
    ],
)
def test_an_area_without_a_chain_round_it_is_refused(preset: str, areas: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        set_up(preset, stones=f"1:D4 {RING}", areas=areas)
    assert refused.value.key == reason


def test_the_other_colour_may_move_first() -> None:
    assert set_up("zagram", stones=RING, begins="1").to_act == 1


def test_a_seat_that_does_not_play_moves_never() -> None:
    with pytest.raises(BadOption):
        set_up("zagram", begins="2")


def test_another_start_drops_the_set_up() -> None:
    game = make_game("zagram-territory", {"size": "10x10", "start": "stones", "stones": RING, "begins": "1"})
    assert game.with_options({"start": "cross"}).start(0).to_act == 0
