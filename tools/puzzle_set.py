"""Makes the built-in exercises from games of the computer with itself: `python -m tools.puzzle_set --wanted 2000`.

Each game has a seed, and gives at most MAX_OF_GAME exercises. `use_cases.proofs` proves a position by all answers
to each dot. Then a long search from another seed has to choose one of its right moves, and to find the wrong ones
clearly worse. The levels that find a right move give the first rating. What is like an exercise of the set already is
left out, under the symmetries of the board and with the colours exchanged.

It writes `play/community/exercises.json` after every game, and goes on where the file ends: stop it at any time. The
file depends on the games alone, not on the number of `--processes`, nor on where it was stopped.

`--check 100` searches 100 exercises of the file again, drawn by chance, at level 14 for two seconds each.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from opponent.choice import HARDEST, Budget
from opponent.choose import choose
from opponent.review import replay_positions
from play.community.exercise import Kind
from play.community.exercise_tree import Line, read_moves, read_tree, write_moves, write_tree
from rules.dots import Call, DotsPosition
from rules.game import AnyGame, parse_point
from rules.registry import DEFAULT, make_game
from use_cases.proofs.board import Proof, Refusal
from use_cases.proofs.check import dots_beside
from use_cases.proofs.prover import Prover
from use_cases.proofs.stops import prove_stop

FILE = Path(__file__).parent.parent / "play" / "community" / "exercises.json"

FIRST_NUMBER = 101
"""Smaller ones are those of the first set, `play/community/puzzles.json`."""

SIZES = ("7x7", "8x8", "9x9", "10x10", "11x11")
PLAYING_LEVELS = (1, 2, 4, 5, 7)
"""Of the games: they leave captures, and the positions still look like those of people."""

STOP_RULES = "zagram-no-territory"
"""As DEFAULT, with STOP: its exercises come from the same games."""

MIN_TURNS = 8
"""Moves before which a position is too empty."""

MIN_FREE = 13
"""Free crossings from which on a capture or rescue is looked for; below, only the ending is."""

STOP_FREE = (0.08, 0.45)
"""The share of the crossings that is free where a STOP is looked for."""

MAX_OF_GAME, MAX_OF_KIND, MIN_APART = 6, 2, 6
"""Exercises of a game, those of one kind, and the moves between them."""

MAX_SHARE, MIN_OF_KIND = 0.25, 20
"""The share of the set that one kind may have, once it has so many exercises."""

EASY, MAX_EASY_SHARE = 850, 0.45
"""The rating up to which an exercise is easy, and the share of the set that is easy."""

FREQUENT = frozenset({Kind.CAPTURE, Kind.ESCAPE, Kind.WALL})
"""Kinds of which a game gives one easy exercise at most, in all."""

WINDOW = 3
"""Steps from the right move within which two exercises of a kind must differ."""

SEARCH = Budget(nodes=8000)
"""Of the second proof."""

MIN_MARGIN, MIN_VISITS = 1.0, 160
"""Points by which a right move beats each wrong one that was visited so often in the second proof."""

SOLVERS = ((1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (7, 2), (8, 2), (9, 1), (10, 1), (11, 1), (12, 1), (13, 1))
"""The levels that try an exercise, and how often."""

SOLVER_NODES = (20, 50, 20, 70, 140, 125, 240, 520, 1100, 2400, 5400, 13_000, 32_000)
"""Playouts of each of these levels."""

EASIEST_RATING, LEVEL_POINTS = 800, 110
"""The first rating of an exercise that the first level finds, and what each level adds that does not."""

SURE_LEVELS = 3
"""Levels in a row that find a right move each time: then the stronger ones find it, too."""

STOP_RATINGS = (1200, 1500)
"""First ratings where STOP wins at once, and after a dot: the levels count, and would find each."""

ANSWERS = 4
"""Moves to choose from."""

GAMES_AHEAD = 8
"""Games that are begun before the ones before are in the file."""

CHECK = Budget(millis=2000, within=60_000, fresh=True)
"""Of each search of --check."""

STOP = str(Call.STOP)

Row = dict[str, Any]


class Found(NamedTuple):
    """The exercises of a game, without their numbers, and what became of its positions."""

    rows: tuple[Row, ...]
    counts: Counter[str]


@dataclass
class Set:
    """The exercises so far, the number of `games` they come from, and how many positions were refused, by reason."""

    games: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    rows: list[Row] = field(default_factory=list)
    _keys: set[str] = field(default_factory=set)
    _kinds: Counter[str] = field(default_factory=Counter)
    _easy: int = 0

    @classmethod
    def read(cls, file: Path) -> Set:
        """Returns the set of a file, an empty one if there is none."""
        made = cls()
        if file.exists():
            stored = json.loads(file.read_text())
            made.games, made.counts = stored["games"], Counter(stored["counts"])
            for row in stored["exercises"]:
                made._append(row, keys_of(row))
        return made

    def add(self, found: Found) -> None:
        """Adds the exercises of the next game, those that are new and whose kind is not too frequent."""
        self.games += 1
        self.counts += found.counts
        for row in found.rows:
            keys = keys_of(row)
            of_kind = self._kinds[row["kind"]]
            if self._keys & keys:
                self.counts["refused: like another exercise"] += 1
            elif of_kind >= max(MIN_OF_KIND, MAX_SHARE * len(self.rows)):
                self.counts["refused: its kind is frequent enough"] += 1
            elif row["rating"] <= EASY and self._easy >= max(MIN_OF_KIND, MAX_EASY_SHARE * len(self.rows)):
                self.counts["refused: enough are easy"] += 1
            else:
                self._append({"number": FIRST_NUMBER + len(self.rows), **row}, keys)
                self.counts["kept"] += 1

    def write(self, file: Path) -> None:
        """Writes the file anew, whole at any moment."""
        head = json.dumps({"games": self.games, "counts": dict(sorted(self.counts.items()))})
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in self.rows)
        draft = file.with_suffix(".new")
        draft.write_text(f'{head[:-1]}, "exercises": [\n{lines}\n]}}\n')
        draft.replace(file)

    def _append(self, row: Row, keys: set[str]) -> None:
        self.rows.append(row)
        self._keys |= keys
        self._kinds[row["kind"]] += 1
        self._easy += row["rating"] <= EASY


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wanted", type=int, default=2000, help="exercises to have in the file")
    options.add_argument("--games", type=int, help="games to have played, if fewer")
    options.add_argument("--seconds", type=float, help="seconds after which it stops, if sooner")
    options.add_argument("--processes", type=int, default=1)
    options.add_argument("--file", type=Path, default=FILE)
    options.add_argument("--check", type=int, metavar="N", help="search N exercises of the file again")
    options.add_argument("--seed", type=int, default=1, help="of the draw and the searches of --check")
    chosen = options.parse_args()
    if chosen.check:
        return check(chosen.file, chosen.check, chosen.seed)
    end = monotonic() + chosen.seconds if chosen.seconds else None
    with ProcessPoolExecutor(chosen.processes) as pool:
        make(chosen.file, chosen.wanted, chosen.games, pool, lambda: end is not None and monotonic() > end)
    return 0


def make(
    file: Path,
    wanted: int,
    games: int | None,
    pool: Executor,
    is_over: Callable[[], bool] = lambda: False,
    play: Callable[[int], Found] | None = None,
) -> None:
    """Goes on with the set of a file until it has `wanted` exercises, those of so many `games`, or `is_over`. `play`
    returns what the game of a seed gives."""
    made = Set.read(file)
    for found in _in_order(pool, play or exercises_of_game, made.games + 1):
        if len(made.rows) >= wanted or (games is not None and made.games >= games) or is_over():
            break
        made.add(found)
        made.write(file)
        print(made.games, len(made.rows), dict(Counter(str(row["kind"]) for row in made.rows)), flush=True)  # noqa: T201
    pool.shutdown(cancel_futures=True)


def _in_order(pool: Executor, play: Callable[[int], Found], first: int) -> Iterator[Found]:
    """Yields what each game gives, in the order of their seeds."""
    seeds = count(first)
    waiting = [pool.submit(play, seed) for seed in islice(seeds, GAMES_AHEAD)]
    while True:
        yield waiting.pop(0).result()
        waiting.append(pool.submit(play, next(seeds)))


def exercises_of_game(seed: int) -> Found:
    """Plays a game and returns its exercises."""
    return _Game(seed).found()


class _Candidate(NamedTuple):
    """A position after a `line` that may be an exercise."""

    line: Line
    position: DotsPosition
    prove: Callable[[], Proof]


class _Game:
    """A game of the computer with itself, and the exercises found in it."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._chance = Random(seed)  # noqa: S311 - games, not secrets
        size = self._chance.choice(SIZES)
        levels = self._chance.choice(PLAYING_LEVELS), self._chance.choice(PLAYING_LEVELS)
        self._game, stopping = (make_game(key, {"size": size}) for key in (DEFAULT, STOP_RULES))
        self._moves = tuple(play_game(self._game, seed, levels))
        self._positions = _positions(self._game, self._moves)
        self._with_stop = _positions(stopping, self._moves)
        self._prover = Prover()
        self._kinds: Counter[Kind] = Counter()
        self._rows: list[Row] = []
        self._counts: Counter[str] = Counter(games=1)

    def found(self) -> Found:
        """Looks at the positions in an order of chance."""
        numbers, places = list(range(MIN_TURNS, len(self._moves))), list[int]()
        self._chance.shuffle(numbers)
        for number in numbers:
            if len(self._rows) == MAX_OF_GAME:
                break
            apart = all(abs(number - other) >= MIN_APART for other in places)
            if apart and any(self._add(each) for each in self._candidates(number)):
                places.append(number)
        return Found(tuple(self._rows), self._counts)

    def _candidates(self, number: int) -> Iterator[_Candidate]:
        """Yields what a position may be an exercise of, but for the kinds of which the game has given enough."""
        line, position, with_stop = self._moves[:number], self._positions[number], self._with_stop[number]
        taken = {kind for kind, often in self._kinds.items() if often == MAX_OF_KIND}
        if position.free >= MIN_FREE:
            if slip := self._prover.slip(position, self._chance):
                after = position.play(self._game.parse(slip))
                yield _Candidate((*line, slip), after, partial(self._prover.capture, after, taken))
            yield _Candidate(line, position, partial(self._prover.capture, position, taken))
            if not {Kind.ESCAPE, Kind.WALL} <= taken:
                yield _Candidate(line, position, partial(self._prover.save, position, taken))
        elif Kind.ENDING not in taken:
            yield _Candidate(line, position, partial(self._prover.ending, position))
        share = position.free / (position.rules.width * position.rules.height)
        if STOP_FREE[0] < share < STOP_FREE[1] and Kind.STOP not in taken:
            yield _Candidate(line, with_stop, partial(prove_stop, with_stop))

    def _add(self, candidate: _Candidate) -> bool:
        """Adds a candidate if it is an exercise, and returns whether it is; counts why not."""
        self._counts["positions"] += 1
        try:
            proof = candidate.prove()
            self._rows.append(self._row(candidate.line, candidate.position, proof))
        except Refusal as refusal:
            self._counts[f"refused: {refusal}"] += 1
            return False
        self._kinds[proof.kind] += 1
        return True

    def _row(self, line: Line, position: DotsPosition, proof: Proof) -> Row:
        """Returns an exercise as the file has it, once it is graded and proved again. Raises Refusal."""
        right, rating, tempting = proof.tree.right, STOP_RATINGS[STOP not in proof.tree.right], [STOP]
        if proof.kind is not Kind.STOP:
            rating, tempting = _grade(position, right, self._seed)
            if rating <= EASY and proof.kind in FREQUENT and any(row["rating"] <= EASY for row in self._rows):
                raise Refusal("the game has given an easy one")
            tempting += _search(position, proof, self._seed)
        main, legal = next(iter(right)), [STOP, *map(str, position.moves())]
        tempting += [*self._moves[len(line) :][:1], *dots_beside(position, main)]
        others = [move for move in dict.fromkeys(tempting) if move in legal and move not in right][: ANSWERS - 1]
        if len(others) < ANSWERS - 1:
            raise Refusal("there is little to choose from")
        return {
            "kind": proof.kind,
            "game": f"{position.rules.key} {position.rules.width}x{position.rules.height}",
            "seed": self._seed,
            "moves": write_moves(line),
            "points": proof.points,
            "answers": write_moves(tuple(sorted([main, *others]))),
            "rating": rating,
            "tree": write_tree(proof.tree),
        }


