"""Turns of Dots, put together step by step."""

from __future__ import annotations

import random
import sys
from dataclasses import replace

import pytest

from play.ids import IdempotencyKey, Millis
from play.match import moves
from play.match.events import EventKind
from play.match.match import Match
from play.turns import TurnStep, encode, step_at
from rules.dots import DotsPosition
from rules.game import Point, RuleError, parse_point, point_name
from rules.registry import make_game
from tests.bot.table import a_match, match_of
from tests.clock import HOUR, NOON

TRAP = ("d5", "e5", "e6", "a1", "e4", "a2")
"""Seat 0 is to move, and F5 closes the chain round E5."""


def step(match: Match, code: str = "") -> TurnStep:
    found = step_at(match, code)
    assert found is not None
    return found


def effects(match: Match, code: str) -> list[str]:
    return [effect.key for effect in step(match, code).effects]


def option(match: Match, code: str, key: str) -> str:
    return next(option.code for option in step(match, code).options if option.label.key == key)


def played(match: Match, turn: str | None) -> Match:
    assert turn is not None
    assert match.to_act is not None
    return moves.move(match, match.players[match.to_act], turn, Millis(NOON + HOUR), IdempotencyKey(99))


def test_first_a_dot_is_chosen_among_all_free_crossings() -> None:
    found = step(a_match("zagram", *TRAP))
    assert len(found.points) == 81 - len(TRAP)
    assert found.points[parse_point("F5")] == "F5"
    assert found.complete_turn is None


def test_a_chosen_dot_is_a_whole_turn_with_a_ghost() -> None:
    found = step(a_match("zagram", *TRAP), "B8")
    assert found.complete_turn == "B8"
    assert found.picture.ghost is not None
    assert point_name(found.picture.ghost.point) == "B8"
    assert found.back == ""


def test_a_capture_is_told_with_its_size_and_shown() -> None:
    found = step(a_match("zagram", *TRAP), "F5")
    assert [(effect.key, effect.details) for effect in found.effects] == [("captures", {"count": 1})]
    assert len(found.picture.plans) == 1
    assert [point_name(point) for point in found.picture.falling] == ["E5"]


def test_a_dot_that_would_be_captured_at_once_is_warned_of() -> None:
    match = a_match("zagram", "d5", "d4", "e6", "a2", "e4", "a3", "f5")
    assert effects(match, "E5") == ["falls", "loses"]
    assert parse_point("E5") in step(match, "E5").picture.falling


def test_entering_an_area_that_may_be_painted_is_warned_of() -> None:
    assert effects(a_match("sport-territory", "d5", "d4", "e6", "a2", "e4", "a3", "f5"), "E5") == ["enters"]


def test_a_house_is_told() -> None:
    assert effects(a_match("zagram", "d5", "d4", "e6", "a2", "e4", "a3"), "F5") == ["house"]


def test_a_dot_that_does_nothing_is_told_to_do_nothing() -> None:
    assert effects(a_match("zagram", *TRAP), "B8") == ["quiet"]


def test_a_turn_that_ends_the_game_says_so() -> None:
    assert effects(a_match("quick", *_five_dots(), size="15x15"), "M8") == ["captures", "ends"]


def _five_dots() -> list[str]:
    """Red closes a row of five blue dots, but for M8."""
    red = ["g8", "h9", "i9", "j9", "k9", "l9", "h7", "i7", "j7", "k7", "l7"]
    blue = ["h8", "i8", "j8", "k8", "l8", "a1", "a2", "a3", "a4", "a5", "a6"]
    return [move for pair in zip(red, blue, strict=True) for move in pair]


@pytest.mark.parametrize(("preset", "turn"), [("sport-territory", "F5 paint E5"), ("zagram-territory", "F5 draw E5")])
def test_an_area_that_may_be_closed_is_a_button_that_carries_the_whole_turn(preset: str, turn: str) -> None:
    match = a_match(preset, *TRAP)
    assert effects(match, "F5") == ["alone"]
    (offer,) = [each for each in step(match, "F5").options if each.label.key.startswith("offer.")]
    assert offer.label.details == {"number": 1, "point": "E5", "count": 1}
    assert step(match, offer.code).complete_turn == turn
    assert effects(match, offer.code)[0] == "captures"
    assert played(match, turn).position.score[0] == 1


@pytest.mark.parametrize(("preset", "turn"), [("sport-territory", "F5 paint E5"), ("zagram-territory", "F5 draw E5")])
def test_a_dot_just_chosen_closes_what_it_completes(preset: str, turn: str) -> None:
    found = step(a_match(preset, *TRAP), "F5?")
    assert found.code == "F5+1"
    assert found.complete_turn == turn
    assert found.asks
    assert found.plain is not None
    assert found.plain.code == "F5"
    assert [effect.key for effect in found.effects] == ["captures"]


