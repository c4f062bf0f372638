"""Captures that a search has missed: found by the rules, in reviews, hints and puzzles."""

from __future__ import annotations

from typing import Any

import pytest

from opponent.captures import Oversight, corrected, oversight
from opponent.choice import Choice
from rules.dots import Call, Closing, Ending, Links, Scoring
from rules.game import AnyPosition, Seat, point_name
from rules.registry import make_game
from tests.opponent.dots.unseen import UNSEEN, last_position
from tests.rules.dots.diagram import BLUE, RED
from tests.rules.dots.positions import lay_out

IN_DANGER = """
    ........
    ..bbbb..
    .bAAAA..
    ..bbbb..
    ........
    ........
"""
"""Blue captures four dots with G4, where Red could save them."""

DEAD = """
    .........
    ..bbbbb..
    .bAAAA.b.
    ..bbbb...
    .....b...
    .........
"""
"""Blue captures four dots with G4. If Red flees there, Blue does it with G3."""

CLOSINGS: list[dict[str, Any]] = [
    {},
    {"closing": Closing.PAINTED},
    {"closing": Closing.DRAWN},
]


@pytest.mark.parametrize(("name", "capture"), UNSEEN.items())
def test_the_captures_that_lost_two_games_are_found(name: str, capture: str) -> None:
    position = last_position(name)
    found = oversight(position, "A1")
    assert found is not None
    assert point_name(found.better.dot) == capture
    assert oversight(position, capture) is None


@pytest.mark.parametrize("options", CLOSINGS, ids=str)
def test_a_move_that_lets_four_dots_be_captured_is_worse_than_their_rescue(options: dict[str, Any]) -> None:
    position = lay_out(IN_DANGER, **options)
    found = oversight(position, "A1")
    assert found is not None
    assert (point_name(found.better.dot), found.points) == ("G4", 4)
    assert oversight(position, "G4") is None


@pytest.mark.parametrize("options", CLOSINGS, ids=str)
def test_a_capture_is_missed_if_the_dots_can_flee(options: dict[str, Any]) -> None:
    found = oversight(lay_out(IN_DANGER, **options).with_to_act(BLUE), "A1")
    assert found is not None
    assert point_name(found.better.dot) == "G4"


@pytest.mark.parametrize("seat", [RED, BLUE])
def test_dots_that_cannot_flee_may_wait(seat: Seat) -> None:
    assert oversight(lay_out(DEAD).with_to_act(seat), "A1") is None


def test_a_capture_in_reply_is_worth_as_much() -> None:
    position = lay_out(IN_DANGER)
    assert oversight(position.play(position.rules.parse("A1")), "G4") is None


def test_games_of_more_players_and_other_games_are_left_to_the_search() -> None:
    three, dash = make_game("three", {"size": "9x9"}).start(0), make_game("dot-dash", {}).start(0)
    assert oversight(three, "E5") is None
    assert oversight(lay_out(IN_DANGER, closing=Closing.DRAWN, links=Links.FAR), "A1") is None
    territory = lay_out(IN_DANGER, closing=Closing.PAINTED, scoring=Scoring.TERRITORY)
    assert oversight(territory, "A1") is None
    assert oversight(dash, str(next(iter(dash.moves())))) is None


def test_calls_and_what_cannot_be_played_are_left_to_the_search() -> None:
    position = lay_out(IN_DANGER, ending=Ending.GROUND)
    assert oversight(position, str(Call.STOP)) is None
    assert oversight(position, "C4") is None
    assert oversight(position, "nonsense") is None
    assert oversight(position.play(Call.STOP), "A1") is None


def test_a_player_alone_on_the_field_overlooks_nothing() -> None:
    alone = lay_out(IN_DANGER, ending=Ending.PLAY_OUT).with_to_act(BLUE).play(Call.STOP)
    assert alone.to_act == RED
    assert oversight(alone, "A1") is None


def test_the_first_dots_of_an_empty_field_overlook_nothing() -> None:
    assert oversight(make_game("paper", {"size": "9x9"}).start(0), "E5") is None


async def test_a_choice_that_overlooks_a_capture_is_replaced() -> None:
    async def look(position: AnyPosition, move: str) -> Oversight | None:
        return oversight(position, move)

    position = last_position("capture-of-four")
    blind = Choice("A1", -30.0, 0.1, ("A1", "B1"))
    assert (await corrected(position, blind, look)).move == "K6"
    assert (await corrected(position, blind, look)).line == ("K6",)
    good = Choice("K6", 2.0, 0.6, ("K6", "B1"))
    assert (await corrected(position, good, look)) is good
