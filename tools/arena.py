"""Matches of computer players, to measure their strength: `python -m tools.arena PLAYER PLAYER`.

A player is one of these:

- a level (`14`), with its own budget if needed (`14@1000ms`, `14@2000n`, `14@1000wall`), and with a number of threads
  if they are several (`14@100ms*2`);
- `pupil3`, which knows what the first 3 lessons of `/learn` teach and otherwise plays as level 1; `pupil` knows all;
- `greedy`, which captures most at once and loses least, otherwise plays by chance;
- `random`;
- the command of a program that speaks the protocol of `kropka engine`, with its milliseconds (`.venv/bin/kropka
  engine@300ms`).

Without players the whole table is played: each level against the one below it, and the highest against greedy and
random. Two games are played with each seed, colours changed, until the rules end them, or with `--agreed` until both
players are sure of the same winner, which takes half the time. Players who don't say what they expect play to the end.
With `--quiet 4` a game begins with four random dots, each near no other.

`ms` are milliseconds of one core, however long the machine takes to give them: other programs that run at the same
time do not change the result. `wall` are milliseconds of the wall clock, in which a busy machine does less. `n` are
playouts; with them a game is the same on every machine, and one thread plays it. Each player keeps its own trees, so
that none profits from the other's thoughts.

Threads grow trees side by side and in step, and `ms` count what the first has of a core. So `14@100ms*2 14@100ms`
compares two free cores with one at the same wall time, also where the cores are not free; where two are, so does
`14@100wall*2 14@100wall`. A program has as many threads as it likes.
"""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from random import Random
from shlex import split
from subprocess import PIPE, Popen
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from opponent.choice import EASIEST, HARDEST, Budget, Choice
from opponent.choose import choose
from opponent.dots.player import Searcher, use
from play.community.lesson import LESSONS
from rules.dots import DotsPosition
from rules.game import Point, Seat, point_name
from rules.registry import GAMES
from tools.program import argument_parser, say
from tools.pupil import Pupil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rules.game import AnyGame, AnyPosition

    Player = Callable[[AnyPosition, int], Choice]
    """Returns the move to play, by the position and a seed, and what its player expects."""


SURE_WIN, SURE_POINTS = 0.985, 8
"""Of a win a player is sure who expects such a share of it, and to lead by more points."""

SCALE = 400 / log(10)
NORMAL_95 = 1.96

NO_HURRY_MILLIS = 600_000
"""Milliseconds of the wall clock after which a move by the core's time ends."""


class Program:
    """Another program, or another version of this one, behind the protocol of `kropka engine`."""

    def __init__(self, command: str, millis: int) -> None:
        self._process = Popen(split(command), stdin=PIPE, stdout=PIPE, text=True)  # noqa: S603 - the command line names it
        self._millis = millis
        self._placed: dict[Point, Seat] = {}

    def __call__(self, position: AnyPosition, seed: int) -> Choice:
        """Returns the program's choice, after sending it the dots placed since its last one, or a new game."""
        assert isinstance(position, DotsPosition)
        dots = {stone.point: stone.seat for stone in position.picture().stones}
        if not (self._placed and self._placed.items() < dots.items()):
            self._placed = {}
            self._send(f"new {position.rules.width} {position.rules.height}")
        top = position.rules.height - 1
        for dot, seat in dots.items():
            if dot not in self._placed:
                self._send(f"play {seat} {dot.x} {top - dot.y}")
        column, row = map(int, self._send(f"genmove {position.to_act} {self._millis}").split())
        chosen = Point(column, top - row)
        self._placed = {**dots, chosen: position.to_act}
        return Choice(point_name(chosen), *self._expected())

    def _expected(self) -> tuple[float, float]:
        """Returns the points that the program expects to lead by, and its share of the win; 0 and a half if it does not
        say."""
        try:
            win, points = map(float, self._send("expect").split())
        except ValueError:
            return 0, 0.5
        return points, win

    def _send(self, line: str) -> str:
        """Returns the program's answer to a line. Raises ValueError if it complains."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(line, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer.startswith("="):
            raise ValueError(f"{line}: {answer}")
        return answer[1:]


class Thinker:
    """A level, with trees of its own."""

    def __init__(self, level: int, budget: Budget | None, threads: int) -> None:
        self._level, self._budget = level, budget
        self._searcher = Searcher(threads=threads)

    def __call__(self, position: AnyPosition, seed: int) -> Choice:
        use(self._searcher)
        return choose(position, self._budget, seed, self._level)


def player(text: str) -> Player:
    """Returns the player of that name. Raises ValueError."""
    name, _, limit = text.partition("@")
    limit, _, threads = limit.partition("*")
    budget = _budget(limit) if limit else None
    if name.startswith("pupil"):
        return Pupil(int(name.removeprefix("pupil") or len(LESSONS)))
    if name == "random":
        return _random
    if name == "greedy":
        return _greedy
    if name.isdecimal():
        return Thinker(int(name), budget, int(threads or 1))
    if threads or budget is None or budget.millis is None:
        raise ValueError(f"{text}: a program thinks for so many milliseconds")
    return Program(name, budget.millis)


class Match(NamedTuple):
    """How the games of a match are played: how many random dots begin a game, and whether it ends when both players are
    sure of the winner."""

    rules: AnyGame
    quiet: int = 0
    agreed: bool = False

    def game(self, players: tuple[Player, Player], seed: int) -> float:
        """Returns the first player's result: 1, 0.5 or 0."""
        position, turn = self._start(seed), 0
        expected: list[Seat | None] = [None, None]
        while position.outcome is None:
            choice = players[position.to_act](position, seed * 1000 + turn)
            expected[position.to_act] = _sure_winner(position, choice)
            if self.agreed and expected[0] is not None and expected[0] == expected[1]:
                return float(expected[0] == 0)
            position = position.play(self.rules.parse(choice.move))
            turn += 1
        winners = position.outcome.winners
        return 0.5 if len(winners) > 1 else float(winners[0] == 0)

    def _start(self, seed: int) -> AnyPosition:
        position, rng = self.rules.start(seed), Random(seed)  # noqa: S311
        for _ in range(self.quiet):
            assert isinstance(position, DotsPosition)
            taken = [stone.point for stone in position.picture().stones]
            position = position.play(rng.choice([move for move in position.moves() if not _near(move.dot, taken)]))
        return position


