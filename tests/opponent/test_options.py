"""The computer plays by every combination of options that players can choose."""

from __future__ import annotations

import random

import pytest

from opponent.choice import Budget
from opponent.choose import choose
from rules.dots import Dots, Setup, Win
from rules.dots.options import CHOICES
from rules.fitting import fit
from rules.game import AnyGame, BadOption, Seat, parse_point
from rules.registry import GAMES, make_game

LOOK = Budget(nodes=30)


def any_game(rng: random.Random) -> AnyGame:
    """Returns a small game with some options changed."""
    keys = [key for key, game in GAMES.items() if "closing" in game.options]
    game = make_game(rng.choice(keys), {"size": "8x7"})
    for option in rng.sample(list(CHOICES), 3):
        try:
            game = fit(game, {option: rng.choice(CHOICES[option])})
        except BadOption:
            continue
    return game.with_options({"win": rng.choice(["none", "2 captured", "3 ahead"])})


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(30))
def test_the_computer_plays_by_any_options(seed: int) -> None:
    rng = random.Random(seed)
    game = any_game(rng)
    position = game.start(seed)
    for _ in range(24):
        if position.outcome:
            break
        computer = rng.random() < 0.5
        move = choose(position, LOOK, seed, 1).move if computer else str(rng.choice(list(position.moves())))
        position = position.play(game.parse(move))


def test_an_instant_win_counts_captured_dots_also_where_every_crossing_counts() -> None:
    ring = "0:C2 0:D2 0:E2 0:B3 0:F3 0:C4 0:D4 1:D3"
    game = make_game(
        "quick", {"size": "9x9", "start": "stones", "stones": ring, "scoring": "everything", "win": "3 ahead"}
    )
    position = game.start(0).play(game.parse("E4"))
    assert position.score[0] == 3
    assert position.outcome is None
    assert choose(position, LOOK, 0, 1).move


def test_lines_that_may_be_reused_are_searched_as_an_automatic_field() -> None:
    position = make_game("szkrab", {"size": "9x9"}).start(0)
    assert choose(position, LOOK, 0, 1).move


@pytest.mark.parametrize(("komi", "value", "win"), [(0.0, 0.0, 0.5), (0.5, -0.5, 0.0), (2.5, -2.5, 0.0)])
def test_the_computer_counts_the_komi_of_the_other_seat_in_half_points(komi: float, value: float, win: float) -> None:
    position = Dots("test", 2, 1, Setup.STONES, komi=komi).start(0)
    chosen = choose(position.play(position.rules.parse("A1")), Budget(nodes=20), seed=1)
    assert (chosen.value, chosen.win) == (value, win)


def test_an_instant_win_is_worth_more_than_komi_to_the_computer() -> None:
    stones = tuple((Seat(seat), parse_point(name)) for seat, name in ((0, "B2"), (1, "A2"), (1, "C2"), (1, "B1")))
    game = Dots("test", 5, 5, Setup.STONES, stones=stones, win=Win(1), komi=5.5)
    chosen = choose(game.start(0).with_to_act(Seat(1)), Budget(nodes=200), seed=1)
    assert (chosen.move, chosen.win) == ("B3", 1.0)
