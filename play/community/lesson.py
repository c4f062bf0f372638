"""The path of lessons, from the first capture to the last dot: each a position with one dot to place or STOP to say.

`tests/play/test_lessons.py` proves each of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, NamedTuple

from play.community.exercise import Exercise, Goal, TaskId
from play.community.exercise_tree import Node, Step
from play.ids import Millis
from rules.game import AnyGame, Point, Zone, parse_point, point_name
from rules.registry import make_game

PAD_SIDE = 5
"""Crossings a side of the part in which the dot lies: as many as there are buttons."""

PUZZLES = 3
"""Puzzles of its kind that follow a lesson."""

BASICS = 3
"""Lessons after which a newcomer can play."""


@dataclass(frozen=True)
class Lesson:
    """A lesson of the path, by its `key`.

    `rows` are the board from the top: X is a dot of the player, who is to move, O one of the opponent. The dot lies in
    the part of the board whose lower left corner is `corner`. Each of the `right` ones solves the lesson, or STOP if
    that is among them; `line` is how it goes on after the first of them. A wrong one is answered by a capture, if there
    is one, else by what `answers` has for it, else where the first right one was. `kind` is that of the puzzles that
    follow. `preset` has the rules.
    """

    key: str
    kind: str
    rows: tuple[str, ...]
    right: tuple[str, ...]
    corner: str = "A1"
    line: tuple[str, ...] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    preset: str = "zagram"

    @cached_property
    def game(self) -> AnyGame:
        """The game, which begins at the position."""
        height = len(self.rows)
        stones = " ".join(
            f"{'XO'.index(sign)}:{point_name(Point(x, height - 1 - y))}"
            for y, row in enumerate(self.rows)
            for x, sign in enumerate(row)
            if sign in "XO"
        )
        size = f"{len(self.rows[0])}x{height}"
        return make_game(self.preset, {"size": size, "start": "stones", "stones": stones})

    @cached_property
    def exercise(self) -> Exercise:
        """The position, and what is right there."""
        first, *others = self.right
        right = {first: Step(self.line)} | {each: Step(()) for each in others}
        tree = Node(right, (first,), {wrong: (answer,) for wrong, answer in self.answers.items()})
        goal = Goal(f"lesson.task.{self.key}")
        return Exercise(TaskId(self.key), self.game, 0, (), goal, tree, by_rules=True, zone=self.zone)

    @property
    def zone(self) -> Zone:
        """The part of the board in which the dot lies."""
        low = parse_point(self.corner)
        return Zone(low, Point(low.x + PAD_SIDE - 1, low.y + PAD_SIDE - 1))


class Chapter(NamedTuple):
    """Some lessons about the same, in the order in which they are learned."""

    key: str
    lessons: tuple[Lesson, ...]


def _lesson(key: str, kind: str, board: str, right: str, corner: str = "A1", line: str = "", **answers: str) -> Lesson:
    rows, found = tuple(board.split()), tuple(right.split())
    return Lesson(key, kind, rows, found, corner, tuple(line.split()), answers)


def _with_stop(lesson: Lesson) -> Lesson:
    """Returns a lesson by the rules of the exercises with STOP."""
    return replace(lesson, preset="zagram-no-territory")


PATH: Final = (
    Chapter(
        "basics",
        (
            _lesson("capture", "capture", "O.... ..X.. .XO.. ..X.. ...O.", "D3"),
            _lesson("chain", "capture", "..XX. .XOOX .XO.X ..X.. O....", "D2 D3"),
            _lesson("block", "escape", "....X ..O.. .OX.. ..O.. X....", "D3"),
            _lesson("edge", "capture", "..XOX ...X. .X... XOX.. ....O", "B1"),
            _lesson("two", "capture", "..... .X.X. XO.OX .X.X. O...O", "C3"),
        ),
    ),
    Chapter(
        "captures",
        (
            _lesson("bigger", "capture", "....... ...XX.. ..XOOX. ..XO.X. .X..X.. XOX.... .....OO", "D3 D2"),
            _lesson("inside", "capture", "..... .XO.. XO.O. .XO.. ....X", "C3"),
            _lesson("counter", "escape", "..... .XO.. .OX.. .XO.. .....", "A3"),
            _lesson("share", "escape", "....... ..O.... .OXO... ....... .OXO... ..O.... .......", "C4", "A2"),
        ),
    ),
    Chapter(
        "threats",
        (
            _lesson("fork", "capture", "O.... .X.X. .O.O. .X.X. ....O", "C3", line="A3 E3"),
            _lesson("wedge", "capture", "....... ....... ....X.. ...X..X ....OX. ...OX.. .......", "D3", "C2", "E4 F4"),
            _lesson(
                *("net", "net", "....... ....... ..X.X.. ..XO... ..X.X.. ....... .......", "E4 D5 D3 F4 D6 D2", "B2"),
                line="D5 D6 D3 D2",
            ),
            _lesson("parry", "escape", "O.... .O.O. .X.X. .O.O. ....X", "C3 C2 A3 E3 C4"),
            _lesson("loosen", "escape", "....... ....... ....O.. ...O..O ....XO. ...XO.. .......", "D3 F2", "C2"),
        ),
    ),
    Chapter(
        "ladders",
        (
            _lesson(
                "chase", "ladder", "....... ..XX... .XOO... .X..... ..X.X.. ....... .......", "E5", "B2", "D4 D2 E4 F4"
            ),
            _lesson(
                "bend", "ladder", "....... ....... ...XX.. ...OXX. ....O.X ...X... .......", "D3", "C2", "C4 E2 F2 F3"
            ),
            _lesson(
                "twist", "ladder", "....... ....... ..XX... ..XO... .XXO.X. ..O.... ..X....", "D2", "B1", "B2 E4 E2 E3"
            ),
            _lesson("flee", "escape", "....... ..OO... .OXX... .O..... ..O.O.. ....... .......", "E5 D4", "B2"),
            _lesson("dodge", "escape", "....... ....... ...OO.. ...XOO. ....X.O ...O... .......", "D3 C4 E2 F2", "C2"),
        ),
    ),
    Chapter(
        "walls",
        (
            _lesson("door", "escape", "....... ....... ..OOO.. ..OXO.. ..OXO.. ....... .......", "D2", "B1"),
            _lesson("reach", "escape", "....... ....... ....... ..OXO.. ...X... ..O.O.. .......", "D2 C3 E3", "B1"),
            _lesson(
                "cut",
                "wall",
                "....... ...X... ....... OO...OO ..X.X.. ....... .......",
                "D4",
                "B2",
                C4="C5",
                E4="E5",
                C5="C4",
                E5="E4",
            ),
        ),
    ),
    Chapter(
        "counting",
        (
            _lesson("save", "escape", "....... ..OO... .OXXO.. .OX.... ..O.... ....XOX .....X.", "D4", "C1"),
            _lesson("larger", "escape", "....... .O..OO. OXOOXXO ...OX.. ....O.. ....... .......", "F4", "B2"),
            _lesson("trade", "capture", "....... .O..... OXO.... ....XX. ...XOOX ...XO.. ....X..", "F2", "B1"),
        ),
    ),
    Chapter(
        "endings",
        (
            _lesson("fill", "ending", "XXXOOO X.XO.O XXXOOO X.XOOO XXXOOO XXX.OO", "D1", "B1", "E5 B5 B3"),
            _lesson("room", "ending", "X.XOOO XXXXOO .XXXOO X..XOO XX.OOO XXXOOO", "C2", line="A4 B6 B3"),
            _with_stop(_lesson("ground", "wall", "...... ..O... .OXX.. ..XO.. .OX... ..OX..", "D2")),
            _with_stop(_lesson("stop", "stop", "XXOOOO XOXO.O XXXO.O XXXO.O OXXOOO OOXXXO", "stop", "B1")),
            _with_stop(_lesson("early", "stop", "....... ..O.... .OXX... ..XOX.. ..OXO.. ..OXO.. .......", "D1", "B1")),
        ),
    ),
)
"""The chapters."""

LESSONS: Final[Mapping[str, Lesson]] = {lesson.key: lesson for chapter in PATH for lesson in chapter.lessons}
"""All lessons by their keys, in the order of the path."""

STOP_LESSONS: Final = ("stop", "early")
"""The lessons that teach to end a game by STOP, and when."""


class LessonState(NamedTuple):
    """How far a user is with a lesson: when its dot was first found, and how many `puzzles` were played after it."""

    done: Millis | None = None
    puzzles: int = 0


class PathProgress(NamedTuple):
    """How far a user is on the path: the `states` of the lessons that they have begun, by their keys."""

    states: Mapping[str, LessonState]

    def has_done(self, key: str) -> bool:
        """Returns whether the user has found the dot of a lesson."""
        return self.states.get(key, LessonState()).done is not None

    def puzzles_of(self, key: str) -> int:
        """Returns how many puzzles the user has played to their end after a lesson."""
        return self.states.get(key, LessonState()).puzzles

    @property
    def done(self) -> int:
        """Returns how many lessons the user has done."""
        return sum(map(self.has_done, LESSONS))

    def next_after(self, key: str = "") -> str | None:
        """Returns the next lesson that the user has not done, from the one after `key` on and then from the first."""
        keys = [*LESSONS]
        start = lesson_number(key) if key else 0
        return next((each for each in (*keys[start:], *keys[:start]) if not self.has_done(each)), None)


def lesson_number(key: str) -> int:
    """Returns the place of a lesson on the path, from 1."""
    return [*LESSONS].index(key) + 1


def chapter_of(key: str) -> int:
    """Returns the number of the chapter of a lesson, from 1."""
    return next(number for number, chapter in enumerate(PATH, start=1) if LESSONS[key] in chapter.lessons)