def contest(match: Match, one: str, other: str, games: int, seed: int) -> str:
    """Returns a line with the result of `one` against `other`."""
    first, second = player(one), player(other)
    results: Counter[float] = Counter()
    start = perf_counter()
    for number in range(games):
        if number % 2 == 0:
            results[match.game((first, second), seed + number // 2)] += 1
        else:
            results[1 - match.game((second, first), seed + number // 2)] += 1
    part = sum(points * count for points, count in results.items()) / games
    worth, error = elo(part, games)
    return (
        f"{one:>12} - {other:<12} {results[1]:3} won {results[0.5]:3} drawn {results[0]:3} lost  {part:6.1%}"
        f"  Elo {worth:+5.0f} ±{error:.0f}  {perf_counter() - start:.0f} s"
    )


def elo(share: float, games: int) -> tuple[float, float]:
    """Returns the difference in Elo that a share of the points means, and half of its 95 % interval.

    The share is drawn half a game towards the middle, so that a clean sweep has an answer. The error is that of a
    share (the delta method).
    """
    bounded = (share * games + 0.5) / (games + 1)
    slope = SCALE / (bounded * (1 - bounded))
    return SCALE * log(bounded / (1 - bounded)), NORMAL_95 * slope * sqrt(bounded * (1 - bounded) / games)


def _sure_winner(position: AnyPosition, choice: Choice) -> Seat | None:
    """Returns who wins, if the player to act is sure of it."""
    if abs(choice.value) <= SURE_POINTS or 1 - SURE_WIN < choice.win < SURE_WIN:
        return None
    return position.to_act if choice.win > 0.5 else Seat(1 - position.to_act)


def _near(dot: Point, taken: list[Point]) -> bool:
    """Returns whether a dot lies at most two steps from one of the others, also diagonally."""
    return any(max(abs(dot.x - one.x), abs(dot.y - one.y)) <= 2 for one in taken)


def table(limit: str) -> Iterator[tuple[str, str]]:
    """Lists the pairs of the whole table; `limit` is for the highest level."""
    for level in range(EASIEST, HARDEST - 1):
        yield str(level + 1), str(level)
    for other in (str(HARDEST - 1), "greedy", "random"):
        yield f"{HARDEST}{limit}", other


def _budget(text: str) -> Budget:
    if text.endswith("ms"):
        return Budget(millis=int(text[:-2]), within=NO_HURRY_MILLIS)
    if text.endswith("wall"):
        return Budget(millis=int(text[:-4]), within=int(text[:-4]))
    if text.endswith("n"):
        return Budget(nodes=int(text[:-1]))
    raise ValueError(text)


def _random(position: AnyPosition, seed: int) -> Choice:
    return Choice(str(Random(seed).choice([*position.moves()])), 0, 0.5)  # noqa: S311 - no secret


def _greedy(position: AnyPosition, seed: int) -> Choice:
    assert isinstance(position, DotsPosition)
    moves = [*position.moves()]
    Random(seed).shuffle(moves)  # noqa: S311

    def worth(move: object) -> int:
        does = position.consequences_of(move.dot)  # type: ignore[attr-defined]
        return does.captures - does.loses

    return Choice(str(max(moves, key=worth)), 0, 0.5)


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("players", nargs="*", metavar="PLAYER")
    parser.add_argument("--preset", default="zagram", choices=GAMES)
    parser.add_argument("--size", default="20x20")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quiet", type=int, default=0, help="random dots that begin a game")
    parser.add_argument("--agreed", action="store_true", help="end a game when both are sure of the winner")
    parser.add_argument("--limit", default="", help="for the highest level in the table, as @1000ms")
    given = parser.parse_args()
    rules = GAMES[given.preset].with_options({"size": given.size})
    say(f"{given.preset} {given.size}, {given.games} games each, seeds from {given.seed}")
    for one, other in [tuple(given.players)] if given.players else table(given.limit):
        say(contest(Match(rules, given.quiet, given.agreed), one, other, given.games, given.seed))


if __name__ == "__main__":
    main()
