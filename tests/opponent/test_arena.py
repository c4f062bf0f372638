"""The arena: how its games begin and end, and what their results mean in Elo."""

from __future__ import annotations

from itertools import combinations

import pytest

from opponent.choice import Choice
from rules.game import AnyPosition
from rules.registry import make_game
from tools.arena import Match, elo

RULES = make_game("zagram", {"size": "12x12"})


class Reporter:
    """A player of the first legal move who expects the same result of every position, and counts its moves."""

    def __init__(self, win: float, value: float) -> None:
        self._win, self._value = win, value
        self.positions: list[AnyPosition] = []

    def __call__(self, position: AnyPosition, seed: int) -> Choice:
        self.positions.append(position)
        return Choice(str(next(iter(position.moves()))), self._value, self._win)


def test_a_game_begins_with_quiet_dots_by_its_seed() -> None:
    beginnings = []
    for seed in (1, 1, 2):
        players = Reporter(0.99, 9), Reporter(0.01, -9)
        Match(RULES, quiet=4, agreed=True).game(players, seed)
        stones = set(players[0].positions[0].picture().stones)
        beginnings.append(stones)
        new = [stone.point for stone in stones - set(RULES.start(seed).picture().stones)]
        assert len(new) == 4
        assert all(max(abs(one.x - two.x), abs(one.y - two.y)) > 2 for one, two in combinations(new, 2))
    assert beginnings[0] == beginnings[1] != beginnings[2]


@pytest.mark.parametrize(("first", "second", "result"), [((0.99, 9), (0.01, -9), 1), ((0.01, -9), (0.99, 9), 0)])
def test_a_game_ends_when_both_are_sure_of_the_same_winner(
    first: tuple[float, float], second: tuple[float, float], result: float
) -> None:
    players = Reporter(*first), Reporter(*second)
    assert Match(RULES, agreed=True).game(players, 0) == result
    assert [len(player.positions) for player in players] == [1, 1]


@pytest.mark.parametrize(
    ("first", "second", "agreed"),
    [
        ((0.99, 9), (0.99, 9), True),
        ((0.99, 7), (0.01, -9), True),
        ((0.9, 9), (0.01, -9), True),
        ((1, 9), (0, -9), False),
    ],
    ids=["both hope", "few points", "not sure", "not asked"],
)
def test_otherwise_the_rules_end_it(first: tuple[float, float], second: tuple[float, float], agreed: bool) -> None:
    players = Reporter(*first), Reporter(*second)
    Match(RULES, agreed=agreed).game(players, 0)
    assert sum(len(player.positions) for player in players) > 20


def test_elo_of_a_share() -> None:
    assert elo(0.5, 100) == pytest.approx((0, 68.1), abs=0.1)
    assert elo(10 / 11, 10**9)[0] == pytest.approx(400)
    assert elo(1, 10)[0] == pytest.approx(-elo(0, 10)[0])
