"""Plants a blindness for nets in simulated players: what the page of figures tells them, and what training helps.

`python -m benchmarks.blindness`. The computer plays for them, with so many playouts for a move. One who is blind
overlooks with a chance each dot by which a net is proved: it captures two dots by force, and threatens none yet. Who
sees one places it.
Their games begin with positions of the built-in set, in which there is a net, a capture or an escape for them, by
turns. They go through the use cases: played, reviewed, counted, and told in the words of the page.

Two copies of a player go on then. One trains what the page names first, the other each kind by turns, with as many
puzzles. What is learned is assumed: with each net that a player looks for and misses, they overlook a fifth fewer.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle
from random import Random
from statistics import mean
from typing import Final

from benchmarks.figure import Figure
from benchmarks.program import database, report
from bot.features.coach.reviews import findings_of
from opponent.captures import Oversight, oversight
from opponent.choice import HARDEST, Budget, Choice
from opponent.choose import choose
from opponent.dots.arrays import STRIDE
from opponent.dots.field import from_position, place
from opponent.forcing import Forcing, TooLong
from opponent.review import review
from play.community.exercise import Exercise, Kind
from play.community.exercises import exercises
from play.community.solving import Right, Solving, Wrong
from play.ids import DAY, IdempotencyKey, UserId
from play.match.match import Match
from presentation.words.words import SOURCE, Languages
from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.game import AnyPosition
from storage import Database
from tests.clock import StoppedClock
from tests.matches import a_match
from tools.program import argument_parser
from use_cases import UseCases
from use_cases.own_figures import load_figures
from web.presentation.figures import tell_parts

PLAYOUTS: Final = Budget(800)
"""For a move of either player: about level 9."""

KINDS: Final = (Kind.NET, Kind.CAPTURE, Kind.ESCAPE)
"""Kinds of the positions with which games begin, by turns."""

MOVES: Final = 14
"""Moves after which a player who is behind resigns, else their opponent: what a game began with is over by then."""

MAX_SIDE: Final = 10
"""Crossings of a side: games on larger boards take longer, and tell the same."""

NET_DOTS, NET_POINTS = 5, 2
"""Dots within which a net is proved, its first one included, and what it captures."""

QUIET_DOTS = 3
"""The last dots of a net, which need no threat."""

TRIES: Final = 60_000
"""Dots that a proof may place."""

BLIND: Final = 0.9
"""The chance to overlook a net, before any training."""

KEPT: Final = 0.8
"""The part of that chance that is left after a puzzle with a net was missed."""

WORDS: Final = Languages.read(tags=()).of(SOURCE)

PARTNER: Final = UserId(1)

WAYS: Final = ("Train this", "mixed training")

ROUNDS: Final = 3
"""Times of training, with games before and after each."""

MIN_TOLD, MAX_TOLD = 0.9, 0.34
"""Of the players who are blind for nets, so many are told of nets first, and so many of the others: they overlook nets
that the computer does not look at."""


class Nets:
    """The nets that a position has for the player to act, by proof."""

    def __init__(self) -> None:
        self._forcing = Forcing(TRIES, QUIET_DOTS)

    def begins(self, position: AnyPosition, move: str) -> bool:
        """Returns whether a move begins a net."""
        turn = position.rules.parse(move) if isinstance(position, DotsPosition) else None
        if not isinstance(position, DotsPosition) or not isinstance(turn, Turn):
            return False
        board, player = from_position(position), int(position.to_act)
        goal = int(position.score[player] - position.score[1 - player]) + NET_POINTS
        after = board.copy()
        place(after, player, (turn.dot.y + 1) * int(board[STRIDE]) + turn.dot.x + 1)
        try:
            if self._forcing.forced(board, player, goal, 1) or self._forcing.forced(after, player, goal, 1):
                return False  # it is a capture, or a threat
            return not self._forcing.refuting(after, player, goal, NET_DOTS - 1)
        except TooLong:
            return False


@dataclass
class Player:
    """A simulated player. `blind` is the chance to overlook a net, `chance` decides it."""

    user: UserId
    blind: float
    chance: Random
    nets: Nets = field(default_factory=Nets)

    def move(self, position: AnyPosition) -> str:
        """Returns a net that the player sees, else the best move but for nets."""
        choice = choose(position, PLAYOUTS, self.chance.randrange(2**32), HARDEST)
        moves = (choice.move, *(each.move for each in choice.candidates if each.move != choice.move))
        sees = self.chance.random() >= self.blind
        return next((move for move in moves if self.nets.begins(position, move) == sees), choice.move)

    def learn(self, kind: Kind | None) -> None:
        """Learns from a puzzle of a kind that was missed."""
        if kind is Kind.NET:
            self.blind *= KEPT


@cache
def beginnings(kind: Kind) -> Sequence[Exercise]:
    """Returns the exercises of a kind with whose positions games begin: on small boards, without a capture yet, and
    solved by nets alone or by none."""
    nets = Nets()
    return [
        each
        for each in exercises().values()
        if each.kind is kind
        and isinstance(each.game, Dots)
        and max(each.game.width, each.game.height) <= MAX_SIDE
        and not any(stone.captured for stone in each.position.picture().stones)
        and all(nets.begins(each.position, move) == (kind is Kind.NET) for move in each.tree.right)
    ]


def game_from(exercise: Exercise) -> Dots:
    """Returns the game that begins with the position of an exercise."""
    position, rules = exercise.position, exercise.game
    assert isinstance(rules, Dots), "others begin no game"
    stones = tuple((stone.seat, stone.point) for stone in position.picture().stones)
    return Dots(
        "zagram",
        rules.width,
        rules.height,
        Setup.STONES,
        stones=stones,
        begins=position.to_act,
    )


async def think(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    """Thinks here, as a worker does."""
    return choose(position, budget, seed, level)


async def look(position: AnyPosition, move: str) -> Oversight | None:
    """Looks for an oversight here, as a worker does."""
    return oversight(position, move)


class School:
    """The program as players use it: they play, look at their figures, and train. A `clock` moves a day a game."""

    def __init__(self, store: Database, clock: StoppedClock) -> None:
        self._store = store
        self._clock = clock
        self._cases = UseCases.over(store, lambda: 1)
        self._keys = iter(range(1, 2**62))

    async def play(self, player: Player, number: int) -> float:
        """Plays a game of a player, whose review is stored; returns by how many points they lead at its end."""
        chance = Random(number)  # noqa: S311 - a simulation
        exercise = chance.choice(beginnings(KINDS[number % len(KINDS)]))
        game = game_from(exercise)
        seat = int(game.begins)
        players = (player.user, PARTNER) if seat == 0 else (PARTNER, player.user)
        partner = Player(PARTNER, 0.0, chance)
        async with self._store.write() as tx:
            match = await tx.matches.add(a_match(next(self._keys), players, at=self._clock(), game=game))
        while match.outcome is None:
            assert match.to_act is not None
            mover = player if match.to_act == seat else partner
            key, at = IdempotencyKey(next(self._keys)), self._clock()
            if len(match.moves) == MOVES:
                behind = player if match.score[seat] < match.score[1 - seat] else partner
                match = await self._cases.matches.resign(match.id, behind.user, at, key)
            else:
                text = await asyncio.to_thread(mover.move, match.position)
                match = await self._cases.matches.move(match.id, mover.user, text, at, key)
        await self._review(match, player.user)
        self._clock.advance(DAY)
        return match.score[seat] - match.score[1 - seat]

    async def _review(self, match: Match, user: UserId) -> None:
        found = await review(match.game, match.seed, [move.text for move in match.moves], think, look)
        await self._cases.past_mistakes.note_review(match, findings_of(match, found), user)

    async def first_cause(self, user: UserId) -> Kind | None:
        """Returns the kind that the page names first among what costs a player points, with a way to train it."""
        told = await load_figures(self._store, user)
        (causes,) = (part for part in tell_parts(told, WORDS) if part.key == "causes")
        train = next((line.train for line in causes.lines if line.train), None)
        return Kind(train.removeprefix("train:")) if train else None

    async def lost_by(self, user: UserId) -> dict[Kind | None, float]:
        """Returns what the mistakes of a player have cost, by kind."""
        return {kind: each.lost for kind, each in (await load_figures(self._store, user)).figures.causes.items()}

    async def train(self, player: Player, kind: Kind) -> bool:
        """Lets a player train a kind with one puzzle; returns whether they have solved it."""
        at = self._clock()
        exercise = await self._cases.training.choose(player.user, kind, at)
        assert exercise is not None, "the set has enough of each kind"
        solving = Solving.begin(exercise)
        while True:
            verdict = solving.try_move(await asyncio.to_thread(player.move, solving.position))
            await self._cases.training.note(player.user, solving, verdict, at, gave_up=False)
            if not isinstance(verdict, Right):
                break
            solving = verdict.next
        if isinstance(verdict, Wrong):
            player.learn(exercise.kind)
        return not isinstance(verdict, Wrong)


async def tell(url: str, players: int, games: int) -> list[Figure]:
    """Returns how often the page names nets first to players who are blind for them, and to those who are not."""
    figures = []
    clock = StoppedClock()
    async with Database.open(url, now=clock) as store:
        school = School(store, clock)
        for name, blind in {"blind": BLIND, "sighted": 0.0}.items():
            named, lost, leads = 0, [], []
            for number in range(players):
                user = UserId(1000 * (1 + number) + round(10 * blind))
                player = Player(user, blind, Random(number))  # noqa: S311 - a simulation
                leads += [await school.play(player, games * number + game) for game in range(games)]
                named += await school.first_cause(user) is Kind.NET
                lost.append((await school.lost_by(user)).get(Kind.NET, 0.0) / games)
            limit = MIN_TOLD if blind else MAX_TOLD
            figures += [
                Figure(f"{name}: told of nets first, of all players", named / players, "", limit, least=blind > 0),
                Figure("  lost by nets in a game", mean(lost), "points"),
                Figure("  lead at the end of a game", mean(leads), "points"),
            ]
    return figures


async def teach(url: str, pupils: int, games: int, puzzles: int) -> list[Figure]:
    """Returns the blindness, the loss by nets and the lead of pupils after rounds of so many puzzles and games."""
    figures = []
    clock = StoppedClock()
    async with Database.open(url, now=clock) as store:
        school = School(store, clock)
        for way in WAYS:
            rows = [await _school_days(school, way, number, games, puzzles) for number in range(pupils)]
            for each in range(ROUNDS + 1):
                blind, lost, lead = (mean(row[each][part] for row in rows) for part in range(3))
                name = f"{way}, after {each * puzzles} puzzles: blind for nets"
                figures += [
                    Figure(name, blind, ""),
                    Figure("  lost by nets in a game", lost, "points"),
                    Figure("  lead at the end of a game", lead, "points"),
                ]
    return figures


async def _school_days(
    school: School, way: str, number: int, games: int, puzzles: int
) -> list[tuple[float, float, float]]:
    """Returns the blindness of a pupil, the loss by nets and the lead in a game, before and after each round."""
    user = UserId(10_000 * (1 + number) + WAYS.index(way))
    player, found, former = Player(user, BLIND, Random(number)), [], 0.0  # noqa: S311 - a simulation
    mixed = cycle(Kind)
    for each in range(ROUNDS + 1):
        leads = [await school.play(player, 10_000 * number + games * each + game) for game in range(games)]
        lost = (await school.lost_by(user)).get(Kind.NET, 0.0)
        found.append((player.blind, (lost - former) / games, mean(leads)))
        former = lost
        named = await school.first_cause(user)
        for _ in range(puzzles):
            await school.train(player, named if named and way == WAYS[0] else next(mixed))
    return found


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("--players", type=int, default=8, help="of those who are blind, and of the others")
    parser.add_argument("--games", type=int, default=12, help="after which the page is read")
    parser.add_argument("--pupils", type=int, default=2, help="who train in each way")
    parser.add_argument("--round", type=int, default=9, help="games between two times of training")
    parser.add_argument("--puzzles", type=int, default=7, help="at each time of training")
    arguments = parser.parse_args()
    with database("sqlite") as (url, _):
        figures = asyncio.run(tell(url, arguments.players, arguments.games))
    with database("sqlite") as (url, _):
        figures += asyncio.run(teach(url, arguments.pupils, arguments.round, arguments.puzzles))
    return report(figures)


if __name__ == "__main__":
    sys.exit(main())