def _positions(game: AnyGame, moves: Line) -> list[DotsPosition]:
    """Returns the positions of a game of Dots."""
    return [each for each in replay_positions(game, 0, moves) if isinstance(each, DotsPosition)]


def play_game(game: AnyGame, seed: int, levels: tuple[int, int]) -> list[str]:
    """Returns the moves of a game between two levels."""
    position, moves = game.start(seed), list[str]()
    while position.outcome is None:
        level = levels[position.to_act]
        move = choose(position, Budget(nodes=SOLVER_NODES[level - 1]), seed * 1000 + len(moves), level).move
        moves.append(move)
        position = position.play(game.parse(move))
    return moves


def _search(position: DotsPosition, proof: Proof, seed: int) -> list[str]:
    """Returns the wrong moves of a long search, the likeliest first. Raises Refusal if it finds one that is as good as
    the right ones."""
    choice, right = choose(position, SEARCH, seed, HARDEST), proof.tree.right
    if choice.move not in right:
        raise Refusal("a long search plays another dot")
    wrong = [each for each in choice.candidates if each.move not in right]
    if any(each.value > choice.value - MIN_MARGIN for each in wrong if each.visits >= MIN_VISITS):
        raise Refusal("another dot is nearly as good")
    return [each.move for each in wrong]


