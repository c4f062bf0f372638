"""Measures the project's goals: `python -m benchmarks` prints each figure beside its limit; a missed one fails."""

from __future__ import annotations

import sys
from itertools import chain

from benchmarks import (
    answers,
    boards,
    clocks,
    computer,
    drawing,
    homes,
    memory,
    opponent,
    pairing,
    point_ranking,
    ratings,
    rules,
    shares,
    sockets,
    start,
    studies,
    victim,
    votes,
)
from benchmarks.program import report

SUITES = (
    rules.figures,
    opponent.figures,
    point_ranking.figures,
    drawing.figures,
    computer.figures,
    clocks.figures,
    ratings.figures,
    pairing.figures,
    start.figures,
    boards.figures,
    answers.figures,
    sockets.figures,
    homes.figures,
    shares.figures,
    studies.figures,
    votes.figures,
    victim.figures,
    memory.figures,
)


def main() -> int:
    return report(chain.from_iterable(suite() for suite in SUITES))


if __name__ == "__main__":
    sys.exit(main())
