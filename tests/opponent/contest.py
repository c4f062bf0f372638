"""Whole games between two players, and tables of them: `python -m tests.opponent.contest --help`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random

from opponent.choice import HARDEST, Budget
from opponent.choose import choose
from rules.game import AnyGame, AnyPosition, Seat
from rules.registry import GAMES, make_game
from tests.opponent.rivals import by_chance, greedy, pupil

Player = Callable[[AnyPosition, int], str]
"""Names the turn of the player to act, by a seed."""

SIZES = {"two-squares": "12x12"}
"""Smaller fields than 15x15, so that a table takes an hour and not a day."""


def computer(level: int = HARDEST, budget: Budget | None = None) -> Player:
    return lambda position, seed: choose(position, budget, seed, level).move


def seeded(rival: Callable[[AnyPosition, Random], str]) -> Player:
    return lambda position, seed: rival(position, Random(seed))


def play_game(game: AnyGame, seed: int, first: Player, other: Player) -> float:
    """Returns the share of the win that `first` gets; they have the seat `seed` modulo the number of seats, `other` all
    others."""
    game = game.resolve_chance(seed)
    position, seat, number = game.start(seed), Seat(seed % game.seats), 0
    while position.outcome is None:
        player = first if position.to_act == seat else other
        position = position.play(game.parse(player(position, seed * 10_000 + number)))
        number += 1
    winners = position.outcome.winners
    return 1 / len(winners) if seat in winners else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Matches of the computer, with colours changed.")
    parser.add_argument("presets", nargs="*", default=sorted(GAMES))
    parser.add_argument("--level", type=int, default=HARDEST)
    parser.add_argument("--against", default="greedy", help="chance, greedy, pupil or a level")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--size", default="15x15")
    parser.add_argument("--nodes", type=int, help="of each thought, instead of the level's own budget")
    asked = parser.parse_args()
    budget = Budget(nodes=asked.nodes) if asked.nodes else None
    rivals = {"chance": seeded(by_chance), "greedy": seeded(greedy), "pupil": seeded(pupil)}
    rival = rivals[asked.against] if asked.against in rivals else computer(int(asked.against), budget)
    for preset in asked.presets:
        game = make_game(preset, {"size": SIZES.get(preset, asked.size)})
        won = sum(play_game(game, seed, computer(asked.level, budget), rival) for seed in range(asked.games))
        print(f"{preset:22} level {asked.level} against {asked.against}: {won:g} of {asked.games}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
