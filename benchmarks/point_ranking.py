"""The share of played moves among the first suggestions of `opponent.suggest.point_ranking`.

`python -m benchmarks.point_ranking` judges each recorded game by weights fitted to the others alone. With `--fit` it
prints the weights fitted to all of them, for opponent/suggest/point_ranking.py. Either takes some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.figure import Figure, times
from benchmarks.program import say
from opponent.suggest.point_ranking import WEIGHTS, Features, features, rank_points
from play.records import sgf
from play.records.record import BadRecord, Record
from rules.dots import Dots, DotsPosition
from rules.point import Point
from rules.registry import GAMES
from tests.facts import recorded_games

RULES = ("zagram", "zagram-territory")
"""The rules of recorded games: the second where chains were drawn."""

FIRST = (1, 5, 10, 25)
SUGGESTIONS = 25
FLOOR = 80
"""Percent of moves that must be among the first SUGGESTIONS."""

WIDTH = 39
"""Columns of the field on which the time is measured."""

SAMPLE = 6
"""Every SAMPLEth position is judged in a quick run."""

PASSES, RATE, SLOWER, BATCH, SHRINK = 10, 0.1, 0.6, 32, 1e-3
"""Of the fit: passes over all moves, the first step, its factor with each pass, moves a step, and the pull towards
zero."""

Kind = tuple[str, int]
Weights = NDArray[np.float64]


class Moment(NamedTuple):
    """A position, the last dots before it, and the next one."""

    position: DotsPosition
    recent: tuple[Point, ...]
    played: Point


class Seen(NamedTuple):
    """A moment in numbers: the features of each of its `size` points, and the played one."""

    kinds: NDArray[np.int32]
    points: NDArray[np.int32]
    size: int
    played: int


def figures() -> Iterator[Figure]:
    """Measures the weights of opponent/suggest/point_ranking.py on the recorded games to which they were fitted."""
    moments = [moment for path in recorded_games() for moment in _moments(sgf.read(path.read_bytes()))]
    sample = moments[::SAMPLE]
    ranks = [[one.point for one in rank_points(*moment[:2])].index(moment.played) for moment in sample]
    among = 100 * sum(rank < SUGGESTIONS for rank in ranks) / len(ranks)
    yield Figure(f"moves among the first {SUGGESTIONS} that are suggested", among, "%", FLOOR, least=True)
    usual = [one for one in sample if one.position.rules.width == WIDTH]
    yield Figure("ranking the points of 39x32", times(partial(rank_points, *one[:2]) for one in usual), "ms", 15)


def main() -> None:
    games = {path.stem: [*_moments(sgf.read(path.read_bytes()))] for path in recorded_games()}
    numbers: dict[Kind, int] = {
        (kind, grade): number
        for number, (kind, grade) in enumerate((kind, grade) for kind in WEIGHTS for grade in range(len(WEIGHTS[kind])))
    }
    seen = {name: [_encode(moment, numbers) for moment in moments] for name, moments in games.items()}
    if "--fit" in sys.argv:
        weights = _fit((one for game in seen.values() for one in game), len(numbers))
        for kind in WEIGHTS:
            say(kind, [round(float(weights[numbers[kind, grade]]), 2) for grade in range(len(WEIGHTS[kind]))])
        return
    ranks: list[int] = []
    for name, left_out in seen.items():
        weights = _fit((one for other, game in seen.items() if other != name for one in game), len(numbers))
        found = [_rank(one, weights) for one in left_out]
        say(name, *(f"{100 * sum(rank < first for rank in found) / len(found):.0f} %" for first in FIRST))
        ranks += found
    say(f"all, among the first {FIRST}", *(f"{100 * np.mean(np.array(ranks) < first):.1f} %" for first in FIRST))


def _moments(record: Record) -> Iterator[Moment]:
    recent = [dot.point for dot in record.stones]
    for position, dot in zip(_positions(record), record.moves, strict=False):
        yield Moment(position.with_to_act(dot.seat), tuple(recent), dot.point)
        recent.append(dot.point)


def _positions(record: Record) -> list[DotsPosition]:
    automatic, drawn = (GAMES[key] for key in RULES)
    assert isinstance(automatic, Dots)
    assert isinstance(drawn, Dots)
    try:
        return [*record.replay(automatic)]
    except BadRecord:
        return [*record.replay(drawn)]


def _encode(moment: Moment, numbers: dict[Kind, int]) -> Seen:
    found: list[tuple[Point, Features]] = [*features(moment.position, moment.recent)]
    kinds = np.fromiter((numbers[kind] for _, kinds in found for kind in kinds), dtype=np.int32)
    points = np.repeat(np.arange(len(found), dtype=np.int32), [len(kinds) for _, kinds in found])
    return Seen(kinds, points, len(found), [point for point, _ in found].index(moment.played))


def _fit(moves: Iterable[Seen], size: int) -> Weights:
    """Returns the weights under which the moves were likeliest, by Adam (https://arxiv.org/abs/1412.6980)."""
    given, rng = [*moves], np.random.default_rng(0)
    weights, mean, square = np.zeros(size), np.zeros(size), np.zeros(size)
    step = 0
    for number in range(PASSES):
        order = rng.permutation(len(given))
        for start in range(0, len(order), BATCH):
            slope = SHRINK * weights
            for one in order[start : start + BATCH]:
                slope += _slope(given[one], weights) / BATCH
            step += 1
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
            straight = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            weights = weights - RATE * SLOWER**number * straight
    return weights


def _slope(seen: Seen, weights: Weights) -> Weights:
    """Returns how the surprise at a move changes with each weight."""
    sums = np.bincount(seen.points, weights[seen.kinds], seen.size)
    chances = np.exp(sums - sums.max())
    chances /= chances.sum()
    chances[seen.played] -= 1
    slope: Weights = np.bincount(seen.kinds, chances[seen.points], len(weights)).astype(np.float64)
    return slope


def _rank(seen: Seen, weights: Weights) -> int:
    sums = np.bincount(seen.points, weights[seen.kinds], seen.size)
    return int((sums > sums[seen.played]).sum())


if __name__ == "__main__":
    main()
