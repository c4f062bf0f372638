"""Measures what reviews tell beginners: `python -m benchmarks.reviews FOLDER`, which keeps its searches in the folder.

Weak players lose points with most of their moves. For each rule of how much a move has lost, it prints how many of the
moves that lose much are shown, and how many of the shown ones lose nothing. The judge is a search four times as deep as
that of a review. It compares the position after the move with the one after the better move: of every tenth move, and
in every third game of all that a rule shows.
"""

from __future__ import annotations

import asyncio
import json
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from opponent.captures import Oversight, oversight
from opponent.choice import HARDEST, Budget, Candidate, Choice
from opponent.choose import choose
from opponent.generic.knowledge import leads
from opponent.review import MAX_MISTAKES, MIN_LOSS, NODES, replay_positions, review
from rules.dots import Turn
from rules.game import AnyGame, AnyPosition, Seat, parse_point
from rules.registry import make_game
from tests.opponent.rivals import by_chance, overlooking
from tools.program import argument_parser, say

SIZES = {"beginners": (9, 11, 13, 15, 9, 11, 13, 20), "good players": (13, 20)}
"""Of one board after the other. Searches of large ones take long, and beginners seldom play on them."""
MOVES = (20, 40)
"""Turns of the shortest and the longest game: beginners seldom fill a board."""

SEARCH, JUDGE = Budget(nodes=NODES, fresh=True), Budget(nodes=6000, fresh=True)
"""Of a review, and of the judge."""
EVERY = 10
"""Of so many moves of a game one is judged, whatever a rule says."""
CHECKED = {"beginners": 3, "good players": 1}
"""Of so many games one has all its shown moves judged, too."""

LARGE_LOSS = 2.0
MIN_OWN_MOVES = 3
"""Moves of the search's own choice from which on their median says something."""

LEVEL_NODES = {1: 20, 2: 50, 7: 240, 8: 520}
"""Playouts of the levels that play (opponent/choice.py), without their times: so games are the same everywhere."""

Player = Callable[[AnyPosition, Random], str]


def level(number: int) -> Player:
    """Returns a level as a player."""

    def play(position: AnyPosition, chance: Random) -> str:
        return choose(position, Budget(LEVEL_NODES[number], fresh=True), chance.getrandbits(30), number).move

    return play


def mixed(position: AnyPosition, chance: Random) -> str:
    """Returns a move of level 1 or, as often, one by chance."""
    return (level(1) if chance.random() < 0.5 else by_chance)(position, chance)


PLAYERS: dict[str, dict[str, tuple[Player, Player]]] = {
    "beginners": {
        "level 1": (level(1), level(1)),
        "levels 1 and 2": (level(1), level(2)),
        "by chance": (by_chance, by_chance),
        "mixed": (mixed, mixed),
        "overlooking": (overlooking, overlooking),
    },
    "good players": {"levels 7 and 8": (level(7), level(8))},
}


def play_game(game: AnyGame, players: tuple[Player, Player], chance: Random) -> list[str]:
    """Returns the moves of a game."""
    position, moves = game.start(0), list[str]()
    for _ in range(chance.randint(*MOVES)):
        if position.outcome:
            break
        moves.append(players[position.to_act](position, chance))
        position = position.play(game.parse(moves[-1]))
    return moves


