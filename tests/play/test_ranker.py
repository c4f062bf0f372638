"""The ranker names first what is played: captures, their prevention, what lies near; and all of it legal."""

from __future__ import annotations

from opponent.suggest import WEIGHTS, features, rank_points
from play.records import sgf
from rules.dots import Dots, DotsPosition
from rules.game import Point, parse_point, point_name
from rules.registry import GAMES, make_game
from tests.facts import recorded_game


def position(*moves: str, preset: str = "zagram", **options: str) -> DotsPosition:
    game = make_game(preset, {"size": "9x9", "start": "empty", **options})
    found = game.start(0)
    assert isinstance(found, DotsPosition)
    for move in moves:
        found = found.play(game.parse(move))
    return found


def first(found: DotsPosition, *recent: str) -> str:
    return point_name(rank_points(found, [parse_point(name) for name in recent])[0].point)


def test_a_capture_comes_first() -> None:
    assert first(position("d5", "e5", "e6", "a1", "e4", "a2"), "a1", "a2") == "F5"


def test_what_keeps_the_opponent_from_a_capture_comes_first() -> None:
    assert first(position("e5", "d5", "a1", "e6", "a2", "e4"), "a2", "e4") == "F5"


def test_every_point_where_a_dot_may_be_placed_is_ranked_once() -> None:
    found = position("d5", "e5", "e6")
    assert {one.point for one in rank_points(found, [])} == {move.dot for move in found.moves()}
    assert len(rank_points(found, [])) == 81 - 3


def test_a_first_dot_is_ranked_in_its_zone_alone() -> None:
    found = rank_points(position(), [])
    assert {point_name(one.point) for one in found} == {f"{column}{row}" for column in "DEF" for row in "456"}


def test_within_a_reach_the_same_is_ranked_as_on_the_whole_field() -> None:
    found, last = position("d5", "e5", "e6", "a1", "e4", "a2"), Point(0, 1)
    near = [one for one in rank_points(found, [last]) if one.point.x <= 2 and one.point.y <= 3]
    assert rank_points(found, [last], reach=2) == near
    assert len(near) == 3 * 4 - 2


def test_within_a_reach_only_crossings_beside_some_dot_are_ranked() -> None:
    found = position("e5", "e4", "i9")
    near = {point_name(one.point) for one in rank_points(found, [parse_point("i9")], reach=4)}
    corner, middle = {"G7", "H7", "I7", "G8", "H8", "I8", "G9", "H9"}, {"E6", "E7", "F5", "F6", "F7", "G5", "G6"}
    assert near == corner | middle


def test_without_a_history_the_dots_alone_are_judged() -> None:
    near = [one.point for one in rank_points(position("e5", start="empty"), [])[:8]]
    assert all(max(abs(x - 4), abs(y - 4)) <= 2 for x, y in near)


def test_a_painted_or_drawn_capture_is_seen_as_well() -> None:
    for preset in ("sport-territory", "zagram-territory"):
        found = position("d5", "e5", "e6", "a1", "e4", "a2", preset=preset)
        assert first(found, "e4", "a2") == "F5", preset


def test_three_players_are_ranked_too() -> None:
    game = make_game("three", {"size": "12x12"})
    found = game.start(0)
    assert isinstance(found, DotsPosition)
    assert rank_points(found.play(game.parse("f6")), [Point(5, 5)])


def test_a_full_field_has_nothing_to_rank() -> None:
    game = make_game("zagram", {"size": "5x5", "start": "empty"})
    found = game.start(0)
    while not found.outcome:
        found = found.play(next(iter(found.moves())))
    assert isinstance(found, DotsPosition)
    assert rank_points(found, []) == []


def test_every_kind_that_can_be_seen_has_a_weight() -> None:
    for found in (position("d5", "e5", "e6", "a1", "e4", "a2"), position()):
        for _, seen in features(found, [Point(0, 0), Point(4, 4), Point(8, 8), Point(1, 1), Point(2, 2)]):
            assert all(grade < len(WEIGHTS[kind]) for kind, grade in seen)


def test_of_recorded_moves_most_are_among_the_first_25() -> None:
    record = sgf.read(recorded_game("zagram352562").read_bytes())
    preset = GAMES["zagram"]
    assert isinstance(preset, Dots)
    positions, dots = [*record.replay(preset)], [dot.point for dot in record.moves]
    judged = range(4, len(dots), 6)
    ranks = [[one.point for one in rank_points(positions[n], dots[:n])].index(dots[n]) for n in judged]
    assert sum(rank < 25 for rank in ranks) > 0.75 * len(ranks)
