"""Games of the program against itself, and what a deeper search would choose in some of their positions.

`python -m benchmarks.model_games FOLDER FIRST COUNT` makes the COUNT games from number FIRST, and goes on where it was
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

from opponent.dots.arrays import CELLS, FREE, STRIDE, Field
from opponent.dots.candidates import within_two
from opponent.dots.field import empty, place
from opponent.dots.nodes import LEAD_SUM, MOVE, POINTS, VISITS
from opponent.dots.playout import STOPPED, free_cells
from opponent.dots.rng import seeded_rng
from opponent.dots.skill import FULL
from opponent.dots.tables import ENCLOSED, TAKEN
from opponent.dots.threats import gain
from opponent.dots.tree import Tree

SIZES = ((15, 15),) * 7 + ((12, 12),) * 6 + ((20, 20),) * 2 + ((39, 32),)
"""By game number, in turn."""

MAX_DOTS = 250
"""Of a game: all of one on 15x15, a quarter of one on 39x32."""

QUIET = 4
"""Random dots that begin a game, near no other."""

PLAYOUTS = 60
"""Of a move that is played."""

DEEP = 1_500
"""Of a move that is taught."""

LESSONS = 3
"""Positions of a game, about, in which a move is taught."""

CHECK, SEEN, BETTER = 300, 100, 0.5
"""A capture or a save that got fewer than SEEN of the DEEP playouts is searched with CHECK playouts of its own. It
becomes the lesson if it leads to so many points more."""


class Lesson(NamedTuple):
    """The visits of a deep search after so many dots, by crossing; `found` if it is a capture found by the check."""

    turn: int
    visits: dict[int, int]
    found: bool


class Taught(NamedTuple):
    """A game: the sides of the field, its dots by player and crossing, and its lessons."""

    width: int
    height: int
    dots: list[tuple[int, int]]
    lessons: list[Lesson]


def read(folder: Path) -> Iterator[Taught]:
    """Reads the games that were made."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in _whole(path):
            width, height, dots, lessons = json.loads(line)
            yield Taught(
                width,
                height,
                dots,
                [
                    Lesson(turn, {int(cell): many for cell, many in visits.items()}, found)
                    for turn, visits, found in lessons
                ],
            )


def main() -> None:
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{first}.jsonl"
    path.touch()
    done = _whole(path)
    path.write_text("".join(done), encoding="utf-8")
    tree = Tree(200_000)
    with path.open("a", encoding="utf-8") as lines:
        for number in range(first + len(done), first + count):
            lines.write(json.dumps(_play(tree, number), separators=(",", ":")) + "\n")
            lines.flush()


def _whole(path: Path) -> list[str]:
    """Returns the lines of a file without one that was cut off."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [line for line in lines if line.endswith("\n")]


def _play(tree: Tree, seed: int) -> Taught:
    rng = Random(seed)  # noqa: S311 - no secret
    width, height = SIZES[seed % len(SIZES)]
    field, order = empty(width, height), np.zeros(5_000, np.int16)
    chance = LESSONS / min(MAX_DOTS, 0.7 * width * height)
    dots: list[tuple[int, int]] = []
    lessons: list[Lesson] = []
    for cell in islice(_quiet(field, rng), QUIET):
        _put(field, dots, cell)
    while len(dots) < MAX_DOTS and free_cells(field, order, False):
        player, newest = len(dots) % 2, [cell for _, cell in dots[-2:]]
        if rng.random() < chance:
            lessons.append(_teach(tree, field, player, newest, len(dots), seed))
        _search(tree, field, player, newest, PLAYOUTS, seed + len(dots))
        _put(field, dots, int(tree.nodes[tree.ranked(0)[0], MOVE]))
    return Taught(width, height, dots, lessons)


def _quiet(field: Field, rng: Random) -> Iterator[int]:
    cells = range(int(field[STRIDE]), int(field[CELLS]))
    while True:
        cell = rng.choice(cells)
        if not field[cell] & TAKEN and not within_two(field, cell):
            yield cell


def _put(field: Field, dots: list[tuple[int, int]], cell: int) -> None:
    player = len(dots) % 2
    place(field, player, cell)
    dots.append((player, cell))


def _search(tree: Tree, field: Field, player: int, newest: list[int], many: int, seed: int) -> float:
    """Returns the mean lead of player 0."""
    terms, settings = np.zeros(6, np.int64), FULL.settings()
    terms[STOPPED] = -1
    tree.clear(player)
    tree.search(settings, terms, field, seeded_rng(seed), player, newest[-1], newest[-2], many)
    return float(settings[LEAD_SUM]) / many


def _teach(tree: Tree, field: Field, player: int, newest: list[int], turn: int, seed: int) -> Lesson:
    _search(tree, field, player, newest, DEEP, seed)
    nodes, sums = tree.nodes, tree.sums
    visits = {int(nodes[child, MOVE]): int(nodes[child, VISITS]) for child in tree.children(0)}
    best = tree.ranked(0)[0]
    most = float(sums[best, POINTS] / nodes[best, VISITS])
    found = False
    for cell in [cell for cell, seen in visits.items() if seen < SEEN]:
        if gain(field, player, cell) or _saves(field, player, cell):
            after = field.copy()
            place(after, player, cell)
            if not after[FREE]:
                continue
            lead = _search(tree, after, 1 - player, [newest[-1], cell], CHECK, seed)
            lead = -lead if player else lead
            if lead > most + BETTER:
                most, found = lead, True
                visits = dict.fromkeys(visits, 0) | {cell: DEEP}
    return Lesson(turn, {cell: seen for cell, seen in visits.items() if seen}, found)


def _saves(field: Field, player: int, cell: int) -> bool:
    return not field[cell] & ENCLOSED << player and gain(field, 1 - player, cell) > 1


if __name__ == "__main__":
    main()
