"""The share of played moves among the first suggestions of `opponent.suggest`.

`python -m benchmarks.point_ranking` judges each recorded game by weights fitted to the others alone. With `--fit` it
prints the weights fitted to all of them, for opponent/suggest.py. Either takes some minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from benchmarks.figure import Figure, times
from opponent.suggest import WEIGHTS, Features, features, rank_points
from play.records import sgf
from play.records.record import BadRecord, Record
from rules.dots import Dots, DotsPosition
from rules.game import Point
from rules.registry import GAMES
from tests.facts import recorded_games
from tools.choices import Seen, fit, rank, seen
from tools.program import say

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

Kind = tuple[str, int]


class Moment(NamedTuple):
    """A position, the last dots before it, and the next one."""

    position: DotsPosition
    recent: tuple[Point, ...]
    played: Point


def figures() -> Iterator[Figure]:
    """Measures the weights of opponent/suggest.py on the recorded games to which they were fitted."""
    moments = [moment for path in recorded_games() for moment in _moments(sgf.read(path.read_bytes()))]
    sample = moments[::SAMPLE]
    ranks = [[one.point for one in rank_points(*moment[:2])].index(moment.played) for moment in sample]
    among = 100 * sum(rank < SUGGESTIONS for rank in ranks) / len(ranks)
    yield Figure(f"moves among the first {SUGGESTIONS} that are suggested", among, "%", FLOOR, least=True)
    usual = [one for one in sample if one.position.rules.width == WIDTH]
    taken = times(partial(rank_points, *one[:2]) for one in usual)
    yield Figure("ranking the points of 39x32", taken, "ms", 15, processor=True)


def main() -> None:
    games = {path.stem: [*_moments(sgf.read(path.read_bytes()))] for path in recorded_games()}
    numbers: dict[Kind, int] = {
        (kind, grade): number
        for number, (kind, grade) in enumerate((kind, grade) for kind in WEIGHTS for grade in range(len(WEIGHTS[kind])))
    }
    choices = {name: [_encode(moment, numbers) for moment in moments] for name, moments in games.items()}
    if "--fit" in sys.argv:
        weights = fit((one for game in choices.values() for one in game), len(numbers))
        for kind in WEIGHTS:
            say(kind, [round(float(weights[numbers[kind, grade]]), 2) for grade in range(len(WEIGHTS[kind]))])
        return
    ranks: list[int] = []
    for name, left_out in choices.items():
        weights = fit((one for other, game in choices.items() if other != name for one in game), len(numbers))
        found = [rank(one, weights) for one in left_out]
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
    shares = np.array([float(point == moment.played) for point, _ in found])
    return seen([[numbers[kind] for kind in kinds] for _, kinds in found], shares)


if __name__ == "__main__":
    main()
