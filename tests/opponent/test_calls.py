"""Stopping, landing, resigning and drawing: the computer's actions beside its dots."""

from __future__ import annotations

from typing import Any

import pytest

from opponent.calls import accepts_draw, accepts_end, ending_call, resigns
from opponent.choice import Choice
from rules.dots import Call, Closing, Ending, Scoring
from rules.game import Seat
from rules.registry import make_game
from tests.rules.dots.diagram import BLUE, RED
from tests.rules.dots.positions import lay_out

ASHORE = """
    ..A..
    .AbA.
    ..A.b
    ..A.b
    A.A.b
"""
"""Red has captured a dot, and their wall touches the edge."""

EARLY = """
    ..A....
    .AbA...
    ..A....
    ..A....
    ..A....
    ..A....
    ..A....
"""
"""The same, with most of the field still free."""

AFLOAT = """
    .....
    ..A..
    .AbA.
    ..A..
    bbbbb
"""
"""Red has captured a dot, and none of their dots touches the edge."""

UNDERMINED = """
    bA...
    AbAb.
    AA.A.
    bbA..
"""
"""Red has captured a dot. If Blue first fills the right side, a dot in Red's house captures one of its wall."""

HOPELESS = Choice("A1", value=-20.0, win=0.01)
EVEN = Choice("A1", value=0.0, win=0.5)
WINNING = Choice("A1", value=9.0, win=0.95)


def test_it_stops_when_that_wins() -> None:
    assert ending_call(lay_out(ASHORE, ending=Ending.GROUND)) is Call.STOP


def test_it_ends_a_game_as_soon_as_that_wins() -> None:
    assert ending_call(lay_out(EARLY, ending=Ending.GROUND)) is Call.STOP
    assert ending_call(lay_out(EARLY, ending=Ending.PLAY_OUT)) is Call.STOP
    assert ending_call(lay_out(EARLY, landing=True)) is Call.LAND


@pytest.mark.parametrize(
    "options", [{"ending": Ending.GROUND}, {"ending": Ending.PLAY_OUT}, {"landing": True}], ids=str
)
def test_it_ends_no_game_by_points_in_advance_alone(options: dict[str, Any]) -> None:
    start = lay_out("..A..\n..A..\n.....\n..b..\n..b..", komi=0.5, **options)
    assert start.calls()
    assert ending_call(start) is None


def test_it_does_not_stop_when_it_would_lose_its_dots() -> None:
    assert ending_call(lay_out(AFLOAT, ending=Ending.GROUND)) is None


def test_it_does_not_stop_with_nothing_won() -> None:
    assert ending_call(lay_out("..A..\n..A..\n..b..\n..b..\n..b..", ending=Ending.GROUND)) is None


def test_it_stops_if_the_opponent_cannot_win_by_playing_out() -> None:
    assert ending_call(lay_out(ASHORE, ending=Ending.PLAY_OUT)) is Call.STOP


def test_it_does_not_stop_where_the_other_could_take_everything() -> None:
    assert ending_call(lay_out(AFLOAT, ending=Ending.PLAY_OUT)) is None


def test_it_does_not_stop_where_the_other_could_prepare_a_capture() -> None:
    assert ending_call(lay_out(UNDERMINED, ending=Ending.PLAY_OUT)) is None


def test_alone_on_the_field_it_stops_when_nothing_is_to_be_had() -> None:
    position = lay_out(ASHORE, ending=Ending.PLAY_OUT).play(Call.STOP)
    assert position.to_act == BLUE
    assert ending_call(position) is Call.STOP


def test_it_lands_as_soon_as_it_may() -> None:
    assert ending_call(lay_out(ASHORE, landing=True)) is Call.LAND


def test_without_stop_and_landing_there_is_nothing_to_call() -> None:
    assert ending_call(lay_out(ASHORE)) is None
    assert ending_call(make_game("dot-dash", {}).start(0)) is None


def test_it_resigns_late_in_a_hopeless_game() -> None:
    assert resigns(lay_out("abab.\nabab.\nabab.\nabab.\nabab."), HOPELESS)


