"""The path of lessons, from the first capture to the last dot. `tests/play/test_lessons.py` proves each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from play.community.lesson import Lesson


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
