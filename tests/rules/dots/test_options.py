"""The options that make a game of Dots together, and the starts (docs/rules-reference.md, Options)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from rules.dots import Closing, Dots, Ending, Links, Measure, Reuse, Scoring, Setup, Win
from rules.game import BadOption, Point, Seat
from tests.rules.dots.diagram import BLUE, RED


def game(width: int = 12, height: int = 12, setup: Setup = Setup.EMPTY, **options: Any) -> Dots:
    return Dots("test", width, height, setup, **options)


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("bad_size", {"width": 0}),
        ("bad_size", {"height": 61}),
        ("bad_seats", {"seats": 1}),
        ("bad_seats", {"seats": 5}),
        ("bad_start", {"setup": Setup.CROSS, "stones": ((RED, Point(0, 0)),)}),
        ("bad_seats", {"setup": Setup.STONES, "stones": ((Seat(2), Point(0, 0)),)}),
        ("crosses_need_two", {"setup": Setup.CROSS, "seats": 3}),
        ("crosses_need_two", {"setup": Setup.RANDOM, "seats": 4}),
        ("crosses_need_random", {"setup": Setup.CROSS, "crosses": 2}),
        ("no_room_for_crosses", {"setup": Setup.RANDOM, "crosses": 9, "width": 60, "height": 60}),
        ("no_room_for_crosses", {"setup": Setup.RANDOM, "crosses": 0}),
        ("no_room_for_crosses", {"setup": Setup.RANDOM_DOUBLE, "crosses": 2}),
        ("no_room_for_cross", {"setup": Setup.CROSS, "width": 1}),
        ("no_room_for_cross", {"setup": Setup.DOUBLE, "width": 3}),
        ("no_room_for_cross", {"setup": Setup.FOUR, "width": 3}),
        ("drawn_needs_two", {"seats": 3, "closing": Closing.DRAWN}),
        ("stop_needs_two", {"seats": 3, "ending": Ending.GROUND}),
        ("stop_needs_two", {"seats": 4, "ending": Ending.PLAY_OUT}),
        ("landing_needs_two", {"seats": 3, "landing": True}),
        ("territory_needs_two", {"seats": 3, "closing": Closing.PAINTED, "scoring": Scoring.TERRITORY}),
        ("territory_needs_painted", {"scoring": Scoring.TERRITORY}),
        ("territory_never_lands", {"closing": Closing.PAINTED, "scoring": Scoring.TERRITORY, "landing": True}),
        ("length_never_drawn", {"closing": Closing.DRAWN, "measure": Measure.LENGTH}),
        ("reuse_needs_drawn", {"reuse": Reuse.ANY}),
        ("reuse_needs_drawn", {"closing": Closing.PAINTED, "reuse": Reuse.NONE}),
        ("play_out_needs_automatic", {"closing": Closing.DRAWN, "ending": Ending.PLAY_OUT}),
        ("far_needs_drawn", {"links": Links.FAR}),
        ("far_never_stops", {"links": Links.FAR, "closing": Closing.DRAWN, "ending": Ending.GROUND}),
        ("far_never_stops", {"links": Links.FAR, "closing": Closing.DRAWN, "landing": True}),
    ],
)
def test_an_impossible_combination_is_refused_with_its_reason(key: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadOption) as refused:
        game(**options)
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("unknown_option", {"colour": "red"}),
        ("bad_size", {"size": "4"}),
        ("bad_seats", {"seats": "two"}),
        ("bad_start", {"start": "circle"}),
        ("bad_start", {"start": "stones", "stones": "0-A1"}),
        ("bad_crosses", {"crosses": "many"}),
        ("bad_closing", {"closing": "glued"}),
        ("bad_chain", {"chain": "beauty"}),
        ("bad_links", {"links": "missing"}),
        ("bad_reuse", {"reuse": "some"}),
        ("bad_scoring", {"scoring": "none"}),
        ("bad_ending", {"ending": "happy"}),
        ("bad_switch", {"landing": "perhaps"}),
        ("bad_switch", {"extra-move": "2"}),
        ("bad_win", {"win": "0 captured"}),
        ("bad_win", {"win": "5"}),
    ],
)
def test_an_option_that_cannot_be_read_is_refused_with_its_reason(key: str, options: dict[str, str]) -> None:
    with pytest.raises(BadOption) as refused:
        game().with_options(options)
    assert refused.value.key == key


@pytest.mark.parametrize(("text", "win"), [("none", None), ("5 captured", Win(5)), ("15 Ahead", Win(15, ahead=True))])
def test_an_instant_win_is_read(text: str, win: Win | None) -> None:
    assert game().with_options({"win": text}).win == win


# Starts


def start(setup: Setup, width: int, height: int) -> list[str]:
    return game(width, height, setup).start(0).rows()


def test_two_crosses_lie_side_by_side_in_the_middle() -> None:
    assert start(Setup.DOUBLE, 8, 6) == ["........", "........", "..RBBR..", "..BRRB..", "........", "........"]


def test_two_crosses_on_a_field_of_odd_size_lie_left_and_above_the_middle() -> None:
    assert start(Setup.DOUBLE, 7, 5) == [".......", ".RBBR..", ".BRRB..", ".......", "......."]


def test_four_crosses_lie_on_the_thirds() -> None:
    cross = ["..RB..RB..", "..BR..BR.."]
    assert start(Setup.FOUR, 10, 10) == [".........."] * 2 + cross + [".........."] * 2 + cross + [".........."] * 2


def test_four_crosses_on_a_field_of_odd_size() -> None:
    assert start(Setup.FOUR, 9, 9)[2:4] == ["..RB.RB..", "..BR.BR.."]


@pytest.mark.parametrize(
    ("setup", "corners"),
    [(Setup.CROSS, [(18, 15)]), (Setup.FOUR, [(11, 10), (26, 10), (26, 20), (11, 20)])],
)
def test_crosses_on_the_usual_page(setup: Setup, corners: list[tuple[int, int]]) -> None:
    rows = start(setup, 39, 32)
    reds = {(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "R"}
    blues = {(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "B"}
    assert reds == {(x + d, y + d) for x, y in corners for d in (0, 1)}
    assert blues == {(x + d, y + 1 - d) for x, y in corners for d in (0, 1)}


def test_two_crosses_on_the_usual_page() -> None:
    assert [row[17:21] for row in start(Setup.DOUBLE, 39, 32)[15:17]] == ["RBBR", "BRRB"]


RANDOM = [
    (Setup.RANDOM, 5, 5, 1),
    (Setup.RANDOM, 12, 9, 1),
    (Setup.RANDOM, 39, 32, 8),
    (Setup.RANDOM_DOUBLE, 20, 20, 3),
    (Setup.RANDOM_DOUBLE, 39, 32, 8),
]


@pytest.mark.parametrize(("setup", "width", "height", "crosses"), RANDOM)
def test_random_crosses_keep_their_distance(setup: Setup, width: int, height: int, crosses: int) -> None:
    size = 4 if setup is Setup.RANDOM else 8
    margin = min(width, height) // 5
    for seed in range(40):
        stones = game(width, height, setup, crosses=crosses).resolve_chance(seed).stones
        blocks = [[point for _, point in stones[at : at + size]] for at in range(0, len(stones), size)]
        assert len(blocks) == crosses
        assert all(margin <= x < width - margin and margin <= y < height - margin for block in blocks for x, y in block)
        for one, other in combinations(blocks, 2):
            assert min(max(abs(a.x - b.x), abs(a.y - b.y)) for a in one for b in other) >= 2


@pytest.mark.parametrize(("setup", "width", "height", "crosses"), RANDOM)
def test_random_crosses_come_from_the_seed_alone(setup: Setup, width: int, height: int, crosses: int) -> None:
    drawn = [game(width, height, setup, crosses=crosses).resolve_chance(seed).stones for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_a_settled_game_starts_with_its_dots_under_any_seed() -> None:
    settled = game(39, 32, Setup.RANDOM, crosses=8).resolve_chance(7)
    assert settled.start(1).rows() == settled.start(2).rows() == game(39, 32, Setup.RANDOM, crosses=8).start(7).rows()


def test_a_game_without_chance_is_settled_already() -> None:
    assert game(setup=Setup.CROSS).resolve_chance(7) == game(setup=Setup.CROSS)


def test_a_settled_game_is_read_back_from_its_options() -> None:
    settled = game(39, 32, Setup.RANDOM, crosses=8).resolve_chance(7)
    assert game().with_options(settled.options) == settled


def test_dots_of_a_set_up_capture_nothing_by_themselves_where_areas_are_drawn_or_painted() -> None:
    stones = ((BLUE, Point(1, 1)), *((RED, Point(x, y)) for x, y in ((1, 0), (0, 1), (2, 1), (1, 2))))
    for closing in (Closing.PAINTED, Closing.DRAWN):
        position = game(4, 4, Setup.STONES, stones=stones, closing=closing).start(0)
        assert position.score == (0, 0)
        assert position.rows()[2] == "RBR."


def test_dots_of_a_set_up_are_enclosed_by_the_measure_of_the_game() -> None:
    dots = ["..RRR..", ".R...R.", "R.R.R.R", "R.R.R.R", "R..R..R", ".R.B.R.", "..RRR.."]
    stones = tuple(
        (RED if letter == "R" else BLUE, Point(x, 6 - y))
        for y, row in enumerate(dots)
        for x, letter in enumerate(row)
        if letter != "."
    )
    by_length = game(7, 7, Setup.STONES, stones=stones, measure=Measure.LENGTH).start(0)
    assert len(by_length.picture().areas[0].ring) == 16
