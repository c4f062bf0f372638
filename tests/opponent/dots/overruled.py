"""The gain or loss of the strongest level by moves that it chooses although its search tried another one more often.

`python -m tests.opponent.dots.overruled --games 36` plays games on 20x20 by the most visited moves, with 2,000 playouts
each. Where another one would be chosen, deep searches compare the two.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from statistics import fmean, stdev
from typing import NamedTuple

from opponent.choice import Budget, Choice
from opponent.dots.chase import Chaser
from opponent.dots.field import from_position
from opponent.dots.player import Searcher
from opponent.dots.skill import FULL
from rules.dots import Dots, DotsPosition
from rules.game import parse_point
from rules.registry import make_game
from tests.opponent.dots.hunt import cell_of

USUAL, DEEP = Budget(2000), Budget(20_000)
"""The budgets of a move in the games, and of a comparison."""

DEEP_SEEDS = 2
"""Deep searches after each of the two moves."""


class Overruled(NamedTuple):
    """A choice against the visits: whether it begins a chase, and what it gives more than the most visited move."""

    is_chase: bool
    points: float
    wins: float


def overruled(seed: int) -> Iterator[Overruled]:
    """Plays a game, and yields the choices against the visits."""
    game = make_game("zagram", {"size": "20x20"})
    assert isinstance(game, Dots)
    position, searcher, judge = game.start(seed), Searcher(), Searcher()
    while position.outcome is None:
        choice = searcher.choose(position, USUAL, seed, FULL)
        usual = choice.candidates[0].move
        if choice.move != usual:
            chosen, other = (_judged(judge, position, move) for move in (choice.move, usual))
            yield Overruled(_begins_chase(position, choice), chosen[0] - other[0], chosen[1] - other[1])
        position = position.play(game.parse(usual))


def _judged(judge: Searcher, position: DotsPosition, move: str) -> tuple[float, float]:
    """Returns the points and the share of the win that a player may expect of a move."""
    after = position.play(position.rules.parse(move))
    if after.outcome:
        score, seat = after.score, position.to_act
        return score[seat] - score[1 - seat], float(score[seat] > score[1 - seat])
    replies = [judge.choose(after, DEEP, seed, FULL) for seed in range(DEEP_SEEDS)]
    points, wins = fmean(reply.value for reply in replies), fmean(reply.win for reply in replies)
    return (points, wins) if after.to_act == position.to_act else (-points, 1 - wins)


def _begins_chase(position: DotsPosition, choice: Choice) -> bool:
    field = from_position(position)
    _, line = Chaser().find(field, int(position.to_act))
    return len(line) > 0 and int(line[0]) == cell_of(field, parse_point(choice.move))


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=36)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    given = parser.parse_args()
    found = [each for seed in range(given.seed, given.seed + given.games) for each in overruled(seed)]
    for kind, begins in (("chases", True), ("other moves", False)):
        points = [each.points for each in found if each.is_chase == begins]
        wins = [100 * each.wins for each in found if each.is_chase == begins]
        print(f"{kind}: {len(points) / given.games:.1f} a game")  # noqa: T201
        for what, values in (("points", points), ("% of winning", wins)):
            if len(values) > 1:
                error = stdev(values) / len(values) ** 0.5
                print(f"  {fmean(values):+.2f} {what} each, standard error {error:.2f}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
