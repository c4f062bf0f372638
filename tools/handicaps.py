"""The worth of extra dots and of komi in Elo, by games of the computer with itself: `python -m tools.handicaps`.

`play FILE --size 15x15 --dots 2 --games 60` adds games to FILE, a line each: size, extra dots, both players, seed and
lead of the first player. Games that FILE has already are not played again, so a run may be stopped and continued.
`table FILE` prints what they say (docs/fair-play-lab.md). The budgets are playouts, so the games are the same on every
machine.

`match --weaker 5@390n --stronger 8@3400n --dots 4 --komi 3.5` plays a handicap game as proposed: the weaker player has
the first seat.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import mean, stdev
from time import perf_counter
from typing import TYPE_CHECKING

from rules.registry import GAMES
from tools.arena import elo, player
from tools.program import argument_parser, say

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from rules.game import AnyGame
    from tools.arena import Player

POINTS = (0.5, 1, 1.5, 2.5, 3.5, 4.5, 6.5, 8.5, 12.5)
"""The points of komi that the table has."""


def lead(rules: AnyGame, players: tuple[Player, Player], seed: int) -> float:
    """Returns by how much the first player is ahead at the end, komi included."""
    position, turn = rules.start(seed), 0
    while position.outcome is None:
        move = players[position.to_act](position, seed * 1000 + turn).move
        position, turn = position.play(rules.parse(move)), turn + 1
    return position.score[0] - position.score[1]


def share(leads: Iterable[float], komi: float = 0.0) -> float:
    """Returns the first player's share of the points if they had `komi` more."""
    return mean(1.0 if each + komi > 0 else 0.5 if each + komi == 0 else 0.0 for each in leads)


def worth_of_komi(leads: Sequence[float], komi: float) -> tuple[float, float]:
    """Returns the Elo that `komi` adds in even games with these leads, and half of its 95 % interval.

    The order of the players does not matter in even games, so each counts for both: the leads are made symmetric.
    """
    both = [*leads, *(-each for each in leads)]
    return elo(share(both, komi), len(leads))


def table(path: Path) -> None:
    """Prints the worth of extra dots and of komi by size, with 95 % intervals."""
    games = defaultdict[tuple[str, int, str], list[float]](list)
    for line in path.read_text(encoding="ascii").splitlines():
        board, extra, pair, _, ahead = line.split()
        games[board, int(extra), pair].append(float(ahead))
    for (size, dots, who), leads in sorted(games.items()):
        worth, error = elo(share(leads), len(leads))
        spread = stdev(leads) if len(leads) > 1 else 0.0
        say(
            f"{size} {dots} dots {who} {len(leads):4} games  {share(leads):6.1%}  Elo {worth:+5.0f} ±{error:.0f}"
            f"  lead {mean(leads):+.1f}, deviation {spread:.1f}"
        )
        for komi in POINTS if dots == 0 else ():
            if "-" in who:
                say(f"    komi {komi:4}: {share(leads, komi):6.1%} for the weaker player")
            else:
                worth, error = worth_of_komi(leads, komi)
                say(f"    komi {komi:4}: Elo {worth:+5.0f} ±{error:.0f}")


def play(path: Path, size: str, dots: int, who: str, games: int, first_seed: int) -> None:
    """Adds games of a player with itself, or of `weaker-stronger`, where the weaker one has the first seat."""
    weaker, _, stronger = who.partition("-")
    pair = (player(weaker), player(stronger or weaker))
    rules = GAMES["zagram"].with_options({"size": size, "handicap": str(dots)})
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    played = {tuple(line.split()[:4]) for line in lines}
    for seed in range(first_seed, first_seed + games):
        if (size, str(dots), who, str(seed)) not in played:
            ahead = lead(rules, pair, seed)
            with path.open("a", encoding="ascii") as file:
                file.write(f"{size} {dots} {who} {seed} {ahead:g}\n")


def match(given: Namespace) -> None:
    """Plays handicap games and prints the score of the weaker player."""
    rules = GAMES["zagram"].with_options({"size": given.size, "handicap": str(given.dots), "komi": given.komi})
    pair, leads, start = (player(given.weaker), player(given.stronger)), [], perf_counter()
    for number in range(given.games):
        leads.append(lead(rules, pair, given.seed + number))
        if number % 10 == 9 or number == given.games - 1:
            worth, error = elo(share(leads), len(leads))
            say(
                f"{given.weaker} with {given.dots} dots and {given.komi} points - {given.stronger}: {share(leads):.1%}"
                f" of {len(leads)}, Elo {worth:+.0f} ±{error:.0f}, {perf_counter() - start:.0f} s"
            )


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("action", choices=("play", "table", "match"))
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--size", default="15x15")
    parser.add_argument("--dots", type=int, default=0)
    parser.add_argument("--komi", default="0")
    parser.add_argument("--who", default="5@390n")
    parser.add_argument("--weaker", default="5@390n")
    parser.add_argument("--stronger", default="8@3400n")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.action == "match":
        match(given)
    elif given.action == "play":
        play(given.file, given.size, given.dots, given.who, given.games, given.seed)
    else:
        table(given.file)


if __name__ == "__main__":
    main()
