"""An exercise: a position whose player to move has something to find. Whatever is asked, it is one of these."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, NewType

from play.community.exercise_tree import Line, Node, Step, read_tree
from play.ids import UserId
from play.ratings.glicko import Rating
from rules.dots import Turn
from rules.game import AnyGame, AnyPosition, Zone, point_name

TaskId = NewType("TaskId", str)
"""What is solved: `e12` is the exercise 12 of the built-in set, `p12` the puzzle 12 from a match."""

POSITIONS_CACHE_SIZE = 64
"""The three of the day are those that are asked for."""


UNRATED = Rating()


class Kind(StrEnum):
    """The subject of an exercise: its goal, for the player to move."""

    CAPTURE = "capture"
    """Capture at least `points` dots by threats, or at once."""
    NET = "net"
    """Capture at least `points` dots, beginning with a dot that does not threaten them yet."""
    LADDER = "ladder"
    """Chase at least `points` dots, with a threat by each dot, until they are captured."""
    ESCAPE = "escape"
    """Save at least `points` dots that the opponent could capture."""
    WALL = "wall"
    """Hold the wall round a base or house: otherwise the opponent gets at least `points` points by breaking it."""
    STOP = "stop"
    """Win by STOP: at once, or after one dot. STOP too early loses dots."""
    ENDING = "ending"
    """Few crossings are left: lead by at least `points` at the end, whatever the opponent does."""


class Goal(NamedTuple):
    """What a player has to do, as the sentence `key` says it: for so many `points`, None where it names none."""

    key: str
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position of `game` after `moves`, whose player to move has a `goal`.

    `source` is the tree, or its text, which is read when it is needed. All that is right lies in the `zone`, if there
    is one. Exactly one of the `answers` to choose from is right. `rating` is the difficulty before any solver's answer.
    `seed` is that of the game it comes from, `players` know it from their match. A move that captures `enough` points
    at once is right as well. With `by_rules` a wrong move is answered by the largest capture, if there is one.
    """

    id: TaskId
    game: AnyGame
    seed: int
    moves: Line
    goal: Goal
    source: Node | str
    answers: Line = ()
    rating: Rating = UNRATED
    kind: Kind | None = None
    players: tuple[UserId, ...] = ()
    enough: float | None = None
    by_rules: bool = False
    zone: Zone | None = None

    @property
    def number(self) -> int:
        """Returns the number in the id."""
        return int(self.id[1:])

    @property
    def tree(self) -> Node:
        return read_tree(self.source) if isinstance(self.source, str) else self.source

    @property
    def position(self) -> AnyPosition:
        """Returns the position to solve."""
        return _replay(self.game, self.seed, self.moves)

    @property
    def is_rated(self) -> bool:
        """Returns whether answers move ratings. What comes from a match its players and their friends could stage."""
        return not self.players

    @property
    def solution(self) -> str:
        """Returns the name of the right one of the answers."""
        right = self.tree.right
        return next(each for each in (name_of(self.game.parse(answer)) for answer in self.answers) if each in right)

    def is_right(self, answer: int) -> bool:
        """Returns whether that answer is the right one."""
        return name_of(self.game.parse(self.answers[answer])) in self.tree.right


def name_of(turn: object) -> str:
    """Returns the name of a turn among others: its dot, where it places one."""
    return point_name(turn.dot) if isinstance(turn, Turn) else str(turn)


def found_tree(game: AnyGame, line: Line, good: Iterable[str] = ()) -> Node:
    """Returns the tree of what a search has found in a game: the best `line`, and the names of moves as `good`."""
    best = name_of(game.parse(line[0]))
    return Node({best: Step(line[1:], turn=line[0])} | {each: Step(()) for each in good if each != best})


@lru_cache(POSITIONS_CACHE_SIZE)
def _replay(game: AnyGame, seed: int, moves: Line) -> AnyPosition:
    """Returns the position after these moves. To play them takes most of the time of a tap."""
    position = game.start(seed)
    for move in moves:
        position = position.play(game.parse(move))
    return position
