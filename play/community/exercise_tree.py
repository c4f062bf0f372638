"""The tree of an exercise: all right moves of its solver, the replies to them, and what refutes the others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from rules.dots import Call
from rules.game import Point, parse_point, point_name

Line = tuple[str, ...]
"""Moves of both players by turns, in the notation of the game."""

STOP = "ST"
"""The call STOP in the text of a tree. A crossing is two small letters, column and row, from the bottom left: `aa`."""

_ITEM = re.compile(r"(?P<moves>(?:[a-z]{2}|ST)*)(?P<mark>[=!(]?)(?P<line>(?:[a-z]{2}|ST)*)")


class Step(NamedTuple):
    """What follows a right move: the reply and the node after it, or the `rest` of the line if nothing is left to
    find. `turn` is the whole move, where its name among others is not all of it."""

    rest: Line
    then: Node | None = None
    turn: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A position in which the solver is to move: all `right` moves, the main one first, and what refutes the others.

    `refutations` has the line after a wrong move, by that move; `refutation` is that of all others.
    """

    right: Mapping[str, Step]
    refutation: Line = ()
    refutations: Mapping[str, Line] = field(default_factory=dict)

    @property
    def line(self) -> Line:
        """Returns the main line, to its end."""
        return self.line_of(next(iter(self.right)))

    def line_of(self, move: str) -> Line:
        """Returns the line of a right move, to its end."""
        step = self.right[move]
        return (step.turn or move, *step.rest, *(step.then.line if step.then else ()))

    @property
    def depth(self) -> int:
        """Returns the number of moves that a solver has to find in the main line."""
        step = next(iter(self.right.values()))
        return 1 + (step.then.depth if step.then else 0)


def read_moves(text: str) -> Line:
    """Returns the moves that a text of two letters each names."""
    return tuple(_move(text[at : at + 2]) for at in range(0, len(text), 2))


def write_moves(moves: Line) -> str:
    """Returns the text of moves, two letters each."""
    return "".join(map(_code, moves))


def read_tree(text: str) -> Node:
    """Returns the tree of its text, items divided by commas. Raises ValueError.

    `ab=cdef` is a right move that solves, and the rest of the line; `ab(cd,...)` one with the reply `cd` and the node
    after it; `ab!cdef` a wrong move and its refutation; `!cdef` that of all others.
    """
    node, end = _read(text, 0)
    if end != len(text):
        raise ValueError(f"no tree: {text}")
    return node


def write_tree(node: Node) -> str:
    """Returns the text of a tree. Wrong moves with the same refutation share an item."""
    items = []
    for move, step in node.right.items():
        rest = write_moves(step.rest)
        items.append(f"{_code(move)}({rest},{write_tree(step.then)})" if step.then else f"{_code(move)}={rest}")
    shared: dict[Line, list[str]] = {}
    for move, line in node.refutations.items():
        shared.setdefault(line, []).append(move)
    items += [f"{write_moves(tuple(wrong))}!{write_moves(line)}" for line, wrong in shared.items()]
    return ",".join([*items, f"!{write_moves(node.refutation)}"])


def _read(text: str, at: int) -> tuple[Node, int]:
    """Returns the node whose text begins at a place, and the place where it ends."""
    right: dict[str, Step] = {}
    refutations: dict[str, Line] = {}
    refutation: Line = ()
    while True:
        item = _ITEM.match(text, at)
        assert item is not None, "the expression matches the empty text"
        moves, mark, line, at = read_moves(item["moves"]), item["mark"], read_moves(item["line"]), item.end()
        if mark == "(":
            then, at = _read(text, at + 1)
            right[moves[0]] = Step(line, then)
            at += 1
        elif mark == "=":
            right[moves[0]] = Step(line)
        elif mark == "!" and moves:
            refutations |= dict.fromkeys(moves, line)
        elif mark == "!":
            refutation = line
        else:
            raise ValueError(f"no tree: {text}")
        if text[at : at + 1] != ",":
            return Node(right, refutation, refutations), at
        at += 1


@cache
def _move(code: str) -> str:
    if code == STOP:
        return str(Call.STOP)
    return point_name(Point(ord(code[0]) - ord("a"), ord(code[1]) - ord("a")))


def _code(move: str) -> str:
    if move == Call.STOP:
        return STOP
    point = parse_point(move)
    return chr(ord("a") + point.x) + chr(ord("a") + point.y)