def test_it_plays_on_as_long_as_there_is_hope_or_much_to_come() -> None:
    late, early = lay_out("abab.\nabab.\nabab.\nabab.\nabab."), lay_out(EARLY)
    assert not resigns(late, EVEN)
    assert not resigns(early, HOPELESS)


def test_of_three_players_none_resigns() -> None:
    three = make_game("three", {"size": "9x9"}).start(0)
    assert not resigns(three, HOPELESS)


LEVEL_AT_THE_END = lay_out("abab.\nabab.\nabab.\nabab.\nabab.")
LEVEL_IN_THE_MIDDLE = lay_out("abab.\nabab.\nab...\n.....\nb...a")
BEHIND = Choice("A1", value=-3.0, win=0.3)


@pytest.mark.parametrize("seat", [RED, BLUE])
@pytest.mark.parametrize("choice", [EVEN, BEHIND, HOPELESS])
def test_it_takes_a_draw_on_a_level_score_when_little_is_left(seat: Seat, choice: Choice) -> None:
    assert accepts_draw(LEVEL_AT_THE_END, seat, choice)


def test_it_takes_a_draw_when_it_is_behind_in_the_second_half() -> None:
    assert accepts_draw(lay_out(ASHORE), BLUE, BEHIND)


@pytest.mark.parametrize("choice", [EVEN, BEHIND, HOPELESS])
def test_it_takes_no_draw_at_the_beginning(choice: Choice) -> None:
    assert not accepts_draw(make_game("zagram", {}).start(0), RED, choice)


@pytest.mark.parametrize("seat", [RED, BLUE])
@pytest.mark.parametrize("choice", [EVEN, BEHIND, HOPELESS])
def test_it_accepts_no_draw_early_at_any_score(seat: Seat, choice: Choice) -> None:
    assert not accepts_draw(lay_out(EARLY), seat, choice)


@pytest.mark.parametrize("choice", [EVEN, BEHIND, HOPELESS])
def test_it_takes_no_draw_on_a_level_score_in_the_middle(choice: Choice) -> None:
    assert not accepts_draw(LEVEL_IN_THE_MIDDLE, RED, choice)


@pytest.mark.parametrize("choice", [EVEN, BEHIND, HOPELESS])
def test_it_takes_no_draw_while_it_leads(choice: Choice) -> None:
    assert not accepts_draw(lay_out(ASHORE.replace(".b", "ab")), RED, choice)


def test_it_takes_no_draw_when_it_expects_to_win() -> None:
    assert not accepts_draw(LEVEL_AT_THE_END, RED, WINNING)


def test_it_takes_no_draw_in_a_game_that_knows_none() -> None:
    assert not accepts_draw(make_game("dot-dash", {}).start(0), RED, EVEN)


def test_it_agrees_to_no_level_end_early() -> None:
    assert not accepts_end(lay_out("....."), RED, EVEN)


def test_it_agrees_to_an_end_that_it_wins() -> None:
    position = lay_out(ASHORE)
    assert accepts_end(position, RED, EVEN)
    assert not accepts_end(position, BLUE, EVEN)
    assert accepts_end(position, BLUE, HOPELESS)


POOL = """
    aAAAAb
    AbbbAb
    A...Ab
    A...Ab
    AAAAAb
    bababa
"""
"""Red has walled in three dots and six free crossings, but nothing is drawn or painted yet."""

TERRITORY = [
    {"closing": Closing.DRAWN},
    {"closing": Closing.PAINTED, "scoring": Scoring.TERRITORY},
    {"closing": Closing.DRAWN, "scoring": Scoring.EVERYTHING, "ending": Ending.GROUND},
]


@pytest.mark.parametrize("options", TERRITORY, ids=str)
def test_walled_in_areas_count_before_they_are_closed(options: dict[str, Any]) -> None:
    position = lay_out(POOL, **options)
    assert position.score == (0, 0)
    assert not accepts_draw(position, RED, EVEN)
    assert accepts_draw(position, BLUE, EVEN)
    assert not resigns(position, HOPELESS)
    assert resigns(position.with_to_act(BLUE), HOPELESS)
    assert accepts_end(position, RED, EVEN)
    assert not accepts_end(position, BLUE, EVEN)
