"""The search in plain Python: the tactics that it sees, and its strength in every game."""

from __future__ import annotations

import pytest

from opponent.choice import HARDEST, Budget
from opponent.choose import choose
from opponent.generic import search as plain
from rules.dash import Dash, DashPosition, Phase
from rules.dash.board import board
from rules.dots import Closing, Links
from rules.game import AnyGame, Point, Seat, parse_point
from rules.registry import GAMES, make_game
from tests.opponent.contest import computer, play_game, seeded
from tests.opponent.rivals import by_chance, greedy
from tests.rules.dots.positions import lay_out, place

QUICKLY, A_WHILE = Budget(nodes=24), Budget(nodes=300)
LONG_GAMES = ("four", "three", "two-squares")

CAPTURE = """
    .......
    ..A....
    .Ab....
    ..A..b.
    ....b..
    .......
"""
ESCAPE = """
    .......
    ..b....
    .bA....
    ..b....
    .......
    .......
"""


def chosen(diagram: str) -> Point:
    return parse_point(plain.choose(lay_out(diagram), A_WHILE, seed=1, level=HARDEST).move)


@pytest.fixture(params=[pytest.param(key, marks=[pytest.mark.contest] * (key in LONG_GAMES)) for key in sorted(GAMES)])
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Yields every preset on a field as small as leaves its players something to capture."""
    return make_game(request.param, {"size": "7x7" if GAMES[request.param].seats == 2 else "8x8"})


def test_it_captures_a_dot_that_can_be_captured() -> None:
    assert chosen(CAPTURE) == place(lay_out(CAPTURE), (3, 2))


def test_it_saves_a_dot_that_would_be_captured() -> None:
    assert chosen(ESCAPE) == place(lay_out(ESCAPE), (3, 2))


def test_with_far_links_it_captures_a_dot_that_a_near_chain_would_not() -> None:
    position = lay_out(".......\n.A.....\n..b....\n.A.....\n.......", closing=Closing.DRAWN, links=Links.FAR)
    turn = choose(position, A_WHILE, seed=1, level=HARDEST).move
    assert position.play(position.rules.parse(turn)).score == (1, 0)


def test_it_completes_a_five_that_wins() -> None:
    game = Dash("dot-dash", 9)
    own, others = (board(9).bits(map(parse_point, names.split())) for names in ("A1 B1 F1 G7", "E9 F9 G9 I4"))
    position = DashPosition(game, Phase.DASH, Seat(0), stones=(own, others))
    turn = plain.choose(position, A_WHILE, seed=1, level=HARDEST).move
    assert position.play(game.parse(turn)).score == (1, 0)


def test_the_same_seed_and_nodes_give_the_same_choice(game: AnyGame) -> None:
    position = game.start(1)
    for number in range(4):
        position = position.play(game.parse(choose(position, QUICKLY, number, 8).move))
    assert choose(position, QUICKLY, 7, 8) == choose(position, QUICKLY, 7, 8)


@pytest.mark.sample(5)
def test_it_beats_chance(game: AnyGame) -> None:
    assert play_game(game, 0, computer(budget=QUICKLY), seeded(by_chance)) == 1
    assert play_game(game, 1, computer(budget=QUICKLY), seeded(by_chance)) == 1


@pytest.mark.sample(5)
def test_it_beats_a_player_who_looks_one_move_ahead(game: AnyGame) -> None:
    assert sum(play_game(game, seed, computer(budget=QUICKLY), seeded(greedy)) for seed in range(3)) >= 2