def _grade(position: DotsPosition, right: Iterable[str], seed: int) -> tuple[int, list[str]]:
    """Returns the first rating, and what the levels play instead of the right moves, the most frequent first."""
    missed: Counter[str] = Counter()
    rating, sure = float(EASIEST_RATING), 0
    for (level, times), nodes in zip(SOLVERS, SOLVER_NODES, strict=True):
        chosen = [choose(position, Budget(nodes=nodes), seed + each, level).move for each in range(times)]
        wrong = [move for move in chosen if move not in right]
        missed.update(wrong)
        rating += LEVEL_POINTS * len(wrong) / times
        sure = 0 if wrong else sure + 1
        if sure == SURE_LEVELS:
            break
    return round(rating), [move for move, _ in missed.most_common()]


def keys_of(row: Row) -> set[str]:
    """Returns what another exercise must not have: the position, and its part near the right move with its kind, both
    under the symmetries of the board and with the solver's dots in one colour."""
    preset, size = row["game"].split()
    position = replay_positions(make_game(preset, {"size": size}), 0, read_moves(row["moves"]))[-1]
    assert isinstance(position, DotsPosition)
    rows = position.rows()
    if position.to_act:
        rows = ["".join(each.translate(SWAPPED)) for each in rows]
    main = next(iter(read_tree(row["tree"]).right))
    keys = {canonical(rows)}
    if main != STOP and row["kind"] != Kind.ENDING:
        dot = parse_point(main)
        around = "#" * WINDOW
        wide = ["#" * (len(rows[0]) + 2 * WINDOW)] * WINDOW
        framed = [*wide, *(around + each + around for each in rows), *wide]
        low, left = len(rows) - 1 - dot.y, dot.x
        side = 2 * WINDOW + 1
        keys.add(f"{row['kind']} near {canonical([each[left : left + side] for each in framed[low : low + side]])}")
    return keys


