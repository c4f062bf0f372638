"""Makes the built-in puzzles from games of the computer with itself: `python -m tools.puzzle_set --wanted 100`.

A candidate is a position in which a weak level missed a capture (opponent/puzzle.py). It is kept if two long searches
from different seeds choose the same dot, and a long search after each of the other answers finds it clearly worse. How
many of the weaker levels find the dot gives its difficulty. Writes `play/community/puzzles.json` and prints the counts.

`--check` proves the puzzles of the file again by searches from other seeds, and drops those that fail.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from opponent.budget import Budget
from opponent.captures import Oversight, oversight
from opponent.choice import Choice
from opponent.choose import choose
from opponent.levels import HARDEST
from opponent.puzzle import find_puzzle
from opponent.review import play_line, points_won, principal_variation, replay_positions
from rules.game import AnyGame, AnyPosition
from rules.registry import DEFAULT, make_game

FILE = Path(__file__).parent.parent / "play" / "community" / "puzzles.json"

SIZES = ("8x8", "9x9", "10x10", "11x11", "12x12")
PLAYING_LEVELS = (1, 2, 4, 5, 7)
"""Of the games: they miss captures, and the positions still look like those of people."""

MIN_TURNS = 14
"""Moves before which a position is too empty to be a puzzle."""

PROOF_BUDGET = Budget(nodes=60_000)
"""For each search of the proof; a daily puzzle gets 8,000."""

PROOF_SEEDS, CHECK_SEEDS = (11, 12), (21,)
"""Of the searches that have to choose the solution."""

MIN_MARGIN = 1.5
"""Points by which the solution beats every other answer after the proof."""

MIN_ANSWERS = 3

SOLVERS = tuple((level, seed) for level in (1, 2, 3, 4, 5, 6) for seed in (1, 2, 3, 4))
"""The levels and seeds that try each puzzle."""

EASIEST_RATING, HARDEST_RATING = 1000, 2000
"""First ratings of a puzzle that all solvers find, and of one that none finds."""


async def think(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    return choose(position, budget and Budget(nodes=budget.nodes), seed, level)


async def look(position: AnyPosition, move: str) -> Oversight | None:
    return oversight(position, move)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wanted", type=int, default=100, help="puzzles to make")
    options.add_argument("--seed", type=int, default=1, help="seed of the first game")
    options.add_argument("--file", type=Path, default=FILE)
    options.add_argument("--check", action="store_true", help="prove the puzzles of the file again")
    chosen = options.parse_args()
    return check(chosen.file) if chosen.check else make(chosen.wanted, chosen.seed, chosen.file)


def make(wanted: int, seed: int, file: Path) -> int:
    """Makes puzzles from games with seeds from `seed` on."""
    counts: Counter[str] = Counter()
    made: list[dict[str, Any]] = []
    while len(made) < wanted:
        counts["games"] += 1
        if puzzle := make_puzzle(seed, counts):
            made.append(puzzle)
            write(made, file)
            print(len(made), puzzle["rating"], dict(counts), flush=True)  # noqa: T201
        seed += 1
    return 0


def check(file: Path) -> int:
    """Proves the puzzles of the file again, and drops those that fail."""
    counts: Counter[str] = Counter()
    proven = []
    for row in json.loads(file.read_text()):
        game = make_game(DEFAULT, {"size": row["size"]})
        position = replay_positions(game, row["seed"], row["moves"].split())[-1]
        answers = tuple(row["answers"])
        if prove(game, position, answers, row["solution"][0], CHECK_SEEDS, counts):
            proven.append(row)
        print(row["number"], len(proven), dict(counts), flush=True)  # noqa: T201
    write(proven, file)
    return 0


def write(puzzles: list[dict[str, Any]], file: Path) -> None:
    """Writes puzzles to the file, the easiest first, numbered from 1."""
    ordered = sorted(puzzles, key=lambda each: (each["rating"], each["seed"]))
    numbered = [{**each, "number": number} for number, each in enumerate(ordered, start=1)]
    file.write_text("[\n" + ",\n".join(json.dumps(each) for each in numbered) + "\n]\n")


def make_puzzle(seed: int, counts: Counter[str]) -> dict[str, Any] | None:
    """Plays a game and returns a proven puzzle from it; None if it has none. Counts what becomes of the game."""
    random = Random(seed)  # noqa: S311 - games, not secrets
    size, levels = random.choice(SIZES), (random.choice(PLAYING_LEVELS), random.choice(PLAYING_LEVELS))
    game = make_game(DEFAULT, {"size": size})
    moves = play_game(game, seed, levels)
    found = asyncio.run(find_puzzle(game, seed, moves, think, look))
    if found is None or found.number <= MIN_TURNS or len(found.answers) < MIN_ANSWERS:
        counts["without a candidate"] += 1
        return None
    position = replay_positions(game, seed, moves[: found.number - 1])[-1]
    line = prove(game, position, found.answers, found.solution, PROOF_SEEDS, counts)
    if line is None:
        return None
    counts["kept"] += 1
    share = sum(choose(position, None, each, level).move == found.solution for level, each in SOLVERS) / len(SOLVERS)
    return {
        "size": size,
        "seed": seed,
        "moves": " ".join(moves[: found.number - 1]),
        "answers": found.answers,
        "solution": line,
        "captures": points_won(game, position, line),
        "rating": round(HARDEST_RATING - share * (HARDEST_RATING - EASIEST_RATING)),
    }


def play_game(game: AnyGame, seed: int, levels: tuple[int, int]) -> list[str]:
    """Returns the moves of a game between two levels."""
    position, moves = game.start(seed), list[str]()
    while position.outcome is None:
        move = choose(position, None, seed * 1000 + len(moves), levels[position.to_act]).move
        moves.append(move)
        position = position.play(game.parse(move))
    return moves


def prove(
    game: AnyGame,
    position: AnyPosition,
    answers: tuple[str, ...],
    solution: str,
    seeds: tuple[int, ...],
    counts: Counter[str],
) -> tuple[str, ...] | None:
    """Returns the proven line of a puzzle; None, and counts why, if its solution is not the only right answer."""
    choices = [choose(position, PROOF_BUDGET, seed, HARDEST) for seed in seeds]
    if any(choice.move != solution for choice in choices):
        counts["rejected: a long search plays another dot"] += 1
        return None
    values = {answer: value_after(game, position, answer, seeds[-1] + 1) for answer in answers}
    best = values.pop(solution)
    if any(best - value < MIN_MARGIN for value in values.values()):
        counts["rejected: another answer is nearly as good"] += 1
        return None
    line = principal_variation(game, position, choices[0])
    if points_won(game, position, line) < 1:
        counts["rejected: the line captures nothing"] += 1
        return None
    return line


def value_after(game: AnyGame, position: AnyPosition, move: str, seed: int) -> float:
    """Returns the expected lead of the player to act after a move, by a long search for the opponent."""
    after = play_line(game, position, (move,))
    if after.outcome:
        return after.score[position.to_act] - after.score[1 - position.to_act]
    choice = choose(after, PROOF_BUDGET, seed, HARDEST)
    return choice.value if after.to_act == position.to_act else -choice.value


if __name__ == "__main__":
    sys.exit(main())