class Searches:
    """The moves of a game and the searches of its positions, each made once and kept in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def moves(self, play: Callable[[], list[str]]) -> list[str]:
        if "moves" not in self._known:
            self._known["moves"] = play()
        return list(self._known["moves"])

    def think(self, position: AnyPosition, budget: Budget) -> Choice:
        """Returns the choice of the hardest level."""
        key = f"{budget.nodes} {_digest(position)}"
        if key not in self._known:
            self._known[key] = asdict(choose(position, budget, 0, HARDEST))
        kept = self._known[key]
        candidates = tuple(Candidate(**each) for each in kept["candidates"])
        return Choice(**{**kept, "line": tuple(kept["line"]), "candidates": candidates})

    def look(self, position: AnyPosition, move: str) -> Oversight | None:
        """Returns what the rules prove of a move."""
        key = f"{move} {_digest(position)}"
        if key not in self._known:
            found = oversight(position, move)
            self._known[key] = [str(found.better), found.points] if found else []
        if not self._known[key]:
            return None
        better, points = self._known[key]
        return Oversight(Turn(parse_point(better)), points)

    def lead(self, seat: Seat, position: AnyPosition, budget: Budget) -> float:
        """Returns the lead that a player can expect in a position."""
        if position.outcome:
            return leads(position.score)[seat]
        value = self.think(position, budget).value
        return value if position.to_act == seat else -value

    def save(self) -> None:
        self._path.write_text(json.dumps(self._known))


def _digest(position: AnyPosition) -> str:
    return sha256(repr((position.to_act, position.picture())).encode()).hexdigest()


class Fact(NamedTuple):
    """A move as the searches of a review see it: whether it is the search's `own`, the loss by the expected leads
    before and after it, the loss beside the better move, each searched after it (0 for an own move and for one that
    loses too little), and what the rules prove."""

    seat: Seat
    own: bool
    raw: float
    beside: float
    proved: float


def facts_of(game: AnyGame, moves: Sequence[str], searches: Searches) -> list[Fact]:
    """Returns what the searches of a review know of each move."""
    found, positions = list[Fact](), replay_positions(game, 0, moves)
    for before, move, after in zip(positions, moves, positions[1:], strict=False):
        choice, seat, missed = searches.think(before, SEARCH), before.to_act, searches.look(before, move)
        left = searches.lead(seat, after, SEARCH)
        own, raw, beside = choice.move == move, choice.value - left, 0.0
        if not own and raw >= MIN_LOSS:
            beside = searches.lead(seat, before.play(game.parse(choice.move)), SEARCH) - left
        found.append(Fact(seat, own, raw, beside, missed.points if missed else 0.0))
    return found


AS_REVIEWS_DO = "beside the better move"

Rule = Callable[[Sequence[Fact]], Sequence[float]]
"""Takes the moves of a game, and returns the loss of each, without what is proved."""


def less(bias: Callable[[Sequence[Fact]], float]) -> Rule:
    """Returns the rule that takes the same bias from each loss."""
    return lambda facts: [fact.raw - common for common in (bias(facts),) for fact in facts]


def lower_median(facts: Sequence[Fact]) -> float:
    """Returns the median loss of the player who loses less."""
    return min(median(fact.raw for fact in facts if fact.seat == seat) for seat in {fact.seat for fact in facts})


def own_median(facts: Sequence[Fact]) -> float:
    """Returns the median loss of the search's own moves, if there are a few."""
    own = [fact.raw for fact in facts if fact.own]
    return median(own) if len(own) >= MIN_OWN_MOVES else 0.0


RULES: dict[str, Rule] = {
    "nothing taken away": less(lambda facts: 0.0),
    "less the median": less(lower_median),
    "less the median, 0.5 at most": less(lambda facts: min(0.5, lower_median(facts))),
    "less the median, 1 at most": less(lambda facts: min(1.0, lower_median(facts))),
    "less the median of the search's own moves": less(own_median),
    AS_REVIEWS_DO: lambda facts: [fact.beside for fact in facts],
}


class Judged(NamedTuple):
    """A game as each rule sees it: the losses of its moves, and those that a review shows. `true` are the losses of the
    moves that were judged: a `sample`, and what was shown in a game that was `checked`."""

    seats: list[Seat]
    losses: dict[str, list[float]]
    shown: dict[str, set[int]]
    sample: list[int]
    true: dict[int, float]
    checked: set[int]


def judge(game: AnyGame, moves: Sequence[str], searches: Searches, chance: Random, checked_of: int) -> Judged:
    """Returns a game with what a deep search says of its moves, of one in `checked_of` games also of all shown ones."""
    facts = facts_of(game, moves, searches)
    losses = {
        name: [
            0.0 if fact.own and not fact.proved else max(loss, fact.proved)
            for fact, loss in zip(facts, rule(facts), strict=True)
        ]
        for name, rule in RULES.items()
    }
    seats = [fact.seat for fact in facts]
    shown = {name: largest(seats, found) for name, found in losses.items()} | {
        AS_REVIEWS_DO: told(game, moves, searches)
    }
    sample = list(range(chance.randrange(EVERY), len(moves), EVERY))
    checked = set[int]().union(*shown.values()) if chance.randrange(checked_of) == 0 else set[int]()
    positions, true = replay_positions(game, 0, moves), dict[int, float]()
    for index in {*sample, *checked}:
        best = searches.think(positions[index], JUDGE).move
        after = (positions[index].play(game.parse(best)), positions[index + 1])
        better, played = (searches.lead(seats[index], each, JUDGE) for each in after)
        true[index] = 0.0 if best == moves[index] else better - played
    return Judged(seats, losses, shown, sample, true, checked)


