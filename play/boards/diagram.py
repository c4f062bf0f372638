"""A position in letters, as `text_board` prints it, and as people type it: made into a set-up that gives it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from play.boards.own_board import OwnBoard, first_position, play_steps, set_up
from play.match.turn_tree import TriedTurn
from play.refusal import Reason, Refused
from rules.dots import Closing, Dots, Setup, Turn
from rules.game import Point, Seat, point_name
from rules.registry import GAMES

_ROW: Final = re.compile(r"\s*(?:\d{1,2}\s)?\s*(?P<row>[.RBGVrbgv1234-]{1,60})\s*")
_HEAD: Final = re.compile(r"\s*[A-Z ]*\s*|\s*```\w*\s*")

MAX_LINES: Final = 80

ALIVE, CAPTURED, OWNERS = "RBGV", "rbgv", "1234"


def read(diagram: str, preset: str) -> OwnBoard:
    """Returns the board with the position of a diagram, by the rules of a preset. Raises Refused (`bad_diagram`,
    `diagram_differs` if no set-up gives it by these rules)."""
    rows = _rows(diagram)
    return OwnBoard(_checked(_set_up(rows, preset), rows))


def begin_at(game: Dots, steps: Sequence[TriedTurn]) -> Dots:
    """Returns the game whose set-up is the position after these turns. Raises Refused (`diagram_differs` if no set-up
    gives it)."""
    position = play_steps(game, steps)
    rows = position.rows()
    turns = ((step.seat, game.parse(step.text)) for step in steps)
    dots = (*game.all_first_dots, *((seat, turn.dot) for seat, turn in turns if isinstance(turn, Turn)))
    areas = () if game.closing is Closing.AUTOMATIC else tuple(_areas(_signs(rows)))
    begun = replace(
        game, setup=Setup.STONES, stones=dots, areas=areas, begins=position.to_act, crosses=1, handicap=0, opening=None
    )
    first_position(begun)
    return _checked(begun, rows)


def _checked(game: Dots, rows: Sequence[str]) -> Dots:
    """Returns a game. Raises Refused (`diagram_differs`) unless its set-up gives the position of these rows."""
    shown = [row.replace("-", ".") for row in first_position(game).rows()]
    for y, (row, made) in enumerate(zip(rows, shown, strict=True)):
        for x, (sign, other) in enumerate(zip(row.replace("-", "."), made, strict=True)):
            if sign != other and not (sign == "." and other in OWNERS):
                raise Refused(Reason.DIAGRAM_DIFFERS, point=point_name(Point(x, len(rows) - 1 - y)))
    return game


def _rows(diagram: str) -> list[str]:
    """Returns the rows from the top. Raises Refused (`bad_diagram`)."""
    rows = list[str]()
    for number, line in enumerate(diagram.splitlines()[: MAX_LINES + 1], start=1):
        if match := _ROW.fullmatch(line):
            rows.append(match["row"])
            if len(rows[-1]) == len(rows[0]):
                continue
        elif _HEAD.fullmatch(line):
            continue
        raise Refused(Reason.BAD_DIAGRAM, line=number)
    if not rows:
        raise Refused(Reason.BAD_DIAGRAM, line=1)
    return rows


def _set_up(rows: Sequence[str], preset: str) -> Dots:
    """Returns the game whose set-up has the dots of these rows. Captured dots come first: those after them close."""
    signs = _signs(rows)
    lost = [(Seat(CAPTURED.index(sign)), point) for point, sign in signs.items() if sign in CAPTURED]
    alive = [(Seat(ALIVE.index(sign)), point) for point, sign in signs.items() if sign in ALIVE]
    seats = max((2, *(1 + ALIVE.index(sign.upper()) for sign in signs.values() if sign.isalpha())))
    rules = GAMES.get(preset)
    closes_alone = isinstance(rules, Dots) and rules.closing is Closing.AUTOMATIC
    areas = () if closes_alone else tuple(_areas(signs))
    size = f"{len(rows[0])}x{len(rows)}"
    return set_up(preset, size, (*lost, *alive), areas, Seat(0), seats if seats > 2 else None)


def _signs(rows: Sequence[str]) -> dict[Point, str]:
    return {Point(x, len(rows) - 1 - y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}


def _areas(signs: dict[Point, str]) -> Iterator[tuple[Seat, Point]]:
    """Yields a captured crossing of each area with its owner: that of an empty crossing, or of the dots around."""
    left = {point for point, sign in signs.items() if sign in CAPTURED + OWNERS}
    while left:
        part, edge = [left.pop()], list[str]()
        for x, y in part:
            for near in (Point(x + 1, y), Point(x - 1, y), Point(x, y + 1), Point(x, y - 1)):
                if near in left:
                    left.remove(near)
                    part.append(near)
                elif signs.get(near, ".") in ALIVE:
                    edge.append(signs[near])
        owned = [OWNERS.index(signs[point]) for point in part if signs[point] in OWNERS]
        owner = owned[0] if owned else ALIVE.index(max(edge, key=edge.count)) if edge else 0
        yield Seat(owner), part[0]
