"""Looks whether a position that was set up is an exercise, and what in it has more than one answer."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from play.boards.own_board import SEED
from play.community.exercise_tree import Line, Node
from rules.dots import Call, Dots, DotsPosition, Turn
from rules.game import parse_point
from rules.registry import DEFAULT, GAMES
from use_cases.proofs.board import NotUnique, OutOfReach, Proof, Refusal, TooLarge
from use_cases.proofs.prover import Prover
from use_cases.proofs.stops import prove_stop

MAX_ANSWERS, MIN_ANSWERS = 4, 2
"""Moves to choose from."""

MAX_SIDE: Final = 26
"""Crossings a side: a tree names them by letters."""


class Goal(StrEnum):
    """What the player to move has to do."""

    CAPTURE = "capture"
    SAVE = "save"
    ENDING = "ending"
    STOP = "stop"


class Fault(StrEnum):
    """Why a position is no exercise."""

    OUT_OF_REACH = "out_of_reach"
    NOT_UNIQUE = "not_unique"
    TOO_LARGE = "too_large"
    RULES = "rules"
    """The solver does not know its rules."""
    PLAIN = "plain"
    """Nothing is left to find."""


class Several(NamedTuple):
    """A place in a solution, after some `moves`, where more than one is `right`."""

    moves: Line
    right: Line


class Found(NamedTuple):
    """A proved exercise with moves to choose from, and its places with several answers."""

    proof: Proof
    answers: Line
    several: tuple[Several, ...]


class Faulty(NamedTuple):
    """A position that is no exercise; `right` are too many right moves."""

    fault: Fault
    right: Line = ()


def check(game: Dots, goal: Goal) -> Found | Faulty:
    """Returns what the first position of a game is as an exercise. Takes up to some seconds, so it runs in a worker."""
    position = game.start(SEED)
    if not _is_known(game) or (goal is Goal.STOP and Call.STOP not in position.calls()):
        return Faulty(Fault.RULES)
    if game.width > MAX_SIDE or game.height > MAX_SIDE:
        return Faulty(Fault.TOO_LARGE)
    try:
        proof = _prove(position, goal)
    except OutOfReach:
        return Faulty(Fault.OUT_OF_REACH)
    except TooLarge:
        return Faulty(Fault.TOO_LARGE)
    except NotUnique as found:
        return Faulty(Fault.NOT_UNIQUE, found.right)
    except Refusal:
        return Faulty(Fault.PLAIN)
    main = next(iter(proof.tree.right))
    wrong = [move for move in dots_beside(position, main) if move not in proof.tree.right]
    answers = (main, *wrong[: MAX_ANSWERS - 1])
    if len(answers) < MIN_ANSWERS:
        return Faulty(Fault.PLAIN)
    return Found(proof, tuple(sorted(answers)), tuple(_several(proof.tree)))


def dots_beside(position: DotsPosition, move: str) -> list[str]:
    """Returns the legal dots, the nearest to a move first."""
    dots = [turn.dot for turn in position.moves()]
    if move != Call.STOP:
        there = parse_point(move)
        dots.sort(key=lambda dot: (dot.x - there.x) ** 2 + (dot.y - there.y) ** 2)
    return [str(turn) for turn in map(Turn, dots)]


def _prove(position: DotsPosition, goal: Goal) -> Proof:
    if position.outcome:
        raise OutOfReach("the game is over")
    if goal is Goal.STOP:
        return prove_stop(position)
    prover = Prover()
    ways = {Goal.CAPTURE: prover.capture, Goal.SAVE: prover.save, Goal.ENDING: prover.ending}
    return ways[goal](position)


def _is_known(game: Dots) -> bool:
    """Returns whether a game captures as the solver does."""
    known = GAMES[DEFAULT]
    assert isinstance(known, Dots), "it is the game that most play"
    same = ("closing", "links", "extra_move", "reuse", "win", "scoring")
    return game.seats == known.seats and all(getattr(game, name) == getattr(known, name) for name in same)


def _several(node: Node, before: Line = ()) -> Iterator[Several]:
    """Yields the places of a solution with several answers, those of the main line first."""
    if len(node.right) > 1:
        yield Several(before, tuple(node.right))
    for move, step in node.right.items():
        if step.then is not None:
            yield from _several(step.then, (*before, move, *step.rest))
