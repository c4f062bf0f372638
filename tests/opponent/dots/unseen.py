"""Two positions of its own games in which the strongest level did not see a capture of four dots, and lost.

`python -m tests.opponent.dots.unseen --millis 250` counts the seeds with which it captures them.
"""

from __future__ import annotations

from statistics import median

from opponent.choice import Budget, Choice
from opponent.dots.player import Searcher
from opponent.dots.skill import FULL
from play.records.sgf import read
from rules.dots import Dots, DotsPosition
from rules.registry import make_game
from tests.facts import recorded_position
from tests.opponent.dots.ladders import budget_of, budget_parser

UNSEEN = {"capture-of-four": "K6", "capture-unseen": "F4"}
"""By the name of the record: the dot that captures four."""

SEEDS = 20


def last_position(name: str) -> DotsPosition:
    """Returns the position at the end of a record."""
    game = make_game("zagram", {})
    assert isinstance(game, Dots)
    *_, last = read(recorded_position(name).read_bytes()).replay(game)
    return last


def choices(name: str, budget: Budget, seeds: int = SEEDS) -> list[Choice]:
    """Returns what the strongest level chooses in a position, with each seed."""
    searcher, position = Searcher(), last_position(name)
    return [searcher.choose(position, budget, seed, FULL) for seed in range(seeds)]


def main() -> None:
    given = budget_parser(__doc__).parse_args()
    for name, capture in UNSEEN.items():
        chosen = choices(name, budget_of(given.millis, given.playouts))
        found = sum(choice.move == capture for choice in chosen)
        visits = [next((each.visits for each in choice.candidates if each.move == capture), 0) for choice in chosen]
        print(f"{name}: {capture} in {found} of {len(chosen)} seeds, {median(visits):.0f} visits")  # noqa: T201


if __name__ == "__main__":
    main()