def told(game: AnyGame, moves: Sequence[str], searches: Searches) -> set[int]:
    """Returns the moves that a review shows."""

    async def think(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        return searches.think(position, SEARCH)

    async def look(position: AnyPosition, move: str) -> Oversight | None:
        return searches.look(position, move)

    return {mistake.number - 1 for mistake in asyncio.run(review(game, 0, moves, think, look)).worst}


def largest(seats: Sequence[Seat], losses: Sequence[float]) -> set[int]:
    """Returns the moves that a review would show."""
    order = sorted((index for index, loss in enumerate(losses) if loss >= MIN_LOSS), key=lambda index: -losses[index])
    return {index for seat in set(seats) for index in [each for each in order if seats[each] == seat][:MAX_MISTAKES]}


def tell(name: str, games: Sequence[Judged]) -> None:
    """Prints the figures of each rule as lines of a table."""
    drawn = [(game, index) for game in games for index in game.sample]
    large = [(game, index) for game, index in drawn if game.true[index] >= LARGE_LOSS]
    say(f"\n{name}: {len(games)} games; {share(len(large), len(drawn))} of the moves drawn lose {LARGE_LOSS} or more")
    say("| rule | large losses found | shown | their players shown nothing | shown for nothing | found for nothing |")
    say("|---|---|---|---|---|---|")
    for rule in RULES:
        found = [(game, index) for game, index in drawn if game.losses[rule][index] >= MIN_LOSS]
        judged = [game.true[index] for game in games for index in game.shown[rule] & game.checked]
        blind = {(id(game), game.seats[index]) for game, index in large if not _shows(game, rule, game.seats[index])}
        columns = (
            share(sum(game.losses[rule][index] >= MIN_LOSS for game, index in large), len(large)),
            share(sum(index in game.shown[rule] for game, index in large), len(large)),
            share(len(blind), len({(id(game), game.seats[index]) for game, index in large})),
            share(sum(loss < MIN_LOSS for loss in judged), len(judged)),
            share(sum(game.true[index] < MIN_LOSS for game, index in found), len(found)),
        )
        say(f"| {rule} | {' | '.join(columns)} |")


def share(part: int, whole: int) -> str:
    """Returns a part of a whole as words."""
    return f"{part} of {whole} ({100 * part / max(1, whole):.0f} %)"


def _shows(game: Judged, rule: str, seat: Seat) -> bool:
    return any(game.seats[index] == seat for index in game.shown[rule])


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=200, help="of beginners")
    parser.add_argument("--good", type=int, default=12, help="games of good players")
    wanted: Namespace = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    for title, pairs in PLAYERS.items():
        count = wanted.games if title == "beginners" else wanted.good
        games = {number: _game(title, number, wanted.folder) for number in range(count)}
        for place, pair in enumerate(pairs):
            tell(pair, [game for number, game in games.items() if number % len(pairs) == place])
        if len(pairs) > 1:
            tell(title, [*games.values()])


def _game(title: str, number: int, folder: Path) -> Judged:
    """Returns a game of such players, played and judged, or as it was kept."""
    pairs = list(PLAYERS[title].values())
    size = SIZES[title][number // len(pairs) % len(SIZES[title])]
    game, chance = make_game("zagram", {"size": f"{size}x{size}"}), Random(f"{title} {number}")  # noqa: S311
    searches = Searches(folder / f"{title.replace(' ', '-')}-{number}.json")
    moves = searches.moves(lambda: play_game(game, pairs[number % len(pairs)], chance))
    judged = judge(game, moves, searches, Random(number), CHECKED[title])  # noqa: S311 - a sample
    searches.save()
    return judged


if __name__ == "__main__":
    main()