SWAPPED = str.maketrans("RBrb12", "BRbr21")


def canonical(rows: list[str]) -> str:
    """Returns the first in order of the eight turns and reflections of a square."""
    found = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        found += ["/".join(rows), "/".join(rows[::-1])]
    return min(found)


def check(file: Path, number: int, seed: int) -> int:
    """Searches exercises of the file again, and prints whether their right moves are found."""
    rows = [row for row in Set.read(file).rows if row["kind"] != Kind.STOP]
    drawn = Random(seed).sample(rows, min(number, len(rows)))  # noqa: S311 - a sample, not a secret
    failed = 0
    for done, row in enumerate(drawn, start=1):
        preset, size = row["game"].split()
        position = replay_positions(make_game(preset, {"size": size}), 0, read_moves(row["moves"]))[-1]
        choice = choose(position, CHECK, seed * 1_000_003 + row["number"], HARDEST)
        right = read_tree(row["tree"]).right
        failed += choice.move not in right
        best = max((each.value for each in choice.candidates if each.move in right), default=float("nan"))
        found = "found" if choice.move in right else f"{choice.move} {choice.value:.1f}, {' '.join(right)} {best:.1f}"
        print(f"{done - failed} of {done}: {row['number']} {row['kind']} {found}", flush=True)  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
