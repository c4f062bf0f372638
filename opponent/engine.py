"""`kropka engine`: plays Dots with other programs, line by line, on standard input and output.

    new W H          begins on an empty field
    play SEAT X Y    places a dot of seat 0 or 1; seats need not alternate, so set-ups are played too
    undo             takes the last dot back
    genmove SEAT MS  thinks for so many milliseconds of one core, plays, and answers `= X Y`
    expect           answers `= WIN POINTS`, what the player of the last genmove expects: their share of the win, from
                     0 to 1, and by how many points they will lead at the end
    score            answers `= S0 S1`
    quit

Columns and rows count from 0, rows from the top. The answer to a command begins with `=` if it succeeds, and with `?`
if it fails. A busy machine may need up to four times as long for a core's milliseconds. A dot that genmove has just
placed may be repeated with play, as some programs do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opponent.choice import Budget
from opponent.dots.player import Searcher
from opponent.dots.skill import FULL
from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.game import BadOption, IllegalMove, Point, Seat, parse_point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from opponent.choice import Choice

FAULTS = {
    "bad_size": "the field has 1 to {largest} crossings a side",
    "off_field": "there is no such crossing",
    "occupied": "there is a dot on it already",
    "in_base": "it lies in a base",
    "game_over": "the field is full",
}


class BadLine(Exception):
    """A line that is no command of the protocol."""


class Engine:
    """One game. The `seed` decides every random choice."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._searcher = Searcher()
        self._history: list[DotsPosition] = []
        self._generated: tuple[Seat, Point] | None = None
        self._choice: Choice | None = None
        self._commands: dict[str, tuple[Callable[..., str], int]] = {
            "new": (self._new, 2),
            "play": (self._play, 3),
            "undo": (self._undo, 0),
            "genmove": (self._genmove, 2),
            "expect": (self._expect, 0),
            "score": (self._score, 0),
        }

    def answer(self, line: str) -> str:
        """Returns the answer to a line."""
        word, *texts = line.split()
        try:
            if word not in self._commands:
                raise BadLine(f"unknown command: {word}")
            command, count = self._commands[word]
            if len(texts) != count:
                raise BadLine(f"{word} takes {count} numbers")
            return f"= {command(*map(_number, texts))}".rstrip()
        except BadLine as error:
            return f"? {error}"
        except (BadOption, IllegalMove) as error:
            return "? " + FAULTS[error.key].format_map(error.details)

    def _new(self, width: int, height: int) -> str:
        self._history = [Dots("engine", width, height, Setup.STONES).start(self._seed)]
        self._generated = self._choice = None
        return ""

    def _play(self, number: int, column: int, row: int) -> str:
        seat, position = _seat(number), self._position
        dot = Point(column, position.rules.height - 1 - row)
        if self._generated != (seat, dot):
            self._place(seat, dot)
        self._generated = None
        return ""

    def _undo(self) -> str:
        if len(self._history) < 2:
            raise BadLine("there is nothing to take back")
        self._history.pop()
        self._generated = None
        return ""

    def _genmove(self, number: int, millis: int) -> str:
        seat = _seat(number)
        if self._position.outcome:
            raise IllegalMove("game_over")
        position = self._position.with_to_act(seat)
        self._choice = self._searcher.choose(position, Budget(millis=max(1, millis)), self._seed, FULL)
        dot = parse_point(self._choice.move)
        self._place(seat, dot)
        self._generated = seat, dot
        return f"{dot.x} {position.rules.height - 1 - dot.y}"

    def _expect(self) -> str:
        if self._choice is None:
            raise BadLine("genmove comes first")
        return f"{self._choice.win:.4f} {self._choice.value:.2f}"

    def _score(self) -> str:
        return " ".join(f"{points:g}" for points in self._position.score)

    @property
    def _position(self) -> DotsPosition:
        if not self._history:
            raise BadLine("there is no game yet")
        return self._history[-1]

    def _place(self, seat: Seat, dot: Point) -> None:
        self._history.append(self._position.with_to_act(seat).play(Turn(dot)))


def serve(lines: Iterable[str], output: TextIO) -> None:
    """Answers line by line until the lines end, or `quit`."""
    engine = Engine()
    for line in lines:
        if line.split() == ["quit"]:
            print("=", file=output, flush=True)
            return
        if line.strip():
            print(engine.answer(line), file=output, flush=True)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadLine(f"no number: {text}") from None


def _seat(number: int) -> Seat:
    if number not in (0, 1):
        raise BadLine("seats are 0 and 1")
    return Seat(number)
