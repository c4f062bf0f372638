"""Random games of the engine against the brute force in this folder, compared before every dash."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from rules.dash import Choice, Dash, DashPosition, Move, Opening, Phase, Variant
from rules.dash.board import WAYS, board
from rules.game import IllegalMove, Outcome, Point, Seat
from tests.rules.dash.brute_force import Crossing, Row, Table

GAMES = range(80)
"""Games of each variant."""

FEW_GAMES = range(61, 69)
"""Some of them, among which is every end."""

MAX_FIVES = 9
"""Of one seat in a scattered position: with more fives there are too many sets."""

SIZES = (7, 7, 7, 8, 9, 10, 11, 13, 13)

Habit = Callable[[DashPosition, Move], float]
"""A player's preference for a move, by the position that it leads to."""


def anything(_position: DashPosition, _move: Move) -> float:
    return 0


def a_long_game(position: DashPosition, move: Move) -> float:
    return position.play(move).outcome is None


def fives(position: DashPosition, move: Move) -> float:
    after = position.play(move)
    return after.score[position.to_act] - after.score[1 - position.to_act]


def even_fives(position: DashPosition, move: Move) -> float:
    score = position.play(move).score
    return min(score) - 10 * abs(score[0] - score[1])


def few_stones(position: DashPosition, move: Move) -> float:
    return sum(position.play(move).reserves)


HABITS: tuple[Habit, ...] = (anything, a_long_game, fives, even_fives, few_stones)


class Duel:
    """One random game, played by both."""

    def __init__(self, chance: random.Random, variant: Variant, size: int) -> None:
        self.chance = chance
        self.game = Dash("test", size, variant)
        self.habits = [chance.choice(HABITS), chance.choice(HABITS)]
        if chance.random() < 0.5:
            self.position, stones = self.from_start()
        else:
            self.position, stones = self.from_middle()
        self.table = Table(size, variant.value, stones, int(self.position.to_act))

    def from_start(self) -> tuple[DashPosition, dict[Crossing, int]]:
        """Returns a game from its beginning."""
        points = [Point(x, y) for x, y in product(range(self.game.size), repeat=2)]
        first, second, single = self.chance.sample(points, 3)
        choice = self.chance.choice(list(Choice))
        position = self.game.start(seed=0).play(Opening(frozenset((first, second)), single)).play(choice)
        pair_owner, single_owner = (0, 1) if choice is Choice.SINGLE else (1, 0)
        stones: dict[Crossing, int] = {at(first): pair_owner, at(second): pair_owner, at(single): single_owner}
        assert position.to_act == single_owner
        return position, stones

    def from_middle(self) -> tuple[DashPosition, dict[Crossing, int]]:
        """Returns a game from the middle, with runs of stones that no game may ever lead to."""
        size, to_act = self.game.size, Seat(self.chance.randrange(2))
        stones = self.stones()
        while any(len(Table(size, "", stones, 0).rows_of_five(seat)) > MAX_FIVES for seat in (0, 1)):
            stones = self.stones()
        owned = [board(size).bits(Point(*place) for place, owner in stones.items() if owner == seat) for seat in (0, 1)]
        return DashPosition(self.game, Phase.DASH, to_act, (owned[0], owned[1])), stones

    def stones(self) -> dict[Crossing, int]:
        chance, size = self.chance, self.game.size
        stones: dict[Crossing, int] = {}
        for _ in range(chance.randrange(1, size)):
            seat, (dx, dy) = chance.randrange(2), chance.choice(WAYS)
            x, y = chance.randrange(size), chance.randrange(size)
            for step in range(chance.randrange(1, 10)):
                along = (x + dx * step, y + dy * step)
                if max(along) < size and min(along) >= 0 and chance.random() < 0.8:
                    stones[along] = seat
        if size == 13 and chance.random() < 0.5:
            # Threes that make no five, until the reserve is almost empty.
            threes = [(x, y) for x, y in product(range(size), range(0, size, 2)) if x % 4 != 3 and (x, y) not in stones]
            stones |= dict.fromkeys(threes[: 58 - list(stones.values()).count(0)], 0)
        return stones

    def play(self, seen: Counter[str]) -> None:
        while self.compare(seen):
            habit = self.habits[self.position.to_act]
            moves = [move for move in self.position.moves() if isinstance(move, Move)]
            some = self.chance.sample(moves, min(len(moves), 20)) + [move for move in moves if move.fives][:10]
            move = max(some, key=lambda move: (habit(self.position, move), self.chance.random()))
            for other in (*self.chance.sample(moves, min(len(moves), 3)), move):
                self.compare_results(other.start, other.end, moves)
            after = self.position.play(move)
            (self.table,) = (
                table
                for table in self.table.results(at(move.start), at(move.end))
                if table.frozen == frozen_rows(after)
            )
            self.position = after
            seen["dashes"] += 1
            seen["declared"] += bool(move.fives)

    def compare(self, seen: Counter[str]) -> bool:
        """Checks that both agree on everything visible; returns whether the game goes on."""
        position, table = self.position, self.table
        size = self.game.size
        letters = {at: "RB"[owner] for at, owner in table.stones.items()}
        assert position.rows() == [
            "".join(letters.get((x, y), ".") for x in range(size)) for y in reversed(range(size))
        ]
        assert position.to_act == table.to_act
        assert position.score == table.score()
        assert position.reserves == (table.reserve(0), table.reserve(1))
        winner = table.winner()
        assert position.outcome == (winner and Outcome((Seat(winner[0]),), winner[1]))
        if winner:
            assert list(position.moves()) == []
            seen[winner[1]] += 1
            return False
        legal = {(start, end) for start in table.stones for end in table.landings(start)}
        listed = {(at(move.start), at(move.end)) for move in position.moves() if isinstance(move, Move)}
        assert listed == legal
        self.compare_refusals(legal)
        return True

    def compare_refusals(self, legal: set[tuple[Crossing, Crossing]]) -> None:
        size, chance = self.game.size, self.chance
        for start in chance.sample(sorted(self.table.stones), min(5, len(self.table.stones))):
            end = (chance.randrange(size), chance.randrange(size))
            if (start, end) not in legal:
                with pytest.raises(IllegalMove):
                    self.position.play(Move(Point(*start), Point(*end)))

    def compare_results(self, start: Point, end: Point, moves: list[Move]) -> None:
        """Checks that the listed choices of fives for one dash are those of the brute force, each once."""
        engine = [frozen_rows(self.position.play(move)) for move in moves if (move.start, move.end) == (start, end)]
        brute = {table.frozen for table in self.table.results(at(start), at(end))}
        assert len(engine) == len(brute)
        assert set(engine) == brute


def at(point: Point) -> Crossing:
    return point.x, point.y


def frozen_rows(position: DashPosition) -> tuple[frozenset[Row], frozenset[Row]]:
    first, second = (frozenset(frozenset(map(at, five.points)) for five in fives) for fives in position.frozen)
    return first, second


@pytest.mark.parametrize("games", [FEW_GAMES, pytest.param(GAMES, marks=pytest.mark.contest)], ids=len)
@pytest.mark.parametrize("variant", list(Variant))
def test_random_games_agree(variant: Variant, games: range) -> None:
    seen: Counter[str] = Counter()
    for seed in games:
        chance = random.Random(f"{variant} {seed}")
        Duel(chance, variant, chance.choice(SIZES)).play(seen)
    assert seen["fives"] + seen["blocked"] + seen["reserve"] == len(games)
    assert min(seen["fives"], seen["blocked"], seen["reserve"]) > 0
    assert (seen["declared"] > 0) == (variant is Variant.FROZEN)
