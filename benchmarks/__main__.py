"""Measures what the project promises: `python -m benchmarks` prints each figure beside its limit, and fails past
one."""

from __future__ import annotations

import sys

from benchmarks import clocks, computer, drawing, opponent, ranker, ratings, rules

SUITES = (
    rules.figures,
    opponent.figures,
    ranker.figures,
    drawing.figures,
    computer.figures,
    clocks.figures,
    ratings.figures,
)


def main() -> int:
    failed = False
    for suite in SUITES:
        for figure in suite():
            failed |= not figure.holds
            print(figure, flush=True)  # noqa: T201 - what this program is for
    return failed


if __name__ == "__main__":
    sys.exit(main())
