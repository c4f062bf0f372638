"""The linear model of moves (opponent/dots/move_prior.py), fitted to lessons of deep searches and to recorded games.

    python -m tools.model_games FOLDER FIRST COUNT    makes the lessons
    python -m tools.move_model FOLDER                 compares the weights before and after on games held out
    python -m tools.move_model FOLDER --write         then writes opponent/dots/move_weights.py

It takes some minutes. A dot that players chose in a recorded game teaches something only if neither side could capture:
they drew their bases, and so could delay a capture.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

import numpy as np

from opponent.dots import move_weights
from opponent.dots.arrays import CELLS, STRIDE, Field
from opponent.dots.candidates import NEAR, sensible
from opponent.dots.field import empty, place
from opponent.dots.move_prior import CAPTURES, JOINS, features
from opponent.dots.move_weights import WEIGHTS
from opponent.dots.tables import TAKEN
from play.records import sgf
from play.records.record import Record
from rules.game import Point
from tests.facts import recorded_games
from tools.choices import Seen, Weights, chances, fit, rank, seen
from tools.model_games import DEEP, QUICK, Taught, read
from tools.program import commit, say

HELD_OUT = 5
"""Every HELD_OUTth game is held out."""

SPARSE = 5
"""One lesson in so many is looked at: those of one game are alike."""

SHRINK = 3e-4
"""The pull of a weight towards zero."""

ROW = 20
"""Weights a line of the file."""

MODULE = '''"""The weights of the features in move_prior.py, in their order.

Written by `python -m tools.move_model` (docs/computer-lab.md):

{told}
"""

from __future__ import annotations

import numpy as np

# fmt: off
WEIGHTS = np.array([
{rows}], np.float64) / 100
'''

_LISTED = np.zeros(64, np.int64)


def main() -> None:
    taught = [*read(Path(sys.argv[1]))]
    lessons = [[*_lessons(game)] for game in taught]
    recorded = [[*_recorded(sgf.read(path.read_bytes()))] for path in recorded_games()]
    learned = _part(lessons, held=False) + [one for one in _part(recorded, held=False) if not _tactical(one).any()]
    fresh = np.round(fit(learned, len(WEIGHTS), SHRINK), 2)
    facts = [
        f"{len(taught):,} games of the program against itself, {QUICK} playouts a move, with"
        f" {sum(map(len, lessons)):,} lessons of {DEEP:,} playouts; {len(recorded)} recorded games with"
        f" {sum(map(len, recorded)):,} positions. Fitted to {len(learned):,} of them, at commit {commit()}.",
        *(
            f"{name}, {when}: {_judged(_part(games, held=True), weights)}"
            for name, games in (("Lessons held out", lessons), ("Recorded games held out", recorded))
            for when, weights in (("before", WEIGHTS), ("after", fresh))
        ),
    ]
    say("\n".join(facts))
    if "--write" in sys.argv:
        Path(move_weights.__file__).write_text(_module(facts, fresh), encoding="utf-8")


def _part(games: list[list[Seen]], *, held: bool) -> list[Seen]:
    return [one for number, game in enumerate(games) for one in game if (number % HELD_OUT == 0) == held]


def _lessons(game: Taught) -> Iterator[Seen]:
    field = empty(game.width, game.height)
    chosen = {turn for number, turn in enumerate(game.lessons) if number % SPARSE == 0}
    for turn, cell in enumerate(game.dots):
        if turn in chosen:
            yield from _choice(field, turn % 2, game.dots[:turn], game.lessons[turn])
        place(field, turn % 2, cell)


def _recorded(record: Record) -> Iterator[Seen]:
    """Yields the moves of a recorded game, as long as automatic closing leaves their crossings free."""
    field, past = empty(record.width, record.height), [*record.stones, *record.moves]
    cells = [_cell(field, dot.point) for dot in past]
    for turn, (dot, cell) in enumerate(zip(past, cells, strict=True)):
        if field[cell] & TAKEN:
            return
        if turn >= len(record.stones):
            yield from _choice(field, int(dot.seat), cells[:turn], {cell: 1})
        place(field, int(dot.seat), cell)


def _cell(field: Field, point: Point) -> int:
    return (point.y + 1) * int(field[STRIDE]) + point.x + 1


def _choice(field: Field, player: int, past: list[int], visits: dict[int, int]) -> Iterator[Seen]:
    """Yields the choice between the candidates of a position, if it has two or more."""
    previous, last = [0, 0, *past][-2:]
    first = int(field[STRIDE]) + 1
    cells = [
        cell
        for cell in range(first, int(field[CELLS]) - first)
        if not field[cell] & TAKEN and sensible(field, player, cell, NEAR)
    ]
    shares = np.array([visits.get(cell, 0) for cell in cells], np.float64)
    if shares.sum() and len(cells) > 1:
        found = [_LISTED[: features(field, player, cell, last, previous, 1, _LISTED)].tolist() for cell in cells]
        yield seen(found, shares / shares.sum())


def _tactical(one: Seen) -> Weights:
    """Returns by point whether it captures or saves dots: 1 or 0."""
    tactical = (one.kinds >= CAPTURES) & (one.kinds < JOINS)
    found: Weights = np.bincount(one.points, tactical, len(one.shares)).astype(np.float64)
    return np.minimum(found, 1)


def _judged(choices: list[Seen], weights: Weights) -> str:
    ranks = np.array([rank(one, weights) for one in choices])
    expected = [chances(one, weights) for one in choices]
    surprise = np.mean([-one.shares @ np.log(odds) for one, odds in zip(choices, expected, strict=True)])
    told, said = np.mean(
        [
            (one.shares @ takes, odds @ takes)
            for one, odds in zip(choices, expected, strict=True)
            if (takes := _tactical(one)).any()
        ],
        axis=0,
    )
    return (
        f"first in {np.mean(ranks < 1):.1%}, among the best five in {np.mean(ranks < 5):.1%}, surprise {surprise:.3f};"
        f" where it can, it captures or saves in {told:.1%}, {said:.1%} expected."
    )


def _module(facts: list[str], weights: Weights) -> str:
    """Returns the text of opponent/dots/move_weights.py."""
    hundredths = [str(round(100 * weight)) for weight in weights]
    rows = [", ".join(hundredths[first : first + ROW]) for first in range(0, len(hundredths), ROW)]
    told = "\n\n".join(fill(fact, 118) for fact in facts)
    return MODULE.format(told=told, rows="".join(f"    {row},\n" for row in rows))


if __name__ == "__main__":
    main()