@pytest.mark.parametrize("preset", ["zagram", "sport-territory", "zagram-territory", "two-squares"])
def test_a_dot_that_can_close_nothing_asks_nothing(preset: str) -> None:
    found = step(a_match(preset, *TRAP), "B8?")
    assert found.complete_turn == "B8"
    assert not found.asks


def test_an_area_left_open_before_stays_open_until_a_dot_falls_into_it() -> None:
    left_open = a_match("sport-territory", *TRAP, "F5", "A3")
    assert step(left_open, "B8?").complete_turn == "B8"
    assert step(left_open, "B8?").asks
    hollow = ("d5", "d4", "e6", "a2", "f6", "a3", "g5", "a4", "f4", "f5", "e4")
    entered = a_match("sport-territory", *hollow, "e5")
    assert step(entered, "B8?").complete_turn == "B8 paint E5"


def test_a_dot_that_chance_placed_counts_as_none_of_the_players_own() -> None:
    match = a_match("sport-territory", *TRAP, "F5", "A3")
    *others, own, last = match.moves
    by_chance = replace(match, moves=(*others, replace(own, kind=EventKind.RANDOM), last))
    assert step(by_chance, "B8?").complete_turn == "B8 paint E5"


def test_an_area_that_does_not_go_with_what_is_drawn_takes_its_place() -> None:
    assert option(a_match("zagram-territory", *TRAP), "F5/F5dfh.", "offer.drawn") == "F5+1"


