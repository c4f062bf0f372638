"""Games of the program against itself, and the visits of deeper searches in some of their positions.

`python -m tools.model_games FOLDER FIRST COUNT` makes the COUNT games from number FIRST, and goes on where it was
stopped. Each depends on its number alone, so that several processes can share the work. A game is a line of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from opponent.dots.arrays import CELLS, STRIDE, Field
from opponent.dots.candidates import within_two
from opponent.dots.field import empty, place
from opponent.dots.nodes import KOMI, LEAD_SUM, MOVE, VISITS
from opponent.dots.playout import STOPPED, TERMS, free_cells
from opponent.dots.rng import seeded_rng
from opponent.dots.search import Root
from opponent.dots.skill import FULL
from opponent.dots.tables import TAKEN
from opponent.dots.tree import Tree

SIZES = ((20, 20),) * 20 + ((15, 15),) * 8 + ((12, 12),) * 3 + ((39, 32),)
"""By game number, in turn."""

QUIET = 4
"""Random dots that begin a game, near no other."""

QUICK, DEEP = 120, 900
"""Playouts of a move that is only played, and of one that is also taught."""

EVERY = 8
"""One in so many moves is taught."""


class Taught(NamedTuple):
    """A game: the sides of the field, the crossings of its dots, which players 0 and 1 place by turns, and the lessons:
    after so many dots, the visits of each crossing."""

    width: int
    height: int
    dots: list[int]
    lessons: dict[int, dict[int, int]]


def read(folder: Path) -> Iterator[Taught]:
    """Reads the games that were made."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in _whole(path):
            width, height, dots, lessons = json.loads(line)
            yield Taught(width, height, dots, {turn: dict(visits) for turn, visits in lessons})


def main() -> None:
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{first}.jsonl"
    path.touch()
    done = _whole(path)
    path.write_text("".join(done), encoding="utf-8")
    tree = Tree(300_000)
    with path.open("a", encoding="utf-8") as lines:
        for number in range(first + len(done), first + count):
            width, height, dots, lessons = play(tree, number, SIZES[number % len(SIZES)])
            listed = [(turn, [*visits.items()]) for turn, visits in lessons.items()]
            lines.write(json.dumps((width, height, dots, listed), separators=(",", ":")) + "\n")
            lines.flush()


def play(tree: Tree, seed: int, size: tuple[int, int]) -> Taught:
    """Plays a game until nothing is left outside closed faces."""
    rng = Random(seed)  # noqa: S311 - no secret
    field, order = empty(*size), np.zeros(5_000, np.int16)
    dots: list[int] = []
    lessons: dict[int, dict[int, int]] = {}
    for cell in islice(_quiet(field, rng), QUIET):
        place(field, len(dots) % 2, cell)
        dots.append(cell)
    lead = 0.0
    while free_cells(field, order, False):
        player, taught = len(dots) % 2, rng.random() < 1 / EVERY
        lead = _search(tree, field, player, dots, DEEP if taught else QUICK, seed * 1_000 + len(dots), lead)
        ranked = tree.ranked(0)
        if taught:
            lessons[len(dots)] = {
                int(tree.nodes[MOVE, child]): int(tree.nodes[VISITS, child])
                for child in ranked
                if tree.nodes[VISITS, child] > 1
            }
        cell = int(tree.nodes[MOVE, ranked[0]])
        place(field, player, cell)
        dots.append(cell)
    return Taught(*size, dots, lessons)


def _quiet(field: Field, rng: Random) -> Iterator[int]:
    cells = range(int(field[STRIDE]), int(field[CELLS]))
    while True:
        cell = rng.choice(cells)
        if not field[cell] & TAKEN and not within_two(field, cell):
            yield cell


def _search(tree: Tree, field: Field, player: int, dots: list[int], many: int, seed: int, guess: float) -> float:
    """Searches after these dots, and returns the mean lead of player 0, which was guessed."""
    terms, settings = np.zeros(TERMS, np.int64), FULL.settings()
    terms[STOPPED], settings[KOMI] = -1, guess
    tree.clear(player)
    tree.search(Root(field, player, dots[-1], dots[-2]), settings, terms, seeded_rng(seed), many)
    return float(settings[LEAD_SUM]) / many


def _whole(path: Path) -> list[str]:
    """Returns the lines of a file without one that was cut off."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [line for line in lines if line.endswith("\n")]


if __name__ == "__main__":
    main()
