"""Grounding before the end: the dots that make sure of a win by STOP or landing."""

from __future__ import annotations

from typing import Any

import pytest

from opponent.calls import ending_call, grounding_dot
from opponent.choice import HARDEST, Budget
from opponent.choose import choose
from rules.dots import Closing, DotsPosition, Ending
from rules.game import Seat, point_name
from rules.registry import make_game
from tests.rules.dots.diagram import RED
from tests.rules.dots.positions import lay_out

ONE_STEP = """
    .......
    ..A....
    .AbA...
    ..A....
    .......
    .......
    .......
"""
"""Red has captured a dot, and one more dot links the wall with the edge, above or on the left."""

TWO_STEPS = """
    ..b....
    ..A....
    bAbA...
    ..A....
    .......
    .......
    .......
"""
"""It takes two dots, and only the one in the corner leaves two ways to the edge."""

ONE_WAY = """
    .bb....
    ..A....
    bAbA...
    ..A....
    .......
    .......
    .......
"""
"""It takes two dots, and Blue can always close the way in between."""

IN_DANGER = """
    .......
    ..A..b.
    .AbAbAb
    ..A....
    .......
    .......
    .......
"""
"""A dot links the wall, but then Blue captures one, too."""

ENDINGS: list[dict[str, Any]] = [{"ending": Ending.GROUND}, {"ending": Ending.PLAY_OUT}, {"landing": True}]


def grounding(diagram: str, **options: Any) -> str | None:
    found = grounding_dot(lay_out(diagram, **options))
    return point_name(found.dot) if found else None


@pytest.mark.parametrize("options", ENDINGS, ids=str)
def test_one_dot_links_the_wall_with_the_edge(options: dict[str, Any]) -> None:
    assert ending_call(lay_out(ONE_STEP, **options)) is None
    assert grounding(ONE_STEP, **options) in ("A5", "C7")


@pytest.mark.parametrize("options", ENDINGS, ids=str)
def test_of_two_dots_the_first_leaves_two_ways(options: dict[str, Any]) -> None:
    assert grounding(TWO_STEPS, **options) == "B6"


@pytest.mark.parametrize("options", ENDINGS, ids=str)
def test_where_the_opponent_can_close_the_way_nothing_is_sure(options: dict[str, Any]) -> None:
    assert grounding(ONE_WAY, **options) is None


@pytest.mark.parametrize("options", ENDINGS, ids=str)
def test_a_capture_in_reply_is_considered(options: dict[str, Any]) -> None:
    assert grounding(IN_DANGER, **options) is None


@pytest.mark.sample(6)
@pytest.mark.parametrize("options", ENDINGS, ids=str)
@pytest.mark.parametrize("diagram", [ONE_STEP, TWO_STEPS], ids=["one step", "two steps"])
def test_whatever_the_opponent_replies_it_wins(diagram: str, options: dict[str, Any]) -> None:
    position = lay_out(diagram, **options)
    assert wins_against_every_reply(position)


def wins_against_every_reply(position: DotsPosition) -> bool:
    """Returns whether the player who grounds wins the game: after each reply it ends the game, or grounds again."""
    if position.outcome or ending_call(position):
        return position.outcome is None or position.outcome.winners == (RED,)
    dot = grounding_dot(position)
    if dot is None:
        return False
    after = position.play(dot)
    return all(wins_against_every_reply(after.play(reply)) for reply in after.moves())


@pytest.mark.contest
@pytest.mark.parametrize("preset", ["paper", pytest.param("sport", marks=pytest.mark.smoke), "zagram-no-territory"])
def test_in_a_game_the_player_who_grounds_wins(preset: str) -> None:
    results = [_grounded_and_won(preset, seed) for seed in range(0, 300, 100)]
    grounded = [(sure, winners) for sure, winners in results if sure is not None]
    assert grounded
    assert all(winners == (sure,) for sure, winners in grounded)


def _grounded_and_won(preset: str, seed: int) -> tuple[Seat | None, tuple[Seat, ...]]:
    """Lets the computer play against itself; returns who grounded first, if a player did, and who won."""
    game = make_game(preset, {"size": "11x11"})
    position, sure, ply = game.start(0), None, 0
    while position.outcome is None:
        assert isinstance(position, DotsPosition)
        if sure is None and grounding_dot(position):
            sure = position.to_act
        position = position.play(game.parse(choose(position, Budget(nodes=60), seed + ply, HARDEST).move))
        ply += 1
    return sure, position.outcome.winners


def test_areas_that_could_be_drawn_are_closed_in_reply() -> None:
    position = lay_out(IN_DANGER, ending=Ending.GROUND, closing=Closing.DRAWN)
    assert position.score == (0, 0)
    assert grounding_dot(position) is None


def test_the_choice_is_the_dot_that_grounds() -> None:
    choice = choose(lay_out(TWO_STEPS, landing=True), Budget(nodes=10), 0, 1)
    assert (choice.move, choice.value, choice.win) == ("B6", 1, 1)


def test_without_a_lead_or_an_early_end_there_is_nothing_to_ground() -> None:
    assert grounding(ONE_STEP) is None
    assert grounding_dot(lay_out(ONE_STEP, landing=True).with_to_act(RED)) is not None
    assert grounding("..A\n...\nb..", landing=True) is None
    three = make_game("three", {"size": "9x9"}).start(0)
    assert isinstance(three, DotsPosition)
    assert grounding_dot(three) is None


def test_alone_on_the_field_nobody_grounds() -> None:
    position = lay_out(ONE_STEP, ending=Ending.PLAY_OUT)
    assert grounding_dot(position.with_to_act(RED).play(position.rules.parse("stop"))) is None