def test_areas_without_a_button_are_told_with_the_turn_that_closes_one() -> None:
    squares = [(x, y) for y in (2, 6, 10, 14) for x in (2, 6, 10, 14, 18)]
    red = [point_name(Point(x + dx, y + dy)) for x, y in squares for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    stones = [*(f"0:{name}" for name in red), *(f"1:{point_name(Point(x, y))}" for x, y in squares)]
    match = match_of(make_game("sport-territory", {"size": "30x30", "start": "stones", "stones": " ".join(stones)}))
    found = step(match, "A30?")
    assert found.closable == 20
    assert sum(option.chosen for option in found.options) == 12
    (more,) = [effect for effect in found.effects if effect.key == "unnumbered"]
    assert more.details["count"] == 8
    assert played(match, str(more.details["turn"])).position.score[0] == 1


def test_captures_are_dots_where_the_score_counts_everything() -> None:
    moves = ("d5", "e5", "e6", "a1", "f6", "a2", "g5", "a3", "f4", "a4")
    game = make_game("paper", {"size": "9x9", "start": "empty", "scoring": "everything"})
    match = match_of(game, *moves)
    found = step(match, "E4?")
    assert found.complete_turn == "E4 draw E5"
    assert [effect.details for effect in found.effects if effect.key == "captures"] == [{"count": 1}]
    assert played(match, found.complete_turn).position.score[0] == 2


def test_an_area_may_be_left_for_later() -> None:
    match = a_match("sport-territory", *TRAP)
    assert step(match, "F5").complete_turn == "F5"


def test_a_chosen_area_can_be_given_up_again() -> None:
    match = a_match("sport-territory", *TRAP)
    assert option(match, "F5+1", "offer.painted") == "F5"
    assert step(match, "F5+1").options[0].chosen


def test_two_areas_are_two_bits_of_one_number() -> None:
    match = a_match("sport-territory", "d5", "e5", "e6", "g5", "e4", "a2", "g6", "a3", "g4", "a4", "h5", "a5")
    code = option(match, option(match, "F5", "offer.painted"), "offer.painted")
    both = next(each.code for each in step(match, "F5+1").options if not each.chosen)
    assert code == "F5"
    assert both == "F5+3"
    assert played(match, step(match, both).complete_turn).position.score[0] == 2


def test_a_number_of_no_offer_is_refused() -> None:
    with pytest.raises(RuleError):
        step_at(a_match("sport-territory", *TRAP), "F5+2")


def test_a_chain_is_drawn_dot_by_dot() -> None:
    match = a_match("zagram-territory", *TRAP)
    code = option(match, "F5", "draw")
    assert code == "F5/"
    assert {point_name(point) for point in step(match, code).points} == {"D5", "E6", "E4", "F5"}
    for name in ("F5", "E6", "D5", "E4"):
        code = step(match, code).points[parse_point(name)]
    assert code == "F5/F5dfh"
    closed = option(match, code, "close")
    assert closed == "F5/F5dfh."
    assert step(match, closed).complete_turn == "F5 draw F5-E6-D5-E4"
    assert played(match, step(match, closed).complete_turn).position.score[0] == 1


def test_a_drawn_chain_takes_the_place_of_the_same_area_that_was_chosen() -> None:
    match = a_match("zagram-territory", *TRAP)
    chain = "F5+1/F5dfh"
    assert step(match, option(match, chain, "close")).complete_turn == "F5 draw F5-E6-D5-E4"


def test_a_drawn_chain_takes_the_place_of_the_same_one_that_was_drawn_before() -> None:
    match = a_match("zagram-territory", *TRAP)
    assert option(match, "F5/F5dfh./E6fhb", "close") == "F5/E6fhb."


def test_a_drawn_chain_leaves_another_area_chosen() -> None:
    match = a_match("zagram-territory", "d5", "e5", "e6", "g5", "e4", "a2", "g6", "a3", "g4", "a4", "h5", "a5")
    closed = option(match, "F5+3/F5dfh", "close")
    assert played(match, step(match, closed).complete_turn).position.score[0] == 2


def test_a_chain_is_closed_at_its_first_dot() -> None:
    (close,) = step(a_match("zagram-territory", *TRAP), "F5/F5dfh").options
    assert close.label.details == {"point": "F5"}


def test_a_chain_that_can_only_be_closed_says_so() -> None:
    found = step(a_match("zagram-territory", *TRAP), "F5/F5dfh")
    assert not found.points
    assert found.prompt.key == "chain_closes"


def test_a_chain_that_leads_nowhere_says_so() -> None:
    found = step(a_match("zagram-territory", *TRAP), "B8/B8")
    assert not found.options
    assert found.prompt.key == "chain_ends"


def test_only_the_neighbours_of_the_last_dot_come_next() -> None:
    match = a_match("zagram-territory", *TRAP)
    assert {point_name(point) for point in step(match, "F5/F5").points} == {"E6", "E4"}
    assert {point_name(point) for point in step(match, "F5/F5d").points} == {"D5"}


def test_a_chain_goes_back_dot_by_dot() -> None:
    match = a_match("zagram-territory", *TRAP)
    assert step(match, "F5/F5d").back == "F5/F5"
    assert step(match, "F5/F5").back == "F5/"
    assert step(match, "F5/").back == "F5"


def test_an_open_chain_can_not_be_played() -> None:
    assert step(a_match("zagram-territory", *TRAP), "F5/F5d").complete_turn is None


def test_a_drawn_chain_can_be_taken_back() -> None:
    match = a_match("zagram-territory", *TRAP)
    assert option(match, "F5/F5dfh.", "undraw") == "F5"


def test_with_far_links_the_next_dot_may_be_a_jump_away() -> None:
    match = a_match("two-squares", "e5", "d4", "g6", "d5", "e3", "d6", size="9x9")
    assert {"G6", "E3"} <= {point_name(point) for point in step(match, "F8/E5").points}


def test_a_dot_that_closes_twelve_areas_costs_little_more_than_one_that_closes_none() -> None:
    chance = random.Random(1)
    crossings = [Point(x, y) for x in range(26) for y in range(26)]
    chance.shuffle(crossings)
    stones = " ".join(f"{number % 2}:{point_name(point)}" for number, point in enumerate(crossings[:330]))
    match = match_of(make_game("two-squares", {"size": "26x26", "start": "stones", "stones": stones}))
    dot = point_name(crossings[330])
    assert step(match, f"{dot}?").code == f"{dot}+fff"
    assert calls(match, f"{dot}?") < 4 * calls(match, dot)


def calls(match: Match, code: str) -> int:
    """Returns how often functions are called for a step."""
    events: list[str] = []
    sys.setprofile(lambda _, event, __: events.append(event))
    try:
        step(match, code)
    finally:
        sys.setprofile(None)
    return sum(event == "call" for event in events)


@pytest.mark.parametrize(
    ("preset", "typed", "code"),
    [
        ("zagram", "f5", "F5"),
        ("zagram", "5F", "F5"),
        ("sport-territory", "f5 paint e5", "F5+1"),
        ("zagram-territory", "f5 draw e5", "F5+1"),
        ("zagram-territory", "f5 draw f5-e6-d5-e4", "F5/F5dfh."),
    ],
)
def test_a_typed_turn_has_a_code_that_means_the_same(preset: str, typed: str, code: str) -> None:
    match = a_match(preset, *TRAP)
    assert encode(match, typed, 60) == code
    assert step(match, code).complete_turn == str(match.game.parse(typed))


def test_a_turn_too_long_for_a_button_has_no_code() -> None:
    assert encode(a_match("zagram-territory", *TRAP), "f5 draw f5-e6-d5-e4", 8) is None


@pytest.mark.parametrize("code", ["K99", "F5+", "F5+zz", "F5/F5q~", "F5/zz/", "hello", "F5 paint", "D5", "é", "F5/./"])
def test_what_cannot_be_begun_is_refused(code: str) -> None:
    with pytest.raises(RuleError):
        step_at(a_match("zagram-territory", *TRAP), code)


def test_the_step_after_every_point_leads_back_to_the_start() -> None:
    match = a_match("zagram", *TRAP)
    assert isinstance(match.position, DotsPosition)
    for code in step(match).points.values():
        found = step(match, code)
        assert found.back == ""
        assert found.complete_turn == code


def test_a_match_without_moves_opens_in_its_zone() -> None:
    assert len(step(match_of(a_match("zagram").game)).points) == 9
